// The second call of everything, a schema that changes under cached statements, and a bounded
// number of run-time texts.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

namespace {

using namespace under_test;
using quark::asc;
using quark::field;
using quark::Filter;
using quark::For;

TEST(StatementCache, EveryKindOfCallWorksAgain) {
  auto db = fresh();
  quark::create_table<User>(db);
  const auto users = For<User>(db);
  for (int i = 0; i < 3; ++i) {
    const std::string tag = "#" + std::to_string(i);
    User user{.name = "a" + tag, .age = i};
    users.create(user);
    EXPECT_EQ(users.find(user.id)->name, user.name);
    EXPECT_EQ(users.where(field<&User::name> == user.name).one().id, user.id);
    EXPECT_EQ(users.where(field<&User::age> == i).count(), 1);
    EXPECT_TRUE(users.where(field<&User::name> == user.name).exists());
    user.email = tag;
    EXPECT_EQ(users.update(user), 1u);
    EXPECT_EQ((users.update<&User::name>(user)), 1u);
    EXPECT_EQ(users.where(field<&User::id> == user.id).set(field<& User::active> = true).update(),
              1u);
    users.upsert(user);
    std::vector<User> batch{{.name = "b" + tag, .age = 100}, {.name = "c" + tag, .age = 100}};
    users.create_batch(batch);
    EXPECT_EQ(users.find(batch[1].id)->name, "c" + tag);
    EXPECT_EQ((users.where(field<&User::age> == 100).max<&User::name>()), "c" + tag);
    EXPECT_EQ(users.order_by(asc<&User::id>).pluck<&User::name>().back(), "c" + tag);
    EXPECT_EQ(users.remove(batch[0]), 1u);
    EXPECT_EQ(users.remove_by_key(batch[1].id), 1u);
    EXPECT_EQ(users.list().size(), static_cast<std::size_t>(i + 1));
  }
}

TEST(B40, OneTextTakesValuesAndNull) {
  auto db = fresh();
  quark::create_table<User>(db);
  const auto users = For<User>(db);
  users.create(User{1, "a", "x", 1, false});
  users.create(User{2, "b", std::nullopt, 2, false});
  const std::optional<std::string> values[] = {"x", std::nullopt, "", "x"};
  const std::int64_t counts[] = {1, 1, 0, 1};
  for (int again = 0; again < 2; ++again)
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(users.where(field<&User::email> == values[i]).count(), counts[i]);
}

TEST(B40, ASchemaChangeUnderACachedStatementIsSurvived) {
  auto db = fresh();
  quark::create_table<User>(db);
  const auto users = For<User>(db);
  users.create(User{1, "a", "x", 1, false});
  EXPECT_TRUE(users.find(1));
  raw(db, "alter table users add column extra text");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(users.find(1), (User{1, "a", "x", 1, false}));
  db.transaction([](auto& tx) {
    For<User>(tx).create(User{2, "b", {}, 0, false});
    EXPECT_EQ(For<User>(tx).find(2)->name, "b");
  });
  raw(db, "alter table users drop column email");
  EXPECT_THROW((void)users.find(1), quark::SyntaxError);
  raw(db, "alter table users add column email text");
  EXPECT_EQ(users.find(1), (User{1, "a", std::nullopt, 1, false}));
}

TEST(B40, ATableThatIsMadeAnewIsSeen) {
  auto db = fresh();
  for (int round = 0; round < 3; ++round) {
    quark::create_table<User>(db);
    std::vector<User> batch(3);
    For<User>(db).create_batch(batch);
    EXPECT_EQ(For<User>(db).count(), 3);
    EXPECT_EQ(For<User>(db).create(User{.name = "x"}).id, batch[2].id + 1);
    quark::drop_table<User>(db);
    EXPECT_THROW((void)For<User>(db).count(), quark::SyntaxError);
  }
}

TEST(B40, AChangeByAnotherConnectionIsSeen) {
  Shared shared;
  auto db = shared.connect();
  auto other = shared.connect();
  quark::create_table<User>(db);
  For<User>(db).create(User{.name = "a"});
  EXPECT_EQ(For<User>(db).first()->name, "a");
  raw(other, "alter table users add column extra int");
  raw(other, "update users set name = 'b'");
  EXPECT_EQ(For<User>(db).first()->name, "b");
  For<User>(db).create(User{.name = "c"});
  EXPECT_EQ(For<User>(other).count(), 2);
}

TEST(StatementCache, RunTimeTextsAreBounded) {
  auto db = fresh();
  quark::create_table<User>(db);
  for (int i = 1; i <= 200; ++i) For<User>(db).create(User{i, "u", {}, i, true});
  // Each length of the filter is a text of its own.
  for (int round = 0; round < 2; ++round) {
    Filter<User> f;
    for (int i = 1; i <= 200; ++i) {
      f |= field<&User::age> == i;
      ASSERT_EQ(For<User>(db).where(f).count(), i);
      ASSERT_EQ(For<User>(db).where(Filter<User>(field<&User::age> <= i)).count(), i);
    }
  }
  EXPECT_LE(db.session().cached_statements(), 200u);
}

TEST(StatementCache, AFailedStatementIsAsGoodAsNew) {
  auto db = fresh();
  quark::create_table<User>(db);
  for (int i = 0; i < 5; ++i) {
    For<User>(db).create(User{i + 1, "a", {}, 0, false});
    EXPECT_THROW(For<User>(db).create(User{i + 1, "a", {}, 0, false}), quark::UniqueViolation);
  }
  EXPECT_EQ(raw_cell(db, "select count(*) from users"), "5");
}

}  // namespace
