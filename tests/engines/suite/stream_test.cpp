// each: rows one at a time, stopping, throwing, and asking the same connection from inside.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

namespace {

using namespace under_test;
using quark::asc;
using quark::field;
using quark::For;

Db ten_users() {
  auto db = fresh();
  quark::create_table<User>(db);
  for (int i = 1; i <= 10; ++i) For<User>(db).create(User{i, "u" + std::to_string(i), {}, i, true});
  return db;
}

TEST(Each, SeesAllRowsInOrder) {
  auto db = ten_users();
  std::int64_t next = 1;
  const auto users = For<User>(db).order_by(asc<&User::id>);
  users.each([&](const User& user) { EXPECT_EQ(user.id, next++); });
  EXPECT_EQ(next, 11);
  users.where(field<&User::id> > 100).each([](const User&) { FAIL(); });
}

TEST(Each, GivesARowAwayOrLendsIt) {
  auto db = ten_users();
  std::vector<User> moved;
  const auto users = For<User>(db).order_by(asc<&User::id>);
  users.each([&](User user) { moved.push_back(std::move(user)); });
  users.each([&](User& user) { moved.push_back(std::move(user)); });
  users.each([&](User&& user) { moved.push_back(std::move(user)); });
  ASSERT_EQ(moved.size(), 30u);
  EXPECT_EQ(moved[9].name, "u10");
  EXPECT_EQ(moved[29].name, "u10");
}

TEST(Each, StopsWhenToldTo) {
  auto db = ten_users();
  for (int again = 0; again < 2; ++again) {
    int seen = 0;
    For<User>(db).each([&](const User&) { return ++seen < 3; });
    EXPECT_EQ(seen, 3);
  }
  EXPECT_EQ(For<User>(db).count(), 10);
}

TEST(B42, AnAbandonedStreamHoldsNothing) {
  Shared shared;
  auto db = shared.connect();
  auto other = shared.connect();
  quark::create_table<User>(db);
  for (int i = 0; i < 5; ++i) For<User>(db).create(User{.name = "a"});
  struct Stop {};
  (void)For<User>(db).first();
  For<User>(db).each([](const User&) { return false; });
  EXPECT_THROW(For<User>(db).each([](const User&) { throw Stop{}; }), Stop);
  raw(other, "update users set age = 1");
  raw(other, "drop table users");
  EXPECT_THROW((void)For<User>(db).count(), quark::SyntaxError);
}

TEST(Each, AnExceptionPassesThroughAndTheConnectionGoesOn) {
  auto db = ten_users();
  struct Stop {
    std::int64_t at;
  };
  for (int again = 0; again < 2; ++again) {
    try {
      For<User>(db).order_by(asc<&User::id>).each([](const User& user) {
        if (user.id == 4) throw Stop{user.id};
      });
      FAIL();
    } catch (const Stop& stop) {
      EXPECT_EQ(stop.at, 4);
    }
    EXPECT_EQ(For<User>(db).order_by(asc<&User::id>).list().size(), 10u);
  }
}

TEST(B47, AQueryInsideWorks) {
  auto db = ten_users();
  int sum = 0;
  For<User>(db).order_by(asc<&User::id>).each([&](const User& user) {
    sum += For<User>(db).get(11 - user.id).age;
    EXPECT_EQ(For<User>(db).where(field<&User::id> <= user.id).count(), user.id);
  });
  EXPECT_EQ(sum, 55);
}

TEST(Each, TheSameStatementNests) {
  auto db = ten_users();
  const auto users = For<User>(db).where(field<&User::id> <= 4).order_by(asc<&User::id>);
  for (int again = 0; again < 2; ++again) {
    std::string seen;
    users.each([&](const User& outer) {
      users.each([&](const User& inner) {
        if (inner.id == 3)
          users.each([&](const User& innermost) { seen += innermost.id == 4 ? "." : ""; });
        return inner.id < outer.id;
      });
      seen += std::to_string(outer.id);
    });
    EXPECT_EQ(seen, "12.3.4");
  }
}

TEST(Each, ARunTimeStatementNestsInItself) {
  auto db = ten_users();
  quark::Filter<User> f = field<&User::id> <= 3;
  const auto users = For<User>(db).where(f).order_by(quark::by<User>("id"));
  std::string seen;
  users.each([&](const User& outer) {
    users.each([&](const User& inner) { seen += std::to_string(outer.id * inner.id); });
  });
  EXPECT_EQ(seen, "123246369");
}

TEST(Each, WritesToOtherTablesInside) {
  auto db = ten_users();
  quark::create_table<Product>(db);
  For<User>(db).each([&](const User& user) {
    For<Product>(db).create(Product{"c", user.name, ""});
  });
  EXPECT_EQ(raw_cell(db, "select count(*) from products"), "10");
}

TEST(Each, AConversionErrorInTheMiddleStopsIt) {
  auto db = fresh();
  raw(db,
      "create table users (id bigint, name varchar(20), email varchar(20), age int, active " +
          under_test::boolean_type() + ")");
  const std::string yes = under_test::truth(true);
  raw(db, "insert into users values (1, 'a', null, 1, " + yes + "), (2, null, null, 1, " + yes +
              "), (3, 'c', null, 1, " + yes + ")");
  for (int again = 0; again < 2; ++again) {
    int seen = 0;
    EXPECT_EQ(error_of<quark::ConversionError>([&] {
                For<User>(db).order_by(asc<&User::id>).each([&](const User&) { ++seen; });
              }).column(),
              "name");
    EXPECT_EQ(seen, 1);
  }
  EXPECT_EQ(For<User>(db).count(), 3);
}

}  // namespace
