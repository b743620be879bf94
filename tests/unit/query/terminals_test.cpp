// What each terminal sends: text, parameters in the order of the placeholders, and the columns they
// are reported under.
#include "unit/fakes/fake_engine.hpp"

#include <gtest/gtest.h>

#include <list>
#include <span>

namespace {

using namespace quark;
using test::FakeDatabase;
using test::Row;

struct User {
  std::int64_t id{};
  std::string name;
  std::optional<std::string> email;
  int age{};
  bool active{};
};
constexpr auto& age = field<&User::age>;
constexpr auto& name = field<&User::name>;

template <class Db>
testing::AssertionResult sent(const Db& db, std::string_view text, std::string_view params) {
  if (db.count() == 0) return testing::AssertionFailure() << "nothing was sent";
  if (db.last().text == text && db.last().params == params) return testing::AssertionSuccess();
  return testing::AssertionFailure() << db.last().text << "\n  with " << db.last().params;
}

TEST(Terminals, ReadSendTheirTextOnEveryEngine) {
  const auto run = [](auto db) {
    constexpr Engine E = decltype(db.session)::engine;
    const auto users = For<User>(db);
    const auto some = users.where(age >= 18 && name == "Ada");
    some.list();
    EXPECT_TRUE(sent(db, sql_text<E>(some), "18, 'Ada'"));
    some.first();
    EXPECT_TRUE(sent(db, sql_text<E, Ask::first>(some), "18, 'Ada'"));
    EXPECT_THROW(some.one(), NotFound);
    EXPECT_TRUE(sent(db, sql_text<E, Ask::one>(some), "18, 'Ada'"));
    some.find(5);
    EXPECT_TRUE(sent(db, sql_text<E, Ask::find>(some), "18, 'Ada', 5"));
    some.exists();
    EXPECT_TRUE(sent(db, sql_text<E, Ask::exists>(some), "18, 'Ada'"));
    some.count();
    EXPECT_TRUE(sent(db, sql_text<E, Ask::count>(some), "18, 'Ada'"));
    some.each([](const User&) {});
    EXPECT_TRUE(sent(db, sql_text<E>(some), "18, 'Ada'"));
    some.limit(10).offset(20).list();
    EXPECT_TRUE(sent(db, sql_text<E>(some.limit(1).offset(1)), "18, 'Ada', 10, 20"));
    // A limit of the user's and one of ours: the smaller one.
    some.limit(10).first();
    EXPECT_TRUE(sent(db, sql_text<E, Ask::first>(some.limit(1)), "18, 'Ada', 1"));
    EXPECT_THROW(some.limit(10).one(), NotFound);
    EXPECT_TRUE(sent(db, sql_text<E, Ask::one>(some.limit(1)), "18, 'Ada', 2"));
    some.limit(0).first();
    EXPECT_TRUE(sent(db, sql_text<E, Ask::first>(some.limit(1)), "18, 'Ada', 0"));
  };
  run(FakeDatabase<Engine::sqlite>{});
  run(FakeDatabase<Engine::postgres>{});
  run(FakeDatabase<Engine::mysql>{});
}

TEST(Terminals, AggregatesAndPluckSendTheirText) {
  FakeDatabase<Engine::postgres> db;
  const auto users = For<User>(db).where(age > 3);
  db.session.answer = {Row{std::int64_t{12}}};
  EXPECT_EQ(users.sum<&User::age>(), 12);
  EXPECT_TRUE(sent(db, R"(SELECT SUM("users"."age")::bigint FROM "users" WHERE "users"."age" > $1)", "3"));
  EXPECT_EQ(users.max<&User::age>(), 12);
  EXPECT_TRUE(sent(db, R"(SELECT MAX("users"."age") FROM "users" WHERE "users"."age" > $1)", "3"));
  db.session.answer = {Row{1.5}};
  EXPECT_EQ(users.limit(4).avg<&User::age>(), 1.5);
  EXPECT_TRUE(sent(
      db,
      R"(SELECT AVG("q"."age")::float8 FROM (SELECT "users"."age" FROM "users" WHERE "users"."age" > $1 LIMIT $2) AS "q")",
      "3, 4"));
  db.session.answer = {Row{"a"}};
  EXPECT_EQ(users.min<&User::name>(), "a");
  EXPECT_TRUE(sent(db, R"(SELECT MIN("users"."name") FROM "users" WHERE "users"."age" > $1)", "3"));
  db.session.answer = {Row{"a"}, Row{test::Value{}}};
  EXPECT_EQ(users.distinct().order_by(asc<&User::email>).pluck<&User::email>(),
            (std::vector<std::optional<std::string>>{"a", std::nullopt}));
  EXPECT_TRUE(sent(
      db,
      R"(SELECT DISTINCT "users"."email" FROM "users" WHERE "users"."age" > $1 ORDER BY "users"."email")",
      "3"));
  db.session.answer = {Row{test::Value{}}};
  EXPECT_EQ(users.sum<&User::age>(), std::nullopt);
  EXPECT_EQ(users.min<&User::email>(), std::nullopt);
}

TEST(Terminals, ReadRowsIntoMembers) {
  FakeDatabase<> db;
  db.session.answer = {Row{1, "Ada", "a@b", 36, 1}, Row{2, "Bob", {}, 7, 0}};
  const auto users = For<User>(db);
  const auto all = users.list();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "Ada");
  EXPECT_EQ(all[0].email, "a@b");
  EXPECT_TRUE(all[0].active);
  EXPECT_EQ(all[1].email, std::nullopt);
  EXPECT_EQ(users.first()->name, "Ada");
  EXPECT_THROW(users.one(), NotFound);
  int calls = 0;
  users.each([&](User& u) { return ++calls, u.id != 1; });
  EXPECT_EQ(calls, 1);
  db.session.answer = {Row{3, "Cy", {}, std::int64_t{1} << 40, 1}};
  EXPECT_THROW(users.list(), ConversionError);
  db.session.answer = {Row{3, {}, {}, 1, 1}};  // NULL for a member that takes none (fault B02)
  EXPECT_THROW(users.list(), ConversionError);
}

TEST(Terminals, B21_LimitsAreChecked) {
  FakeDatabase<> db;
  EXPECT_THROW((void)For<User>(db).limit(-1), Misuse);
  EXPECT_THROW((void)For<User>(db).offset(std::int64_t{-5}), Misuse);
  For<User>(db).limit(0).list();
  EXPECT_TRUE(sent(db, sql_text<Engine::sqlite>(For<User>(db).limit(1)), "0"));
  For<User>(db).limit(~std::uint64_t{0}).list();
  EXPECT_EQ(db.last().params, "9223372036854775807");
}

TEST(Terminals, B21_EmptyOptionalsAreComparedAsNull) {
  FakeDatabase<Engine::postgres> db;
  For<User>(db)
      .where(field<&User::email> == std::optional<std::string>{} && age != std::optional<int>{7})
      .list();
  EXPECT_EQ(db.last().params, "NULL text, 7");
}

TEST(Terminals, B19_EmptyInDecidesWithoutARoundTrip) {
  FakeDatabase<> db;
  const auto users = For<User>(db);
  const std::vector<int> none;
  const auto nobody = users.where(age.in(none));
  EXPECT_TRUE(nobody.list().empty());
  EXPECT_EQ(nobody.first(), std::nullopt);
  EXPECT_THROW(nobody.one(), NotFound);
  EXPECT_EQ(nobody.find(1), std::nullopt);
  EXPECT_EQ(nobody.count(), 0);
  EXPECT_FALSE(nobody.exists());
  EXPECT_EQ(nobody.sum<&User::age>(), std::nullopt);
  EXPECT_EQ(nobody.remove(), 0u);
  EXPECT_EQ(nobody.remove_by_key(1), 0u);
  EXPECT_EQ(nobody.remove(User{}), 0u);
  User u;
  EXPECT_EQ(nobody.update(u), 0u);
  EXPECT_EQ(nobody.set(age = 1).update(), 0u);
  EXPECT_TRUE(users.where(age.in(none) && name == "x").list().empty());
  EXPECT_TRUE(users.where(name == "x").where(age.in(none)).list().empty());
  EXPECT_TRUE(users.where(!age.not_in(none)).list().empty());
  EXPECT_TRUE(users.where(age.in(none) || name.in(std::vector<std::string>{})).list().empty());
  EXPECT_TRUE(users.where(Filter<User>(age.in(none))).list().empty());
  EXPECT_EQ(db.count(), 0u);

  // What it doesn't decide is sent.
  users.where(age.in(none) || name == "x").list();
  EXPECT_EQ(db.last().params, "[], 'x'");
  users.where(age.not_in(none)).list();
  EXPECT_EQ(db.last().params, "[]");
  users.where(age.not_in(none)).remove();
  EXPECT_EQ(db.count(), 3u);
}

TEST(Terminals, InTakesAnyRange) {
  FakeDatabase<Engine::postgres> db;
  const auto users = For<User>(db);
  const auto params = [&](const auto& query) {
    query.list();
    return db.last().params;
  };
  const std::list<short> shorts{1, 2};
  const std::int64_t array[] = {4, 5};
  EXPECT_EQ(params(users.where(age.in(shorts))), "[1, 2]");
  EXPECT_EQ(params(users.where(field<&User::id>.in(std::span(array)))), "[4, 5]");
  EXPECT_EQ(params(users.where(name.in(std::vector<std::string_view>{"a", "b"}))), "['a', 'b']");
  EXPECT_EQ(params(users.where(age.in(std::vector<int>{9}))), "[9]");
  EXPECT_THROW(users.where(age.in(std::vector<std::int64_t>{std::int64_t{1} << 40})).list(),
               ConversionError);
}

TEST(Terminals, B18_PatternsAreEscaped) {
  FakeDatabase<> db;
  const auto users = For<User>(db);
  users
      .where(name.contains("_") && name.starts_with("100%") && name.ends_with("\\d!") &&
             name.contains("") && name.like("a_b%"))
      .list();
  EXPECT_EQ(db.last().params, R"('%!_%', '100!%%', '%\d!!', '%%', 'a_b%')");
}

TEST(Terminals, ValuesThatDoNotFitTheColumnAreRefusedBeforeAnythingIsSent) {
  FakeDatabase<> db;
  const auto users = For<User>(db);
  EXPECT_THROW(users.where(age == std::int64_t{1} << 40).list(), ConversionError);
  EXPECT_THROW(users.where(age > ~std::uint64_t{0}).list(), ConversionError);
  EXPECT_THROW(users.where(age.in(1, std::int64_t{1} << 31)).list(), ConversionError);
  EXPECT_THROW(users.where(age.between(0, 1ll << 50)).list(), ConversionError);
  EXPECT_THROW(users.everything().set(age = 1ll << 50).update(), ConversionError);
  EXPECT_EQ(db.count(), 0u);
  try {
    users.where(age == std::int64_t{1} << 40).list();
  } catch (const ConversionError& error) {
    EXPECT_EQ(error.column(), "age");
    EXPECT_EQ(error.table(), "users");
  }
}

TEST(Terminals, ParametersAreReportedUnderTheirColumns) {
  FakeDatabase<> db;
  const auto users = For<User>(db);
  users.where(name == "x" && age.between(1, 2)).find(3);
  EXPECT_EQ(db.session.columns, "name, age, age, id");
  users.where(age == 3).set(name = "y").update();
  EXPECT_EQ(db.session.columns, "name, age");
  User u;
  u.id = 4;
  users.update(u);
  EXPECT_EQ(db.session.columns, "name, email, age, active, id");
  users.create(u);
  EXPECT_EQ(db.session.columns, "id, name, email, age, active");
}

}  // namespace
