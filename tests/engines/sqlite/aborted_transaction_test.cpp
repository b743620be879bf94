// SQLite gives up a transaction by itself: a full disk, a trigger that says RAISE(ROLLBACK), an interrupted write.
// What comes after must neither run outside of the transaction nor be told that it was committed.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace {

using namespace under_test;
using quark::field;
using quark::For;
using quark::TransactionAborted;

// Creating a "y" makes SQLite roll everything back.
Db with_trigger() {
  auto db = fresh();
  quark::create_table<User>(db);
  raw(db, "create trigger no_y before insert on users when new.name = 'y' begin select raise(rollback, "
          "'no y here'); end");
  return db;
}
User named(const char* name) { return User{.name = name}; }
std::string count(const Db& db) { return raw_cell(db, "select count(*) from users"); }

void expect_aborted(const quark::Error& error, std::string_view what) {
  EXPECT_EQ(error.kind(), quark::ErrorKind::aborted);
  EXPECT_TRUE(error.retryable());
  EXPECT_NE(std::string_view(error.what()).find(what), std::string_view::npos) << error.what();
}

TEST(SqliteAborted, NothingRunsUntilItIsRolledBack) {
  auto db = with_trigger();
  {
    auto tx = db.begin();
    const auto users = For<User>(tx);
    users.create(named("lost with it"));
    const auto error = error_of<quark::CheckViolation>([&] { users.create(named("y")); });
    EXPECT_NE(std::string_view(error.what()).find("no y here"), std::string_view::npos);
    EXPECT_FALSE(error.retryable());
    expect_aborted(error_of<TransactionAborted>([&] { users.create(named("a")); }), "nothing runs");
    expect_aborted(error_of<TransactionAborted>([&] { (void)users.count(); }), "nothing runs");
    // The connection itself, which knows of no transaction: its writes would be kept alone.
    expect_aborted(error_of<TransactionAborted>([&] { For<User>(db).create(named("b")); }), "nothing runs");
    expect_aborted(error_of<TransactionAborted>([&] { db.execute("delete from users"); }), "nothing runs");
    expect_aborted(error_of<TransactionAborted>([&] { db.transaction([](auto&) {}); }), "nothing runs");
    std::vector<User> batch{named("c"), named("d")};
    expect_aborted(error_of<TransactionAborted>([&] { For<User>(db).create_batch(batch); }), "nothing runs");
    expect_aborted(error_of<TransactionAborted>([&] { tx.commit(); }), "nothing was committed");
    EXPECT_EQ(count(db), "0");
    tx.rollback();
    EXPECT_FALSE(tx.active());
  }
  db.transaction([](auto& tx) { For<User>(tx).create(named("a")); });
  EXPECT_EQ(count(db), "1");
}

TEST(SqliteAborted, TheBlockIsNotToldThatItWasCommitted) {
  auto db = with_trigger();
  const auto error = error_of<TransactionAborted>([&] {
    db.transaction([](auto& tx) {
      For<User>(tx).create(named("lost with it"));
      EXPECT_THROW(For<User>(tx).create(named("y")), quark::CheckViolation);
    });
  });
  expect_aborted(error, "nothing was committed");
  EXPECT_EQ(count(db), "0");
  For<User>(db).create(named("next"));
  EXPECT_EQ(count(db), "1");
}

TEST(SqliteAborted, TheOuterBlockIsGoneWithTheInner) {
  auto db = with_trigger();
  EXPECT_THROW(db.transaction([&](auto& tx) {
    For<User>(tx).create(named("lost with it"));
    EXPECT_THROW(tx.transaction([](auto& inner) { For<User>(inner).create(named("y")); }), quark::CheckViolation);
    EXPECT_THROW(For<User>(tx).create(named("a")), TransactionAborted);
  }),
               TransactionAborted);
  EXPECT_EQ(count(db), "0");
  For<User>(db).create(named("next"));
}

TEST(SqliteAborted, AFullDiskInATransactionIsNotCommittedByMistake) {
  const Shared shared;
  auto db = shared.connect();
  quark::create_table<User>(db);
  raw(db, "pragma max_page_count = 20");
  auto tx = db.begin();
  const auto users = For<User>(tx);
  users.create(named("in the transaction"));
  const auto fill = [&] {
    for (int i = 0; i < 5000; ++i) users.create(User{.name = std::string(200, 'c')});
  };
  EXPECT_EQ(error_of<quark::StorageError>(fill).engine_code() & 0xff, SQLITE_FULL);
  expect_aborted(error_of<TransactionAborted>([&] { users.create(named("alone")); }), "nothing runs");
  expect_aborted(error_of<TransactionAborted>([&] { tx.commit(); }), "nothing was committed");
  tx.rollback();
  EXPECT_EQ(For<User>(db).count(), 0);
}

TEST(SqliteAborted, B39_AnInterruptedWriteInATransactionAbortsIt) {
  auto db = with_trigger();
  std::vector<User> some(2000, named("a"));
  For<User>(db).create_batch(some);
  auto tx = db.begin();
  // Interrupted from within, so that it is certain to hit the write: a function that the statement calls.
  sqlite3_create_function(
      db.native(), "stop", 0, SQLITE_UTF8, nullptr,
      [](sqlite3_context* context, int, sqlite3_value**) {
        sqlite3_interrupt(sqlite3_context_db_handle(context));
        sqlite3_result_int(context, 1);
      },
      nullptr, nullptr);
  EXPECT_THROW(db.execute("update users set age = age + stop()"), quark::Timeout);
  expect_aborted(error_of<TransactionAborted>([&] { For<User>(tx).create(named("b")); }), "nothing runs");
  expect_aborted(error_of<TransactionAborted>([&] { tx.commit(); }), "nothing was committed");
  tx.rollback();
  EXPECT_EQ(For<User>(db).where(field<&User::age> == 0).count(), 2000);
}

// Fault B36: what is run again is the whole transaction, and it begins anew.
TEST(SqliteAborted, B36_ARetriedTransactionHoldsAllItsWrites) {
  auto db = with_trigger();
  int tries = 0;
  const auto work = [&](auto& tx) {
    For<User>(tx).create(named("first"));
    if (++tries == 1) {
      try {
        For<User>(tx).create(named("y"));
      } catch (const quark::CheckViolation&) {
      }
    }
    For<User>(tx).create(named("last"));
  };
  for (int left = 3;; --left) {
    try {
      db.transaction(work);
      break;
    } catch (const quark::Error& error) {
      ASSERT_TRUE(error.retryable());
      ASSERT_GT(left, 0);
    }
  }
  EXPECT_EQ(tries, 2);
  EXPECT_EQ(raw_cell(db, "select group_concat(name) from (select name from users order by id)"), "first,last");
}

}  // namespace
