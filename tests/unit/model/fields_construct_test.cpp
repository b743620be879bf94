// Building a model from one value per member, each made in its place.
// Compiled once for each backend.

#include "unit/model/fields_checks.hpp"

#include <any>
#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// Has the name of a struct in fields_names_test.cpp.
namespace {
struct Twin {
  std::string not_the_other;
};
}  // namespace

namespace {

namespace reflect = quark::reflect;

// Makes each member from a function, given in the members' order.
template <class... F>
struct From {
  std::tuple<F...> functions;
  template <std::size_t I>
  constexpr decltype(auto) operator()() const {
    return std::get<I>(functions)();
  }
};
template <class... F>
constexpr From<F...> from(F... functions) {
  return {{functions...}};
}

TEST(B51ReflectionAndCompilers, TwoStructsOfOneNameInTwoFiles) {
  Twin twin;
  quark::test::expect_members<&Twin::not_the_other>(twin, {"not_the_other"});
}

TEST(Construct, GivesEachMemberItsValue) {
  struct User {
    long id;
    std::string name;
    std::optional<std::string> email;
    const int age = 18;
  };
  const auto user = reflect::construct<User>(
      from([] { return 7L; }, [] { return std::string("Ada"); },
           [] { return std::optional<std::string>("a@b"); }, [] { return 36; }));
  EXPECT_EQ(user.id, 7);
  EXPECT_EQ(user.name, "Ada");
  EXPECT_EQ(user.email, "a@b");
  EXPECT_EQ(user.age, 36);
}

TEST(Construct, IsUsableInConstantExpressions) {
  struct Point {
    int x;
    long y;
  };
  constexpr Point point = reflect::construct<Point>(from([] { return 3; }, [] { return 4L; }));
  static_assert(point.x == 3 && point.y == 4);
}

TEST(Construct, AsksForTheMembersInOrderOnceEach) {
  struct Three {
    int a, b, c;
  };
  std::vector<int> asked;
  const auto next = [&asked] {
    asked.push_back(static_cast<int>(asked.size()));
    return asked.back();
  };
  const auto three = reflect::construct<Three>(from(next, next, next));
  EXPECT_EQ(asked, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(three.a + 10 * three.b + 100 * three.c, 210);
}

// Knows where it was made.
struct Anchored {
  explicit Anchored(int v) : self(this), value(v) {}
  Anchored(const Anchored&) = delete;
  Anchored& operator=(const Anchored&) = delete;
  const Anchored* self;
  int value;
};

TEST(Construct, MakesMembersThatCannotBeMovedInPlace) {
  struct Immovable {
    int id;
    Anchored anchored;
    std::mutex mutex;
    std::atomic<int> counter;
    Anchored last;
  };
  const auto object = reflect::construct<Immovable>(
      from([] { return 1; }, [] { return Anchored(2); }, [] { return std::mutex(); },
           [] { return std::atomic<int>(3); }, [] { return Anchored(4); }));
  EXPECT_EQ(object.anchored.self, &object.anchored);
  EXPECT_EQ(object.last.self, &object.last);
  EXPECT_EQ(object.anchored.value + object.counter.load() + object.last.value, 9);
}

// As an optional or a vector takes rows: through an object that converts to the row.
template <class T, class Make>
struct Row {
  Make& make;
  operator T() const { return reflect::construct<T>(make); }
};

TEST(Construct, MakesRowsInPlaceInOptionalsAndVectors) {
  struct Model {
    Anchored anchored;
    int id;
  };
  const auto make = from([] { return Anchored(1); }, [] { return 2; });
  const std::optional<Model> one(std::in_place, Row<Model, decltype(make)>{make});
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->anchored.self, &one->anchored);

  struct Movable {
    std::unique_ptr<int> owned;
    int id;
  };
  const auto make_movable = from([] { return std::make_unique<int>(5); }, [] { return 2; });
  std::vector<Movable> rows;
  rows.emplace_back(Row<Movable, decltype(make_movable)>{make_movable});
  rows.emplace_back(Row<Movable, decltype(make_movable)>{make_movable});
  EXPECT_EQ(*rows[0].owned + *rows[1].owned, 10);
}

struct Greedy {
  template <class T>
  Greedy(T&&) : taken(true) {}
  explicit Greedy(std::nullptr_t, int) : taken(false) {}
  Greedy(const Greedy&) = default;
  Greedy(Greedy&&) = default;
  bool taken;
};

TEST(Construct, IsNotCaughtByMembersThatTakeAnything) {
  struct Model {
    std::any any;
    std::function<int()> function;
    std::optional<std::any> maybe;
    std::optional<std::optional<int>> twice;
    Greedy greedy;
    bool flag;
  };
  const auto model = reflect::construct<Model>(
      from([] { return std::any(1); }, [] { return std::function<int()>([] { return 2; }); },
           [] { return std::optional<std::any>(); },
           [] { return std::optional<std::optional<int>>(std::nullopt); },
           [] { return Greedy(nullptr, 0); }, [] { return true; }));
  EXPECT_EQ(std::any_cast<int>(model.any), 1);
  EXPECT_EQ(model.function(), 2);
  EXPECT_FALSE(model.maybe.has_value());
  EXPECT_FALSE(model.twice.has_value());
  EXPECT_FALSE(model.greedy.taken);
  EXPECT_TRUE(model.flag);
}

TEST(Construct, OfOneMember) {
  struct Inner {
    int a, b;
  };
  struct Wrapped {
    Inner inner;
  };
  struct Listed {
    std::vector<std::string> list;
  };
  const auto wrapped = reflect::construct<Wrapped>(from([] { return Inner{1, 2}; }));
  EXPECT_EQ(wrapped.inner.b, 2);
  const auto listed = reflect::construct<Listed>(from([] {
    return std::vector<std::string>{"a", "b"};
  }));
  EXPECT_EQ(listed.list.size(), 2u);
}

TEST(Construct, OfNestedAggregatesAndArrays) {
  struct Inner {
    int a, b;
  };
  struct Model {
    std::array<int, 3> three;
    Inner inner;
    std::array<Inner, 2> two;
  };
  const auto model = reflect::construct<Model>(from(
      [] {
        return std::array<int, 3>{1, 2, 3};
      },
      [] {
        return Inner{4, 5};
      },
      [] {
        return std::array<Inner, 2>{{{6, 7}, {8, 9}}};
      }));
  EXPECT_EQ(model.three[2], 3);
  EXPECT_EQ(model.inner.b, 5);
  EXPECT_EQ(model.two[1].b, 9);
}

struct Nothing {};
TEST(Construct, OfEmptyMembers) {
  struct Model {
    Nothing a;
    [[no_unique_address]] Nothing b;
    std::string c;
  };
  const auto model = reflect::construct<Model>(
      from([] { return Nothing(); }, [] { return Nothing(); }, [] { return std::string("c"); }));
  EXPECT_EQ(model.c, "c");
}

// Counts the objects alive, to show that a value that fails takes no others with it.
struct Counted {
  static inline int alive = 0;
  explicit Counted() { ++alive; }
  Counted(const Counted&) { ++alive; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --alive; }
};

TEST(Construct, DestroysWhatWasMadeWhenALaterMemberThrows) {
  struct Model {
    Counted a;
    std::string b;
    Counted c;
    int d;
    Counted e;
  };
  const auto counted = [] { return Counted(); };
  const auto make = from(
      counted, [] { return std::string(100, 'x'); }, counted,
      []() -> int { throw std::runtime_error("no integer"); }, counted);
  EXPECT_THROW((void)reflect::construct<Model>(make), std::runtime_error);
  EXPECT_EQ(Counted::alive, 0);
  std::vector<Model> rows;
  rows.reserve(1);
  EXPECT_THROW(rows.emplace_back(Row<Model, decltype(make)>{make}), std::runtime_error);
  EXPECT_EQ(Counted::alive, 0);
  std::optional<Model> one;
  EXPECT_THROW(one.emplace(Row<Model, decltype(make)>{make}), std::runtime_error);
  EXPECT_FALSE(one.has_value());
  EXPECT_EQ(Counted::alive, 0);
}

struct Counter {
  int next = 0;
  template <std::size_t>
  int operator()() {
    return ++next;
  }
};
TEST(Construct, TakesAFunctionObjectThatChanges) {
  struct Two {
    int a, b;
  };
  Counter counter;
  const auto first = reflect::construct<Two>(counter);
  const auto second = reflect::construct<Two>(counter);
  EXPECT_EQ(first.b, 2);
  EXPECT_EQ(second.b, 4);
}

#if !defined(QUARK_REFLECTION_PFR)  // which stops at base classes and C arrays
struct Tag {};
template <class T>
struct Comparable {};

TEST(Construct, LeavesEmptyBasesAlone) {
  struct One : Tag {
    Anchored a;
    int b;
  };
  struct Two : Comparable<Two>, Tag {
    std::string a;
    int b;
  };
  const auto one = reflect::construct<One>(from([] { return Anchored(1); }, [] { return 2; }));
  EXPECT_EQ(one.a.self, &one.a);
  EXPECT_EQ(one.b, 2);
  const auto two = reflect::construct<Two>(from([] { return std::string("a"); }, [] { return 2; }));
  EXPECT_EQ(two.a, "a");
}

TEST(Construct, FillsCArrays) {
  struct Arrays {
    int id;
    char text[4];
    std::string names[2];
    int grid[2][2];
  };
  const auto arrays =
      reflect::construct<Arrays>(from([] { return 1; },
                                      [] {
                                        return std::array<char, 4>{'a', 'b', 'c', 0};
                                      },
                                      [] {
                                        return std::array<std::string, 2>{"left", "right"};
                                      },
                                      [] {
                                        return std::array<std::array<int, 2>, 2>{{{1, 2}, {3, 4}}};
                                      }));
  EXPECT_EQ(arrays.id, 1);
  EXPECT_STREQ(arrays.text, "abc");
  EXPECT_EQ(arrays.names[1], "right");
  EXPECT_EQ(arrays.grid[1][0], 3);
}
#endif

}  // namespace
