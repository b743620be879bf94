#include "engines/controls.hpp"

#include "engines/mysql/hand_written.hpp"
#include "engines/servers/controls.hpp"
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

std::vector<Control> controls(bool again) { return server_controls<HandWritten, Quark>(again); }

std::string engine_line() {
  auto db = quark::mysql::open(url());
  return std::string("server ") + mysql_get_server_info(db.native()) + ", client " + mysql_get_client_info() +
         ", TCP on this machine, temporary tables";
}

bool waits_for_server() { return true; }

}  // namespace bench
