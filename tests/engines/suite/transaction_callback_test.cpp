// on_commit and on_rollback follow the transaction, and the savepoints, that they were given to.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace {

using namespace under_test;
using quark::For;

Db users_table() {
  auto db = fresh();
  quark::create_table<User>(db);
  return db;
}

TEST(TransactionCallbacks, RunWhenItIsCommitted) {
  auto db = users_table();
  std::string log;
  db.transaction([&](auto& tx) {
    tx.on_commit([&] { log += "a" + std::to_string(For<User>(db).count()); });
    tx.on_commit([&] { log += in_transaction(db) ? "in" : "b"; });
    tx.on_rollback([&] { log += "no"; });
    For<User>(tx).create(User{.name = "x"});
    EXPECT_EQ(log, "");
  });
  EXPECT_EQ(log, "a1b");
  db.transaction([](auto&) {});
  EXPECT_EQ(log, "a1b") << "once";
}

TEST(TransactionCallbacks, RunBackwardsWhenItIsRolledBack) {
  auto db = users_table();
  std::string log;
  const auto add = [&](auto& tx) {
    tx.on_commit([&] { log += "no"; });
    tx.on_rollback([&] { log += "a"; });
    tx.on_rollback([&] { log += "b"; });
  };
  {
    auto tx = db.begin();
    add(tx);
  }
  EXPECT_EQ(log, "ba");
  auto tx = db.begin();
  add(tx);
  tx.rollback();
  EXPECT_EQ(log, "baba");
  EXPECT_THROW(db.transaction([&](auto& inner) {
    add(inner);
    throw std::runtime_error("x");
  }), std::runtime_error);
  EXPECT_EQ(log, "bababa");
  EXPECT_THROW(tx.on_commit([] {}), quark::Misuse);
}

TEST(TransactionCallbacks, OfSavepointsWaitForTheOuterEnd) {
  auto db = users_table();
  std::string log;
  const auto note = [&](const char* what) { return [&log, what] { log += what; }; };
  db.transaction([&](auto& outer) {
    outer.on_commit(note("o"));
    outer.transaction([&](auto& inner) {
      inner.on_commit(note("i"));
      inner.on_rollback(note("no"));
    });
    try {
      outer.transaction([&](auto& inner) {
        inner.on_commit(note("no"));
        inner.on_rollback(note("undone "));
        inner.transaction([&](auto& deepest) {
          deepest.on_commit(note("no"));
          deepest.on_rollback(note("deep "));
        });
        throw std::runtime_error("x");
      });
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(log, "deep undone ");
  });
  EXPECT_EQ(log, "deep undone oi");

  log.clear();
  auto outer = db.begin();
  {
    auto inner = outer.begin();
    inner.on_commit(note("no"));
    inner.on_rollback(note("i"));
    inner.commit();
  }
  outer.on_rollback(note("o"));
  outer.rollback();
  EXPECT_EQ(log, "oi");
}

TEST(TransactionCallbacks, AllRunAndTheFirstFailureComesOut) {
  auto db = users_table();
  std::string log;
  EXPECT_THROW(db.transaction([&](auto& tx) {
    tx.on_commit([] { throw std::runtime_error("first"); });
    tx.on_commit([&] {
      log += "ran";
      // It is over: another one can begin.
      db.transaction([&](auto& next) { For<User>(next).create(User{.name = "after"}); });
    });
    For<User>(tx).create(User{.name = "x"});
  }), std::runtime_error);
  EXPECT_EQ(log, "ran");
  EXPECT_EQ(raw_cell(db, "select count(*) from users"), "2") << "it was committed all the same";
}

}  // namespace
