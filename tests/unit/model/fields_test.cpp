// What reflection says about ordinary models, and the shapes that other libraries got wrong.
// Compiled once for each backend; the rows that Boost.PFR refuses are left out with a reason.

#include "unit/model/fields_checks.hpp"

#include <any>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace {

namespace reflect = quark::reflect;
using quark::test::expect_members;

struct User {
  std::int64_t id{};
  std::string name;
  std::optional<std::string> email;
  int age = 18;
  bool active{};
};

TEST(Fields, SayWhichBackendRuns) {
  std::printf("reflection backend: %.*s\n", static_cast<int>(reflect::backend_name.size()),
              reflect::backend_name.data());
#if defined(QUARK_REFLECTION_PFR)
  EXPECT_EQ(reflect::backend_name.substr(0, 4), "pfr ");
#if BOOST_VERSION >= 108400
  EXPECT_NE(reflect::backend_name.find(", PFR names"), std::string_view::npos);
#else
  EXPECT_NE(reflect::backend_name.find(", own names"), std::string_view::npos);
#endif
#else
  EXPECT_EQ(reflect::backend_name, "native");
#endif
}

TEST(Fields, OfAPlainModelAreSeenInOrder) {
  User user;
  expect_members<&User::id, &User::name, &User::email, &User::age, &User::active>(
      user, {"id", "name", "email", "age", "active"});
}

// The answers are constants that may be kept in constants elsewhere.
constexpr auto user_names = reflect::names<User>();
constexpr std::string_view third_name = reflect::names<User>()[2];
static_assert(user_names[0] == "id");
static_assert(third_name == "email");
static_assert(reflect::names<const User>()[4] == "active");

TEST(Fields, NamesCanBeWalked) {
  std::string joined;
  for (std::string_view name : user_names) joined.append(name).append(" ");
  EXPECT_EQ(joined, "id name email age active ");
}

// The descriptions of tables ask for positions inside consteval functions of their own.
struct Key {
  std::size_t first;
  std::size_t second;
};
template <class T, class A, class B>
consteval Key key(A T::*first, B T::*second) {
  return {reflect::index_of(first), reflect::index_of(second)};
}
template <auto Member>
consteval std::size_t position() {
  return reflect::index_of(Member);
}
static_assert(key(&User::age, &User::name).first == 3);
static_assert(key(&User::age, &User::name).second == 1);
static_assert(position<&User::active>() == 4);

TEST(IndexOf, GivesTheCountForAMemberFunction) {
  struct WithFunction {
    int id;
    int twice() const { return 2 * id; }
  };
  static_assert(reflect::index_of(&WithFunction::twice) == reflect::count<WithFunction>);
  EXPECT_EQ(WithFunction{3}.twice(), 6);
}

TEST(Visit, ReturnsWhatTheFunctionReturns) {
  User user;
  int& age = reflect::visit(user, [](auto&, auto&, auto&, int& a, auto&) -> int& { return a; });
  age = 40;
  EXPECT_EQ(user.age, 40);
  EXPECT_EQ(reflect::visit(std::as_const(user), [](const auto&... m) { return sizeof...(m); }), 5u);
}

TEST(Visit, IsUsableInConstantExpressions) {
  struct Point {
    int x;
    int y;
  };
  static constexpr Point point{3, 4};
  constexpr int sum = reflect::visit(point, [](int x, int y) { return x + y; });
  static_assert(sum == 7);
}

TEST(B51ReflectionAndCompilers, FiveMembersKeepTheirAddresses) {
  struct Five {
    int a;
    int b;
    int c;
    int d;
    int e;
  };
  Five five{1, 2, 3, 4, 5};
  expect_members<&Five::a, &Five::b, &Five::c, &Five::d, &Five::e>(five, {"a", "b", "c", "d", "e"});
  reflect::visit(five, [](auto&... member) { ((member *= 10), ...); });
  EXPECT_EQ(five.e, 50);
}

TEST(B51ReflectionAndCompilers, AStructOfMoreThan256BytesIsCounted) {
  struct Large {
    std::array<std::byte, 300> block;
    int after;
    std::array<std::array<int, 40>, 8> nested;
  };
  Large large{};
  expect_members<&Large::block, &Large::after, &Large::nested>(large, {"block", "after", "nested"});
}

TEST(B51ReflectionAndCompilers, BoolOptionalVectorAndNestedAggregates) {
  struct Address {
    std::string street;
    int number;
  };
  struct Row {
    bool flag;
    std::optional<int> maybe;
    std::vector<std::string> many;
    Address address;
    std::vector<bool> bits;
  };
  Row row{};
  expect_members<&Row::flag, &Row::maybe, &Row::many, &Row::address, &Row::bits>(
      row, {"flag", "maybe", "many", "address", "bits"});
}

struct NoDefault {
  explicit NoDefault(int v) : value(v) {}
  int value;
};
struct ExplicitDefault {
  explicit ExplicitDefault() = default;
  explicit ExplicitDefault(int);
};

TEST(B51ReflectionAndCompilers, MembersWithoutADefaultConstructor) {
  struct First {
    NoDefault a;
    int b;
  };
  struct Middle {
    int a;
    NoDefault b;
    std::string c;
  };
  struct Last {
    std::string a;
    std::optional<int> b;
    NoDefault c;
  };
  struct All {
    NoDefault a;
    NoDefault b;
  };
  struct Initialised {
    int a;
    NoDefault b{7};
    int c;
  };
  struct LastInitialised {
    int a;
    NoDefault b{7};
  };
  struct Explicit {
    int a;
    ExplicitDefault b;
    int c;
  };
  First first{NoDefault(1), 2};
  expect_members<&First::a, &First::b>(first, {"a", "b"});
  Middle middle{1, NoDefault(2), "3"};
  expect_members<&Middle::a, &Middle::b, &Middle::c>(middle, {"a", "b", "c"});
  Last last{"1", 2, NoDefault(3)};
  expect_members<&Last::a, &Last::b, &Last::c>(last, {"a", "b", "c"});
  All all{NoDefault(1), NoDefault(2)};
  expect_members<&All::a, &All::b>(all, {"a", "b"});
  Initialised initialised{};
  expect_members<&Initialised::a, &Initialised::b, &Initialised::c>(initialised, {"a", "b", "c"});
  LastInitialised last_initialised{};
  expect_members<&LastInitialised::a, &LastInitialised::b>(last_initialised, {"a", "b"});
  Explicit explicit_default{1, ExplicitDefault(), 2};
  expect_members<&Explicit::a, &Explicit::b, &Explicit::c>(explicit_default, {"a", "b", "c"});
}

TEST(B51ReflectionAndCompilers, MoveOnlyMembers) {
  struct MoveOnly {
    std::unique_ptr<int> owned;
    int id;
    std::vector<std::unique_ptr<int>> list;
  };
  MoveOnly object{};
  expect_members<&MoveOnly::owned, &MoveOnly::id, &MoveOnly::list>(object, {"owned", "id", "list"});
}

TEST(B51ReflectionAndCompilers, ImmovableMembers) {
  struct Immovable {
    std::mutex mutex;
    std::atomic<int> counter;
    int id;
  };
  Immovable object{};
  expect_members<&Immovable::mutex, &Immovable::counter, &Immovable::id>(
      object, {"mutex", "counter", "id"});
}

// The bases' own members, if there are any, are refused: tests/compile_fail/model_base.cpp.
struct Tag {};
struct OtherTag {};
template <class T>
struct Comparable {
  friend bool operator==(const Comparable&, const Comparable&) { return true; }
};

#if !defined(QUARK_REFLECTION_PFR)  // Boost.PFR stops at base classes
TEST(B51ReflectionAndCompilers, EmptyBasesAreNotMembers) {
  struct One : Tag {
    int id;
    std::string name;
  };
  struct Two : Tag, OtherTag {
    std::string name;
    int id;
  };
  struct Crtp : Comparable<Crtp> {
    std::string name;
  };
  struct Four : Tag, Comparable<Four>, OtherTag, Comparable<int> {
    NoDefault hard;
    int id;
  };
  struct Greedy : Tag {
    std::any first;
    NoDefault second;
  };
  One one{};
  expect_members<&One::id, &One::name>(one, {"id", "name"});
  Two two{};
  expect_members<&Two::name, &Two::id>(two, {"name", "id"});
  Crtp crtp{};
  expect_members<&Crtp::name>(crtp, {"name"});
  Four four{{}, {}, {}, {}, NoDefault(1), 2};
  expect_members<&Four::hard, &Four::id>(four, {"hard", "id"});
  Greedy greedy{{}, 1, NoDefault(2)};
  expect_members<&Greedy::first, &Greedy::second>(greedy, {"first", "second"});
}
#endif

#if !defined(QUARK_REFLECTION_PFR)  // Boost.PFR counts the elements of the arrays
TEST(B51ReflectionAndCompilers, CArraysAreOneMemberEach) {
  struct Arrays {
    int first[3];
    char text[16];
    std::string names[2][2];
    int last;
  };
  Arrays arrays{};
  expect_members<&Arrays::first, &Arrays::text, &Arrays::names, &Arrays::last>(
      arrays, {"first", "text", "names", "last"});
  static_assert(std::is_same_v<reflect::type_at<Arrays, 1>, char[16]>);
}
#endif

TEST(B51ReflectionAndCompilers, WhatCannotBeAModelIsToldWithoutAnError) {
  struct BitField {
    int a : 3;
    int b;
  };
  struct Reference {
    int& a;
  };
  struct Empty {};
  class Private {
   public:
    int a;

   private:
    [[maybe_unused]] int b = 0;
  };
  struct Constructed {
    Constructed(int);
    int a;
  };
  struct Base {
    int a;
  };
  struct Derived : Base {
    int b;
  };
  struct OnlyDerived : Base {};
  union Union {
    int a;
    float b;
  };
  static_assert(!reflect::has_model_shape<BitField>);
  static_assert(!reflect::has_model_shape<Reference>);
  static_assert(!reflect::has_model_shape<Empty>);
  static_assert(!reflect::has_model_shape<Private>);
  static_assert(!reflect::has_model_shape<Constructed>);
  static_assert(!reflect::has_model_shape<Derived>);
  static_assert(!reflect::has_model_shape<OnlyDerived>);
  static_assert(!reflect::has_model_shape<Union>);
  static_assert(!reflect::has_model_shape<std::string>);
  static_assert(!reflect::has_model_shape<int[3]>);
  static_assert(!reflect::has_model_shape<int>);
  static_assert(reflect::has_model_shape<Base>);
  static_assert(reflect::has_model_shape<const User>);
}

}  // namespace
