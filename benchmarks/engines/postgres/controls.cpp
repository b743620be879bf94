#include "engines/controls.hpp"

#include "engines/postgres/hand_written.hpp"
#include "engines/servers/controls.hpp"
#include "engines/servers/quark_arm.hpp"

#include <quark/postgres.hpp>

#include <cstdlib>

namespace bench {
namespace {

const char* url() {
  const char* given = std::getenv("QUARK_TEST_POSTGRES");
  return given != nullptr ? given : "";
}

struct Open {
  quark::postgres::Connection operator()() const {
    auto db = quark::postgres::open(url());
    db.execute(postgres_table);
    return db;
  }
};
using Quark = ServerQuark<Open>;

}  // namespace

std::vector<Control> controls(bool again) { return server_controls<HandWritten, Quark>(again); }

std::string engine_line() {
  auto db = quark::postgres::open(url());
  return std::string("PostgreSQL ") + PQparameterStatus(db.native(), "server_version") + ", libpq " +
         std::to_string(PQlibVersion()) + ", TCP on this machine, temporary tables";
}

bool waits_for_server() { return true; }

}  // namespace bench
