// The transaction guard on a session that only keeps a log: every way out ends it once.
#include <quark/exec/error.hpp>
#include <quark/exec/transaction.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace {

using namespace quark;

struct Session {
  struct Begin {};
  std::string log;
  std::vector<std::uint64_t> open;
  std::uint64_t next = 1;
  bool commit_fails = false;
  TransactionStack stack;
  TransactionStack& transactions() { return stack; }

  std::uint64_t begin(Begin) {
    log += "B";
    open.push_back(next);
    return next++;
  }
  void commit(std::uint64_t id) {
    if (commit_fails) {
      log += "!";
      throw Deadlock(ErrorInfo{});
    }
    end(id, "C");
  }
  void rollback(std::uint64_t id) { end(id, "R"); }
  void abandon(std::uint64_t id) noexcept { end(id, "A"); }
  void check_transaction(std::uint64_t id) const {
    for (auto o : open)
      if (o == id) return;
    detail::throw_misuse("the transaction has ended");
  }
  void end(std::uint64_t id, const char* how) {
    log += how;
    while (!open.empty() && open.back() >= id) open.pop_back();
  }
};
using Tx = Transaction<Session>;

TEST(Transaction, B32_EndsOnceHoweverItIsLeft) {
  Session s;
  { Tx tx(s, Session::Begin{}); }
  EXPECT_EQ(s.log, "BA");
  s.log.clear();
  {
    Tx tx(s, Session::Begin{});
    tx.commit();
    EXPECT_FALSE(tx.active());
  }
  EXPECT_EQ(s.log, "BC");
  s.log.clear();
  {
    Tx tx(s, Session::Begin{});
    tx.rollback();
  }
  EXPECT_EQ(s.log, "BR");
}

TEST(Transaction, B32_RefusesUseAfterItsEnd) {
  Session s;
  Tx tx(s, Session::Begin{});
  auto handle = tx.handle();
  EXPECT_EQ(&handle.session(), &s);
  tx.commit();
  EXPECT_THROW(tx.commit(), Misuse);
  EXPECT_THROW(tx.rollback(), Misuse);
  EXPECT_THROW((void)tx.handle(), Misuse);
  EXPECT_THROW((void)tx.begin(), Misuse);
  EXPECT_THROW(tx.transaction([](auto&) {}), Misuse);
  EXPECT_THROW((void)handle.session(), Misuse);  // a query that was kept
  EXPECT_EQ(s.log, "BC");
}

TEST(Transaction, IsMoved) {
  Session s;
  Tx first(s, Session::Begin{});
  Tx second = std::move(first);
  EXPECT_FALSE(first.active());  // NOLINT: that is the question
  EXPECT_THROW(first.commit(), Misuse);
  Tx third(s, Session::Begin{});
  third = std::move(second);  // what is assigned over is rolled back
  EXPECT_EQ(s.log, "BBA");
  third.commit();
  EXPECT_EQ(s.log, "BBAC");
}

TEST(Transaction, B33_AFailedCommitIsReportedAndCanBeTriedAgain) {
  Session s;
  s.commit_fails = true;
  {
    Tx tx(s, Session::Begin{});
    EXPECT_THROW(tx.commit(), Deadlock);
    EXPECT_TRUE(tx.active());
    s.commit_fails = false;
    tx.commit();
  }
  EXPECT_EQ(s.log, "B!C");
  s.log.clear();
  s.commit_fails = true;
  EXPECT_THROW(run_transaction(s, Session::Begin{}, [](Tx&) {}), Deadlock);
  EXPECT_EQ(s.log, "B!A");
}

TEST(RunTransaction, CommitsAndReturnsWhatTheFunctionReturns) {
  Session s;
  EXPECT_EQ(run_transaction(s, Session::Begin{}, [](Tx&) { return 7; }), 7);
  EXPECT_EQ(s.log, "BC");
  int kept = 1;
  int& reference = run_transaction(s, Session::Begin{}, [&](Tx&) -> int& { return kept; });
  EXPECT_EQ(&reference, &kept);
  auto pointer = run_transaction(s, Session::Begin{}, [](Tx&) { return std::make_unique<int>(3); });
  EXPECT_EQ(*pointer, 3);
}

TEST(RunTransaction, RollsBackWhenTheFunctionThrows) {
  Session s;
  EXPECT_THROW(run_transaction(s, Session::Begin{}, [](Tx&) { throw 1; }), int);
  EXPECT_EQ(s.log, "BA");
}

TEST(RunTransaction, LeavesATransactionThatEndedItself) {
  Session s;
  run_transaction(s, Session::Begin{}, [](Tx& tx) { tx.rollback(); });
  EXPECT_EQ(s.log, "BR");
  s.log.clear();
  run_transaction(s, Session::Begin{}, [](Tx& tx) { tx.commit(); });
  EXPECT_EQ(s.log, "BC");
}

TEST(RunTransaction, B34_NestsInBothForms) {
  Session s;
  run_transaction(s, Session::Begin{}, [](Tx& tx) {
    try {
      tx.transaction([](Tx&) { throw 1; });
    } catch (int) {
    }
    tx.transaction([](Tx& inner) { inner.transaction([](Tx&) {}); });
    Tx guard = tx.begin();
    guard.rollback();
  });
  EXPECT_EQ(s.log, "BBABBCCBRC");
  EXPECT_TRUE(s.open.empty());
}

}  // namespace
