#include "engines/controls.hpp"

#include "engines/operations.hpp"
#include "engines/sqlite/hand_written.hpp"
#include "engines/sqlite/quark_arm.hpp"

namespace bench {

std::vector<Control> controls(bool again) {
  using Hand = HandWritten;
  using Quark = QuarkArm;
  std::vector<Control> out;
  out.push_back(single<Find, Hand, Quark>("FindByPK", again));
  out.push_back(single<List, Hand, Quark>("ListWhere50", again));
  out.push_back(single<Update, Hand, Quark>("Update", again));
  out.push_back(single<Insert, Hand, Quark>("InsertOne", again));
  out.push_back(batch<100, Hand, Quark>("InsertBatch100", again, 0.50));
  out.push_back(batch<1000, Hand, Quark>("InsertBatch1000", again, 0.50));
  return out;
}

std::string engine_line() {
  return std::string("SQLite ") + sqlite3_libversion() + ", `:memory:`, NOMUTEX";
}

bool waits_for_server() { return false; }

}  // namespace bench
