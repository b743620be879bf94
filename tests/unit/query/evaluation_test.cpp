// What SQLite makes of our text is what the tree means: random conditions, run by SQLite itself and
// reckoned here.
#include "unit/sql/random_expressions.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

namespace {

using namespace quark;
using namespace quark::sql;

// A value of SQL: NULL, an integer (conditions are 0 and 1), or text.
struct Result {
  bool null = true;
  bool is_text = false;
  std::int64_t integer = 0;
  std::string text{};
  bool operator==(const Result&) const = default;
};
Result of(std::int64_t i) { return {.null = false, .integer = i}; }
Result of(std::string t) { return {.null = false, .is_text = true, .text = std::move(t)}; }

struct TooLarge {};  // beyond 64 bits SQLite goes on with floating point

// The tree's value by the rules of SQL: three-valued logic, division by zero is NULL.
class Reckoner {
 public:
  Reckoner(const std::vector<Result>& columns, const std::vector<Result>& values)
      : columns_(columns), values_(values) {}

  Result operator()(const Code*& c) {
    const Code head = *c++;
    const bool no = op_of(head) != 0;
    switch (node_of(head)) {
      case Node::column:
        return columns_[arg_of(head)];
      case Node::value:
        return values_[next_++];
      case Node::truth:
        return of(arg_of(head));
      case Node::negation:
        return negate((*this)(c), true);
      case Node::minus: {
        const Result r = (*this)(c);
        return r.null ? r : checked(-static_cast<Int128>(r.integer));
      }
      case Node::is_null:
        return of((*this)(c).null != no ? 1 : 0);
      case Node::between: {
        const Result x = (*this)(c), low = (*this)(c), high = (*this)(c);
        return negate(logic(Op::logic_and, compare(Op::ge, x, low), compare(Op::le, x, high)), no);
      }
      case Node::in_list: {
        const Result x = (*this)(c);
        Result any = of(0);
        for (std::size_t i = 0; i < arg_of(head); ++i)
          any = logic(Op::logic_or, any, compare(Op::eq, x, (*this)(c)));
        return negate(any, no);
      }
      case Node::like: {  // patterns here have no wildcards
        const Result x = (*this)(c), pattern = (*this)(c);
        return negate(compare(Op::eq, x, pattern), no);
      }
      default:
        break;
    }
    const Op op = static_cast<Op>(op_of(head));
    const Result l = (*this)(c), r = (*this)(c);
    switch (op) {
      case Op::logic_or:
      case Op::logic_and:
        return logic(op, l, r);
      case Op::concat:
        return l.null || r.null ? Result{} : of(l.text + r.text);
      case Op::same:
        return of(l == r ? 1 : 0);
      case Op::not_same:
        return of(l == r ? 0 : 1);
      default:
        break;
    }
    if (op < Op::add) return compare(op, l, r);
    if (l.null || r.null) return {};
    const Int128 a = l.integer, b = r.integer;
    switch (op) {
      case Op::add:
        return checked(a + b);
      case Op::subtract:
        return checked(a - b);
      case Op::multiply:
        return checked(a * b);
      case Op::divide_integers:
        return b == 0 ? Result{} : checked(a / b);
      default:
        return b == 0 ? Result{} : checked(a % b);
    }
  }

 private:
  static Result checked(Int128 n) {
    if (n != static_cast<std::int64_t>(n)) throw TooLarge{};
    return of(static_cast<std::int64_t>(n));
  }
  static Result negate(const Result& r, bool wanted) {
    return r.null || !wanted ? r : of(r.integer == 0 ? 1 : 0);
  }
  static Result logic(Op op, const Result& l, const Result& r) {
    const bool strong = op == Op::logic_or;
    const auto is = [](const Result& x, bool truth) {
      return !x.null && (x.integer != 0) == truth;
    };
    if (is(l, strong) || is(r, strong)) return of(strong ? 1 : 0);
    if (l.null || r.null) return {};
    return of(strong ? 0 : 1);
  }
  static Result compare(Op op, const Result& l, const Result& r) {
    if (l.null || r.null) return {};
    const int order = l.is_text               ? l.text.compare(r.text)
                      : l.integer < r.integer ? -1
                      : l.integer > r.integer ? 1
                                              : 0;
    switch (op) {
      case Op::eq:
        return of(order == 0 ? 1 : 0);
      case Op::ne:
        return of(order != 0 ? 1 : 0);
      case Op::lt:
        return of(order < 0 ? 1 : 0);
      case Op::le:
        return of(order <= 0 ? 1 : 0);
      case Op::gt:
        return of(order > 0 ? 1 : 0);
      default:
        return of(order >= 0 ? 1 : 0);
    }
  }
  const std::vector<Result>& columns_;
  const std::vector<Result>& values_;
  std::size_t next_ = 0;
};

class Database {
 public:
  Database() {
    EXPECT_EQ(sqlite3_open(":memory:", &db_), SQLITE_OK);
    run("CREATE TABLE r (i INTEGER, j INTEGER, n INTEGER, t TEXT, u TEXT, b INTEGER)", {});
  }
  ~Database() { sqlite3_close(db_); }

  Result run(const std::string& text, const std::vector<Result>& values) {
    sqlite3_stmt* s = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(db_, text.c_str(), -1, &s, nullptr), SQLITE_OK)
        << text << ": " << sqlite3_errmsg(db_);
    EXPECT_EQ(sqlite3_bind_parameter_count(s), static_cast<int>(values.size())) << text;
    int i = 0;
    for (const Result& v : values) {
      ++i;
      if (v.is_text)
        sqlite3_bind_text(s, i, v.text.data(), static_cast<int>(v.text.size()), SQLITE_TRANSIENT);
      if (!v.is_text && !v.null) sqlite3_bind_int64(s, i, v.integer);
    }
    Result out;
    if (sqlite3_step(s) == SQLITE_ROW && sqlite3_column_type(s, 0) == SQLITE_INTEGER)
      out = of(sqlite3_column_int64(s, 0));
    sqlite3_finalize(s);
    return out;
  }

 private:
  sqlite3* db_ = nullptr;
};

TEST(Evaluation, OfRandomConditionsBySqliteIsWhatTheTreeMeans) {
  SCOPED_TRACE(under_test::seed_text());
  test::RandomExpressions random(under_test::random_seed());
  const auto number = [&] { return of(std::int64_t{random.below(7)} - 3); };
  const auto text = [&] {
    constexpr const char* texts[] = {"", "a", "b", "aa", "ab"};
    return of(std::string(texts[random.below(5)]));
  };
  Database db;
  int truths[3] = {};
  for (int round = 0; round < 6000 && !HasFailure(); ++round) {
    const std::vector<Result> columns = {
        number(), number(), random.below(2) == 0 ? Result{} : number(),
        text(),   text(),   of(random.below(2))};
    db.run("DELETE FROM r", {});
    db.run("INSERT INTO r VALUES (?, ?, ?, ?, ?, ?)", columns);
    const std::vector<Code> codes = random.condition(1 + round % 6, false);
    std::vector<Result> values;
    for (Code c : codes)
      if (node_of(c) == Node::value)
        values.push_back(arg_of(c) == test::column_t ? text() : number());
    Result expected;
    try {
      const Code* c = codes.data();
      expected = Reckoner(columns, values)(c);
    } catch (TooLarge) {
      continue;
    }
    const std::string sql = "SELECT " + test::rendered(Engine::sqlite, codes) + " FROM r";
    EXPECT_EQ(db.run(sql, values), expected) << sql;
    ++truths[expected.null ? 2 : expected.integer];
  }
  // A test in which everything is NULL would prove nothing.
  for (int n : truths) EXPECT_GT(n, 300);
}

}  // namespace
