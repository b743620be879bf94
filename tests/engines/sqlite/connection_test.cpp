// What an open connection is set to, what it keeps, and what a cancel leaves behind.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace {

using namespace under_test;
using quark::field;
using quark::Filter;
using quark::For;

std::size_t open_statements(const Db& db) {
  std::size_t n = 0;
  sqlite3* const native = db.native();
  for (auto* s = sqlite3_next_stmt(native, nullptr); s != nullptr; s = sqlite3_next_stmt(native, s)) ++n;
  return n;
}

TEST(SqliteConnection, HasTheDefaultsThatThePageNames) {
  const Shared shared;
  auto db = shared.connect();
  EXPECT_EQ(raw_cell(db, "pragma busy_timeout"), "5000");
  EXPECT_EQ(raw_cell(db, "pragma foreign_keys"), "1");
  EXPECT_EQ(raw_cell(db, "pragma journal_mode"), "wal");
  EXPECT_EQ(raw_cell(db, "pragma synchronous"), "1");
  // NOMUTEX: no lock per call.
  EXPECT_EQ(sqlite3_db_mutex(db.native()), nullptr);
}

TEST(SqliteConnection, TakesTheOptionsThatItIsGiven) {
  auto db = quark::sqlite::open({.busy_timeout_milliseconds = 7, .foreign_keys = false});
  EXPECT_EQ(raw_cell(db, "pragma busy_timeout"), "7");
  quark::create_all<User, Account>(db);
  For<Account>(db).create(Account{.number = "orphan", .owner_id = 99});
  EXPECT_EQ(For<Account>(db).count(), 1);
}

TEST(SqliteConnection, TuneProcessWorksBeforeTheFirstUseOnly) {
  { auto db = fresh(); }
  EXPECT_FALSE(quark::sqlite::tune_process());
  // As at the start of a process; no connection is open now.
  ASSERT_EQ(sqlite3_shutdown(), SQLITE_OK);
  EXPECT_TRUE(quark::sqlite::tune_process());
  {
    auto db = fresh();
    quark::create_table<User>(db);
    EXPECT_EQ(sqlite3_memory_used(), 0) << "nothing is counted";
  }
  ASSERT_EQ(sqlite3_shutdown(), SQLITE_OK);
  ASSERT_EQ(sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 1), SQLITE_OK);
}

// The library's own count would not see a handle that it forgot.
TEST(SqliteConnection, B41_ForgottenTextsAreFinalized) {
  auto db = quark::sqlite::open({.cached_texts = 10});
  quark::create_table<User>(db);
  const auto users = For<User>(db);
  for (int i = 1; i <= 1000; ++i) {
    db.execute("insert into users (name, age, active) values ('a', " + std::to_string(i) + ", 0)");
    ASSERT_LE(open_statements(db), 12u);
  }
  Filter<User> f;
  for (int i = 1; i <= 200; ++i) {
    f |= field<&User::age> == i;
    ASSERT_EQ(users.where(f).count(), i);
    ASSERT_LE(open_statements(db), 12u);
  }
  // A statement inside itself gets a second handle, for that once.
  users.where(field<&User::age> <= 2).each([&](const User&) {
    users.where(field<&User::age> <= 2).each([&](const User&) { EXPECT_LE(open_statements(db), 16u); });
  });
  const std::size_t before = open_statements(db);
  EXPECT_THROW(db.execute("nonsense"), quark::SyntaxError);
  EXPECT_THROW(db.execute("delete from users; delete from users"), quark::Misuse);
  EXPECT_LE(open_statements(db), before);
}

// Calls interrupt() from inside the statement, so that it is certain to hit it.
void add_stop(const Db& db) {
  sqlite3_create_function(
      db.native(), "stop", 0, SQLITE_UTF8, nullptr,
      [](sqlite3_context* context, int, sqlite3_value**) {
        sqlite3_interrupt(sqlite3_context_db_handle(context));
        sqlite3_result_int(context, 1);
      },
      nullptr, nullptr);
}

TEST(SqliteConnection, B39_AnInterruptedReadLeavesItsTransactionOpen) {
  auto db = fresh();
  quark::create_table<User>(db);
  std::vector<User> some(2000);
  For<User>(db).create_batch(some);
  auto tx = db.begin();
  const auto users = For<User>(tx);
  users.create(User{.name = "kept"});
  int seen = 0;
  const auto error = error_of<quark::Timeout>([&] {
    users.each([&](const User&) {
      if (++seen == 10) db.interrupt();
    });
  });
  EXPECT_EQ(error.kind(), quark::ErrorKind::timeout);
  EXPECT_FALSE(error.retryable());
  EXPECT_LT(seen, 2000);
  EXPECT_EQ(users.count(), 2001);
  tx.commit();
  EXPECT_EQ(raw_cell(db, "select count(*) from users where name = 'kept'"), "1");
}

TEST(SqliteConnection, B39_AnInterruptedBatchIsUndone) {
  for (const bool in_transaction : {false, true}) {
    auto db = fresh();
    add_stop(db);
    raw(db, "create table users (id integer primary key, name text, email text, age integer check (age <> 50 or "
            "stop()), active integer)");
    std::vector<User> some(5000);
    for (std::size_t i = 0; i < some.size(); ++i) some[i].age = static_cast<int>(i);
    if (in_transaction) {
      auto tx = db.begin();
      For<User>(tx).create(User{.name = "lost with it"});
      EXPECT_THROW(For<User>(tx).create_batch(some), quark::Timeout);
      EXPECT_THROW(tx.commit(), quark::TransactionAborted);
    } else {
      EXPECT_THROW(For<User>(db).create_batch(some), quark::Timeout);
    }
    for (const User& user : some) ASSERT_EQ(user.id, 0);
    EXPECT_EQ(For<User>(db).count(), 0);
    For<User>(db).create(User{.name = "next"});
    EXPECT_EQ(For<User>(db).count(), 1);
  }
}

// A cancel that comes as the statement ends may hit it or not, but never the one after it.
TEST(SqliteConnection, B39_ALateInterruptDoesNotHitTheNextStatement) {
  auto db = fresh();
  quark::create_table<User>(db);
  std::vector<User> some(300);
  For<User>(db).create_batch(some);
  const auto users = For<User>(db);
  int hit = 0;
  for (int round = 0; round < 200; ++round) {
    std::atomic<bool> running{false};
    std::thread canceller([&] {
      while (!running) {
      }
      for (std::atomic<int> spin{0}; spin < round * 20; ++spin) {
      }
      db.interrupt();
    });
    running = true;
    try {
      EXPECT_EQ(users.list().size(), 300u);
    } catch (const quark::Timeout&) {
      ++hit;
    }
    canceller.join();
    ASSERT_EQ(users.list().size(), 300u) << "round " << round;
  }
  RecordProperty("interrupted", hit);
}

}  // namespace
