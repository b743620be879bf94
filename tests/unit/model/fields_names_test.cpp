// Names as the source spells them, whatever the type around them is called.
// Compiled once for each backend.

#include "unit/model/fields_checks.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace app::inner {

struct Named {
  int id;
  std::string name;
};

inline namespace v2 {
struct Versioned {
  int id;
  Named nested;
};
}  // namespace v2

struct Outer {
  struct Inner {
    std::string value;
  };
};

}  // namespace app::inner

// A struct of the same name stands in fields_construct_test.cpp with other members: the two must
// neither meet at link time nor be mixed up.
namespace {
struct Twin {
  int here;
  std::string also_here;
};
}  // namespace

namespace {

namespace reflect = quark::reflect;
using quark::test::expect_members;

TEST(Names, InNamespaces) {
  app::inner::Named named;
  expect_members<&app::inner::Named::id, &app::inner::Named::name>(named, {"id", "name"});
  app::inner::Versioned versioned;
  expect_members<&app::inner::Versioned::id, &app::inner::Versioned::nested>(versioned,
                                                                             {"id", "nested"});
  app::inner::Outer::Inner inner;
  expect_members<&app::inner::Outer::Inner::value>(inner, {"value"});
}

TEST(B51ReflectionAndCompilers, AStructInAnAnonymousNamespace) {
  Twin twin{};
  expect_members<&Twin::here, &Twin::also_here>(twin, {"here", "also_here"});
}

TEST(B51ReflectionAndCompilers, AStructInAFunction) {
  struct Local {
    int first;
    std::string second;
  };
  Local local{};
  expect_members<&Local::first, &Local::second>(local, {"first", "second"});
  auto in_lambda = [] {
    struct Deeper {
      int third;
    };
    Deeper deeper{};
    expect_members<&Deeper::third>(deeper, {"third"});
  };
  in_lambda();
}

TEST(B51ReflectionAndCompilers, MembersNamedLikeSqlKeywords) {
  struct Keywords {
    int order;
    int group;
    int select;
    int from;
    int where;
    int user;
    int primary;
    int references;
    int table;
  };
  Keywords object{};
  expect_members<&Keywords::order, &Keywords::group, &Keywords::select, &Keywords::from,
                 &Keywords::where, &Keywords::user, &Keywords::primary, &Keywords::references,
                 &Keywords::table>(object, {"order", "group", "select", "from", "where", "user",
                                            "primary", "references", "table"});
}

TEST(Names, WithUnusualLetters) {
  struct Unusual {
    int trailing_;
    int _leading;
    int x;
    int camelCase;
    int UPPER;
    int a1b2;
    int größe;
    int 名前;
    int class_;
    int value;
    int a_very_long_name_that_is_longer_than_any_small_buffer_would_take_and_then_some_more;
  };
  Unusual object{};
  expect_members<
      &Unusual::trailing_, &Unusual::_leading, &Unusual::x, &Unusual::camelCase, &Unusual::UPPER,
      &Unusual::a1b2, &Unusual::größe, &Unusual::名前, &Unusual::class_, &Unusual::value,
      &Unusual::
          a_very_long_name_that_is_longer_than_any_small_buffer_would_take_and_then_some_more>(
      object,
      {"trailing_", "_leading", "x", "camelCase", "UPPER", "a1b2", "größe", "名前", "class_",
       "value",
       "a_very_long_name_that_is_longer_than_any_small_buffer_would_take_and_then_some_more"});
}

// Words of our own machinery, which stand in the text that the names are read from.
TEST(Names, ThatOurOwnTextUses) {
  struct member_place {
    int at;
    int member_place_;
    int fake;
    int holder;
    int value;
    int Places;
    int with;
  };
  member_place object{};
  expect_members<&member_place::at, &member_place::member_place_, &member_place::fake,
                 &member_place::holder, &member_place::value, &member_place::Places,
                 &member_place::with>(
      object, {"at", "member_place_", "fake", "holder", "value", "Places", "with"});
}

template <auto>
struct By {
  int left;
  std::string right;
};
template <class... T>
struct Of {
  int left;
  std::string right;
};
enum class Shade { light, dark };
enum Old { old_a };
void function() {}
int variable = 0;
struct Pair {
  int a;
  char b;
  constexpr bool operator==(const Pair&) const = default;
};
struct Text {
  char letters[24];
};

template <class T>
void expect_left_and_right() {
  T object{};
  expect_members<&T::left, &T::right>(object, {"left", "right"});
}

TEST(Names, InClassTemplates) {
  expect_left_and_right<Of<>>();
  expect_left_and_right<Of<int, std::string>>();
  expect_left_and_right<Of<Of<Of<By<1>>>, std::vector<By<'x'>>>>();
  expect_left_and_right<By<1>>();
  expect_left_and_right<By<-1LL>>();
  expect_left_and_right<By<true>>();
  expect_left_and_right<By<nullptr>>();
  expect_left_and_right<By<Shade::dark>>();
  expect_left_and_right<By<Shade(7)>>();
  expect_left_and_right<By<old_a>>();
  expect_left_and_right<By<&function>>();
  expect_left_and_right<By<&variable>>();
  expect_left_and_right<By<&Twin::here>>();
  expect_left_and_right<By<Pair{1, 'x'}>>();
}

// Arguments that look like the end or the beginning of what is read.
TEST(Names, InClassTemplatesWithMisleadingArguments) {
  expect_left_and_right<By<')'>>();
  expect_left_and_right<By<'}'>>();
  expect_left_and_right<By<'('>>();
  expect_left_and_right<By<':'>>();
  expect_left_and_right<By<'\''>>();
  expect_left_and_right<By<'"'>>();
  expect_left_and_right<By<'.'>>();
  expect_left_and_right<By<Pair{1, '}'}>>();
  expect_left_and_right<By<Text{"member_place{&x::y"}>>();
  expect_left_and_right<By<Text{")}, member_place{((a.b"}>>();
}

}  // namespace
