// Streaming from PostgreSQL: the connection is busy with the rows, and still takes statements of the callback.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

namespace {

using namespace under_test;
using quark::asc;
using quark::field;
using quark::For;

Db many_users(int count) {
  auto db = fresh();
  quark::create_table<User>(db);
  raw(db, "insert into users (name, age, active) select 'n' || i, i, true from generate_series(1, " +
              std::to_string(count) + ") i");
  return db;
}

TEST(PostgresStream, StatementsInBetween) {
  auto db = many_users(100);
  const auto users = For<User>(db).order_by(asc<&User::id>);
  std::int64_t sum = 0, inner_rows = 0;
  users.each([&](const User& user) {
    sum += user.age;
    if (user.age % 25 == 0) {
      // A stream inside the stream, and a statement inside that.
      users.where(field<&User::age> <= 3).each([&](const User& inner) {
        inner_rows += For<User>(db).where(field<&User::id> == inner.id).count();
      });
    }
  });
  EXPECT_EQ(sum, 5050);
  EXPECT_EQ(inner_rows, 12);
}

TEST(PostgresStream, StopsEarlyInAndOutOfATransaction) {
  auto db = many_users(20'000);
  const auto stop_at = [](auto& on, int most) {
    int seen = 0;
    For<User>(on).each([&](const User&) { return ++seen < most; });
    return seen;
  };
  EXPECT_EQ(stop_at(db, 10), 10);
  EXPECT_EQ(For<User>(db).count(), 20'000);
  db.transaction([&](auto& tx) {
    For<User>(tx).create(User{.name = "kept"});
    EXPECT_EQ(stop_at(tx, 10), 10);
    For<User>(tx).create(User{.name = "kept"});
  });
  EXPECT_EQ(raw_cell(db, "select count(*) from users where name = 'kept'"), "2");
  struct Enough {};
  EXPECT_THROW(For<User>(db).each([](const User&) { throw Enough{}; }), Enough);
  EXPECT_EQ(For<User>(db).count(), 20'002);
}

TEST(PostgresStream, AnErrorAfterSomeRows) {
  auto db = many_users(10);
  raw(db, "alter table users rename to people");
  raw(db, "create view users as select id, name, email, 100 / (8 - age) as age, active from people order by id");
  int seen = 0;
  const auto error = error_of<quark::ConversionError>([&] { For<User>(db).each([&](const User&) { ++seen; }); });
  EXPECT_EQ(error.sqlstate(), "22012");
  EXPECT_EQ(raw_cell(db, "select count(*) from people"), "10");
  // Somebody else needs the connection before the error comes: it arrives where its row would have been.
  seen = 0;
  EXPECT_THROW(For<User>(db).each([&](const User&) {
    ++seen;
    raw_cell(db, "select 1");
    (void)For<User>(db).where(field<&User::id> == 1).count();
  }), quark::ConversionError);
}

}  // namespace
