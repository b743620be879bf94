// What waits for the next statement (BEGIN, SAVEPOINT, RELEASE) when something goes wrong meanwhile.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace under_test;
using quark::field;
using quark::For;

Db users_table() {
  auto db = fresh();
  quark::create_table<User>(db);
  return db;
}
User named(const char* name) { return User{.name = name}; }
std::string names(const Db& db) {
  return raw_cell(db, "select coalesce(string_agg(name, ',' order by id), '') from users");
}

struct Broken {};

TEST(PostgresPending, AMiddlewareThatRefusesASavepointTouchesNoOther) {
  auto db = users_table();
  std::string before, after;
  db.use([&](quark::Operation& op, const quark::Next& next) {
    if (op.name() == before) throw Broken{};
    next();
    if (op.name() == after) throw Broken{};
  });
  db.transaction([&](auto& tx) {
    tx.transaction([&](auto& first) { For<User>(first).create(named("first")); });
    for (std::string* when : {&before, &after}) {
      *when = "savepoint";
      EXPECT_THROW(tx.transaction([](auto&) {}), Broken);
      when->clear();
    }
    For<User>(tx).create(named("second"));
  });
  EXPECT_EQ(names(db), "first,second");

  // The same where nothing has been sent yet, and at the release of an empty level.
  for (const char* what : {"savepoint", "release"}) {
    auto tx = db.begin();
    after = what;
    EXPECT_THROW(tx.transaction([](auto&) {}), Broken);
    after.clear();
    For<User>(tx).create(named(what));
    tx.rollback();
    EXPECT_EQ(names(db), "first,second") << what;
  }
}

TEST(PostgresPending, TransactionsInsideAStream) {
  auto db = users_table();
  for (const char* name : {"a", "b", "c"}) For<User>(db).create(named(name));
  For<User>(db).each([&](User& user) {
    db.transaction([&](auto& tx) {
      user.age = 7;
      For<User>(tx).update(user);
    });
  });
  EXPECT_EQ(For<User>(db).where(field<&User::age> == 7).count(), 3);
}

TEST(PostgresPending, TheCallersOwnTransaction) {
  auto db = users_table();
  db.execute("begin");
  db.transaction([](auto& tx) { For<User>(tx).create(named("kept")); });
  PQclear(PQexec(db.session().native(), "COMMIT"));
  For<User>(db).create(named("after"));
  EXPECT_EQ(names(db), "kept,after");
  // native() sends what waits: what is done with it belongs to the transaction.
  auto tx = db.begin();
  PQclear(PQexec(db.native(), "delete from users"));
  tx.rollback();
  EXPECT_EQ(names(db), "kept,after");
}

TEST(PostgresPending, AnEarlyStopCancelsNoTransactionOfTheCallers) {
  auto db = users_table();
  raw(db, "insert into users (name, age, active) select 'n', 1, true from generate_series(1, 5000)");
  db.execute("begin");
  For<User>(db).create(named("mine"));
  int seen = 0;
  For<User>(db).each([&](const User&) { return ++seen < 3; });
  db.execute("commit");
  EXPECT_EQ(raw_cell(db, "select count(*) from users where name = 'mine'"), "1");
}

TEST(PostgresPending, ABatchWhoseMiddlewareUsesTheConnection) {
  auto db = users_table();
  bool inside = false;
  db.use([&](quark::Operation& op, const quark::Next& next) {
    if (op.name() == "create_batch" && !inside) {
      inside = true;
      std::vector<User> other{named("other")};
      For<User>(db).create_batch(other);
      (void)For<User>(db).where(field<&User::name> == "x").count();
      inside = false;
    }
    next();
  });
  std::vector<User> batch{named("a"), named("b")};
  For<User>(db).create_batch(batch);
  EXPECT_EQ(For<User>(db).get(batch[0].id).name, "a");
  EXPECT_EQ(For<User>(db).get(batch[1].id).name, "b");
}

TEST(PostgresPending, ABatchAfterDiscardAll) {
  auto db = users_table();
  std::vector<User> batch{named("a"), named("b")};
  For<User>(db).create_batch(batch);
  const std::string schema = raw_cell(db, "select current_schema()");
  for (int round = 0; round < 2; ++round) {
    raw(db, "discard all");
    raw(db, "set search_path to " + schema);
    for (User& user : batch) user.id = 0;
    For<User>(db).create_batch(batch);
    EXPECT_TRUE(For<User>(db).find(batch[1].id));
  }
  EXPECT_EQ(names(db), "a,b,a,b,a,b");
}

TEST(PostgresPending, TwoConnectionsOnOneBorrowed) {
  auto db = users_table();
  Db one(db.native()), two(db.native());
  For<User>(one).create(named("one"));
  For<User>(two).create(named("two"));
  EXPECT_EQ(For<User>(one).count(), 2);
  EXPECT_EQ(For<User>(two).count(), 2);
}

TEST(PostgresPending, CallbacksDoNotOutliveARollbackThatFails) {
  auto db = users_table();
  bool failing = false, called = false, undone = false;
  db.use([&](quark::Operation& op, const quark::Next& next) {
    if (failing && op.name() == "rollback") throw Broken{};
    next();
  });
  auto tx = db.begin();
  For<User>(tx).create(named("x"));
  tx.on_commit([&] { called = true; });
  tx.on_rollback([&] { undone = true; });
  failing = true;
  EXPECT_THROW(tx.rollback(), Broken);
  failing = false;
  db.transaction([](auto& next) { For<User>(next).create(named("y")); });
  EXPECT_FALSE(called);
  EXPECT_TRUE(undone);
  EXPECT_EQ(names(db), "y");
}

struct Number {
  std::int64_t id{};
  double n{};
};
struct Whole {
  std::int64_t id{};
  std::int64_t n{};
  static consteval auto orm() { return quark::model(quark::table("numbers")); }
};

// What is inserted is not converted by the server: it would round.
TEST(PostgresValues, AnInsertedValueOfAnotherTypeIsRefused) {
  auto db = fresh();
  raw(db, "create table numbers (id bigint generated by default as identity, n integer)");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { For<Number>(db).create(Number{.n = 2.5}); }).column(), "n");
  std::vector<Number> batch{{.n = 2.5}};
  EXPECT_THROW(For<Number>(db).create_batch(batch), quark::ConversionError);
  EXPECT_THROW(For<Whole>(db).create(Whole{.n = 3'000'000'000}), quark::ConversionError);
  raw(db, "alter table numbers alter column n type real");
  auto again = fresh();
  raw(again, "create table numbers (id bigint generated by default as identity, n real)");
  EXPECT_THROW(For<Number>(again).create(Number{.n = 0.1}), quark::ConversionError);
  For<Number>(again).create(Number{.n = 0.5});
  EXPECT_EQ(raw_cell(again, "select n from numbers"), "0.5");
  // Numerics beyond 128 bits, intervals beyond 64.
  auto third = fresh();
  raw(third, "create table numbers (id bigint generated by default as identity, n numeric)");
  for (const char* value : {"340282366920938463463374607431768211463", "3.5e38", "9223372036854775808"}) {
    raw(third, std::string("insert into numbers (n) values (") + value + ")");
    EXPECT_THROW((void)For<Whole>(third).list(), quark::ConversionError) << value;
    raw(third, "delete from numbers");
  }
  raw(third, "insert into numbers (n) values (9223372036854775807)");
  EXPECT_EQ(For<Whole>(third).one().n, INT64_MAX);
}

}  // namespace
