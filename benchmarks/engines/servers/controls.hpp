// The controls of a server: the same operations for each, by hand and by Quark.
#pragma once

#include "engines/operations.hpp"

#include <string>
#include <vector>

namespace bench {

template <class Hand, class Quark>
std::vector<Control> server_controls(bool again) {
  std::vector<Control> out;
  out.push_back(single<Find, Hand, Quark>("FindByPK", again));
  out.push_back(single<List, Hand, Quark>("List100", again));
  out.push_back(single<Update, Hand, Quark>("Update", again));
  out.push_back(single<Insert, Hand, Quark>("InsertOne", again));
  out.push_back(batch<100, Hand, Quark>("InsertBatch100", again, 1));
  out.push_back(batch<1000, Hand, Quark>("InsertBatch1000", again, 1));
  return out;
}

}  // namespace bench
