// Runs both units on one connection, one after the other and once more: what the first prepared
// must not be taken for what the second needs.
#include <cstdio>

#include "odr/units.hpp"

int main() {
  auto db = quark::sqlite::open(":memory:");
  quark::create_table<Shared>(db);
  const bool first = first_unit(db);
  const bool second = second_unit(db);
  const auto rows = quark::For<Shared>(db).count();
  std::printf("first %d, second %d, shared rows %lld\n", first, second,
              static_cast<long long>(rows));
  return first && second && rows == 4 ? 0 : 1;
}
