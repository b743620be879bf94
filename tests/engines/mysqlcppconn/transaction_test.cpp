// One transaction, two libraries: what the connector's user does and what Quark does are kept or undone together, and
// nothing of his is committed behind his back.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <cppconn/prepared_statement.h>
#include <cppconn/statement.h>

#include <gtest/gtest.h>

#include <thread>

namespace {

using namespace under_test;
using quark::field;
using quark::For;
using quark::mysqlcppconn::Isolation;

struct Stop {};

Db users_table() {
  auto db = fresh();
  quark::create_table<User>(db);
  return db;
}
User named(const char* name) { return User{.name = name}; }
std::string names(const Db& db) {
  return raw_cell(db, "select ifnull(group_concat(name order by name separator ''), '') from users");
}
/// The connector's own code, as it was before Quark came.
void insert_by_connector(const Db& db, const char* name) {
  const std::unique_ptr<sql::PreparedStatement> insert(
      db.connection().prepareStatement("INSERT INTO users (name, age, active) VALUES (?, 0, 0)"));
  insert->setString(1, name);
  EXPECT_EQ(insert->executeUpdate(), 1);
}

TEST(Mixed, OneTransactionOfQuarksHoldsBoth) {
  auto db = users_table();
  EXPECT_THROW(db.transaction([&](auto& tx) {
    insert_by_connector(db, "a");
    For<User>(tx).create(named("b"));
    EXPECT_EQ(For<User>(tx).count(), 2);
    throw Stop{};
  }),
               Stop);
  EXPECT_EQ(names(db), "");
  db.transaction([&](auto& tx) {
    For<User>(tx).create(named("c"));
    insert_by_connector(db, "d");
  });
  EXPECT_EQ(names(db), "cd");
}

TEST(Mixed, OneTransactionOfTheCallersHoldsBoth) {
  for (const bool autocommit_off : {true, false})
    for (const bool keep : {true, false}) {
      SCOPED_TRACE(std::to_string(autocommit_off) + std::to_string(keep));
      auto db = users_table();
      sql::Connection& connection = db.connection();
      if (autocommit_off) {
        connection.setAutoCommit(false);
      } else {
        raw(db, "START TRANSACTION");
      }
      For<User>(db).create(named("a"));
      For<User>(connection).create(named("b"));
      db.transaction([&](auto& tx) { For<User>(tx).create(named("c")); });
      insert_by_connector(db, "d");
      EXPECT_THROW(db.transaction([&](auto& tx) {
        For<User>(tx).create(named("undone"));
        insert_by_connector(db, "undone, too");
        throw Stop{};
      }),
                   Stop);
      std::vector<User> batch{named("e"), named("f")};
      For<User>(db).create_batch(batch);
      User user = For<User>(db).where(field<&User::name> == "a").one();
      EXPECT_EQ(For<User>(db).update(user), 1u);
      EXPECT_EQ(names(db), "abcdef");
      keep ? connection.commit() : connection.rollback();
      EXPECT_EQ(names(db), keep ? "abcdef" : "");
      // What was the caller's stays so.
      EXPECT_EQ(raw_cell(db, "select @@autocommit"), autocommit_off ? "0" : "1");
    }
}

// A query on the bare connection has a session of its own, inside of the bridge's transaction.
TEST(Mixed, SessionsOnOneConnectionNest) {
  auto db = users_table();
  sql::Connection& connection = db.connection();
  for (const bool callers : {true, false}) {
    if (callers) raw(db, "START TRANSACTION");
    {
      auto tx = db.begin();
      For<User>(tx).create(named("a"));
      std::vector<User> batch{named("b"), named("c")};
      For<User>(connection).create_batch(batch);
      quark::mysqlcppconn::Bridge second(connection);
      second.transaction([](auto& inner) { For<User>(inner).create(named("d")); });
      EXPECT_EQ(names(db), "abcd");
      tx.rollback();
    }
    EXPECT_EQ(names(db), "");
    {
      auto tx = db.begin();
      For<User>(tx).create(named("e"));
      quark::mysqlcppconn::Bridge second(connection);
      EXPECT_THROW(second.transaction([](auto& inner) {
        For<User>(inner).create(named("undone"));
        throw Stop{};
      }),
                   Stop);
      tx.commit();
    }
    if (callers) raw(db, "COMMIT");
    EXPECT_EQ(names(db), "e");
    raw(db, "delete from users");
  }
}

TEST(Mixed, WithAutocommitOffNothingIsCommittedThoughQuarkBegins) {
  Shared shared;
  auto db = shared.connect(), other = shared.connect();
  quark::create_table<User>(db);
  db.connection().setAutoCommit(false);
  db.transaction([](auto& tx) { For<User>(tx).create(named("a")); });
  EXPECT_EQ(names(other), "");
  db.connection().commit();
  EXPECT_EQ(names(other), "a");
  EXPECT_THROW((void)db.begin({.isolation = Isolation::serializable}), quark::Misuse) << "a savepoint has no level";
}

TEST(Mixed, TablesAreNotMadeInATransactionOfTheCallers) {
  auto db = users_table();
  raw(db, "START TRANSACTION");
  insert_by_connector(db, "a");
  EXPECT_THROW(quark::create_table<Product>(db), quark::Unsupported);
  EXPECT_THROW(quark::drop_table<User>(db.connection()), quark::Unsupported);
  EXPECT_TRUE(in_transaction(db));
  raw(db, "ROLLBACK");
  EXPECT_EQ(names(db), "");
  quark::create_table<Product>(db);
}

TEST(Mixed, ATransactionThatTheCallerEndsIsNotTakenForCommitted) {
  auto db = users_table();
  {
    auto tx = db.begin();
    For<User>(tx).create(named("a"));
    db.connection().rollback();
    EXPECT_THROW(tx.commit(), quark::TransactionAborted);
    EXPECT_THROW((void)For<User>(tx).count(), quark::TransactionAborted);
    tx.rollback();
  }
  EXPECT_EQ(names(db), "");
  {
    auto tx = db.begin();
    For<User>(tx).create(named("b"));
    raw(db, "COMMIT");
    raw(db, "START TRANSACTION");
    insert_by_connector(db, "c");
    EXPECT_THROW(tx.commit(), quark::TransactionAborted);
  }
  EXPECT_TRUE(in_transaction(db)) << "the one that the caller began meanwhile is his";
  raw(db, "ROLLBACK");
  EXPECT_EQ(names(db), "b");
  {
    auto tx = db.begin();
    auto inner = tx.begin();
    For<User>(inner).create(named("d"));
    raw(db, "ROLLBACK");
    EXPECT_THROW(inner.commit(), quark::TransactionAborted);
  }
  For<User>(db).create(named("e"));
  EXPECT_EQ(names(db), "be");
}

TEST(Mixed, AGuardOfATransactionThatTheCallerEndedUndoesNothingOfHis) {
  auto db = users_table();
  {
    auto tx = db.begin();
    For<User>(tx).create(named("a"));
    raw(db, "COMMIT");
    raw(db, "START TRANSACTION");
    insert_by_connector(db, "b");
  }
  EXPECT_TRUE(in_transaction(db));
  raw(db, "COMMIT");
  EXPECT_EQ(names(db), "ab");
}

TEST(Transaction, HasIsolationAndMode) {
  auto db = users_table();
  db.transaction([](auto& tx) { EXPECT_THROW(For<User>(tx).create(named("a")), quark::PermissionDenied); },
                 {.read_only = true});
  Shared shared;
  auto one = shared.connect(), two = shared.connect();
  quark::create_table<User>(one);
  one.transaction(
      [&](auto& tx) {
        EXPECT_EQ(For<User>(tx).count(), 0);
        For<User>(two).create(named("b"));
        EXPECT_EQ(For<User>(tx).count(), 1);
      },
      {.isolation = Isolation::read_committed});
  one.transaction([&](auto& tx) {
    EXPECT_EQ(For<User>(tx).count(), 1);
    For<User>(two).create(named("c"));
    EXPECT_EQ(For<User>(tx).count(), 1) << "what it has seen stays";
  });
}

TEST(LockTimeout, LeavesTheTransaction) {
  Shared shared;
  auto one = shared.connect(), two = shared.connect();
  quark::create_table<User>(one);
  For<User>(one).create(User{1, "a", {}, 0, false});
  raw(two, "set innodb_lock_wait_timeout = 1");
  auto holder = one.begin();
  For<User>(holder).update(User{1, "held", {}, 0, false});
  auto waiter = two.begin();
  For<User>(waiter).create(User{2, "b", {}, 0, false});
  const auto error = error_of<quark::LockTimeout>([&] { For<User>(waiter).update(User{1, "x", {}, 0, false}); });
  EXPECT_EQ(error.engine_code(), 1205);
  EXPECT_TRUE(error.retryable());
  waiter.commit();
  holder.commit();
  EXPECT_EQ(names(one), "bheld");
}

TEST(Deadlock, RollsBackAndSaysSoUntilTheEnd) {
  Shared shared;
  auto one = shared.connect(), two = shared.connect();
  quark::create_table<User>(one);
  For<User>(one).create(User{1, "a", {}, 0, false});
  For<User>(one).create(User{2, "b", {}, 0, false});
  auto first = one.begin(), second = two.begin();
  For<User>(first).update(User{1, "first", {}, 0, false});
  For<User>(second).update(User{2, "second", {}, 0, false});
  int deadlocks = 0;
  std::thread waits([&] {
    try {
      For<User>(first).update(User{2, "first", {}, 0, false});
    } catch (const quark::Deadlock&) {
      ++deadlocks;
    }
  });
  // Whoever loses: it throws at once, and the other goes on.
  try {
    For<User>(second).update(User{1, "second", {}, 0, false});
  } catch (const quark::Deadlock& error) {
    EXPECT_TRUE(error.retryable());
    EXPECT_THROW((void)For<User>(second).count(), quark::TransactionAborted);
    EXPECT_THROW(second.commit(), quark::TransactionAborted);
    second.rollback();
    ++deadlocks;
  }
  waits.join();
  EXPECT_EQ(deadlocks, 1);
  if (second.active()) {
    EXPECT_THROW(first.commit(), quark::TransactionAborted);
    second.commit();
    EXPECT_EQ(names(one), "secondsecond");
  } else {
    first.commit();
    EXPECT_EQ(names(one), "firstfirst");
  }
}

}  // namespace
