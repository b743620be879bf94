// More connections than the server has: of one user, and of all.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"
#include "support/own_servers.hpp"

#include <gtest/gtest.h>

#include <thread>

#if !defined(QUARK_TEST_ENGINE_SQLITE)
namespace {

using namespace under_test;
using quark::For;

#if defined(QUARK_TEST_ENGINE_POSTGRES)
std::size_t sessions(const Db& db) {
  return std::stoul(raw_cell(db, "select count(*) from pg_stat_activity where usename = 'limited'"));
}
#else
std::size_t sessions(const Db& db) {
  return std::stoul(raw_cell(db, "select count(*) from information_schema.processlist where user = 'limited'"));
}
#endif

class Limit : public testing::Test {
 protected:
  // A user who is no administrator: those have connections in reserve.
  Limit() {
    quark::create_table<User>(admin);
    options = shared.options();
#if defined(QUARK_TEST_ENGINE_POSTGRES)
    raw(admin, "create role limited login");
    raw(admin, "grant all on schema " + options.search_path + " to limited");
    raw(admin, "grant all on all tables in schema " + options.search_path + " to limited");
    options.url.replace(options.url.find("//quark@"), 8, "//limited@");
#else
    raw(admin, "create user limited@'%' identified by 'secret'");
    raw(admin, "grant all on " + options.database + ".* to limited@'%'");
    options.user = "limited";
#endif
  }
  ~Limit() override {
#if defined(QUARK_TEST_ENGINE_POSTGRES)
    raw(admin, "drop owned by limited");
    raw(admin, "drop role limited");
#else
    raw(admin, "drop user limited@'%'");
#endif
  }
  // A server notices that a connection was closed only after a while.
  void wait_for_sessions(std::size_t n) const {
    for (int i = 0; i < 2000 && sessions(admin) != n; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ASSERT_EQ(sessions(admin), n);
  }
  void check_code(const quark::Error& error, [[maybe_unused]] unsigned code) const {
    EXPECT_EQ(error.kind(), quark::ErrorKind::connection) << error.what();
#if defined(QUARK_TEST_ENGINE_MYSQL)
    EXPECT_EQ(error.engine_code(), static_cast<int>(code)) << error.what();
#endif
  }
  Shared shared;
  Db admin = shared.connect();
  Db::Options options;
};

TEST_F(Limit, OfOneUserIsAnErrorAndThePoolGoesOn) {
#if defined(QUARK_TEST_ENGINE_POSTGRES)
  raw(admin, "alter role limited connection limit 2");
#else
  raw(admin, "alter user limited@'%' with max_user_connections 2");
#endif
  {
    Pool pool(options, {.min = 0, .max = 4, .checkout_timeout_milliseconds = 100});
    {
      auto a = pool.acquire(), b = pool.acquire();
      const auto files = open_files();
      for (int i = 0; i < 10; ++i) check_code(error_of<quark::ConnectionError>([&] { auto c = pool.acquire(); }), 1226);
      check_code(error_of<quark::ConnectionError>([&] { (void)For<User>(pool).count(); }), 1226);
      EXPECT_EQ(open_files(), files);
      EXPECT_EQ(pool.stats().size, 2u);
      EXPECT_EQ(For<User>(a).count(), 0) << "those that it has go on";
    }
    EXPECT_EQ(For<User>(pool).count(), 0);

    // A pool that is not larger than the limit waits instead.
    pool.close();
    wait_for_sessions(0);
    Pool fitting(options, {.min = 0, .max = 2, .checkout_timeout_milliseconds = 20});
    auto a = fitting.acquire(), b = fitting.acquire();
    EXPECT_THROW((void)fitting.acquire(), quark::Timeout);
    b.give_back();
    EXPECT_EQ(For<User>(fitting).count(), 0);
  }
  wait_for_sessions(0);
}

TEST_F(Limit, OfTheServerIsAnErrorAndThePoolGoesOn) {
#if defined(QUARK_TEST_ENGINE_POSTGRES)
  const std::size_t most = std::stoul(raw_cell(admin, "show max_connections"));
#else
  const std::string before = raw_cell(admin, "select @@max_connections");
  raw(admin, "set global max_connections = 10");
  const std::size_t most = 10;
#endif
  {
    Pool pool(options, {.min = 0, .max = most + 10});
    std::vector<quark::Lease<Db>> leases;
    std::optional<quark::Error> refused;
    while (!refused && leases.size() < most + 10) {
      try {
        leases.push_back(pool.acquire());
      } catch (const quark::ConnectionError& error) {
        refused = error;
      }
    }
    ASSERT_TRUE(refused);
    check_code(*refused, 1040);
    EXPECT_LT(leases.size(), most);
    EXPECT_GT(leases.size(), most / 2);
    EXPECT_EQ(pool.stats().size, leases.size());
    check_code(error_of<quark::ConnectionError>([&] { (void)Db(options); }), 1040);
    leases.pop_back();
    EXPECT_EQ(For<User>(pool).count(), 0);
    For<User>(pool).create(User{.name = "after"});
  }
  wait_for_sessions(0);
#if defined(QUARK_TEST_ENGINE_MYSQL)
  raw(admin, "set global max_connections = " + before);
#endif
  Pool pool(options, {.min = 2, .max = 2});
  EXPECT_EQ(For<User>(pool).count(), 1);
  pool.close();
  wait_for_sessions(0);
}

#if defined(QUARK_TEST_ENGINE_POSTGRES)
// What is refused after a password was taken is not the password's fault.
TEST_F(Limit, ARightPasswordIsNotBlamed) {
  const std::string given = std::getenv("QUARK_TEST_POSTGRES");
  const std::string host = given.substr(given.find('@')), right = "postgres://quark_login:secret" + host;
  const auto missing = error_of<quark::ConnectionError>([&] { (void)quark::postgres::open(right + "_missing"); });
  EXPECT_EQ(missing.sqlstate(), "3D000") << missing.what();
  raw(admin, "alter role quark_login connection limit 0");
  const auto full = error_of<quark::ConnectionError>([&] { (void)quark::postgres::open(right); });
  raw(admin, "alter role quark_login connection limit -1");
  EXPECT_EQ(full.sqlstate(), "53300") << full.what();
  const auto wrong =
      error_of<quark::PermissionDenied>([&] { (void)quark::postgres::open("postgres://quark_login:wrong" + host); });
  EXPECT_EQ(wrong.sqlstate(), "28P01") << wrong.what();
  EXPECT_EQ(std::string_view(wrong.what()).find("wrong"), std::string_view::npos);
  EXPECT_NO_THROW((void)quark::postgres::open(right));
}
#endif

}  // namespace
#endif
