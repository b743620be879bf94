// The kinds of members that models have, each of which some reflection has got wrong.
// Compiled once for each backend.

#include "unit/model/fields_checks.hpp"

#include <any>
#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace {

namespace reflect = quark::reflect;
using quark::test::expect_members;

TEST(Fields, OfLibraryTypes) {
  struct Library {
    std::optional<std::optional<int>> twice;
    std::map<std::string, std::vector<int>> map;
    std::variant<int, std::string> variant;
    std::chrono::system_clock::time_point at;
    std::chrono::milliseconds took;
    std::any anything;
    std::function<void(int)> callback;
    std::array<int, 3> three;
    const char* pointer;
  };
  Library library{};
  expect_members<&Library::twice, &Library::map, &Library::variant, &Library::at, &Library::took,
                 &Library::anything, &Library::callback, &Library::three, &Library::pointer>(
      library,
      {"twice", "map", "variant", "at", "took", "anything", "callback", "three", "pointer"});
}

struct Greedy {
  template <class T>
  Greedy(T&&) {}
  Greedy() = default;
};

// Boost.PFR 1.81 cannot count this one: g++ 12 ends in an internal error. We count ourselves.
TEST(Fields, OfArraysOfText) {
  struct Texts {
    std::array<std::string, 3> three;
    int last;
  };
  Texts texts{};
  static_assert(reflect::count<Texts> == 2);
  static_assert(std::is_same_v<reflect::type_at<Texts, 0>, std::array<std::string, 3>>);
  static_assert(reflect::index_of(&Texts::last) == 1);
#if !defined(BOOST_PFR_CORE_NAME_ENABLED)
  static_assert(reflect::names<Texts>()[0] == "three");
#endif
  reflect::visit(texts, [&](auto& three, auto& last) {
    EXPECT_EQ(&three, &texts.three);
    EXPECT_EQ(&last, &texts.last);
  });
}

// std::any takes whatever it is given; a search for bases that asks the first element only once
// takes it for one.
TEST(Fields, ThatTakeAnythingAreNotTakenForBases) {
  struct FirstAny {
    std::any a;
    std::any b;
    int c;
  };
  struct FirstGreedy {
    Greedy a;
    int b;
  };
  FirstAny first_any{};
  expect_members<&FirstAny::a, &FirstAny::b, &FirstAny::c>(first_any, {"a", "b", "c"});
  FirstGreedy first_greedy{};
  expect_members<&FirstGreedy::a, &FirstGreedy::b>(first_greedy, {"a", "b"});
}

enum Plain { plain_a, plain_b };
TEST(Fields, OfEnumsAndNestedTypes) {
  struct Outer {
    enum class Color { red, green };
    struct Inner {
      int x, y;
    };
    Color color;
    Plain plain;
    Inner inner;
    std::vector<Inner> inners;
  };
  Outer outer{};
  expect_members<&Outer::color, &Outer::plain, &Outer::inner, &Outer::inners>(
      outer, {"color", "plain", "inner", "inners"});
}

TEST(Fields, WithInitialisersConstAndMemberFunctions) {
  struct Rich {
    int a = 3;
    const std::string b = "constant";
    const int c{};
    std::string d{"text"};
    int sum() const { return a + c; }
    auto operator<=>(const Rich&) const = default;
    static int twice(int x) { return 2 * x; }
  };
  Rich rich;
  expect_members<&Rich::a, &Rich::b, &Rich::c, &Rich::d>(rich, {"a", "b", "c", "d"});
  static_assert(std::is_same_v<reflect::type_at<Rich, 1>, const std::string>);
  EXPECT_EQ(rich.sum() + Rich::twice(2), 7);
}

struct WithStatics {
  static constexpr int version = 3;
  int id;
  static constexpr const char* table() { return "statics"; }
  std::string name;
  static int counter;
};
int WithStatics::counter = 0;
TEST(Fields, AreNotTheStaticMembers) {
  WithStatics::counter = WithStatics::version;
  WithStatics statics{};
  expect_members<&WithStatics::id, &WithStatics::name>(statics, {"id", "name"});
}

struct Nothing {};
struct AlsoNothing {};

TEST(Fields, OfEmptyTypesAreMembers) {
  struct HasEmpty {
    Nothing a;
    int b;
    Nothing c;
  };
  HasEmpty object{};
  expect_members<&HasEmpty::a, &HasEmpty::b, &HasEmpty::c>(object, {"a", "b", "c"});
}

// Members that share an address are told apart by their type: a rename of `b` must not rename `a`.
TEST(Fields, ThatShareAnAddressKeepTheirPositions) {
  struct Overlapping {
    [[no_unique_address]] Nothing a;
    [[no_unique_address]] AlsoNothing b;
    int c;
    [[no_unique_address]] const Nothing d;
    std::string e;
  };
  Overlapping object{};
  expect_members<&Overlapping::a, &Overlapping::b, &Overlapping::c, &Overlapping::d,
                 &Overlapping::e>(object, {"a", "b", "c", "d", "e"});
}

struct Incomplete;
struct Node {
  int id;
  std::vector<Node> children;
  Node* parent;
  Incomplete* elsewhere;
  std::vector<Incomplete>* list;
};
TEST(Fields, ThatReferToTheModelItself) {
  Node node{};
  expect_members<&Node::id, &Node::children, &Node::parent, &Node::elsewhere, &Node::list>(
      node, {"id", "children", "parent", "elsewhere", "list"});
}

struct Sealed final {
  int id;
  bool flag;
};
TEST(Fields, OfAFinalStruct) {
  Sealed sealed{};
  expect_members<&Sealed::id, &Sealed::flag>(sealed, {"id", "flag"});
}

// An overloaded & is no way to a member's address.
struct Evasive {
  int value;
  Evasive* operator&() = delete;
  const Evasive* operator&() const = delete;
};
TEST(Fields, WithAnOverloadedAddressOperator) {
  struct HasEvasive {
    int a;
    Evasive b;
  };
  HasEvasive object{};
  expect_members<&HasEvasive::a, &HasEvasive::b>(object, {"a", "b"});
}

// Types whose constructors take what they should not.
struct FromInitialiserList {
  FromInitialiserList(std::initializer_list<int>) {}
};
struct FromMany {
  FromMany(int = 0, int = 0, int = 0) {}
};
TEST(Fields, WithSurprisingConstructors) {
  struct Surprising {
    FromInitialiserList list;
    FromMany many;
    std::vector<std::optional<int>> nested;
  };
  Surprising object{{1}, {}, {}};
  expect_members<&Surprising::list, &Surprising::many, &Surprising::nested>(
      object, {"list", "many", "nested"});
}

}  // namespace
