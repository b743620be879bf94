// Prepared statements at the server: how many round trips a call takes, changed tables, vanished statements, poolers.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace under_test;
using quark::asc;
using quark::field;
using quark::For;

Db users_table() {
  auto db = fresh();
  quark::create_table<User>(db);
  For<User>(db).create(User{.name = "Ada", .age = 36});
  For<User>(db).create(User{.name = "Bob", .age = 20});
  return db;
}

/// How often the client waited for the server: each Sync, or simple query, is one round trip.
template <class F>
int round_trips(const Db& db, F&& run) {
  std::FILE* file = std::tmpfile();
  PQtrace(db.native(), file);
  run();
  PQuntrace(db.native());
  std::rewind(file);
  int trips = 0;
  char line[4096];
  while (std::fgets(line, sizeof line, file) != nullptr) {
    const std::string_view text = line;
    // "F" is what the client sends.
    if (text.find("\tF\t") != std::string_view::npos &&
        (text.find("\tSync") != std::string_view::npos || text.find("\tQuery") != std::string_view::npos))
      ++trips;
  }
  std::fclose(file);
  return trips;
}

TEST(PostgresRoundTrips, AnOrdinaryCallTakesOne) {
  auto db = users_table();
  const auto users = For<User>(db);
  User one{.name = "x"};
  const auto all = [&] {
    EXPECT_TRUE(users.find(1));
    EXPECT_EQ(users.where(field<&User::age> > 20).list().size(), 1u);
    one.id = 0;
    users.create(one);
    one.age = 5;
    users.update(one);
    users.remove(one);
    EXPECT_TRUE(users.exists());
  };
  all();  // prepares
  EXPECT_EQ(round_trips(db, all), 6);
  EXPECT_EQ(round_trips(db, [&] { users.where(field<&User::id>.in(std::vector<std::int64_t>{})).list(); }), 0);
}

TEST(PostgresRoundTrips, ATransactionWithOneWriteTakesTwo) {
  auto db = users_table();
  For<User>(db).create(User{.name = "first"});
  EXPECT_EQ(round_trips(db, [&] {
              db.transaction([](auto& tx) { For<User>(tx).create(User{.name = "x"}); });
            }), 2);
  EXPECT_EQ(round_trips(db, [&] { db.transaction([](auto&) {}); }), 0);
  EXPECT_EQ(round_trips(db, [&] { auto tx = db.begin(); }), 0);
  // Savepoints go with the statements.
  EXPECT_EQ(round_trips(db, [&] {
              db.transaction([](auto& tx) {
                tx.transaction([](auto& inner) { For<User>(inner).create(User{.name = "x"}); });
                tx.transaction([](auto&) {});
                For<User>(tx).create(User{.name = "x"});
              });
            }), 3);
  EXPECT_EQ(raw_cell(db, "select count(*) from users where name = 'x'"), "3");
}

TEST(PostgresRoundTrips, ABatchTakesTwo) {
  auto db = users_table();
  std::vector<User> batch(100);
  For<User>(db).create_batch(batch);
  for (User& user : batch) user.id = 0;
  EXPECT_EQ(round_trips(db, [&] { For<User>(db).create_batch(batch); }), 2);
}

TEST(PostgresStatements, AChangedTableIsPreparedAnew) {
  auto db = users_table();
  const auto users = For<User>(db).order_by(asc<&User::id>);
  EXPECT_EQ(users.list()[0].age, 36);
  // The result would have other columns now: the server refuses the old plan.
  raw(db, "alter table users alter column age type bigint");
  EXPECT_EQ(users.list()[0].age, 36);
  EXPECT_EQ(users.list()[1].age, 20);
  raw(db, "alter table users alter column age type text");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)users.list(); }).column(), "age");
  raw(db, "alter table users alter column age type integer using age::integer");
  EXPECT_EQ(users.list()[0].age, 36);
}

TEST(PostgresStatements, AChangedTableInsideATransaction) {
  auto db = users_table();
  const auto find = [](auto& on) { return For<User>(on).find(1)->age; };
  EXPECT_EQ(find(db), 36);
  raw(db, "alter table users alter column age type bigint");
  // As the first statement nothing is lost: it is sent again.
  db.transaction([&](auto& tx) { EXPECT_EQ(find(tx), 36); });
  raw(db, "alter table users alter column age type integer");
  const auto error = error_of<quark::TransactionAborted>([&] {
    db.transaction([&](auto& tx) {
      For<User>(tx).create(User{.name = "lost"});
      find(tx);
    });
  });
  EXPECT_TRUE(error.retryable());
  EXPECT_EQ(error.sqlstate(), "0A000");
  EXPECT_EQ(raw_cell(db, "select count(*) from users"), "2");
  db.transaction([&](auto& tx) {
    For<User>(tx).create(User{.name = "again"});
    EXPECT_EQ(find(tx), 36);
  });
}

TEST(PostgresStatements, VanishedOnesArePreparedAnew) {
  auto db = users_table();
  const auto users = For<User>(db);
  EXPECT_TRUE(users.find(1));
  EXPECT_EQ(users.count(), 2);
  const std::string schema = raw_cell(db, "select current_schema()");
  raw(db, "discard all");
  raw(db, "set search_path to " + schema);
  EXPECT_EQ(users.count(), 2);
  EXPECT_TRUE(users.find(1));
}

TEST(PostgresStatements, OneTextIsPreparedOnce) {
  auto db = users_table();
  const auto prepared = [&] { return raw_cell(db, "select count(*) from pg_prepared_statements"); };
  (void)For<User>(db).list();
  const std::string before = prepared();
  For<User>(db).each([](const User&) {});  // the same text in another place
  EXPECT_EQ(prepared(), before);
  // The names are of the text: another connection has the same ones.
  auto other = users_table();
  (void)For<User>(other).list();
  const char* names = "select string_agg(name, ',' order by name) from pg_prepared_statements where statement like "
                      "'SELECT%'";
  EXPECT_EQ(raw_cell(db, names), raw_cell(other, names));
}

TEST(PostgresStatements, RunTimeTextsAreBounded) {
  auto db = quark::postgres::open({.url = std::getenv("QUARK_TEST_POSTGRES"), .cached_texts = 3});
  raw(db, "create temporary table users (id bigint, name text, email text, age int, active bool)");
  for (int i = 0; i < 20; ++i) {
    quark::Filter<User> filter;
    for (int k = 0; k <= i % 10; ++k) filter &= field<&User::age> >= k;
    EXPECT_EQ(For<User>(db).where(filter).count(), 0);
  }
  EXPECT_EQ(raw_cell(db, "select count(*) from pg_prepared_statements"), "3");
}

TEST(PostgresStatements, NeverPreparedOnesWorkToo) {
  auto db = quark::postgres::open({.url = std::getenv("QUARK_TEST_POSTGRES"),
                                   .prepare = quark::postgres::Prepare::never});
  raw(db, "create temporary table users (id bigint generated by default as identity, name text, email text, age int, "
          "active bool)");
  const auto users = For<User>(db);
  for (int round = 0; round < 2; ++round) {
    User user{.name = "Ada", .email = "a@a", .age = 36, .active = true};
    users.create(user);
    EXPECT_EQ(users.where(field<&User::name> == "Ada").first()->email, "a@a");
    EXPECT_EQ(users.find(user.id), user);
    db.transaction([&](auto& tx) { EXPECT_EQ(For<User>(tx).find(user.id), user); });
    std::vector<User> batch(10);
    users.create_batch(batch);
    int seen = 0;
    users.each([&](const User&) { ++seen; });
    EXPECT_EQ(seen, 11 * (round + 1));
  }
  EXPECT_EQ(raw_cell(db, "select count(*) from pg_prepared_statements"), "0");
  raw(db, "alter table users alter column age type bigint");
  EXPECT_EQ(users.order_by(asc<&User::id>).first()->age, 36);
}

}  // namespace
