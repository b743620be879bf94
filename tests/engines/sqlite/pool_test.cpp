// Pools of SQLite: settings that hold for one connection, databases in memory, statements that still run.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace {

using namespace under_test;
using quark::For;

std::int64_t now_of_test = 0;

TEST(SqlitePool, B46_EveryConnectionHasTheSettingsOfTheOptions) {
  Shared shared;
  Pool pool(shared.options(), {.max = 4});
  quark::create_all<User, Account>(pool);
  for (int round = 0; round < 2; ++round) {
    std::vector<quark::Lease<Db>> leases;
    for (int i = 0; i < 4; ++i) leases.push_back(pool.acquire());
    for (auto& lease : leases) {
      EXPECT_EQ(raw_cell(*lease, "pragma foreign_keys"), "1");
      EXPECT_EQ(raw_cell(*lease, "pragma busy_timeout"), "5000");
      EXPECT_THROW(For<Account>(lease).create(Account{.number = "1", .owner_id = 4711}), quark::ForeignKeyViolation);
      // Also what went past us.
      raw(*lease, "pragma foreign_keys = off");
      raw(*lease, "pragma busy_timeout = 1");
    }
  }
  EXPECT_EQ(pool.stats().created, 4u);
}

TEST(SqlitePool, B46_ManyConnectionsToADatabaseInMemoryAreRefused) {
  for (const char* path : {":memory:", ""}) {
    const auto error = error_of<quark::Misuse>([&] { Pool({.path = path}, {.max = 4}); });
    EXPECT_NE(std::string_view(error.what()).find("{.max = 1}"), std::string_view::npos) << error.what();
  }
}

TEST(SqlitePool, B46_TheConnectionToADatabaseInMemoryStays) {
  Pool pool({.path = ":memory:"}, {.min = 0,
                                   .max = 1,
                                   .checkout_timeout_milliseconds = 30'000,
                                   .max_lifetime_seconds = 1,
                                   .idle_timeout_seconds = 1,
                                   .clock = [] { return now_of_test; }});
  quark::create_table<User>(pool);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back([&] { For<User>(pool).create(User{.name = "one of four"}); });
  for (auto& thread : threads) thread.join();
  now_of_test += 1'000'000'000;
  pool.maintain();
  pool.execute("pragma foreign_keys = off");
  EXPECT_EQ(For<User>(pool).count(), 4);
  auto lease = pool.acquire();
  EXPECT_EQ(raw_cell(*lease, "pragma foreign_keys"), "1");
  EXPECT_EQ(pool.stats().created, 1u);
}

// A statement that went past us and still runs holds its lock.
TEST(SqlitePool, B42_StatementsThatStillRunAreEnded) {
  Shared shared;
  Pool pool(shared.options(), {.max = 1});
  quark::create_table<User>(pool);
  std::vector<User> users(3);
  For<User>(pool).create_batch(users);
  sqlite3_stmt* mine = nullptr;
  {
    auto lease = pool.acquire();
    ASSERT_EQ(sqlite3_prepare_v2(lease->native(), "select * from users", -1, &mine, nullptr), SQLITE_OK);
    ASSERT_EQ(sqlite3_step(mine), SQLITE_ROW);
  }
  auto lease = pool.acquire();
  EXPECT_EQ(sqlite3_stmt_busy(mine), 0);
  EXPECT_EQ(sqlite3_txn_state(lease->native(), nullptr), SQLITE_TXN_NONE);
  sqlite3_finalize(mine);
  EXPECT_EQ(pool.stats().created, 1u);
}

TEST(SqlitePool, WhatAPragmaHasChangedIsOpenedAnew) {
  Shared shared;
  Pool pool(shared.options(), {.max = 1});
  std::uint64_t created = 1;
  for (const char* sql : {"pragma synchronous = off", " -- a word before\n /* and one */ PrAgMa cache_size = 7",
                          "attach ':memory:' as other", "create temp view v as select 1", "detach other"}) {
    SCOPED_TRACE(sql);
    try {
      pool.execute(sql);
      ++created;
    } catch (const quark::Error&) {
      // nothing is attached any more, and nothing was changed
    }
    (void)pool.acquire();
    EXPECT_EQ(pool.stats().created, created);
  }
  for (const char* sql : {"create table pragma_of_mine (x)", "insert into pragma_of_mine values (1)", "analyze",
                          "/* pragma */ delete from pragma_of_mine"}) {
    SCOPED_TRACE(sql);
    pool.execute(sql);
    (void)pool.acquire();
    EXPECT_EQ(pool.stats().created, created);
  }
}

TEST(SqlitePool, OnConnectMakesSettingsOfEveryConnection) {
  Shared shared;
  Pool pool(shared.options(), {.max = 3});
  pool.on_connect([](Db& db) { db.execute("pragma synchronous = full"); });
  std::vector<quark::Lease<Db>> leases;
  for (int i = 0; i < 3; ++i) leases.push_back(pool.acquire());
  for (auto& lease : leases) EXPECT_EQ(raw_cell(*lease, "pragma synchronous"), "2");
  leases.clear();
  for (int i = 0; i < 3; ++i) {
    auto lease = pool.acquire();
    EXPECT_EQ(raw_cell(*lease, "pragma synchronous"), "2");
  }
  EXPECT_EQ(pool.stats().created, 3u);
  pool.execute("pragma synchronous = off");
  auto lease = pool.acquire();
  EXPECT_EQ(raw_cell(*lease, "pragma synchronous"), "2");
}

TEST(SqlitePool, AFileIsAskedForLife) {
  Shared shared;
  Pool pool(shared.options(), {.max = 1, .check_after_idle_seconds = 0});
  quark::create_table<User>(pool);
  EXPECT_EQ(For<User>(pool).count(), 0);
  EXPECT_EQ(pool.stats().created, 1u);
}

}  // namespace
