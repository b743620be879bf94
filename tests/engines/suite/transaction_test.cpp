// Transactions: what is kept, what is undone, and what a guard does when it is moved, nested or
// used too late.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

namespace {

using namespace under_test;
using quark::field;
using quark::For;

Db users_table() {
  auto db = fresh();
  quark::create_table<User>(db);
  under_test::after_given_keys(db, "users");
  return db;
}
User named(const char* name) { return User{.name = name}; }
std::string names(const Db& db) {
  std::string out;
  for (const auto& row : raw(db, "select name from users order by name"))
    out += row[0].value_or("NULL");
  return out;
}
struct Stop {};

TEST(Transaction, IsCommittedWhenTheBlockEnds) {
  auto db = users_table();
  const int result = db.transaction([](auto& tx) {
    For<User>(tx).create(named("a"));
    For<User>(tx).create(named("b"));
    return 42;
  });
  EXPECT_EQ(result, 42);
  EXPECT_EQ(names(db), "ab");
  User user = named("c");
  User& same = db.transaction([&](auto& tx) -> User& { return For<User>(tx).create(user); });
  EXPECT_EQ(&same, &user);
}

TEST(B32, AnExceptionUndoesTheBlockAndArrives) {
  auto db = users_table();
  for (int again = 0; again < 2; ++again) {
    EXPECT_THROW(db.transaction([](auto& tx) {
      For<User>(tx).create(named("a"));
      throw Stop{};
    }),
                 Stop);
    EXPECT_EQ(names(db), "");
  }
  EXPECT_THROW(db.transaction([](auto& tx) {
    For<User>(tx).create(User{.id = 1, .name = "a"});
    For<User>(tx).create(User{.id = 1, .name = "b"});
  }),
               quark::UniqueViolation);
  EXPECT_EQ(names(db), "");
  For<User>(db).create(named("after"));
  EXPECT_EQ(names(db), "after");
}

TEST(B32, AGuardThatIsNotCommittedRollsBack) {
  auto db = users_table();
  {
    auto tx = db.begin();
    For<User>(tx).create(named("a"));
    EXPECT_TRUE(tx.active());
  }
  EXPECT_EQ(names(db), "");
  {
    auto tx = db.begin();
    For<User>(tx).create(named("b"));
    tx.commit();
    EXPECT_FALSE(tx.active());
  }
  EXPECT_EQ(names(db), "b");
  {
    auto tx = db.begin();
    For<User>(tx).create(named("c"));
    tx.rollback();
    EXPECT_FALSE(tx.active());
  }
  EXPECT_EQ(names(db), "b");
}

TEST(B32, AMovedGuardActsOnce) {
  auto db = users_table();
  {
    std::optional tx(db.begin());
    For<User>(*tx).create(named("a"));
    auto moved = std::move(*tx);
    EXPECT_FALSE(tx->active());
    EXPECT_THROW(tx->commit(), quark::Misuse);
    EXPECT_THROW((void)For<User>(*tx), quark::Misuse);
    tx.reset();
    For<User>(moved).create(named("b"));
    moved.commit();
  }
  EXPECT_EQ(names(db), "ab");
}

TEST(B32, AssigningOverAnOpenGuardRollsItBack) {
  auto first = users_table(), second = users_table();
  auto a = first.begin();
  For<User>(a).create(named("a"));
  auto b = second.begin();
  For<User>(b).create(named("b"));
  a = std::move(b);
  EXPECT_EQ(names(first), "");
  a.commit();
  EXPECT_EQ(names(second), "b");
  EXPECT_EQ(names(first), "");
  For<User>(first).create(named("c"));
}

TEST(B32, UseAfterTheEndIsMisuse) {
  auto db = users_table();
  auto tx = db.begin();
  const auto users = For<User>(tx);
  users.create(named("a"));
  tx.commit();
  EXPECT_THROW(users.create(named("late")), quark::Misuse);
  EXPECT_THROW((void)users.list(), quark::Misuse);
  EXPECT_THROW((void)users.count(), quark::Misuse);
  EXPECT_THROW((void)users.everything().remove(), quark::Misuse);
  EXPECT_THROW((void)For<User>(tx), quark::Misuse);
  EXPECT_THROW(tx.commit(), quark::Misuse);
  EXPECT_THROW(tx.rollback(), quark::Misuse);
  EXPECT_THROW((void)tx.begin(), quark::Misuse);
  auto next = db.begin();
  EXPECT_THROW((void)users.list(), quark::Misuse) << "another transaction is not this one";
  next.commit();
  EXPECT_EQ(names(db), "a");
}

TEST(B32, AQueryOutlivesTheMoveOfItsConnection) {
  auto db = users_table();
  const auto users = For<User>(db);
  users.create(named("a"));
  auto moved = std::move(db);
  users.create(named("b"));
  EXPECT_EQ(users.count(), 2);
  EXPECT_THROW((void)For<User>(db), quark::Misuse);
  EXPECT_THROW((void)db.begin(), quark::Misuse);
  EXPECT_THROW((void)db.execute("select 1"), quark::Misuse);
  db = std::move(moved);
  EXPECT_EQ(For<User>(db).count(), 2);
}

TEST(B34, AnInnerEndIsNoCommit) {
  auto db = users_table();
  EXPECT_THROW(db.transaction([](auto& tx) {
    For<User>(tx).create(named("A"));
    tx.transaction([](auto& inner) { For<User>(inner).create(named("B")); });
    throw Stop{};
  }),
               Stop);
  EXPECT_EQ(names(db), "");
}

TEST(B34, AnInnerFailureUndoesTheInnerOnly) {
  auto db = users_table();
  db.transaction([](auto& tx) {
    For<User>(tx).create(named("C"));
    try {
      tx.transaction([](auto& inner) {
        For<User>(inner).create(named("D"));
        throw Stop{};
      });
    } catch (Stop) {
    }
    For<User>(tx).create(named("E"));
  });
  EXPECT_EQ(names(db), "CE");
}

TEST(B34, AnEngineErrorInsideLeavesTheOuterUsable) {
  auto db = users_table();
  db.transaction([](auto& tx) {
    For<User>(tx).create(User{.id = 1, .name = "A"});
    EXPECT_THROW(tx.transaction([](auto& inner) {
      For<User>(inner).create(named("B"));
      For<User>(inner).create(User{.id = 1, .name = "twice"});
    }),
                 quark::UniqueViolation);
    For<User>(tx).create(named("C"));
  });
  EXPECT_EQ(names(db), "AC");
}

TEST(B34, NestsDeeplyAndReusesLevels) {
  auto db = users_table();
  db.transaction([](auto& tx) {
    for (int round = 0; round < 3; ++round) {
      auto one = tx.begin();
      For<User>(one).create(named("1"));
      {
        auto two = one.begin();
        For<User>(two).create(named("2"));
        auto three = two.begin();
        For<User>(three).create(named("3"));
        three.commit();
        if (round == 1) two.commit();
      }
      if (round > 0) one.commit();
    }
  });
  EXPECT_EQ(names(db), "1123");
}

TEST(B34, TheOuterCantEndBeforeTheInner) {
  auto db = users_table();
  auto outer = db.begin();
  For<User>(outer).create(named("a"));
  {
    auto inner = outer.begin();
    For<User>(inner).create(named("b"));
    EXPECT_THROW(outer.commit(), quark::Misuse);
    EXPECT_TRUE(outer.active());
    inner.commit();
  }
  outer.commit();
  EXPECT_EQ(names(db), "ab");

  auto again = db.begin();
  auto nested = again.begin();
  again.rollback();
  EXPECT_THROW((void)For<User>(nested).count(), quark::Misuse);
  EXPECT_THROW(nested.commit(), quark::Misuse);
  For<User>(db).create(named("c"));
  EXPECT_EQ(names(db), "abc");
}

// What the outer one wrote meanwhile would be lost when the inner one is rolled back.
TEST(B34, TheOuterRefusesWhileTheInnerIsOpen) {
  auto db = users_table();
  auto outer = db.begin();
  const auto users = For<User>(outer);
  {
    auto inner = outer.begin();
    For<User>(inner).create(named("inner"));
    EXPECT_THROW(users.create(named("a")), quark::Misuse);
    EXPECT_THROW((void)users.count(), quark::Misuse);
    EXPECT_THROW((void)For<User>(outer), quark::Misuse);
    EXPECT_THROW((void)outer.begin(), quark::Misuse);
  }
  users.create(named("b"));
  outer.commit();
  EXPECT_EQ(names(db), "b");
}

// Code that was given a connection may not know that somebody sent a BEGIN before.
TEST(B38, WorksInsideATransactionThatTheCallerBegan) {
  auto db = users_table();
  for (const char* end : {"rollback", "commit"}) {
    db.execute("begin");
    db.transaction([](auto& tx) {
      For<User>(tx).create(named("a"));
      tx.transaction([](auto& inner) { For<User>(inner).create(named("b")); });
    });
    EXPECT_THROW(db.transaction([](auto& tx) {
      For<User>(tx).create(named("undone"));
      throw Stop{};
    }),
                 Stop);
    { auto forgotten = db.begin(); For<User>(forgotten).create(named("undone")); }
    std::vector<User> batch{named("c"), named("d")};
    EXPECT_EQ(For<User>(db).create_batch(batch), 2u);
    EXPECT_EQ(names(db), "abcd");
    db.execute(end);
    EXPECT_EQ(names(db), std::string(end) == "commit" ? "abcd" : "");
  }
  db.transaction([](auto& tx) { For<User>(tx).create(named("e")); });
  EXPECT_THROW(db.transaction([](auto&) { throw Stop{}; }), Stop);
  EXPECT_EQ(names(db), "abcde");
}

TEST(B38, ATransactionThatSomebodyEndedIsNotCommitted) {
  auto db = users_table();
  auto tx = db.begin();
  For<User>(tx).create(named("a"));
  db.execute("rollback");
  EXPECT_THROW(For<User>(db).create(named("alone")), quark::TransactionAborted);
  EXPECT_THROW(tx.commit(), quark::TransactionAborted);
  tx.rollback();
  For<User>(db).create(named("b"));
  EXPECT_EQ(names(db), "b");
}

TEST(B34, AConnectionInATransactionNests) {
  auto db = users_table();
  EXPECT_THROW(db.transaction([&](auto&) {
    For<User>(db).create(named("a"));
    db.transaction([](auto& inner) { For<User>(inner).create(named("b")); });
    throw Stop{};
  }),
               Stop);
  EXPECT_EQ(names(db), "");
}

TEST(Transaction, MayEndItselfInTheBlock) {
  auto db = users_table();
  db.transaction([](auto& tx) {
    For<User>(tx).create(named("a"));
    tx.rollback();
  });
  EXPECT_EQ(names(db), "");
  db.transaction([](auto& tx) {
    For<User>(tx).create(named("b"));
    tx.commit();
  });
  EXPECT_EQ(names(db), "b");
}

TEST(Transaction, IsSeenByOthersOnlyAfterTheCommit) {
  Shared shared;
  auto db = shared.connect();
  auto other = shared.connect();
  quark::create_table<User>(db);
  auto tx = db.begin();
  For<User>(tx).create(named("a"));
  EXPECT_EQ(raw_cell(other, "select count(*) from users"), "0");
  tx.commit();
  EXPECT_EQ(raw_cell(other, "select count(*) from users"), "1");
  EXPECT_EQ(For<User>(other).count(), 1);
}

TEST(Transaction, RollsBackTables) {
  auto db = fresh();
  if (!Can::roll_back_ddl) {
    // The engine would commit what is open: refused, and the transaction goes on.
    auto tx = db.begin();
    EXPECT_THROW(quark::create_table<User>(tx), quark::Unsupported);
    tx.commit();
    EXPECT_THROW((void)For<User>(db).count(), quark::SyntaxError);
    return;
  }
  EXPECT_THROW(db.transaction([](auto& tx) {
    quark::create_table<User>(tx);
    For<User>(tx).create(named("a"));
    throw Stop{};
  }),
               Stop);
  EXPECT_THROW((void)For<User>(db).count(), quark::SyntaxError);
  quark::create_table<User>(db);
  EXPECT_EQ(For<User>(db).count(), 0);
}

}  // namespace
