// What can be wrapped around statements: order, retry, refusing, answering; the recorder, the slow
// log, the N+1 detector.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

namespace {

using namespace under_test;
using quark::field;
using quark::For;
using quark::Next;
using quark::Operation;
using quark::StatementKind;

Db users_table() {
  auto db = fresh();
  quark::create_table<User>(db);
  For<User>(db).create(User{1, "Ada", {}, 36, true});
  under_test::after_given_keys(db, "users");
  return db;
}

TEST(Middleware, TheFirstIsTheOutermost) {
  auto db = users_table();
  std::string order;
  const auto named = [&order](char name) {
    return [&order, name](Operation&, const Next& next) {
      order += name;
      next();
      order += static_cast<char>(name - 'a' + 'A');
    };
  };
  db.use(named('a'));
  db.use(named('b'));
  db.use(named('c'));
  (void)For<User>(db).count();
  EXPECT_EQ(order, "abcCBA");
}

TEST(Middleware, SeesWhatRunsAndWhatCameOfIt) {
  auto db = users_table();
  struct Seen {
    StatementKind kind;
    std::string name, table, text;
    std::vector<std::string> parameters, columns;
    std::uint64_t rows, affected;
  };
  std::vector<Seen> seen;
  db.use([&](Operation& op, const Next& next) {
    next();
    Seen s{
        op.kind(), std::string(op.name()), std::string(op.table()), std::string(op.text()), {}, {},
        op.rows(), op.affected()};
    for (std::size_t i = 0; i < op.parameter_count(); ++i) {
      s.parameters.push_back(op.parameter(i));
      s.columns.emplace_back(op.parameter_column(i));
    }
    EXPECT_GE(op.nanoseconds(), 0);
    EXPECT_THROW((void)op.parameter(op.parameter_count()), quark::Misuse);
    seen.push_back(std::move(s));
  });
  (void)For<User>(db).find(1);
  For<User>(db).update(User{1, "Bob", "b@b", 4, false});
  For<User>(db).where(field<&User::age> == 4).set(field<& User::email> = std::nullopt).update();
  For<User>(db).remove_by_key(1);
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_EQ(seen[0].kind, StatementKind::select);
  EXPECT_EQ(seen[0].name, "find");
  EXPECT_EQ(seen[0].table, "users");
  EXPECT_EQ(seen[0].rows, 1u);
  EXPECT_EQ(seen[0].parameters, (std::vector<std::string>{"1"}));
  EXPECT_EQ(seen[0].columns, (std::vector<std::string>{"id"}));
  EXPECT_EQ(seen[1].kind, StatementKind::update);
  EXPECT_EQ(seen[1].affected, 1u);
  EXPECT_EQ(seen[1].parameters, (std::vector<std::string>{"Bob", "b@b", "4", "false", "1"}));
  EXPECT_EQ(seen[1].columns, (std::vector<std::string>{"name", "email", "age", "active", "id"}));
  EXPECT_EQ(seen[2].parameters, (std::vector<std::string>{"NULL", "4"}));
  EXPECT_EQ(seen[2].columns, (std::vector<std::string>{"email", "age"}));
  EXPECT_EQ(seen[3].kind, StatementKind::remove);
}

TEST(Middleware, SeesTransactions) {
  auto db = users_table();
  quark::StatementRecorder seen;
  db.use(seen);
  db.transaction(
      [](auto& tx) { tx.transaction([](auto& inner) { (void)For<User>(inner).count(); }); });
  EXPECT_THROW(db.transaction([](auto&) { throw 1; }), int);
  std::string kinds;
  for (const auto& entry : seen.entries()) kinds += entry.name + " ";
  EXPECT_EQ(kinds, "begin savepoint count release commit begin rollback ");
}

TEST(Middleware, MayRetry) {
  auto db = users_table();
  int tries = 0;
  db.use([&](Operation& op, const Next& next) {
    if (op.kind() != StatementKind::select) return next();
    ++tries;
    next();
    next();
  });
  EXPECT_EQ(For<User>(db).list().size(), 1u) << "the rows are those of the last run";
  EXPECT_EQ(For<User>(db).count(), 1);
  EXPECT_EQ((For<User>(db).pluck<&User::name>()), (std::vector<std::string>{"Ada"}));
  EXPECT_EQ(For<User>(db).find(1)->name, "Ada");
  EXPECT_EQ(For<User>(db).one().name, "Ada");
  EXPECT_EQ((For<User>(db).max<&User::age>()), 36);
  EXPECT_EQ(tries, 6);
}

// Rows that were handed out can't be taken back.
TEST(Middleware, CantRetryAnEachThatHasHandedOutRows) {
  auto db = users_table();
  For<User>(db).create(User{2, "Bob", {}, 4, true});
  int tries = 0;
  db.use([&](Operation& op, const Next& next) {
    if (op.kind() != StatementKind::select) return next();
    ++tries;
    next();
    next();
  });
  int seen = 0;
  EXPECT_THROW(For<User>(db).each([&](const User&) { ++seen; }), quark::Misuse);
  EXPECT_EQ(seen, 2);
  For<User>(db).where(field<&User::id> == 99).each([&](const User&) { ++seen; });
  EXPECT_EQ(seen, 2) << "nothing was handed out, nothing is wrong with another try";
  EXPECT_EQ(tries, 2);
}

TEST(Middleware, MayRetryWhatFailed) {
  auto db = users_table();
  int failures = 2, tries = 0;
  db.use([&](Operation&, const Next& next) {
    for (tries = 1;; ++tries) {
      try {
        return next();
      } catch (const quark::Timeout&) {
        if (tries == 3) throw;
      }
    }
  });
  db.use([&](Operation&, const Next& next) {
    if (failures-- > 0) throw quark::Timeout(quark::ErrorInfo{.kind = quark::ErrorKind::timeout});
    next();
  });
  For<User>(db).create(User{2, "Bob", {}, 1, false});
  EXPECT_EQ(tries, 3);
  EXPECT_EQ(raw_cell(db, "select count(*) from users"), "2");
  EXPECT_THROW(For<User>(db).create(User{2, "Bob", {}, 1, false}), quark::UniqueViolation);
}

TEST(Middleware, MayRefuse) {
  auto db = users_table();
  struct ReadOnly {};
  db.use([](Operation& op, const Next& next) {
    if (op.kind() != StatementKind::select) throw ReadOnly{};
    next();
  });
  User user{.name = "x"};
  EXPECT_THROW(For<User>(db).create(user), ReadOnly);
  EXPECT_EQ(user.id, 0);
  std::vector<User> batch(3);
  EXPECT_THROW(For<User>(db).create_batch(batch), ReadOnly);
  EXPECT_THROW((void)db.begin(), ReadOnly);
  EXPECT_EQ(For<User>(db).count(), 1);
}

TEST(Middleware, MayAnswerItself) {
  auto db = users_table();
  bool answering = true;
  db.use([&](Operation& op, const Next& next) {
    if (!answering) return next();
    op.set_affected(5);
  });
  EXPECT_EQ(For<User>(db).where(field<&User::id> == 1).remove(), 5u);
  EXPECT_EQ(For<User>(db).list().size(), 0u);
  EXPECT_EQ(For<User>(db).count(), 0);
  EXPECT_FALSE(For<User>(db).find(1));
  answering = false;
  EXPECT_EQ(For<User>(db).count(), 1);
}

TEST(Middleware, CantAnswerACreateThatNeedsAKey) {
  auto db = users_table();
  db.use([](Operation& op, const Next&) { op.set_affected(1); });
  User user{.name = "nowhere"};
  EXPECT_THROW(For<User>(db).create(user), quark::Misuse);
  EXPECT_EQ(user.id, 0);
  EXPECT_THROW((void)db.begin(), quark::Misuse);
  EXPECT_EQ(raw_cell(db, "select count(*) from users"), "1");
}

// A transaction that nobody knows of would take all later writes with it.
TEST(B32, AMiddlewareThatFailsAfterABeginLeavesNoTransaction) {
  auto db = users_table();
  std::string failing;
  struct Broken {};
  db.use([&](Operation& op, const Next& next) {
    next();
    if (op.name() == failing) throw Broken{};
  });
  failing = "begin";
  EXPECT_THROW((void)db.begin(), Broken);
  EXPECT_THROW(db.transaction([](auto&) {}), Broken);
  failing = "";
  For<User>(db).create(User{2, "kept", {}, 0, false});
  EXPECT_FALSE(under_test::in_transaction(db));
  EXPECT_EQ(raw_cell(db, "select count(*) from users"), "2");

  auto tx = db.begin();
  For<User>(tx).create(User{3, "outer", {}, 0, false});
  failing = "savepoint";
  EXPECT_THROW((void)tx.begin(), Broken);
  failing = "";
  For<User>(tx).create(User{4, "outer", {}, 0, false});
  tx.transaction([](auto& inner) { For<User>(inner).create(User{5, "inner", {}, 0, false}); });
  tx.commit();
  EXPECT_EQ(raw_cell(db, "select count(*) from users"), "5");
}

TEST(Middleware, MayAskTheSameConnection) {
  auto db = users_table();
  int depth = 0;
  std::int64_t count = 0;
  db.use([&](Operation&, const Next& next) {
    if (depth == 0) {
      ++depth;
      count = For<User>(db).count();
      --depth;
    }
    next();
  });
  EXPECT_EQ(For<User>(db).count(), 1);
  EXPECT_EQ(count, 1);
}

// Before and after BEGIN, COMMIT and ROLLBACK as well.
TEST(Middleware, MayAskTheSameConnectionAroundATransaction) {
  auto db = users_table();
  bool asking = false;
  std::vector<std::int64_t> counts;
  db.use([&](Operation& op, const Next& next) {
    const auto ask = [&] {
      asking = true;
      counts.push_back(For<User>(db).count());
      asking = false;
    };
    if (asking || op.kind() == StatementKind::insert) return next();
    ask();
    next();
    ask();
  });
  db.transaction([](auto& tx) { For<User>(tx).create(User{.name = "a"}); });
  EXPECT_EQ(counts, (std::vector<std::int64_t>{1, 1, 2, 2}));
  counts.clear();
  {
    auto tx = db.begin();
    For<User>(tx).create(User{.name = "b"});
    tx.rollback();
  }
  EXPECT_EQ(counts, (std::vector<std::int64_t>{2, 2, 3, 2}));
}

// A middleware that fails while something is being undone must not let the undone work live.
TEST(B32, AFailingMiddlewareCantKeepUndoneWork) {
  auto db = users_table();
  bool failing = false;
  struct Broken {};
  db.use([&](Operation& op, const Next& next) {
    if (failing && op.name() == "rollback") throw Broken{};
    next();
  });
  db.transaction([&](auto& tx) {
    For<User>(tx).create(User{2, "outer", {}, 0, false});
    failing = true;
    EXPECT_THROW(tx.transaction([](auto& inner) {
      For<User>(inner).create(User{3, "inner", {}, 0, false});
      throw 1;
    }),
                 int);
    failing = false;
  });
  EXPECT_EQ(raw_cell(db, "select count(*) from users where id = 3"), "0");
  EXPECT_EQ(raw_cell(db, "select count(*) from users where id = 2"), "1");
  failing = true;
  EXPECT_THROW(db.transaction([](auto& tx) {
    For<User>(tx).create(User{4, "x", {}, 0, false});
    throw 1;
  }),
               int);
  {
    auto tx = db.begin();
    For<User>(tx).create(User{5, "y", {}, 0, false});
    EXPECT_ANY_THROW(tx.rollback());
  }
  failing = false;
  For<User>(db).create(User{6, "z", {}, 0, false});
  EXPECT_EQ(raw_cell(db, "select count(*) from users where id in (4, 5)"), "0");
  db.transaction([](auto& tx) { For<User>(tx).create(User{7, "w", {}, 0, false}); });
  EXPECT_EQ(raw_cell(db, "select count(*) from users"), "4");
}

TEST(StatementRecorder, KeepsTextRowsAndFailures) {
  auto db = users_table();
  quark::StatementRecorder seen;
  db.use(seen);
  (void)For<User>(db).list();
  EXPECT_THROW(For<User>(db).create(User{1, "secret", {}, 0, false}), quark::UniqueViolation);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen.entries()[0].rows, 1u);
  EXPECT_EQ(seen.entries()[0].text,
            under_test::text_of(For<User>(quark::no_database)));
  EXPECT_TRUE(seen.last().failed);
  EXPECT_EQ(seen.last().name, "create");
  EXPECT_EQ(seen.last().text.find("secret"), std::string::npos);
  seen.clear();
  EXPECT_EQ(seen.size(), 0u);
}

std::vector<std::string>& log_lines() {
  static std::vector<std::string> lines;
  return lines;
}

TEST(SlowQueryLog, WritesTextAndTimeButNoValues) {
  log_lines().clear();
  auto db = users_table();
  db.use(quark::SlowQueryLog(0, [](std::string_view line) { log_lines().emplace_back(line); }));
  db.use(quark::SlowQueryLog(60'000'000,
                             [](std::string_view) { ADD_FAILURE() << "nothing takes a minute"; }));
  (void)For<User>(db).where(field<&User::name> == "secret").list();
  EXPECT_THROW(For<User>(db).create(User{1, "secret", {}, 0, false}), quark::UniqueViolation);
  ASSERT_EQ(log_lines().size(), 2u);
  EXPECT_NE(log_lines()[0].find("0 rows list users: SELECT"), std::string::npos) << log_lines()[0];
  EXPECT_NE(log_lines()[1].find("failed create users: INSERT"), std::string::npos)
      << log_lines()[1];
  for (const auto& line : log_lines()) EXPECT_EQ(line.find("secret"), std::string::npos);
}

TEST(NPlusOneDetector, FindsLoopsOfReads) {
  auto db = users_table();
  quark::NPlusOneDetector detector(5);
  db.use(detector);
  for (int i = 0; i < 5; ++i) (void)For<User>(db).find(i);
  for (int i = 0; i < 20; ++i) (void)For<User>(db).count();
  for (int i = 0; i < 20; ++i) For<User>(db).update(User{1, "Ada", {}, i, true});
  EXPECT_EQ(detector.worst(), 5u);
  for (int i = 0; i < 5; ++i) EXPECT_NO_THROW((void)For<User>(db).find(1)) << "the writes began a new row";
  EXPECT_THROW((void)For<User>(db).find(1), quark::Misuse);
  detector.reset();
  EXPECT_TRUE(For<User>(db).find(1));
}

}  // namespace
