// Pools of PostgreSQL: what is undone when a connection comes back, at which cost, and what is closed instead.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

namespace {

using namespace under_test;
using quark::For;

class PostgresPool : public testing::Test {
 protected:
  PostgresPool() {
    auto db = shared.connect();
    quark::create_table<User>(db);
  }
  Shared shared;
};

TEST_F(PostgresPool, SettingsAreUndoneAndStatementsStayPrepared) {
  Pool pool(shared.options(), {.max = 1});
  const std::string question = "select count(*) from pg_prepared_statements";
  std::string prepared, configured;
  {
    auto lease = pool.acquire();
    For<User>(lease).count();
    prepared = raw_cell(*lease, question);
    configured = raw_cell(*lease, "show search_path");
    lease.execute("set search_path = pg_catalog");
    lease.execute("set statement_timeout = '7min'");
    lease.execute("select pg_advisory_lock(4711)");
    lease.execute("listen something");
    lease.execute("set role pg_monitor");
  }
  auto lease = pool.acquire();
  EXPECT_EQ(raw_cell(*lease, question), prepared);
  EXPECT_NE(prepared, "0");
  EXPECT_EQ(raw_cell(*lease, "show search_path"), configured);
  EXPECT_EQ(raw_cell(*lease, "show statement_timeout"), "0");
  EXPECT_EQ(raw_cell(*lease, "show role"), "none");
  EXPECT_EQ(raw_cell(*lease, "show client_encoding"), "UTF8");
  EXPECT_EQ(raw_cell(*lease, "select count(*) from pg_locks where locktype = 'advisory'"), "0");
  EXPECT_EQ(raw_cell(*lease, "select count(*) from pg_listening_channels()"), "0");
  EXPECT_EQ(For<User>(lease).count(), 0);
  EXPECT_EQ(pool.stats().created, 1u);
}

TEST_F(PostgresPool, OnConnectMakesSettingsOfEveryConnection) {
  Pool pool(shared.options(), {.max = 1});
  pool.on_connect([](Db& db) { db.execute("set work_mem = '7MB'"); });
  for (int i = 0; i < 3; ++i) {
    auto lease = pool.acquire();
    EXPECT_EQ(raw_cell(*lease, "show work_mem"), "7MB");
    lease.execute("set work_mem = '8MB'");
  }
  EXPECT_EQ(pool.stats().created, 1u);
}

// The server shows what a connection sent last.
TEST_F(PostgresPool, AnOrdinaryStatementCostsNoFurtherRoundTrip) {
  Pool pool(shared.options(), {.max = 1});
  For<User>(pool).count();
  For<User>(pool).count();
  int pid = 0;
  {
    auto lease = pool.acquire();
    pid = PQbackendPID(lease->native());
  }
  auto other = shared.connect();
  const std::string last = raw_cell(other, "select query from pg_stat_activity where pid = " + std::to_string(pid));
  EXPECT_TRUE(last.starts_with("SELECT COUNT(*)")) << last;
}

TEST_F(PostgresPool, AResultThatNobodyHasReadClosesTheConnection) {
  Pool pool(shared.options(), {.max = 1});
  {
    auto lease = pool.acquire();
    ASSERT_EQ(PQsendQuery(lease->native(), "select generate_series(1, 1000)"), 1);
  }
  EXPECT_EQ(For<User>(pool).count(), 0);
  {
    auto lease = pool.acquire();
    const quark::postgres::Result copy(PQexec(lease->native(), "copy users from stdin"));
    ASSERT_EQ(copy.status(), PGRES_COPY_IN);
  }
  EXPECT_EQ(For<User>(pool).count(), 0);
  EXPECT_EQ(pool.stats().created, 3u);
}

TEST_F(PostgresPool, NotificationsDontKeepAConnectionFromLiving) {
  Pool pool(shared.options(), {.max = 1, .check_after_idle_seconds = 0});
  {
    // Past us, so that nobody undoes it.
    auto lease = pool.acquire();
    raw(*lease, "listen something");
  }
  auto other = shared.connect();
  for (int i = 0; i < 100; ++i) other.execute("notify something, 'payload'");
  EXPECT_EQ(For<User>(pool).count(), 0);
  EXPECT_EQ(pool.stats().created, 1u);
}

TEST_F(PostgresPool, ABeginThatWasNeverSentIsForgotten) {
  Pool pool(shared.options(), {.max = 1});
  auto lease = pool.acquire();
  auto tx = lease.begin();
  lease.give_back();
  EXPECT_EQ(For<User>(pool).count(), 0);
  lease = pool.acquire();
  EXPECT_FALSE(in_transaction(*lease));
}

TEST_F(PostgresPool, TooManyConnectionsAreAnErrorAndThePoolGoesOn) {
  auto admin = shared.connect();
  const int limit = std::stoi(raw_cell(admin, "show max_connections"));
  Pool pool(shared.options(), {.min = 0, .max = static_cast<std::size_t>(limit) + 10});
  std::vector<quark::Lease<Db>> leases;
  bool refused = false;
  while (!refused && leases.size() < static_cast<std::size_t>(limit) + 10) {
    try {
      leases.push_back(pool.acquire());
    } catch (const quark::ConnectionError&) {
      refused = true;
    }
  }
  EXPECT_TRUE(refused);
  EXPECT_EQ(pool.stats().size, leases.size());
  leases.pop_back();
  EXPECT_EQ(For<User>(pool).count(), 0);
}

}  // namespace
