// upsert: insert or update by a unique key, without touching what was not named.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

namespace {

using namespace under_test;
using quark::For;
using quark::on;
using quark::set;

struct Parent {
  std::int64_t id{};
  std::string name{};
  std::string note{};
  static consteval auto orm() {
    return quark::model(quark::unique(&Parent::name), quark::size(&Parent::name, 40));
  }
};
struct Child {
  std::int64_t id{};
  std::int64_t parent_id{};
  static consteval auto orm() {
    return quark::model(
        quark::references<&Parent::id>(&Child::parent_id).on_delete(quark::ReferenceAction::cascade),
        quark::table("children"));
  }
};

TEST(Upsert, InsertsAndThenUpdatesByThePrimaryKey) {
  auto db = fresh();
  quark::create_table<User>(db);
  User ada{.id = 7, .name = "Ada", .age = 36};
  For<User>(db).upsert(ada);
  EXPECT_EQ(raw_row(db, "select id, name, email, age, active from users"), "7|Ada|NULL|36|0");
  ada.age = 37;
  ada.email = "a@a";
  For<User>(db).upsert(ada);
  EXPECT_EQ(raw_row(db, "select id, name, email, age, active from users"), "7|Ada|a@a|37|0");
  ada.email.reset();
  For<User>(db).upsert(ada);
  EXPECT_EQ(raw_row(db, "select id, name, email, age, active from users"), "7|Ada|NULL|37|0");
}

TEST(Upsert, WithoutAKeyMakesOne) {
  auto db = fresh();
  quark::create_table<User>(db);
  User a{.name = "a"}, b{.name = "b"};
  For<User>(db).upsert(a);
  For<User>(db).upsert(b);
  EXPECT_NE(a.id, 0);
  EXPECT_NE(a.id, b.id);
  EXPECT_EQ(raw_cell(db, "select name from users where id = " + std::to_string(b.id)), "b");
}

TEST(B25, AnUpsertKeepsRowIdChildrenAndUnnamedColumns) {
  auto db = fresh();
  quark::create_all<Parent, Child>(db);
  For<Parent>(db).create(Parent{1, "a", "keep"});
  For<Child>(db).create(Child{.parent_id = 1});
  For<Child>(db).create(Child{.parent_id = 1});
  Parent renamed{1, "b", "must not be written"};
  For<Parent>(db).upsert(renamed, on<&Parent::id>, set<&Parent::name>);
  EXPECT_EQ(raw_row(db, "select id, name, note from parents"), "1|b|keep");
  EXPECT_EQ(raw_cell(db, "select count(*) from children"), "2");
  Parent by_name{0, "b", "new note"};
  For<Parent>(db).upsert(by_name, on<&Parent::name>);
  EXPECT_EQ(by_name.id, 1);
  EXPECT_EQ(raw_row(db, "select id, name, note from parents"), "1|b|new note");
  EXPECT_EQ(raw_cell(db, "select count(*) from children"), "2");
}

TEST(B24, AnUpsertsKeyIsThatOfItsRow) {
  auto db = fresh();
  quark::create_table<Parent>(db);
  const auto parents = For<Parent>(db);
  parents.create(Parent{1, "a", ""});
  parents.create(Parent{2, "b", ""});
  parents.create(Parent{3, "c", ""});
  under_test::after_given_keys(db, "parents");
  for (const char* name : {"b", "d", "e", "a", "d"}) {
    Parent p{0, name, "x"};
    parents.upsert(p, on<&Parent::name>);
    EXPECT_EQ(raw_cell(db, "select name from parents where id = " + std::to_string(p.id)), name);
  }
  EXPECT_EQ(raw_cell(db, "select count(*) from parents"), "5");
}

TEST(B28, AnUpsertThatChangesNothingIsNoError) {
  auto db = fresh();
  quark::create_table<Parent>(db);
  for (int i = 0; i < 3; ++i) {
    Parent p{0, "a", "same"};
    For<Parent>(db).upsert(p, on<&Parent::name>);
    EXPECT_EQ(std::to_string(p.id), raw_cell(db, "select id from parents"));
  }
}

TEST(Upsert, OnOneKeyStillRespectsTheOthers) {
  auto db = fresh();
  quark::create_table<Parent>(db);
  For<Parent>(db).create(Parent{1, "a", "1"});
  For<Parent>(db).create(Parent{2, "b", "2"});
  Parent clash{2, "a", "3"};
  EXPECT_THROW(For<Parent>(db).upsert(clash, on<&Parent::id>, set<&Parent::name>),
               quark::UniqueViolation);
  EXPECT_EQ(raw_cell(db, "select name from parents where id = 2"), "b");
  EXPECT_EQ(For<Parent>(db).count(), 2);
}

TEST(Upsert, OnACompositeKey) {
  auto db = fresh();
  quark::create_table<Product>(db);
  For<Product>(db).create(Product{"CC", "1", "one"});
  Product again{"CC", "1", "two"}, other{"CC", "2", "three"};
  For<Product>(db).upsert(again);
  For<Product>(db).upsert(other, on<&Product::code, &Product::company>, set<&Product::text>);
  EXPECT_EQ(raw_cell(db, "select count(*) from products"), "2");
  EXPECT_EQ(raw_cell(db, "select text from products where code = '1'"), "two");
}

struct Member {
  std::string code{};
  std::string email{};
  std::string name{};
  friend bool operator==(const Member&, const Member&) = default;
  static consteval auto orm() {
    return quark::model(quark::key(&Member::code), quark::unique(&Member::email),
                        quark::size(&Member::code, 40), quark::size(&Member::email, 40));
  }
};

TEST(B24, AnUpsertByOtherColumnsTellsTheGivenKeyOfItsRow) {
  auto db = fresh();
  quark::create_table<Member>(db);
  For<Member>(db).create(Member{"a", "e@x", "old"});
  Member member{"b", "e@x", "new"};
  For<Member>(db).upsert(member, on<&Member::email>);
  EXPECT_EQ(member, (Member{"a", "e@x", "new"}));
  EXPECT_EQ(For<Member>(db).order_by(quark::asc<&Member::code>).list(), std::vector{member});
  EXPECT_EQ(For<Member>(db).update(member), 1u);
  Member other{"c", "f@x", "other"};
  For<Member>(db).upsert(other, on<&Member::email>);
  EXPECT_EQ(other.code, "c");
}

struct Pair {
  int a{}, b{};
  static consteval auto orm() { return quark::model(quark::key(&Pair::a, &Pair::b)); }
};

TEST(Upsert, OfAModelThatIsAllKey) {
  auto db = fresh();
  quark::create_table<Pair>(db);
  Pair p{1, 2};
  For<Pair>(db).upsert(p);
  For<Pair>(db).upsert(p);
  EXPECT_EQ(raw_row(db, "select a, b from pairs"), "1|2");
}

}  // namespace
