#include "engines/controls.hpp"

#include "engines/mysql/hand_written.hpp"
#include "engines/operations.hpp"
#include "engines/servers/quark_arm.hpp"

#include <quark/mysql.hpp>

#include <cstdlib>

namespace bench {
namespace {

std::string url() {
  const char* given = std::getenv("QUARK_TEST_MYSQL");
  return given != nullptr ? given : "";
}

struct Open {
  quark::mysql::Connection operator()() const {
    auto db = quark::mysql::open(url());
    db.execute(mysql_table);
    return db;
  }
};
using Quark = ServerQuark<Open>;

}  // namespace

std::vector<Control> controls(bool again) {
  using Hand = HandWritten;
  std::vector<Control> out;
  out.push_back(single<Find, Hand, Quark>("FindByPK", again));
  out.push_back(single<List, Hand, Quark>("List100", again));
  out.push_back(single<Update, Hand, Quark>("Update", again));
  out.push_back(single<Insert, Hand, Quark>("InsertOne", again));
  out.push_back(batch<100, Hand, Quark>("InsertBatch100", again, 1));
  out.push_back(batch<1000, Hand, Quark>("InsertBatch1000", again, 1));
  return out;
}

std::string engine_line() {
  auto db = quark::mysql::open(url());
  return std::string("server ") + mysql_get_server_info(db.native()) + ", client " + mysql_get_client_info() +
         ", TCP on this machine, temporary tables";
}

bool waits_for_server() { return true; }

}  // namespace bench
