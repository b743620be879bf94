// create: what is stored, which key comes back, what stays untouched.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

namespace {

using namespace under_test;
using quark::field;
using quark::For;

TEST(Create, WritesTheMadeKeyBack) {
  auto db = fresh();
  quark::create_table<User>(db);
  const auto users = For<User>(db);
  User ada{.name = "Ada", .email = "ada@example.com", .age = 36, .active = true};
  User& same = users.create(ada);
  EXPECT_EQ(&same, &ada);
  EXPECT_EQ(raw_row(db, "select id, name, email, age, active from users"),
            std::to_string(ada.id) + "|Ada|ada@example.com|36|1");

  User bob{.name = "Bob"};
  users.create(bob);
  EXPECT_NE(bob.id, ada.id);
  EXPECT_EQ(raw_cell(db, "select name from users where id = " + std::to_string(bob.id)), "Bob");
  EXPECT_EQ(raw_cell(db, "select email is null from users where name = 'Bob'"), "1");
}

TEST(Create, TakesATemporaryAndAConstantAndGivesTheStoredObject) {
  auto db = fresh();
  quark::create_table<User>(db);
  const User one = For<User>(db).create(User{.name = "one"});
  const User two{.name = "two"};
  const User stored = For<User>(db).create(two);
  EXPECT_EQ(two.id, 0);
  EXPECT_GT(one.id, 0);
  EXPECT_GT(stored.id, one.id);
  EXPECT_EQ(stored.name, "two");
}

TEST(Create, KeepsAKeyThatTheCallerGives) {
  auto db = fresh();
  quark::create_table<User>(db);
  User given{.id = 77, .name = "given"};
  For<User>(db).create(given);
  EXPECT_EQ(given.id, 77);
  EXPECT_EQ(raw_cell(db, "select id from users"), "77");
}

TEST(Create, StoresNegativeAndExtremeKeys) {
  auto db = fresh();
  quark::create_table<User>(db);
  for (const std::int64_t id : {std::int64_t{-1}, INT64_MIN, INT64_MAX}) {
    For<User>(db).create(User{.id = id, .name = "x"});
    EXPECT_EQ(raw_cell(db, "select count(*) from users where id = " +
                               (id == INT64_MIN ? "-9223372036854775807 - 1" : std::to_string(id))),
              "1");
    EXPECT_EQ(For<User>(db).get(id).id, id);
  }
}

struct Narrow {
  std::int8_t id{};
  std::string name{};
};

TEST(Create, RefusesAMadeKeyThatTheMemberCantHold) {
  auto db = fresh();
  quark::create_table<Narrow>(db);
  const auto narrow = For<Narrow>(db);
  narrow.create(Narrow{.id = 126, .name = "a"});
  under_test::after_given_keys(db, "narrows");
  Narrow last{.name = "b"};
  narrow.create(last);
  EXPECT_EQ(last.id, 127);
  Narrow over{.name = "c"};
  for (int again = 0; again < 2; ++again)
    EXPECT_EQ(error_of<quark::ConversionError>([&] { narrow.create(over); }).column(), "id");
  EXPECT_EQ(over.id, 0);
  EXPECT_EQ(raw_cell(db, "select count(*) from narrows"), "2") << "a refused row was written";
  EXPECT_EQ(narrow.list().size(), 2u);
  std::vector<Narrow> batch(3);
  EXPECT_THROW(narrow.create_batch(batch), quark::ConversionError);
  EXPECT_EQ(raw_cell(db, "select count(*) from narrows"), "2");
}

struct Small {
  std::int32_t id{};
  std::string name{};
};
struct Unsigned {
  std::uint64_t id{};
  std::string name{};
};
struct UserId {
  std::int64_t value{};
  friend bool operator==(const UserId&, const UserId&) = default;
};
struct Strong {
  UserId id{};
  std::string name{};
};

template <class T, class Key>
void makes_key(const Db& db, Key key_of) {
  auto& open = const_cast<Db&>(db);
  quark::create_table<T>(open);
  T first{.name = "first"};
  For<T>(open).create(first);
  T second{.name = "second"};
  For<T>(open).create(second);
  EXPECT_NE(key_of(first), key_of(second));
  EXPECT_EQ(For<T>(open).get(second.id).name, "second");
}

TEST(B26, EveryIntegerWidthIsAMadeKey) {
  auto db = fresh();
  makes_key<Small>(db, [](const Small& s) { return s.id; });
  makes_key<Unsigned>(db, [](const Unsigned& s) { return s.id; });
  makes_key<Strong>(db, [](const Strong& s) { return s.id.value; });
}

TEST(B26, AnExplicitKeyIsKeptAndLaterKeysAreFresh) {
  auto db = fresh();
  quark::create_table<User>(db);
  const auto users = For<User>(db);
  users.create(User{.id = 6666, .name = "k"});
  const User one = users.create(User{.name = "n"});
  const User two = users.create(User{.name = "n"});
  EXPECT_NE(one.id, 6666);
  EXPECT_NE(two.id, 6666);
  EXPECT_NE(one.id, two.id);
  EXPECT_EQ(raw_cell(db, "select count(*) from users"), "3");
  EXPECT_EQ(raw_cell(db, "select name from users where id = 6666"), "k");
}

struct Link {
  int author{};
  int kind{};
  std::string v;
  static consteval auto orm() { return quark::model(quark::key(&Link::author, &Link::kind)); }
};

TEST(B26, IntegersOfACompositeKeyAreWritten) {
  auto db = fresh();
  quark::create_table<Link>(db);
  For<Link>(db).create(Link{3, 1, "x"});
  EXPECT_EQ(raw_row(db, "select author, kind, v from links"), "3|1|x");
  For<Link>(db).create(Link{0, 0, "zero is a value"});
  EXPECT_EQ(raw_row(db, "select author, kind, v from links where kind = 0"), "0|0|zero is a value");
}

struct Code {
  std::string code;
  int n{};
  static consteval auto orm() {
    return quark::model(quark::key(&Code::code), quark::size(&Code::code, 20));
  }
};

TEST(Create, TakesATextKeyAsItIs) {
  auto db = fresh();
  quark::create_table<Code>(db);
  For<Code>(db).create(Code{"", 1});
  For<Code>(db).create(Code{"b", 2});
  EXPECT_EQ(raw_cell(db, "select n from codes where code = ''"), "1");
  EXPECT_EQ(For<Code>(db).get("b").n, 2);
  EXPECT_THROW(For<Code>(db).create(Code{"b", 3}), quark::UniqueViolation);
  EXPECT_EQ(raw_cell(db, "select n from codes where code = 'b'"), "2");
}

struct Entry {
  int day{};
  std::string text;
  static consteval auto orm() { return quark::model(quark::table("entries_without_key")); }
};

TEST(Create, NeedsNoPrimaryKey) {
  auto db = fresh();
  quark::create_table<Entry>(db);
  For<Entry>(db).create(Entry{1, "a"});
  For<Entry>(db).create(Entry{1, "a"});
  EXPECT_EQ(For<Entry>(db).count(), 2);
  EXPECT_EQ(For<Entry>(db).distinct().count(), 1);
}

TEST(Create, LeavesTheObjectAloneWhenItFails) {
  auto db = fresh();
  quark::create_all<User, Account>(db);
  const auto accounts = For<Account>(db);
  accounts.create(Account{.number = "1"});
  Account twice{.number = "1"};
  EXPECT_THROW(accounts.create(twice), quark::UniqueViolation);
  EXPECT_EQ(twice.id, 0);
  twice.number = "2";
  accounts.create(twice);
  EXPECT_EQ(raw_cell(db, "select number from accounts where id = " + std::to_string(twice.id)),
            "2");
}

TEST(B23, ACreateSendsZeroEmptyAndNull) {
  auto db = fresh();
  quark::create_table<User>(db);
  For<User>(db).create(User{.id = 1, .name = "", .email = std::nullopt, .age = 0, .active = false});
  For<User>(db).create(User{.id = 2, .name = "", .email = "", .age = 0, .active = false});
  EXPECT_EQ(raw_row(db, "select name, email, age, active from users where id = 1"), "|NULL|0|0");
  EXPECT_EQ(raw_row(db, "select name, email, age, active from users where id = 2"), "||0|0");
}

}  // namespace
