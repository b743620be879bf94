// update: one object by its key, named columns, many rows by a condition. What changes, and what
// must not.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

namespace {

using namespace under_test;
using quark::field;
using quark::Filter;
using quark::For;

Db three_users() {
  auto db = fresh();
  quark::create_table<User>(db);
  const auto users = For<User>(db);
  users.create(User{1, "x", "x@x", 5, true});
  users.create(User{2, "y", std::nullopt, 6, false});
  users.create(User{3, "z", "z@z", 7, true});
  return db;
}
std::string row(const Db& db, int id) {
  return raw_row(db, "select name, email, age, active from users where id = " + std::to_string(id));
}

TEST(Update, WritesAllColumnsOfOneRow) {
  auto db = three_users();
  EXPECT_EQ(For<User>(db).update(User{2, "new", "n@n", -1, true}), 1u);
  EXPECT_EQ(row(db, 1), "x|x@x|5|1");
  EXPECT_EQ(row(db, 2), "new|n@n|-1|1");
  EXPECT_EQ(row(db, 3), "z|z@z|7|1");
}

TEST(B23, AnUpdateWritesZeroFalseEmptyAndNull) {
  auto db = three_users();
  EXPECT_EQ(For<User>(db).update(User{1, "", std::nullopt, 0, false}), 1u);
  EXPECT_EQ(row(db, 1), "|NULL|0|0");
  EXPECT_EQ(row(db, 3), "z|z@z|7|1");
}

TEST(Update, OfNamedColumnsWritesJustThese) {
  auto db = three_users();
  const User some{3, "not written", std::nullopt, 0, false};
  EXPECT_EQ((For<User>(db).update<&User::age, &User::email>(some)), 1u);
  EXPECT_EQ(row(db, 3), "z|NULL|0|1");
  EXPECT_EQ((For<User>(db).update<&User::active>(some)), 1u);
  EXPECT_EQ(row(db, 3), "z|NULL|0|0");
}

TEST(B28, AffectedRowsAreThoseFoundNotThoseChanged) {
  auto db = three_users();
  const User same{1, "x", "x@x", 5, true};
  EXPECT_EQ(For<User>(db).update(same), 1u);
  EXPECT_EQ(For<User>(db).update(same), 1u);
  EXPECT_EQ(For<User>(db).update(User{99, "none", {}, 0, false}), 0u);
  EXPECT_EQ(raw_cell(db, "select count(*) from users"), "3");
  EXPECT_EQ(For<User>(db).where(field<&User::age> > 0).set(field<& User::active> = true).update(),
            3u);
  EXPECT_EQ(For<User>(db).where(field<&User::age> > 99).set(field<& User::active> = true).update(),
            0u);
}

TEST(Update, OfAnObjectAlsoAsksTheConditions) {
  auto db = three_users();
  const auto adult = For<User>(db).where(field<&User::age> == 5 || field<&User::age> == 7);
  EXPECT_EQ(adult.update(User{2, "no", {}, 0, false}), 0u);
  EXPECT_EQ(adult.update(User{3, "yes", {}, 0, false}), 1u);
  EXPECT_EQ(row(db, 1), "x|x@x|5|1");
  EXPECT_EQ(row(db, 2), "y|NULL|6|0");
  EXPECT_EQ(row(db, 3), "yes|NULL|0|0");
}

TEST(Update, OfManyTakesValuesAndExpressions) {
  auto db = three_users();
  const auto users = For<User>(db);
  EXPECT_EQ(
      users.where(field<&User::active> == true)
          .set(field<& User::age> = field<&User::age> * 2 + 1, field<& User::email> = std::nullopt,
               field<& User::name> = field<&User::name> + "!")
          .update(),
      2u);
  EXPECT_EQ(row(db, 1), "x!|NULL|11|1");
  EXPECT_EQ(row(db, 2), "y|NULL|6|0");
  EXPECT_EQ(row(db, 3), "z!|NULL|15|1");
  std::optional<std::string> email = "given@x";
  EXPECT_EQ(
      users.everything().set(field<& User::email> = email, field<& User::active> = false).update(),
      3u);
  EXPECT_EQ(row(db, 3), "z!|given@x|15|0");
  email.reset();
  EXPECT_EQ(users.everything().set(field<& User::email> = email).update(), 3u);
  EXPECT_EQ(raw_cell(db, "select count(*) from users where email is null"), "3");
}

TEST(Update, OfManyAssignsColumnsFromColumnsAtOnce) {
  struct Swap {
    std::int64_t id{};
    int a{}, b{};
  };
  auto db = fresh();
  quark::create_table<Swap>(db);
  For<Swap>(db).create(Swap{1, 10, 20});
  EXPECT_EQ(
      For<Swap>(db).where(field<&Swap::id> == 1).set(field<& Swap::a> = field<&Swap::b>).update(),
      1u);
  EXPECT_EQ(raw_row(db, "select a, b from swaps"), "20|20");
}

TEST(Update, TakesAFilter) {
  auto db = three_users();
  Filter<User> f;
  f &= field<&User::age> >= 6;
  EXPECT_EQ(For<User>(db).where(f).set(field<& User::name> = "old").update(), 2u);
  EXPECT_EQ(raw_cell(db, "select count(*) from users where name = 'old'"), "2");
}

TEST(B22, AnEmptyFilterIsRefusedInAWrite) {
  auto db = three_users();
  const Filter<User> nothing;
  EXPECT_THROW(For<User>(db).where(nothing).set(field<& User::age> = 0).update(), quark::Misuse);
  EXPECT_THROW(For<User>(db).where(nothing).remove(), quark::Misuse);
  EXPECT_THROW(For<User>(db).where(Filter<User>{} || Filter<User>{}).remove(), quark::Misuse);
  EXPECT_EQ(raw_cell(db, "select sum(age) from users"), "18");
  EXPECT_EQ(For<User>(db).where(nothing).everything().set(field<& User::age> = 1).update(), 3u);
}

TEST(B22, AnObjectThatWasNeverStoredTouchesNothing) {
  auto db = three_users();
  EXPECT_EQ(For<User>(db).update(User{}), 0u);
  EXPECT_EQ((For<User>(db).update<&User::name>(User{})), 0u);
  EXPECT_EQ(For<User>(db).remove(User{}), 0u);
  EXPECT_EQ(raw_cell(db, "select count(*) from users where name <> ''"), "3");
}

TEST(Remove, DeletesOneRowByItsKey) {
  auto db = three_users();
  EXPECT_EQ(For<User>(db).remove(User{2, "whatever else is in it", {}, 0, false}), 1u);
  EXPECT_EQ(For<User>(db).remove(User{2, "y", {}, 6, false}), 0u);
  EXPECT_EQ(For<User>(db).remove_by_key(3), 1u);
  EXPECT_EQ(For<User>(db).remove_by_key(3), 0u);
  EXPECT_EQ(raw_cell(db, "select id from users"), "1");
}

TEST(Remove, DeletesWhatMeetsTheCondition) {
  auto db = three_users();
  const auto users = For<User>(db);
  EXPECT_EQ(users.where(field<&User::age> > 100).remove(), 0u);
  EXPECT_EQ(users.where(field<&User::age> == 5 || field<&User::age> == 7)
                .where(field<&User::id> > 1)
                .remove(),
            1u);
  EXPECT_EQ(users.where(field<&User::active> == false).remove_by_key(1), 0u);
  EXPECT_EQ(users.where(field<&User::active> == true).remove(User{1, "", {}, 0, false}), 1u);
  EXPECT_EQ(raw_cell(db, "select id from users"), "2");
  EXPECT_EQ(users.everything().remove(), 1u);
  EXPECT_EQ(users.everything().remove(), 0u);
}

TEST(B27, ACompositeKeyIsItsWholeKey) {
  auto db = fresh();
  quark::create_table<Product>(db);
  const auto products = For<Product>(db);
  for (int again = 0; again < 2; ++again) {
    products.create(Product{"CC", "1", "one"});
    products.create(Product{"CC", "2", "two"});
    products.create(Product{"DD", "1", "other"});
    EXPECT_EQ(products.remove(Product{"CC", "1", ""}), 1u);
    EXPECT_EQ(raw_cell(db, "select count(*) from products"), "2");
    EXPECT_EQ(products.update(Product{"CC", "2", "new"}), 1u);
    EXPECT_EQ(raw_cell(db, "select count(*) from products where text = 'new'"), "1");
    EXPECT_EQ(products.find("CC", "2"), (Product{"CC", "2", "new"}));
    EXPECT_EQ(products.find("2", "CC"), std::nullopt);
    Product pair{"DD", "1", "upserted"};
    products.upsert(pair);
    EXPECT_EQ(raw_cell(db, "select text from products where company = 'DD' and code = '1'"),
              "upserted");
    EXPECT_EQ(products.remove_by_key("CC", "1"), 0u);
    EXPECT_EQ(products.remove_by_key("CC", "2"), 1u);
    EXPECT_EQ(products.remove_by_key("DD", std::string("1")), 1u);
  }
}

TEST(B27, AFilterRemovesPairsWithoutACrossProduct) {
  auto db = fresh();
  quark::create_table<Product>(db);
  const auto products = For<Product>(db);
  for (const char* company : {"CC", "DD"})
    for (const char* code : {"1", "2"}) products.create(Product{company, code, ""});
  Filter<Product> f;
  f |= field<&Product::company> == "CC" && field<&Product::code> == "2";
  f |= field<&Product::company> == "DD" && field<&Product::code> == "1";
  EXPECT_EQ(products.where(f).remove(), 2u);
  EXPECT_TRUE(products.find("CC", "1"));
  EXPECT_TRUE(products.find("DD", "2"));
}

}  // namespace
