// Run-time conditions and orders: the same text and the same values as the constant shape, and no
// dangling.
#include "unit/fakes/fake_engine.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace {

using namespace quark;
using namespace quark::sql;
using test::FakeDatabase;

struct User {
  std::int64_t id{};
  std::string name;
  std::optional<std::string> email;
  int age{};
  bool active{};
};
constexpr auto& age = field<&User::age>;
constexpr auto& name = field<&User::name>;
constexpr auto& email = field<&User::email>;

// Both ways through one engine: text, values, their order, and the columns they are reported under.
template <Engine E, class Make>
void expect_same(Make&& make) {
  FakeDatabase<E> db;
  const auto users = For<User>(db);
  users.where(make()).list();
  const test::Sent constant = db.last();
  const std::string columns = db.session.columns;
  users.where(Filter<User>(make())).list();
  EXPECT_EQ(db.last().text, constant.text);
  EXPECT_EQ(db.last().params, constant.params);
  EXPECT_EQ(db.session.columns, columns);
  EXPECT_EQ(sql_text<E>(users.where(Filter<User>(make()))), constant.text);
  EXPECT_EQ(constant.params.find("NOT RESOLVED"), std::string::npos);
  // A write is the same statement, too, and its condition is not left out of the text.
  const Filter<User> filter = make();
  EXPECT_EQ((sql_text<E, Ask::remove>(users.where(filter))), (sql_text<E, Ask::remove>(users.where(make()))));
  EXPECT_EQ(sql_text<E>(users.where(filter).set(field<& User::active> = true)),
            sql_text<E>(users.where(make()).set(field<& User::active> = true)));
  users.where(filter).set(field<& User::active> = true).update();
  EXPECT_EQ(db.last().text, sql_text<E>(users.where(filter).set(field<& User::active> = true)));
}
template <class Make>
void expect_same_everywhere(Make&& make) {
  expect_same<Engine::sqlite>(make);
  expect_same<Engine::postgres>(make);
  expect_same<Engine::mysql>(make);
}

TEST(Filter, HasTheTextAndTheValuesOfTheConstantCondition) {
  expect_same_everywhere([] { return age >= 18; });
  expect_same_everywhere([] { return age >= 18 && name == "Ada"; });
  static const std::string long_text(100, 'x');
  expect_same_everywhere(
      [] { return (age < 3 || age > 90) && (name == long_text || email == std::nullopt); });
  expect_same_everywhere([] { return !(age.between(1, 2) || age.in(3, 4, 5)); });
  expect_same_everywhere(
      [] { return name.contains("50%_!") || name.starts_with("a") || name.ends_with("z"); });
  expect_same_everywhere([] { return email == std::optional<std::string>{} && age != 7; });
  // Not a temporary of the lambda's: the condition that it returns borrows the text.
  static const std::optional<std::string> address{"a@b"};
  expect_same_everywhere([] { return email == address; });
  expect_same_everywhere([] { return age + 2 * age - 1 == 7 && name + "x" == "y"; });
  static const std::vector<int> numbers{1, 2, 3};
  static const std::vector<std::string> texts{"a", std::string(80, 'b'), ""};
  expect_same_everywhere(
      [] { return age.in(numbers) && name.not_in(texts) && field<&User::active>; });
}

TEST(Filter, JoinsLikeTheOperators) {
  FakeDatabase<Engine::postgres> db;
  const auto users = For<User>(db);
  Filter<User> f;
  f &= age > 1;
  f &= name == "a";
  f |= age == 0;
  users.where(f).list();
  const test::Sent built = db.last();
  users.where((age > 1 && name == "a") || age == 0).list();
  EXPECT_EQ(built.text, db.last().text);
  EXPECT_EQ(built.params, db.last().params);

  users.where(!(Filter<User>(age > 1) || Filter<User>(age < 0)) && Filter<User>(name == "x"))
      .list();
  const test::Sent joined = db.last();
  users.where(!(age > 1 || age < 0) && name == "x").list();
  EXPECT_EQ(joined.text, db.last().text);
  EXPECT_EQ(joined.params, db.last().params);
}

// Pairs that chance makes: a filter grown step by step, and the text of the codes it should have.
TEST(Filter, GrownAtRandomRendersAsOneTree) {
  FakeDatabase<Engine::postgres> db;
  const auto users = For<User>(db);
  for (unsigned bits = 0; bits < 64; ++bits) {
    Filter<User> f;
    std::string values;
    std::vector<Code> codes;
    for (unsigned step = 0; step < 3; ++step) {
      const bool is_and = (bits >> step & 1) != 0, is_text = (bits >> (step + 3) & 1) != 0;
      const std::string text = "value " + std::to_string(step);
      const Filter<User> one =
          is_text ? Filter<User>(name == text) : Filter<User>(age < static_cast<int>(step));
      is_and ? f &= one : f |= one;
      std::vector<Code> next;
      if (step > 0) next.push_back(code(Node::binary, is_and ? Op::logic_and : Op::logic_or));
      next.insert(next.end(), codes.begin(), codes.end());
      next.insert(next.end(), one.data().codes().data,
                  one.data().codes().data + one.data().codes().size);
      codes = next;
      values += (step > 0 ? ", " : "") + (is_text ? "'" + text + "'" : std::to_string(step));
    }
    users.where(f).list();
    Shape shape = sql::ReadSpec<User, sql::CodePack<>, sql::CodePack<>, sql::ReadBits{}>::shape(
        Engine::postgres);
    shape.where = {codes.data(), codes.size()};
    EXPECT_EQ(db.last().text, sql::to_text(dialects::postgres, shape));
    EXPECT_EQ(db.last().params, values);
  }
}

TEST(Filter, OwnsItsValuesWhenTheSourcesAreGone) {
  FakeDatabase<> db;
  auto source = std::make_unique<std::string>(200, 's');
  auto list = std::make_unique<std::vector<std::string>>(2, std::string(90, 'l'));
  Filter<User> f = name == *source || name.in(*list) || name.contains(*source);
  const auto query = For<User>(db).where(name == *source && email == std::string_view(*source));
  const auto in_query = For<User>(db).where(name.in(*list) && name.starts_with(*source));
  For<User>(db).where(f).list();
  const std::string filter_params = db.last().params;
  query.list();
  const std::string query_params = db.last().params;
  in_query.list();
  const std::string in_params = db.last().params;
  source.reset();
  list.reset();

  For<User>(db).where(f).list();
  EXPECT_EQ(db.last().params, filter_params);
  query.list();
  EXPECT_EQ(db.last().params, query_params);
  in_query.list();
  EXPECT_EQ(db.last().params, in_params);
  EXPECT_NE(in_params.find(std::string(90, 'l')), std::string::npos);
}

TEST(Filter, IsCopiedAndMovedWithItsValues) {
  FakeDatabase<> db;
  const auto users = For<User>(db);
  const auto params_of = [&](const auto& condition) {
    users.where(condition).list();
    return db.last().params;
  };
  auto original = std::make_unique<Filter<User>>(name == std::string(100, 'x') &&
                                                 age.in(std::vector<int>{1, 2}));
  const std::string params = params_of(*original);
  Filter<User> copy = *original;
  Filter<User> assigned;
  assigned = copy;
  Filter<User> moved = std::move(*original);
  original.reset();
  EXPECT_EQ(params_of(copy), params);
  EXPECT_EQ(params_of(assigned), params);
  EXPECT_EQ(params_of(moved), params);
  copy &= copy;
  EXPECT_EQ(params_of(copy), params + ", " + params);
  const Filter<User>& itself = copy;
  copy = itself;
  EXPECT_EQ(params_of(copy), params + ", " + params);
  EXPECT_EQ(params_of(moved), params);
}

TEST(Query, IsCopiedAndMovedWithItsValues) {
  FakeDatabase<> db;
  // Short text stays inside the query object itself: its address changes with the copy.
  const auto short_text = [&] { return For<User>(db).where(name == std::string("short")); };
  using Query = decltype(short_text());
  auto heap = std::make_unique<Query>(short_text());
  Query copy = *heap;
  Query moved = std::move(*heap);
  heap.reset();
  copy.list();
  EXPECT_EQ(db.last().params, "'short'");
  moved.list();
  EXPECT_EQ(db.last().params, "'short'");

  auto base = std::make_unique<Query>(short_text());
  const auto longer =
      base->where(age > 3).where(name == std::string(70, 'y')).order_by(asc<&User::age>).limit(2);
  base.reset();
  longer.list();
  EXPECT_EQ(db.last().params, "'short', 3, '" + std::string(70, 'y') + "', 2");
}

TEST(Filter, EmptyLetsEveryRowThrough) {
  FakeDatabase<> db;
  const auto users = For<User>(db);
  users.where(Filter<User>{}).list();
  EXPECT_EQ(db.last().text, sql_text<Engine::sqlite>(users));
  users.where(Filter<User>{}).where(age > 3).list();
  EXPECT_EQ(db.last().text, sql_text<Engine::sqlite>(users.where(age > 3)));
  users.where(age > 3).where(Filter<User>{}).list();
  EXPECT_EQ(db.last().text, sql_text<Engine::sqlite>(users.where(age > 3)));
  EXPECT_EQ(db.last().params, "3");
  EXPECT_TRUE(Filter<User>{}.empty());
  EXPECT_THROW((void)!Filter<User>{}, Misuse);
}

TEST(Filter, B22_EmptyIsRefusedInAWrite) {
  FakeDatabase<> db;
  const auto users = For<User>(db);
  EXPECT_THROW(users.where(Filter<User>{}).remove(), Misuse);
  EXPECT_THROW(users.where(Filter<User>{}).set(age = 1).update(), Misuse);
  EXPECT_EQ(db.count(), 0u);
  users.where(Filter<User>{}).everything().remove();
  EXPECT_EQ(db.last().text, R"(DELETE FROM "users")");
}

TEST(RuntimeOrder, HasTheTextOfTheConstantOrder) {
  FakeDatabase<Engine::mysql> db;
  const auto users = For<User>(db);
  users.order_by(by<User>("name", Direction::descending), asc<&User::id>).list();
  EXPECT_EQ(db.last().text,
            sql_text<Engine::mysql>(users.order_by(desc<&User::name>, asc<&User::id>)));
  users.order_by(desc<&User::age>).order_by(by<User>("id")).list();
  EXPECT_EQ(db.last().text,
            sql_text<Engine::mysql>(users.order_by(desc<&User::age>, asc<&User::id>)));
  users.where(Filter<User>(age > 3))
      .order_by(by<User>("id"), by<User>("age"))
      .limit(5)
      .offset(6)
      .list();
  EXPECT_EQ(db.last().text,
            sql_text<Engine::mysql>(
                users.where(age > 3).order_by(asc<&User::id>, asc<&User::age>).limit(5).offset(6)));
  EXPECT_EQ(db.last().params, "3, 5, 6");
}

TEST(RuntimeOrder, B17_RefusesWhatIsNoColumnAndSendsNothing) {
  FakeDatabase<> db;
  const auto users = For<User>(db);
  for (const char* bad : {"name; drop table users", "name\"", "\"name\"", "users.name", "NAME", "",
                          "name desc", "1", "rowid"}) {
    EXPECT_THROW(users.order_by(by<User>(bad)).list(), Misuse) << bad;
    EXPECT_THROW(users.order_by(by<User>(bad, Direction::descending)).first(), Misuse) << bad;
  }
  EXPECT_EQ(db.count(), 0u);
  try {
    by<User>("nmae");
    FAIL();
  } catch (const Misuse& error) {
    EXPECT_STREQ(error.what(),
                 "quark: there is no column of that name to order users by; there are: id name "
                 "email age active");
  }
}

enum class Colour : int { red = 1, green };
struct Shirt {
  std::int64_t id{};
  Colour named{};
  Colour valued{};
  Json json{};
  static consteval auto orm() { return model(by_name(&Shirt::named)); }
};

TEST(RuntimeOrder, RefusesAColumnWhoseTypeHasNoOrder) {
  FakeDatabase<> db;
  for (const char* bad : {"named", "json"}) EXPECT_THROW((void)by<Shirt>(bad), Misuse) << bad;
  For<Shirt>(db).order_by(by<Shirt>("valued")).list();
  EXPECT_EQ(db.last().text, sql_text<Engine::sqlite>(For<Shirt>(db).order_by(asc<&Shirt::valued>)));
}

TEST(RuntimeOrder, B17_KeepsAValueAsTheseVeryCharacters) {
  FakeDatabase<> db;
  For<User>(db).where(name == "x'; drop table users; --").list();
  EXPECT_EQ(db.last().params, "'x'; drop table users; --'");
  EXPECT_EQ(db.last().text.find("drop"), std::string::npos);
}

}  // namespace
