// Every option of quark::model(...), in each of the three places where it may stand.
#include <quark/quark.hpp>

#include <gtest/gtest.h>

#include <chrono>

namespace {

using quark::ReferenceAction;
using quark::meta::Literal;
using quark::meta::Table;
using Moment = std::chrono::sys_time<std::chrono::seconds>;

enum class Rank : std::uint8_t { low = 1, high = 9 };

}  // namespace

namespace app {

struct Owner {
  std::int64_t id{};
  std::string country;
  std::int64_t number{};
};

// One struct three times, with one description: inside, by ADL, by specialisation.
#define ALL_MEMBERS                        \
  std::int64_t code{};                     \
  std::string title{};                     \
  std::optional<std::string> note{};       \
  std::int64_t owner{};                    \
  std::optional<std::int64_t> friend_of{}; \
  int changes{};                           \
  Moment born{};                           \
  std::optional<Moment> changed{};         \
  double score{};                          \
  bool live{};                             \
  Rank rank{};                             \
  std::optional<Rank> best{};              \
  int total{};                             \
  std::string extra{};

template <class T>
consteval auto full_description() {
  using namespace quark;
  return model(
      table("things"), key(&T::code), generated(&T::code), rename(&T::title, "headline"),
      unique(&T::title, &T::owner).named("one_title"), unique(&T::extra),
      index(&T::score, &T::live), index(&T::note).named("by_note"),
      references<&Owner::id>(&T::owner).on_delete(ReferenceAction::cascade).on_update(ReferenceAction::restrict),
      references<&Owner::id>(&T::friend_of).on_delete(ReferenceAction::set_null), version(&T::changes),
      created_at(&T::born), updated_at(&T::changed), default_value(&T::score, 1.5),
      default_value(&T::live, true), default_value(&T::rank, Rank::high),
      default_value(&T::note, "none"), generated(&T::total), check("positive", "score > 0"),
      size(&T::extra, 40), type(&T::note, "clob"), by_name(&T::best));
}

struct Inside {
  ALL_MEMBERS
  static consteval auto orm() { return full_description<Inside>(); }
};
struct Beside {
  ALL_MEMBERS
};
consteval auto quark_model(quark::of<Beside>) { return full_description<Beside>(); }
struct Outside {
  ALL_MEMBERS
};

}  // namespace app

template <>
struct quark::describe<app::Outside> {
  static consteval auto orm() { return app::full_description<app::Outside>(); }
};

namespace {

template <class T>
class Describe : public testing::Test {};
using Places = testing::Types<app::Inside, app::Beside, app::Outside>;
TYPED_TEST_SUITE(Describe, Places);

TYPED_TEST(Describe, TakesEveryOption) {
  constexpr const Table& t = quark::table_of<TypeParam>;
  static_assert(t.name == "things");
  static_assert(t.count == 14);
  static_assert(t.key.count == 1 && t.key.columns[0] == 0 && t.generated_key && t[0].key &&
                t[0].generated);
  static_assert(t[1].name == "headline" && t[1].member == "title");

  static_assert(t.index_count == 4);
  static_assert(t.indexes[0].unique && t.indexes[0].name == "one_title");
  static_assert(t.indexes[0].columns.count == 2 && t.indexes[0].columns.columns[0] == 1 &&
                t.indexes[0].columns.columns[1] == 3);
  static_assert(t.indexes[1].unique && t.indexes[1].name.empty() &&
                t.indexes[1].columns.columns[0] == 13);
  static_assert(!t.indexes[2].unique && t.indexes[2].columns.count == 2);
  static_assert(!t.indexes[3].unique && t.indexes[3].name == "by_note");

  static_assert(t.reference_count == 2);
  static_assert(t.references[0].columns.columns[0] == 3);
  static_assert(t.references[0].on_delete == ReferenceAction::cascade &&
                t.references[0].on_update == ReferenceAction::restrict);
  static_assert(t.references[1].columns.columns[0] == 4);
  static_assert(t.references[1].on_delete == ReferenceAction::set_null &&
                t.references[1].on_update == ReferenceAction::none);
  EXPECT_EQ(t.references[0].target().table, &quark::table_of<app::Owner>);
  EXPECT_EQ(t.references[0].target().columns.count, 1);
  EXPECT_EQ(t.references[0].target().columns.columns[0], 0);

  static_assert(t.version == 5 && t.created_at == 6 && t.updated_at == 7);
  static_assert(t[8].default_value.kind == Literal::Kind::real && t[8].default_value.real == 1.5);
  static_assert(t[9].default_value.kind == Literal::Kind::boolean &&
                t[9].default_value.integer == 1);
  static_assert(t[10].default_value.kind == Literal::Kind::integer &&
                t[10].default_value.integer == 9);
  static_assert(t[2].default_value.kind == Literal::Kind::text &&
                t[2].default_value.text == "none");
  static_assert(t[1].default_value.kind == Literal::Kind::none);
  static_assert(t[12].generated && !t[12].key);
  static_assert(t.check_count == 1 && t.checks[0].name == "positive" &&
                t.checks[0].text == "score > 0");
  static_assert(t[13].size == 40 && t[12].size == 0);
  static_assert(t[2].type == "clob" && t[1].type.empty());
  static_assert(t[11].by_name && !t[10].by_name);
  static_assert(quark::detail::infos_of<TypeParam>::infos[11].form == quark::Form::text);
  static_assert(quark::detail::infos_of<TypeParam>::infos[10].form == quark::Form::i16);
}

struct Defaults {
  int id{};
  std::int8_t small{};
  std::uint64_t large{};
  std::int64_t least{};
  float single{};
  double from_integer{};
  std::optional<bool> off{};
  std::optional<std::string> text{};
  static consteval auto orm() {
    using namespace quark;
    return model(default_value(&Defaults::small, -128), default_value(&Defaults::large, 18u),
                 default_value(&Defaults::least, std::int64_t{-9223372036854775807} - 1),
                 default_value(&Defaults::single, 0.5f), default_value(&Defaults::from_integer, 3),
                 default_value(&Defaults::off, false),
                 default_value(&Defaults::text, std::string_view("it's")));
  }
};

TEST(DefaultValue, TakesEveryKind) {
  constexpr const Table& t = quark::table_of<Defaults>;
  static_assert(t[1].default_value.integer == -128);
  static_assert(t[2].default_value.integer == 18);
  static_assert(t[3].default_value.integer == std::int64_t{-9223372036854775807} - 1);
  static_assert(t[4].default_value.real == 0.5);
  static_assert(t[6].default_value.kind == Literal::Kind::boolean &&
                t[6].default_value.integer == 0);
  static_assert(t[7].default_value.text == "it's");
}

struct Composite {
  int a{};
  std::string b;
  int c{};
  static consteval auto orm() { return quark::model(quark::key(&Composite::c, &Composite::a)); }
};
struct Line {
  int id{};
  int x{};
  int y{};
  static consteval auto orm() {
    return quark::model(quark::references<&Composite::c, &Composite::a>(&Line::y, &Line::x));
  }
};

TEST(Key, OfSeveralColumnsKeepsTheirOrder) {
  constexpr const Table& t = quark::table_of<Composite>;
  static_assert(t.key.count == 2 && t.key.columns[0] == 2 && t.key.columns[1] == 0);
  static_assert(t[0].key && !t[1].key && t[2].key && !t.generated_key);
  const quark::meta::ReferenceTarget target = quark::table_of<Line>.references[0].target();
  EXPECT_EQ(target.table, &t);
  EXPECT_EQ(target.columns.count, 2);
  EXPECT_EQ(target.columns.columns[0], 2);
  EXPECT_EQ(target.columns.columns[1], 0);
}

// Who names the key himself supplies it, unless he says generated.
struct Given {
  std::int64_t code{};
  std::string id;
  static consteval auto orm() { return quark::model(quark::key(&Given::code)); }
};
static_assert(!quark::table_of<Given>.generated_key);
static_assert(quark::table_of<Given>.key.count == 1 && quark::table_of<Given>.key.columns[0] == 0);

// Models that refer to each other, and to themselves (fault B29).
struct Hen;
struct Egg {
  std::int64_t id{};
  std::optional<std::int64_t> hen_id;
  std::optional<std::int64_t> twin_id;
  static consteval auto orm();
};
struct Hen {
  std::int64_t id{};
  std::int64_t egg_id{};
  static consteval auto orm() { return quark::model(quark::references<&Egg::id>(&Hen::egg_id)); }
};
consteval auto Egg::orm() {
  return quark::model(quark::references<&Hen::id>(&Egg::hen_id),
                      quark::references<&Egg::id>(&Egg::twin_id));
}

TEST(References, MayGoInCircles) {
  const Table& hens = quark::table_of<Hen>;
  const Table& eggs = quark::table_of<Egg>;
  EXPECT_EQ(hens.references[0].target().table, &eggs);
  EXPECT_EQ(eggs.references[0].target().table, &hens);
  EXPECT_EQ(eggs.references[1].target().table, &eggs);
}

// A specialisation wins over what the struct says itself: who can't change it can still describe
// it.
struct Own {
  int id{};
  static consteval auto orm() { return quark::model(quark::table("own")); }
};

// A static orm() and constants are no columns.
struct Extras {
  static constexpr int limit = 3;
  int id{};
  static int count() { return limit; }
  static consteval auto orm() { return quark::model(); }
};
static_assert(Extras::limit == 3 && quark::table_of<Extras>.count == 1 &&
              quark::table_of<Extras>.name == "extrases");

}  // namespace

template <>
struct quark::describe<Own> {
  static consteval auto orm() { return quark::model(quark::table("foreign")); }
};
static_assert(quark::table_of<Own>.name == "foreign");
