// Models of 1 to 64 members, the limit; a 65th is refused by tests/compile_fail/model_too_wide.cpp.
// The numbers are those around the steps of the search for the count, and those of fault B51.

#include "unit/model/fields_checks.hpp"

#include <string>
#include <string_view>

namespace {

namespace reflect = quark::reflect;
using quark::test::expect_members;

// X(name) for 16 names that begin with p.
#define QUARK_TEST_16(X, p)                                                                       \
  X(p##0)                                                                                         \
  X(p##1) X(p##2) X(p##3) X(p##4) X(p##5) X(p##6) X(p##7) X(p##8) X(p##9) X(p##a) X(p##b) X(p##c) \
      X(p##d) X(p##e) X(p##f)
#define QUARK_TEST_INT(name) int name;
#define QUARK_TEST_TEXT(name) std::string name;
#define QUARK_TEST_ADDRESS(name) &Wide::name,
#define QUARK_TEST_NAME(name) #name,

static_assert(reflect::member_limit == 64);

TEST(B51ReflectionAndCompilers, OneMember) {
  struct Wide {
    std::string only;
  };
  Wide wide;
  expect_members<&Wide::only>(wide, {"only"});
}

TEST(B51ReflectionAndCompilers, OneMemberThatIsItselfAnAggregate) {
  struct Inner {
    int a;
    int b;
  };
  struct Wide {
    Inner only;
  };
  Wide wide{};
  expect_members<&Wide::only>(wide, {"only"});
}

TEST(B51ReflectionAndCompilers, FourMembers) {
  struct Wide {
    short a;
    std::string b;
    char c;
    double d;
  };
  Wide wide{};
  expect_members<&Wide::a, &Wide::b, &Wide::c, &Wide::d>(wide, {"a", "b", "c", "d"});
}

TEST(B51ReflectionAndCompilers, SevenMembers) {
  struct Wide {
    char a;
    int b;
    char c;
    std::string d;
    char e;
    double f;
    char g;
  };
  Wide wide{};
  expect_members<&Wide::a, &Wide::b, &Wide::c, &Wide::d, &Wide::e, &Wide::f, &Wide::g>(
      wide, {"a", "b", "c", "d", "e", "f", "g"});
}

TEST(B51ReflectionAndCompilers, EightMembers) {
  struct Wide {
    int a, b, c, d, e, f, g, h;
  };
  Wide wide{};
  expect_members<&Wide::a, &Wide::b, &Wide::c, &Wide::d, &Wide::e, &Wide::f, &Wide::g, &Wide::h>(
      wide, {"a", "b", "c", "d", "e", "f", "g", "h"});
}

TEST(B51ReflectionAndCompilers, NineMembers) {
  struct Wide {
    bool a, b, c, d, e, f, g, h, i;
  };
  Wide wide{};
  expect_members<&Wide::a, &Wide::b, &Wide::c, &Wide::d, &Wide::e, &Wide::f, &Wide::g, &Wide::h,
                 &Wide::i>(wide, {"a", "b", "c", "d", "e", "f", "g", "h", "i"});
}

TEST(B51ReflectionAndCompilers, SixteenMembers) {
  struct Wide {
    QUARK_TEST_16(QUARK_TEST_INT, a)
  };
  Wide wide{};
  expect_members<&Wide::a0, &Wide::a1, &Wide::a2, &Wide::a3, &Wide::a4, &Wide::a5, &Wide::a6,
                 &Wide::a7, &Wide::a8, &Wide::a9, &Wide::aa, &Wide::ab, &Wide::ac, &Wide::ad,
                 &Wide::ae, &Wide::af>(wide, {QUARK_TEST_16(QUARK_TEST_NAME, a)});
}

TEST(B51ReflectionAndCompilers, ThirtyMembers) {
  struct Wide {
    QUARK_TEST_16(QUARK_TEST_TEXT, a)
    int n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, na, nb, nc, nd;
  };
  Wide wide{};
  expect_members<QUARK_TEST_16(QUARK_TEST_ADDRESS, a) & Wide::n0, &Wide::n1, &Wide::n2, &Wide::n3,
                 &Wide::n4, &Wide::n5, &Wide::n6, &Wide::n7, &Wide::n8, &Wide::n9, &Wide::na,
                 &Wide::nb, &Wide::nc, &Wide::nd>(
      wide, {QUARK_TEST_16(QUARK_TEST_NAME, a) "n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8",
             "n9", "na", "nb", "nc", "nd"});
}

TEST(B51ReflectionAndCompilers, ThirtyOneMembers) {
  struct Wide {
    QUARK_TEST_16(QUARK_TEST_TEXT, a)
    int n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, na, nb, nc, nd;
    char last;
  };
  Wide wide{};
  expect_members<QUARK_TEST_16(QUARK_TEST_ADDRESS, a) & Wide::n0, &Wide::n1, &Wide::n2, &Wide::n3,
                 &Wide::n4, &Wide::n5, &Wide::n6, &Wide::n7, &Wide::n8, &Wide::n9, &Wide::na,
                 &Wide::nb, &Wide::nc, &Wide::nd, &Wide::last>(
      wide, {QUARK_TEST_16(QUARK_TEST_NAME, a) "n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8",
             "n9", "na", "nb", "nc", "nd", "last"});
}

TEST(B51ReflectionAndCompilers, ThirtyTwoMembers) {
  struct Wide {
    QUARK_TEST_16(QUARK_TEST_INT, a)
    QUARK_TEST_16(QUARK_TEST_TEXT, b)
  };
  Wide wide{};
  constexpr auto names = reflect::names<Wide>();
  static_assert(names[31] == "bf");
  expect_members<QUARK_TEST_16(QUARK_TEST_ADDRESS, a) & Wide::b0, &Wide::b1, &Wide::b2, &Wide::b3,
                 &Wide::b4, &Wide::b5, &Wide::b6, &Wide::b7, &Wide::b8, &Wide::b9, &Wide::ba,
                 &Wide::bb, &Wide::bc, &Wide::bd, &Wide::be, &Wide::bf>(
      wide, {QUARK_TEST_16(QUARK_TEST_NAME, a) QUARK_TEST_16(QUARK_TEST_NAME, b)});
}

TEST(B51ReflectionAndCompilers, ThirtyThreeMembers) {
  struct Wide {
    QUARK_TEST_16(QUARK_TEST_INT, a)
    QUARK_TEST_16(QUARK_TEST_TEXT, b)
    bool last;
  };
  Wide wide{};
  expect_members<QUARK_TEST_16(QUARK_TEST_ADDRESS, a) QUARK_TEST_16(QUARK_TEST_ADDRESS, b) &
                 Wide::last>(
      wide, {QUARK_TEST_16(QUARK_TEST_NAME, a) QUARK_TEST_16(QUARK_TEST_NAME, b) "last"});
}

TEST(B51ReflectionAndCompilers, SixtyThreeMembers) {
  struct Wide {
    QUARK_TEST_16(QUARK_TEST_INT, a)
    QUARK_TEST_16(QUARK_TEST_INT, b)
    QUARK_TEST_16(QUARK_TEST_TEXT, c)
    int n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, na, nb, nc, nd;
    bool last;
  };
  Wide wide{};
  expect_members<QUARK_TEST_16(QUARK_TEST_ADDRESS, a) QUARK_TEST_16(QUARK_TEST_ADDRESS, b)
                         QUARK_TEST_16(QUARK_TEST_ADDRESS, c) &
                     Wide::n0,
                 &Wide::n1, &Wide::n2, &Wide::n3, &Wide::n4, &Wide::n5, &Wide::n6, &Wide::n7,
                 &Wide::n8, &Wide::n9, &Wide::na, &Wide::nb, &Wide::nc, &Wide::nd, &Wide::last>(
      wide, {QUARK_TEST_16(QUARK_TEST_NAME, a) QUARK_TEST_16(QUARK_TEST_NAME, b)
                 QUARK_TEST_16(QUARK_TEST_NAME, c) "n0",
             "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9", "na", "nb", "nc", "nd", "last"});
}

TEST(B51ReflectionAndCompilers, SixtyFourMembers) {
  struct Wide {
    QUARK_TEST_16(QUARK_TEST_INT, a)
    QUARK_TEST_16(QUARK_TEST_TEXT, b)
    QUARK_TEST_16(QUARK_TEST_INT, c)
    QUARK_TEST_16(QUARK_TEST_TEXT, d)
  };
  Wide wide{};
  expect_members<QUARK_TEST_16(QUARK_TEST_ADDRESS, a) QUARK_TEST_16(QUARK_TEST_ADDRESS, b)
                         QUARK_TEST_16(QUARK_TEST_ADDRESS, c) &
                     Wide::d0,
                 &Wide::d1, &Wide::d2, &Wide::d3, &Wide::d4, &Wide::d5, &Wide::d6, &Wide::d7,
                 &Wide::d8, &Wide::d9, &Wide::da, &Wide::db, &Wide::dc, &Wide::dd, &Wide::de,
                 &Wide::df>(
      wide, {QUARK_TEST_16(QUARK_TEST_NAME, a) QUARK_TEST_16(QUARK_TEST_NAME, b)
                 QUARK_TEST_16(QUARK_TEST_NAME, c) QUARK_TEST_16(QUARK_TEST_NAME, d)});
}

struct NoDefault {
  explicit NoDefault(int) {}
};

// Boost.PFR's names count the members its own way, which takes tens of gigabytes here.
#if !defined(BOOST_PFR_CORE_NAME_ENABLED)
TEST(B51ReflectionAndCompilers, SixtyFourMembersOneWithoutADefault) {
  struct Hard {
    QUARK_TEST_16(QUARK_TEST_INT, a)
    QUARK_TEST_16(QUARK_TEST_TEXT, b)
    QUARK_TEST_16(QUARK_TEST_INT, c)
    int n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, na, nb, nc, nd, ne;
    NoDefault last;
  };
  static_assert(reflect::count<Hard> == 64);
  static_assert(reflect::names<Hard>()[63] == "last");
}
#endif

TEST(Fields, OneMoreThanTheLimitIsToldWithoutAnError) {
  struct Wide {
    QUARK_TEST_16(QUARK_TEST_INT, a)
    QUARK_TEST_16(QUARK_TEST_TEXT, b)
    QUARK_TEST_16(QUARK_TEST_INT, c)
    QUARK_TEST_16(QUARK_TEST_TEXT, d)
    int one_more;
  };
  struct Hard {
    QUARK_TEST_16(QUARK_TEST_INT, a)
    QUARK_TEST_16(QUARK_TEST_TEXT, b)
    QUARK_TEST_16(QUARK_TEST_INT, c)
    QUARK_TEST_16(QUARK_TEST_TEXT, d)
    NoDefault one_more{1};
  };
  static_assert(!reflect::has_model_shape<Wide>);
  static_assert(!reflect::has_model_shape<Hard>);
}

}  // namespace
