// Deadlines when the server doesn't answer at all: the connection is ended, in time.
#include "engines/mysql/server.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"
#include "support/proxy.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

namespace {

using namespace under_test;
using namespace std::chrono_literals;
using quark::For;

TEST(MysqlDeadline, ADeadNetworkEndsTheConnection) {
  Proxy proxy(std::getenv("QUARK_TEST_MYSQL"));
  auto db = quark::mysql::open(proxy.url());
  db.execute("create temporary table users (id bigint auto_increment primary key, name text, email text, age int, "
             "active bool)");
  const auto start = std::chrono::steady_clock::now();
  {
    const auto limit = db.deadline(200ms, 200ms);
    const auto error = error_of<quark::Timeout>([&] {
      db.transaction([&](auto& tx) {
        For<User>(tx).create(User{.name = "lost"});
        proxy.freeze();
        For<User>(tx).create(User{.name = "lost"});
      });
    });
    EXPECT_NE(std::string_view(error.what()).find("the connection is closed"), std::string_view::npos) << error.what();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
  EXPECT_TRUE(db.is_lost());
  for (int again = 0; again < 2; ++again) EXPECT_THROW((void)db.execute("select 1"), quark::ConnectionError);
}

// The server may remember a KILL QUERY that met no statement.
TEST(MysqlDeadline, AKillThatMeetsNothingStopsNothing) {
  auto db = fresh();
  for (int i = 0; i < 20; ++i) {
    db.interrupt();
    EXPECT_NO_THROW((void)db.execute("select 1"));
  }
}

}  // namespace
