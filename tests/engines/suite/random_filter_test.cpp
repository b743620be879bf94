// Random conditions over random rows: the database's answer against the same condition evaluated in
// C++.
#include "support/engine_under_test.hpp"
#include "support/random_seed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace {

using namespace under_test;
using quark::asc;
using quark::field;
using quark::Filter;
using quark::For;

struct Row {
  std::int64_t id{};
  int a{};
  std::optional<int> b{};
  std::string s{};
  std::optional<std::string> t{};
  bool f{};
};

// SQL's three values.
enum class Tri { no, yes, unknown };
Tri tri(bool b) { return b ? Tri::yes : Tri::no; }
Tri operator!(Tri x) { return x == Tri::unknown ? x : x == Tri::yes ? Tri::no : Tri::yes; }
Tri both(Tri x, Tri y) {
  if (x == Tri::no || y == Tri::no) return Tri::no;
  return x == Tri::unknown || y == Tri::unknown ? Tri::unknown : Tri::yes;
}
Tri either(Tri x, Tri y) { return !both(!x, !y); }

using Oracle = std::function<Tri(const Row&)>;
struct Condition {
  Filter<Row> filter;
  Oracle oracle;
  std::string text;  // for the report
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  // Few letters, and those that mean something to LIKE.
  std::string word() {
    std::string out;
    for (int n = below(4); n > 0; --n) out += "ab%_!"[below(5)];
    return out;
  }

 private:
  std::mt19937 engine_;
};

Condition leaf(Random& random) {
  const int v = random.below(12) - 3, w = random.below(12) - 3;
  const std::string word = random.word();
  const std::string number = " " + std::to_string(v);
  switch (random.below(22)) {
    case 0:
      return {field<&Row::a> == v, [=](const Row& r) { return tri(r.a == v); }, "a=" + number};
    case 1:
      return {field<&Row::a> < v, [=](const Row& r) { return tri(r.a < v); }, "a<" + number};
    case 2:
      return {field<&Row::b> >= v,
              [=](const Row& r) { return r.b ? tri(*r.b >= v) : Tri::unknown; }, "b>=" + number};
    case 3:
      return {field<&Row::b> != v,
              [=](const Row& r) { return r.b ? tri(*r.b != v) : Tri::unknown; }, "b!=" + number};
    case 4:
      return {field<&Row::b>.is_null(), [](const Row& r) { return tri(!r.b); }, "b null"};
    case 5: {
      const std::optional<int> maybe = v % 2 == 0 ? std::optional<int>(v) : std::nullopt;
      return {field<&Row::b> == maybe, [=](const Row& r) { return tri(r.b == maybe); },
              "b is" + number};
    }
    case 6: {
      const std::optional<int> maybe = v % 2 == 0 ? std::optional<int>(v) : std::nullopt;
      return {field<&Row::b> != maybe, [=](const Row& r) { return tri(r.b != maybe); },
              "b is not" + number};
    }
    case 7:
      return {field<&Row::a>.between(v, w), [=](const Row& r) { return tri(v <= r.a && r.a <= w); },
              "a between" + number};
    case 8:
      return {field<&Row::b>.not_between(v, w),
              [=](const Row& r) { return r.b ? tri(!(v <= *r.b && *r.b <= w)) : Tri::unknown; },
              "b not between"};
    case 9: {
      std::vector<int> values(static_cast<std::size_t>(random.below(4)));
      for (int& x : values) x = random.below(12) - 3;
      return {field<&Row::b>.in(values),
              [=](const Row& r) {
                if (values.empty()) return Tri::no;
                return r.b ? tri(std::find(values.begin(), values.end(), *r.b) != values.end())
                           : Tri::unknown;
              },
              "b in " + std::to_string(values.size())};
    }
    case 10: {
      std::vector<int> values(static_cast<std::size_t>(random.below(4)));
      for (int& x : values) x = random.below(12) - 3;
      return {field<&Row::b>.not_in(values),
              [=](const Row& r) {
                if (values.empty()) return Tri::yes;
                return r.b ? tri(std::find(values.begin(), values.end(), *r.b) == values.end())
                           : Tri::unknown;
              },
              "b not in " + std::to_string(values.size())};
    }
    case 11:
      return {field<&Row::s>.contains(word),
              [=](const Row& r) { return tri(r.s.find(word) != std::string::npos); },
              "s has " + word};
    case 12:
      return {field<&Row::t>.starts_with(word),
              [=](const Row& r) { return r.t ? tri(r.t->starts_with(word)) : Tri::unknown; },
              "t starts " + word};
    case 13:
      return {field<&Row::t>.ends_with(word),
              [=](const Row& r) { return r.t ? tri(r.t->ends_with(word)) : Tri::unknown; },
              "t ends " + word};
    case 14:
      return {field<&Row::s> == word, [=](const Row& r) { return tri(r.s == word); }, "s= " + word};
    case 15:
      return {field<&Row::s> + field<&Row::t> == word,
              [=](const Row& r) { return r.t ? tri(r.s + *r.t == word) : Tri::unknown; },
              "s+t= " + word};
    case 16:
      return {field<&Row::f> == true, [](const Row& r) { return tri(r.f); }, "f"};
    case 17:
      return {field<&Row::a> < field<&Row::b>,
              [](const Row& r) { return r.b ? tri(r.a < *r.b) : Tri::unknown; }, "a<b"};
    case 18:
      return {(field<&Row::a> + v) * 2 > field<&Row::a> - w,
              [=](const Row& r) { return tri((r.a + v) * 2 > r.a - w); }, "(a+v)*2>a-w"};
    case 19:
      return {field<&Row::a> - (field<&Row::b> - v) == w,
              [=](const Row& r) { return r.b ? tri(r.a - (*r.b - v) == w) : Tri::unknown; },
              "a-(b-v)=w"};
    case 20:
      return {field<&Row::a> % 3 == 1 || field<&Row::a> / 2 == v,
              [=](const Row& r) { return tri(r.a % 3 == 1 || r.a / 2 == v); }, "a%3=1 or a/2=v"};
    default:
      return {
          !(field<&Row::a> == v && field<&Row::b> > w),
          [=](const Row& r) { return !both(tri(r.a == v), r.b ? tri(*r.b > w) : Tri::unknown); },
          "not(a=v and b>w)"};
  }
}

Condition condition(Random& random, int depth) {
  if (depth == 0 || random.below(5) == 0) return leaf(random);
  Condition l = condition(random, depth - 1);
  switch (random.below(5)) {
    case 0:
      return {!l.filter, [o = l.oracle](const Row& r) { return !o(r); }, "not(" + l.text + ")"};
    case 1:
    case 2: {
      Condition r = condition(random, depth - 1);
      return {l.filter && r.filter,
              [a = l.oracle, b = r.oracle](const Row& x) { return both(a(x), b(x)); },
              "(" + l.text + " and " + r.text + ")"};
    }
    default: {
      Condition r = condition(random, depth - 1);
      return {l.filter || r.filter,
              [a = l.oracle, b = r.oracle](const Row& x) { return either(a(x), b(x)); },
              "(" + l.text + " or " + r.text + ")"};
    }
  }
}

TEST(RandomFilter, TheDatabaseAnswersLikeTheOracle) {
  SCOPED_TRACE(under_test::seed_text());
  Random random(under_test::random_seed());
  auto db = fresh();
  quark::create_table<Row>(db);
  std::vector<Row> rows(300);
  for (Row& row : rows) {
    row.a = random.below(12) - 3;
    if (random.below(3) != 0) row.b = random.below(12) - 3;
    row.s = random.word();
    if (random.below(3) != 0) row.t = random.word();
    row.f = random.below(2) == 0;
  }
  For<Row>(db).create_batch(rows);
  int matched = 0;
  for (int round = 0; round < 400; ++round) {
    const Condition c = condition(random, random.below(4));
    std::vector<std::int64_t> expected;
    for (const Row& row : rows)
      if (c.oracle(row) == Tri::yes) expected.push_back(row.id);
    std::sort(expected.begin(), expected.end());
    const auto query = For<Row>(db).where(c.filter);
    ASSERT_EQ(query.order_by(asc<&Row::id>).pluck<&Row::id>(), expected) << c.text;
    ASSERT_EQ(query.count(), static_cast<std::int64_t>(expected.size())) << c.text;
    ASSERT_EQ(query.exists(), !expected.empty()) << c.text;
    matched += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(matched, 100) << "the conditions are too narrow to prove anything";
}

}  // namespace
