// Deadlines: what runs is stopped, what comes later is not sent, and the connection goes on.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>

namespace {

using namespace under_test;
using namespace std::chrono_literals;
using quark::field;
using quark::For;
using Clock = std::chrono::steady_clock;

bool says(const quark::Error& error, std::string_view text) {
  return std::string_view(error.what()).find(text) != std::string_view::npos;
}

TEST(Deadline, StopsAStatementAndLeavesTheConnectionUsable) {
  auto db = fresh();
  quark::create_table<User>(db);
  for (int again = 0; again < 2; ++again) {
    const auto start = Clock::now();
    {
      const auto limit = db.deadline(60ms);
      EXPECT_GT(limit.remaining_microseconds(), 0);
      const auto error = error_of<quark::Timeout>([&] { (void)db.execute(slow_statement()); });
      EXPECT_EQ(error.kind(), quark::ErrorKind::timeout);
      EXPECT_TRUE(says(error, "the deadline passed and the statement was stopped")) << error.what();
      EXPECT_EQ(error.statement(), slow_statement());
      EXPECT_LT(limit.remaining_microseconds(), 0);
      // What begins later isn't sent at all.
      const auto late = error_of<quark::Timeout>([&] { For<User>(db).create(User{.name = "late"}); });
      EXPECT_TRUE(says(late, "was not sent")) << late.what();
    }
    const auto taken = Clock::now() - start;
    EXPECT_GE(taken, 60ms);
    EXPECT_LT(taken, 10s);
    EXPECT_EQ(For<User>(db).count(), 0);
    For<User>(db).create(User{.name = "after"});
    EXPECT_EQ(For<User>(db).everything().remove(), 1u);
  }
}

TEST(Deadline, AStatementThatWasStoppedDoesNotTakeTheNextOneAlong) {
  auto db = fresh();
  quark::create_table<User>(db);
  std::vector<User> users(2000, User{.name = "a"});
  For<User>(db).create_batch(users);
  for (int again = 0; again < 30; ++again) {
    {
      const auto limit = db.deadline(1ms);
      EXPECT_THROW((void)db.execute(slow_statement()), quark::Timeout);
    }
    const auto limit = db.deadline(1h);
    EXPECT_EQ(For<User>(db).list().size(), 2000u);
  }
}

TEST(Deadline, WhatIsInTimeIsUntouched) {
  auto db = fresh();
  quark::create_table<User>(db);
  {
    const auto limit = db.deadline(1h);
    db.transaction([](auto& tx) { For<User>(tx).create(User{.name = "a"}); });
    std::vector<User> more(3, User{.name = "b"});
    For<User>(db).create_batch(more);
    EXPECT_EQ(For<User>(db).count(), 4);
    int seen = 0;
    For<User>(db).each([&](const User&) { seen += static_cast<int>(For<User>(db).count()); });
    EXPECT_EQ(seen, 16);
    EXPECT_THROW(For<User>(db).create(User{.id = 1, .name = "twice"}), quark::UniqueViolation);
  }
  EXPECT_TRUE(db.session().chain().empty());
  // Centuries are no overflow.
  const auto limit = db.deadline(std::chrono::hours(24 * 365 * 1000));
  EXPECT_EQ(For<User>(db).count(), 4);
}

TEST(Deadline, OfSeveralTheEarliestHolds) {
  auto db = fresh();
  std::unique_ptr<quark::Deadline> outer(new quark::Deadline(db.deadline(0ms)));
  {
    const auto inner = db.deadline(1h);
    EXPECT_THROW((void)db.execute("select 1"), quark::Timeout);
    outer.reset();  // in any order
    EXPECT_NO_THROW((void)db.execute("select 1"));
    const auto innermost = db.deadline(-5ms);
    EXPECT_THROW((void)db.execute("select 1"), quark::Timeout);
  }
  EXPECT_NO_THROW((void)db.execute("select 1"));
}

TEST(Deadline, ATransactionIsRolledBack) {
  auto db = fresh();
  quark::create_table<User>(db);
  EXPECT_THROW(
      {
        const auto limit = db.deadline(80ms);
        db.transaction([&](auto& tx) {
          For<User>(tx).create(User{.name = "lost"});
          (void)db.execute(slow_statement());
        });
      },
      quark::Timeout);
  EXPECT_FALSE(in_transaction(db));
  // The COMMIT comes too late.
  EXPECT_THROW(
      {
        const auto limit = db.deadline(80ms);
        db.transaction([&](auto& tx) {
          For<User>(tx).create(User{.name = "lost"});
          while (limit.remaining_microseconds() > 0) {
          }
        });
      },
      quark::Timeout);
  EXPECT_FALSE(in_transaction(db));
  EXPECT_EQ(For<User>(db).count(), 0);
  For<User>(db).create(User{.name = "kept"});
  EXPECT_EQ(For<User>(db).count(), 1);
}

TEST(Deadline, PassesWhileRowsAreRead) {
  auto db = fresh();
  quark::create_table<User>(db);
  std::vector<User> many(3000, User{.name = std::string(200, 'x')});
  For<User>(db).create_batch(many);
  int seen = 0;
  try {
    const auto limit = db.deadline(100ms);
    For<User>(db).each([&](const User&) {
      ++seen;
      if (seen == 1) {
        while (limit.remaining_microseconds() > -50'000) {
        }
        EXPECT_THROW((void)For<User>(db).count(), quark::Timeout);
      }
    });
    // An engine may have had all the rows on the way by then.
    EXPECT_EQ(seen, 3000);
  } catch (const quark::Timeout&) {
    EXPECT_LT(seen, 3000);
  }
  EXPECT_EQ(For<User>(db).count(), 3000);
}

TEST(Deadline, EndsWithItsLease) {
  const Shared shared;
  Pool pool(shared.options(), {.max = 1});
  {
    auto lease = pool.acquire();
    const auto limit = lease.deadline(0ms);
    EXPECT_THROW((void)lease.execute("select 1"), quark::Timeout);
    lease.give_back();
    EXPECT_NO_THROW((void)pool.execute("select 1"));
  }
  EXPECT_NO_THROW((void)pool.execute("select 1"));
}

TEST(Deadline, ManyInARow) {
  auto db = fresh();
  quark::create_table<User>(db);
  for (int i = 0; i < 300; ++i) {
    const auto limit = db.deadline(std::chrono::microseconds(200 + i));
    try {
      For<User>(db).create(User{.name = "x"});
      (void)For<User>(db).count();
    } catch (const quark::Timeout&) {
    }
  }
  // A late attempt to stop one would hit one of these.
  for (int i = 0; i < 300; ++i) EXPECT_NO_THROW((void)For<User>(db).count());
}

}  // namespace
