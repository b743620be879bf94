// What the writing terminals send, and what they write back into the object.
#include "unit/fakes/fake_engine.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <list>

namespace {

using namespace quark;
using test::FakeDatabase;
using test::Row;

struct User {
  std::int64_t id{};
  std::string name{};
  std::optional<std::string> email{};
  int age{};
  bool active{};
};
using Moment = std::chrono::sys_time<std::chrono::microseconds>;
struct Doc {
  std::int64_t id{};
  std::string slug{};
  int words{};
  int version{};
  std::optional<std::string> state{};
  Moment born{}, changed{};
  static consteval auto orm() {
    return model(unique(&Doc::slug), generated(&Doc::words), quark::version(&Doc::version),
                 default_value(&Doc::state, "draft"), created_at(&Doc::born),
                 updated_at(&Doc::changed));
  }
};
struct Seat {
  std::string row{};
  int number{};
  bool taken{};
  static consteval auto orm() { return model(key(&Seat::number, &Seat::row)); }
};

TEST(Create, WritesTheMadeKeyBack) {
  FakeDatabase<> db;
  User ada{.name = "Ada", .age = 36, .active = true};
  EXPECT_EQ(&For<User>(db).create(ada), &ada);
  EXPECT_EQ(ada.id, 7);
  EXPECT_EQ(db.last().text,
            R"(INSERT INTO "users" ("name", "email", "age", "active") VALUES (?, ?, ?, ?))");
  EXPECT_EQ(db.last().params, "'Ada', NULL text, 36, true");

  FakeDatabase<Engine::postgres> pg;
  pg.session.answer = {Row{9}};
  User bob{.name = "Bob"};
  For<User>(pg).create(bob);
  EXPECT_EQ(bob.id, 9);
}

TEST(Create, SendsAKeyThatIsGiven) {
  FakeDatabase<> db;
  User ada{.id = 5, .name = "Ada"};
  For<User>(db).create(ada);
  EXPECT_EQ(ada.id, 5);
  EXPECT_EQ(db.last().params, "5, 'Ada', NULL text, 0, false");
}

TEST(Create, OfAConstObjectOrATemporaryGivesTheCompletedOne) {
  FakeDatabase<> db;
  const User ada{.name = "Ada"};
  EXPECT_EQ(For<User>(db).create(ada).id, 7);
  EXPECT_EQ(For<User>(db).create(User{.name = "Bob"}).id, 7);
}

TEST(Create, B23_SendsZeroValues) {
  FakeDatabase<> db;
  For<User>(db).create(User{});
  EXPECT_EQ(db.last().params, "'', NULL text, 0, false");
  For<Seat>(db).create(Seat{});
  EXPECT_EQ(db.last().params, "'', 0, false");
}

TEST(Create, StampsFillsDefaultsAndReadsGeneratedColumns) {
  FakeDatabase<> db;
  db.session.answer = {Row{3, 120}};
  Doc doc{.slug = "a"};
  For<Doc>(db).create(doc);
  EXPECT_EQ(doc.id, 3);
  EXPECT_EQ(doc.words, 120);
  EXPECT_EQ(doc.state, "draft");
  EXPECT_NE(doc.born, Moment{});
  EXPECT_EQ(db.last().params, "'a', 0, 'draft', " +
                                  std::to_string(doc.born.time_since_epoch().count()) + ", " +
                                  std::to_string(doc.changed.time_since_epoch().count()));
  // What is given stays.
  Doc old{.slug = "b",
          .state = "old",
          .born = Moment{std::chrono::seconds{1}},
          .changed = Moment{std::chrono::seconds{2}}};
  For<Doc>(db).create(old);
  EXPECT_EQ(db.last().params, "'b', 0, 'old', 1000000, 2000000");
}

TEST(CreateBatch, SendsOneStatementAndWritesKeysBack) {
  FakeDatabase<> db;
  std::vector<User> rows(3);
  rows[1].name = "x";
  EXPECT_EQ(For<User>(db).create_batch(rows), 3u);
  EXPECT_EQ(db.count(), 1u);
  EXPECT_EQ(
      db.last().text,
      R"(INSERT OR ABORT INTO "users" ("name", "email", "age", "active") SELECT c0, c1, c2, c3 FROM quark_rows(?))");
  EXPECT_EQ(db.last().params,
            "'', NULL text, 0, false; 'x', NULL text, 0, false; '', NULL text, 0, false");
  EXPECT_EQ(rows[0].id, 100);
  EXPECT_EQ(rows[2].id, 102);
  std::list<User> list(2);
  EXPECT_EQ(For<User>(db).create_batch(list), 2u);
  EXPECT_EQ(list.back().id, 104);
  std::vector<User> none;
  EXPECT_EQ(For<User>(db).create_batch(none), 0u);
  EXPECT_EQ(db.count(), 2u);
}

TEST(CreateBatch, B23_MixesGivenAndMadeKeysInOneTransaction) {
  FakeDatabase<> db;
  std::vector<User> rows(3);
  rows[1].id = 50;
  For<User>(db).create_batch(rows);
  EXPECT_EQ(db.session.log, "begin commit ");
  ASSERT_EQ(db.count(), 2u);
  EXPECT_EQ(db.session.sent[0].params, "50, '', NULL text, 0, false");
  EXPECT_EQ(rows[0].id, 100);
  EXPECT_EQ(rows[1].id, 50);
  EXPECT_EQ(rows[2].id, 101);
}

TEST(Update, B23_WritesAllColumnsZerosIncluded) {
  FakeDatabase<> db;
  User zero;
  zero.id = 1;
  EXPECT_EQ(For<User>(db).update(zero), 1u);
  EXPECT_EQ(
      db.last().text,
      R"(UPDATE "users" SET "name" = ?, "email" = ?, "age" = ?, "active" = ? WHERE "users"."id" = ?)");
  EXPECT_EQ(db.last().params, "'', NULL text, 0, false, 1");
  For<User>(db).update<&User::age, &User::email>(zero);
  EXPECT_EQ(db.last().text, R"(UPDATE "users" SET "age" = ?, "email" = ? WHERE "users"."id" = ?)");
  EXPECT_EQ(db.last().params, "0, NULL text, 1");
  db.session.outcome.affected = 0;
  EXPECT_EQ(For<User>(db).update(std::as_const(zero)), 0u);
}

TEST(Update, OfACompositeKeyUsesAllItsColumns) {
  FakeDatabase<> db;
  For<Seat>(db)
      .where(field<&Seat::taken> == false || field<&Seat::number> > 3)
      .update(Seat{"a", 4, true});
  EXPECT_EQ(
      db.last().text,
      R"(UPDATE "seats" SET "taken" = ? WHERE ("seats"."taken" = ? OR "seats"."number" > ?) AND "seats"."number" = ? AND "seats"."row" = ?)");
  EXPECT_EQ(db.last().params, "true, false, 3, 4, 'a'");
}

TEST(Update, StampsUpdatedAtWhateverItHoldsAndLeavesCreatedAt) {
  FakeDatabase<> db;
  Doc doc{.id = 1, .slug = "a", .changed = Moment{std::chrono::seconds{9}}};
  For<Doc>(db).update(doc);
  EXPECT_GT(doc.changed, Moment{std::chrono::seconds{9}});
  EXPECT_EQ(doc.born, Moment{});
}

TEST(Update, CountsTheVersionUpAndRefusesAStaleOne) {
  FakeDatabase<> db;
  Doc doc{.id = 1, .slug = "a", .version = 4};
  For<Doc>(db).update<&Doc::slug>(doc);
  EXPECT_EQ(doc.version, 5);
  EXPECT_NE(doc.changed, Moment{});
  EXPECT_EQ(db.last().params,
            "'a', " + std::to_string(doc.changed.time_since_epoch().count()) + ", 1, 4");

  const Doc before = doc;
  db.session.outcome.affected = 0;
  EXPECT_THROW(For<Doc>(db).update(doc), StaleEntity);
  EXPECT_EQ(doc.version, before.version);
  EXPECT_EQ(doc.changed, before.changed);
  EXPECT_THROW(For<Doc>(db).remove(doc), StaleEntity);
  EXPECT_EQ(db.last().params, "1, 5");

  db.session.fails = true;
  db.session.failure.kind = ErrorKind::unique;
  EXPECT_THROW(For<Doc>(db).update(doc), UniqueViolation);
  EXPECT_EQ(doc.version, before.version);
  EXPECT_EQ(doc.changed, before.changed);
}

TEST(Remove, B22_AlwaysNamesTheKeyWhateverItsValue) {
  FakeDatabase<> db;
  For<User>(db).remove(User{});
  EXPECT_EQ(db.last().text, R"(DELETE FROM "users" WHERE "users"."id" = ?)");
  EXPECT_EQ(db.last().params, "0");
  For<User>(db).remove_by_key(0);
  EXPECT_EQ(db.last().params, "0");
  For<Seat>(db).remove_by_key(3, "b");
  EXPECT_EQ(db.last().text,
            R"(DELETE FROM "seats" WHERE "seats"."number" = ? AND "seats"."row" = ?)");
  EXPECT_EQ(db.last().params, "3, 'b'");
}

TEST(MassUpdate, SendsAssignmentsThenConditions) {
  FakeDatabase<Engine::postgres> db;
  const auto some = For<User>(db).where(field<&User::name> == "x");
  some.set(field<& User::age> = field<&User::age> + 2, field<& User::email> = std::nullopt)
      .update();
  EXPECT_EQ(
      db.last().text,
      R"(UPDATE "users" SET "age" = "users"."age" + $1, "email" = $2 WHERE "users"."name" = $3)");
  EXPECT_EQ(db.last().params, "2, NULL text, 'x'");
  some.set(field<& User::email> = std::optional<std::string>{}, field<& User::active> = true)
      .update();
  EXPECT_EQ(db.last().params, "NULL text, true, 'x'");
  some.set(field<& User::email> = std::optional<std::string>{"e"}).update();
  EXPECT_EQ(db.last().params, "'e', 'x'");
  some.set(field<& User::name> = std::string(100, 'n'), field<& User::email> = field<&User::name>)
      .update();
  EXPECT_EQ(
      db.last().text,
      R"(UPDATE "users" SET "name" = $1, "email" = "users"."name" WHERE "users"."name" = $2)");
  EXPECT_EQ(db.last().params, "'" + std::string(100, 'n') + "', 'x'");
}

TEST(MassUpdate, IsKeptWithItsValues) {
  FakeDatabase<> db;
  auto source = std::make_unique<std::string>(100, 's');
  const auto update =
      For<User>(db).where(field<&User::name> == *source).set(field<& User::email> = *source);
  const std::string text(100, 's');
  source.reset();
  update.update();
  EXPECT_EQ(db.last().params, "'" + text + "', '" + text + "'");
}

TEST(MassUpdate, StampsAndCountsVersionsUp) {
  FakeDatabase<> db;
  For<Doc>(db).where(field<&Doc::id> == 1).set(field<& Doc::slug> = "b").update();
  EXPECT_EQ(
      db.last().text,
      R"(UPDATE "docs" SET "changed" = ?, "slug" = ?, "version" = "docs"."version" + 1 WHERE "docs"."id" = ?)");
  EXPECT_TRUE(db.last().params.ends_with(", 'b', 1"));
  EXPECT_FALSE(db.last().params.starts_with("0, "));
}

TEST(Upsert, B25_SendsOneStatementAndReadsTheRowBack) {
  FakeDatabase<> db;
  db.session.answer = {Row{8, 10, 3, 5'000'000}};
  Doc doc{.slug = "a"};
  For<Doc>(db).upsert(doc, on<&Doc::slug>, set<&Doc::state>);
  EXPECT_EQ(db.count(), 1u);
  EXPECT_EQ(db.last().text, (upsert_text<Engine::sqlite, Doc>(on<&Doc::slug>, set<&Doc::state>)));
  EXPECT_EQ(doc.id, 8);
  EXPECT_EQ(doc.words, 10);
  EXPECT_EQ(doc.version, 3);
  EXPECT_EQ(doc.born, Moment{std::chrono::seconds{5}});
  Seat seat{"a", 1, true};
  For<Seat>(db).upsert(seat);
  EXPECT_EQ(db.last().params, "'a', 1, true");
}

// Values that borrow from a user's wire form are resolved on every way in.
struct Colour {
  int red = 0;
  int green = 0;
};

}  // namespace
template <>
struct quark::type_of<Colour> {
  using wire = std::string;
  static std::string to_wire(const Colour& c) {
    return std::to_string(c.red) + "/" + std::to_string(c.green) + std::string(40, '.');
  }
  static Colour from_wire(const std::string&) { return {}; }
};
namespace {

struct Paint {
  Colour key{};
  std::optional<Colour> second{};
  static consteval auto orm() { return model(quark::key(&Paint::key)); }
};

TEST(Writes, ResolveAUsersWireForm) {
  FakeDatabase<> db;
  const auto paints = For<Paint>(db);
  const std::string dots(40, '.'), one = "'1/2" + dots + "'", two = "'3/4" + dots + "'";
  const Paint p{{1, 2}, Colour{3, 4}};
  paints.create(p);
  EXPECT_EQ(db.last().params, one + ", " + two);
  paints.update(p);
  EXPECT_EQ(db.last().params, two + ", " + one);
  paints.remove(p);
  EXPECT_EQ(db.last().params, one);
  paints.remove_by_key(Colour{3, 4});
  EXPECT_EQ(db.last().params, two);
  paints.find(Colour{3, 4});
  EXPECT_EQ(db.last().params, two);
  paints
      .where(field<&Paint::second> == Colour{1, 2} &&
             field<&Paint::key>.in(std::vector<Colour>{{1, 2}, {3, 4}}))
      .list();
  EXPECT_EQ(db.last().params, one + ", [" + one + ", " + two + "]");
  paints.where(Filter<Paint>(field<&Paint::second> == Colour{1, 2})).list();
  EXPECT_EQ(db.last().params, one);
  paints.where(field<&Paint::second> == Colour{1, 2}).find(Colour{3, 4});
  EXPECT_EQ(db.last().params, one + ", " + two);
  paints.everything().set(field<& Paint::second> = Colour{1, 2}).update();
  EXPECT_EQ(db.last().params, one);
  Paint copy = p;
  paints.upsert(copy);
  EXPECT_EQ(db.last().params, one + ", " + two);
  std::vector<Paint> batch{p, p};
  paints.create_batch(batch);
  EXPECT_EQ(db.last().params, one + ", " + two + "; " + one + ", " + two);
}

}  // namespace
