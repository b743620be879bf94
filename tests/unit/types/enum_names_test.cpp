// The names and values of enumerators: every way to declare an enumeration, and what is not one.
#include <quark/types/enum_names.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace shop {

enum class Mood : int { sad, ok, wild = 7 };
enum Plain : int { plain_a, plain_b = 3 };
enum Unfixed { unfixed_one = 1, unfixed_five = 5 };
enum UnfixedSigned { below = -3, above = 2 };
enum class Edge : int { lowest = -128, minus_one = -1, zero = 0, highest = 127, outside = 128 };
enum class Bytes : std::uint8_t { first = 0, last = 255 };
enum class SignedBytes : signed char { first = -128, last = 127 };
enum class Wide : std::uint64_t { zero, last = 255, far = UINT64_MAX };
enum class Aliased : int { started = 1, running = 1, done = 2, finished = 2 };
enum class Letter : char { A = 'A', z = 'z' };
enum class Answer : bool { no, yes };
enum class OnlyYes : bool { yes = true };
enum class Größe : int { klein, groß, 最大 };
enum class Opaque : int {};
enum class Under_score1 : int {
  _a,
  b_,
  c1d2,
  VERY_LONG_ENUMERATOR_NAME_THAT_GOES_ON_AND_ON_AND_ON = 100
};

struct Outer {
  enum class Inner : int { x, y };
  enum Loose : int { loose_x, loose_y };
  struct Deeper {
    enum class Inner : short { deep };
  };
};

template <class T, char C>
struct Box {
  enum class Kind : int { empty, full };
  enum Loose : int { open, shut };
};
enum class Inside : int { five = 5 };
template <Inside I, class T>
struct Tag {
  enum class Kind : int { here = 3 };
};

}  // namespace shop

enum class Global : int { here };
enum GlobalLoose : int { g_a, g_b };

namespace {

enum class Hidden : int { one, two };
enum HiddenLoose : int { hidden_one, hidden_two = 127 };
enum AVeryLongNameOfAnEnumerationWithAShortEnumerator : int { q = 127 };
struct HiddenOuter {
  enum class Inner : int { x };
};

}  // namespace

namespace shop {
enum class Status : int { ok = 200, not_found = 404, teapot = 418 };
enum class Big : long long { small = -5'000'000'000, huge = 9'000'000'000 };
enum class Labelled : int { todo, in_progress, done, secret };
enum class Sparse : unsigned long long { all = UINT64_MAX, none = 0, some = 1ull << 40 };
}  // namespace shop

template <>
struct quark::enum_range<shop::Status> {
  static constexpr int min = 100, max = 599;
};
template <>
struct quark::enum_range<shop::Big> {
  static constexpr long long min = 9'000'000'000 - 10, max = 9'000'000'000 + 1000;
};
template <>
struct quark::enum_label<shop::Labelled> {
  static constexpr quark::EnumName<shop::Labelled> names[] = {
      {shop::Labelled::done, "Done"},
      {shop::Labelled::todo, "To do"},
      {shop::Labelled::in_progress, "läuft"}};
};
template <>
struct quark::enum_label<shop::Sparse> {
  static constexpr quark::EnumName<shop::Sparse> names[] = {
      {shop::Sparse::all, "all"}, {shop::Sparse::none, "none"}, {shop::Sparse::some, "some"}};
};

namespace {

using quark::enum_name;
using quark::enum_value;
using quark::enum_values;
using quark::is_enumerator;

template <class E>
std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const E e : enum_values<E>) names.emplace_back(enum_name(e));
  return names;
}
using Strings = std::vector<std::string>;

// Every value of the range: a name exactly where there is an enumerator, and back again.
template <class E>
void expect_consistent(long long min, long long max) {
  std::size_t found = 0;
  for (long long v = min; v <= max; ++v) {
    const auto e = static_cast<E>(v);
    const std::string_view name = enum_name(e);
    ASSERT_EQ(is_enumerator(e), !name.empty()) << v;
    if (name.empty()) continue;
    ASSERT_LT(found, enum_values<E>.size()) << v;
    EXPECT_EQ(enum_values<E>[found++], e) << v;
    E back{};
    ASSERT_TRUE(enum_value(name, back)) << name;
    EXPECT_EQ(back, e) << name;
  }
  EXPECT_EQ(found, enum_values<E>.size());
}

static_assert(enum_name(shop::Mood::ok) == "ok");
static_assert(enum_values<shop::Mood>.size() == 3 &&
              enum_values<shop::Mood>[2] == shop::Mood::wild);
static_assert([] {
  shop::Mood mood{};
  return enum_value("wild", mood) && mood == shop::Mood::wild;
}());

TEST(EnumNames, ScopedAndUnscoped) {
  EXPECT_EQ(all_names<shop::Mood>(), (Strings{"sad", "ok", "wild"}));
  EXPECT_EQ(all_names<shop::Plain>(), (Strings{"plain_a", "plain_b"}));
  EXPECT_EQ(all_names<Global>(), (Strings{"here"}));
  EXPECT_EQ(all_names<GlobalLoose>(), (Strings{"g_a", "g_b"}));
  EXPECT_EQ(all_names<shop::Under_score1>(),
            (Strings{"_a", "b_", "c1d2", "VERY_LONG_ENUMERATOR_NAME_THAT_GOES_ON_AND_ON_AND_ON"}));
}

TEST(EnumNames, WithoutAFixedUnderlyingType) {
  EXPECT_EQ(all_names<shop::Unfixed>(), (Strings{"unfixed_one", "unfixed_five"}));
  EXPECT_EQ(all_names<shop::UnfixedSigned>(), (Strings{"below", "above"}));
}

TEST(EnumNames, ReachTheEndsOfTheRangeAndNoFurther) {
  EXPECT_EQ(all_names<shop::Edge>(), (Strings{"lowest", "minus_one", "zero", "highest"}));
  EXPECT_EQ(enum_name(shop::Edge::outside), "");
  EXPECT_EQ(all_names<shop::Bytes>(), (Strings{"first", "last"}));
  EXPECT_EQ(all_names<shop::SignedBytes>(), (Strings{"first", "last"}));
  EXPECT_EQ(all_names<shop::Wide>(), (Strings{"zero", "last"}));
  EXPECT_EQ(enum_name(shop::Wide::far), "");
}

TEST(EnumNames, TheFirstOfAliasesGivesTheName) {
  EXPECT_EQ(all_names<shop::Aliased>(), (Strings{"started", "done"}));
  EXPECT_EQ(enum_name(shop::Aliased::finished), "done");
  shop::Aliased out{};
  EXPECT_FALSE(enum_value("running", out));
}

TEST(EnumNames, CharAndBoolUnderneath) {
  EXPECT_EQ(all_names<shop::Letter>(), (Strings{"A", "z"}));
  EXPECT_EQ(all_names<shop::Answer>(), (Strings{"no", "yes"}));
  EXPECT_EQ(all_names<shop::OnlyYes>(), (Strings{"yes"}));
}

TEST(EnumNames, NonAsciiLetters) {
  EXPECT_EQ(all_names<shop::Größe>(), (Strings{"klein", "groß", "最大"}));
}

TEST(EnumNames, NestedInStructs) {
  EXPECT_EQ(all_names<shop::Outer::Inner>(), (Strings{"x", "y"}));
  EXPECT_EQ(all_names<shop::Outer::Loose>(), (Strings{"loose_x", "loose_y"}));
  EXPECT_EQ(all_names<shop::Outer::Deeper::Inner>(), (Strings{"deep"}));
}

TEST(EnumNames, NestedInClassTemplatesWithAwkwardArguments) {
  EXPECT_EQ((all_names<shop::Box<int, ','>::Kind>()), (Strings{"empty", "full"}));
  EXPECT_EQ((all_names<shop::Box<int, '\''>::Kind>()), (Strings{"empty", "full"}));
  EXPECT_EQ((all_names<shop::Box<int, '"'>::Loose>()), (Strings{"open", "shut"}));
  EXPECT_EQ((all_names<shop::Box<int, '\\'>::Loose>()), (Strings{"open", "shut"}));
  EXPECT_EQ((all_names<shop::Box<void (*)(int, char), '>'>::Kind>()), (Strings{"empty", "full"}));
  EXPECT_EQ((all_names<shop::Box<void(int, char[3]), '('>::Loose>()), (Strings{"open", "shut"}));
  EXPECT_EQ((all_names<shop::Tag<shop::Inside{6}, shop::Inside>::Kind>()), (Strings{"here"}));
  EXPECT_EQ((all_names<shop::Tag<shop::Inside::five, int>::Kind>()), (Strings{"here"}));
}

TEST(EnumNames, InAnonymousNamespaces) {
  EXPECT_EQ(all_names<Hidden>(), (Strings{"one", "two"}));
  EXPECT_EQ(all_names<HiddenLoose>(), (Strings{"hidden_one", "hidden_two"}));
  EXPECT_EQ(all_names<HiddenOuter::Inner>(), (Strings{"x"}));
  EXPECT_EQ(all_names<AVeryLongNameOfAnEnumerationWithAShortEnumerator>(), (Strings{"q"}));
}

struct Operators {
  Strings operator<(int) const {
    enum class Local : int { less };
    enum LocalLoose : int { looser = 1 };
    auto names = all_names<Local>();
    names.push_back(all_names<LocalLoose>().at(0));
    return names;
  }
  Strings operator,(int) const {
    enum class Local : int { comma };
    return all_names<Local>();
  }
  Strings operator()(int) const {
    enum class Local : int { call };
    return all_names<Local>();
  }
  Strings operator->*(int) const {
    enum class Local : int { arrow };
    return all_names<Local>();
  }
};

TEST(EnumNames, LocalToAFunction) {
  enum class Local : int { here, there };
  enum anonymous_like_a_namespace : int { alike = 127 };
  EXPECT_EQ(all_names<Local>(), (Strings{"here", "there"}));
  EXPECT_EQ(all_names<anonymous_like_a_namespace>(), (Strings{"alike"}));
  const auto in_lambda = [] {
    enum class InLambda : int { deep_down };
    return all_names<InLambda>();
  };
  EXPECT_EQ(in_lambda(), (Strings{"deep_down"}));
  EXPECT_EQ(Operators{} < 1, (Strings{"less", "looser"}));
  EXPECT_EQ((Operators{}, 1), (Strings{"comma"}));
  EXPECT_EQ(Operators{}(1), (Strings{"call"}));
  EXPECT_EQ(Operators{}->*1, (Strings{"arrow"}));
}

TEST(EnumNames, NoEnumeratorsAtAll) {
  EXPECT_TRUE(enum_values<shop::Opaque>.empty());
  EXPECT_EQ(enum_name(shop::Opaque{}), "");
  shop::Opaque out{3};
  EXPECT_FALSE(enum_value("", out));
  EXPECT_EQ(out, shop::Opaque{3});
}

TEST(EnumNames, ARangeOfYourOwn) {
  EXPECT_EQ(all_names<shop::Status>(), (Strings{"ok", "not_found", "teapot"}));
  expect_consistent<shop::Status>(-2000, 2000);
  EXPECT_EQ(all_names<shop::Big>(), (Strings{"huge"}));
}

TEST(EnumNames, LabelsAreTheWholeTruth) {
  EXPECT_EQ(all_names<shop::Labelled>(), (Strings{"To do", "läuft", "Done"}));
  EXPECT_EQ(enum_name(shop::Labelled::secret), "");
  shop::Labelled out = shop::Labelled::secret;
  EXPECT_FALSE(enum_value("todo", out));
  EXPECT_FALSE(enum_value("secret", out));
  EXPECT_EQ(out, shop::Labelled::secret);
  EXPECT_TRUE(enum_value("läuft", out));
  EXPECT_EQ(out, shop::Labelled::in_progress);

  EXPECT_EQ(enum_values<shop::Sparse>.size(), 3u);
  for (const auto value : enum_values<shop::Sparse>) EXPECT_TRUE(is_enumerator(value));
  EXPECT_EQ(enum_name(shop::Sparse::all), "all");
  EXPECT_EQ(enum_name(shop::Sparse::some), "some");
  EXPECT_FALSE(is_enumerator(shop::Sparse{1}));
}

TEST(EnumNames, EveryValueOfTheRangeAgreesInBothDirections) {
  expect_consistent<shop::Mood>(-1000, 1000);
  expect_consistent<shop::Plain>(-1000, 1000);
  expect_consistent<shop::Unfixed>(0, 7);
  expect_consistent<shop::UnfixedSigned>(-4, 3);
  expect_consistent<shop::Edge>(-1000, 1000);
  expect_consistent<shop::Bytes>(0, 255);
  expect_consistent<shop::SignedBytes>(-128, 127);
  expect_consistent<shop::Letter>(-128, 127);
  expect_consistent<shop::Answer>(0, 1);
  expect_consistent<shop::OnlyYes>(0, 1);
  expect_consistent<Hidden>(-1000, 1000);
}

// B12: 'wild' and 7 from a newer schema are refused, never cast to an enumerator that isn't there.
TEST(EnumNames, B12_NothingIsKnownOfAValueOrNameWithoutEnumerator) {
  EXPECT_FALSE(is_enumerator(static_cast<shop::Mood>(6)));
  EXPECT_FALSE(is_enumerator(static_cast<shop::Mood>(8)));
  EXPECT_FALSE(is_enumerator(static_cast<shop::Mood>(INT32_MIN)));
  EXPECT_FALSE(is_enumerator(static_cast<shop::Mood>(INT32_MAX)));
  EXPECT_FALSE(is_enumerator(shop::OnlyYes{}));
  shop::Mood mood = shop::Mood::ok;
  for (const std::string_view name :
       {"", "Ok", "OK", "o", "okk", "ok ", " ok", "Mood::ok", "shop::Mood::ok", "1"})
    EXPECT_FALSE(enum_value(name, mood)) << name;
  EXPECT_FALSE(enum_value(std::string_view("ok\0", 3), mood));
  EXPECT_EQ(mood, shop::Mood::ok);
}

}  // namespace
