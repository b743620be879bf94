// Parentheses: whatever tree a user builds, each engine reads the same tree out of our text.
// The oracle is a parser with the engine's own precedence, see sql_parser.hpp.
#include "unit/sql/random_expressions.hpp"
#include "unit/sql/sql_parser.hpp"

#include <gtest/gtest.h>

namespace {

using namespace quark;
using namespace quark::sql;
using test::SqlParser;

// The tree that the codes are, written as the parser writes what it reads.
std::string tree(Engine engine, const Code*& c) {
  const Code head = *c++;
  const bool no = op_of(head) != 0;
  const auto operands = [&](std::string out) {
    for (std::size_t i = 0, n = operands_of(head); i < n; ++i) out += " " + tree(engine, c);
    return out + ")";
  };
  constexpr const char* columns[] = {"i", "j", "n", "t", "u", "b"};
  switch (node_of(head)) {
    case Node::column:
      return columns[arg_of(head)];
    case Node::value:
      return "?";
    case Node::truth:
      return arg_of(head) != 0 ? "(= 1 1)" : "(= 1 0)";
    case Node::negation:
      return operands("(NOT");
    case Node::minus:
      return operands("(NEG");
    case Node::is_null:
      return operands(no ? "(NOT NULL" : "(NULL");
    case Node::between:
      return operands(no ? "(NOT BETWEEN" : "(BETWEEN");
    case Node::in_list:
      return operands(no ? "(NOT IN" : "(IN");
    case Node::like:
      return operands(no ? "(NOT LIKE" : "(LIKE");
    case Node::in_array: {
      const std::string left = tree(engine, c);
      ++c;
      return (no ? "(NOT IN " : "(IN ") + left + " ARRAY)";
    }
    case Node::binary:
      break;
    default:
      return "?!";
  }
  const Op op = static_cast<Op>(op_of(head));
  if (op == Op::logic_and || op == Op::logic_or) {
    const std::string name = op == Op::logic_and ? "AND" : "OR";
    const auto flat = [&](const std::string& e) {
      return e.starts_with("(" + name + " ") ? e.substr(name.size() + 2, e.size() - name.size() - 3)
                                             : e;
    };
    const std::string left = tree(engine, c);
    const std::string right = tree(engine, c);
    return "(" + name + " " + flat(left) + " " + flat(right) + ")";
  }
  if (op == Op::not_same && engine == Engine::mysql) {
    const std::string left = tree(engine, c);
    return "(NOT (SAME " + left + " " + tree(engine, c) + "))";
  }
  // In the order of Op.
  constexpr const char* names[] = {"OR",       "AND", "=", "<>", "<", "<=", ">", ">=", "SAME",
                                   "NOT SAME", "+",   "-", "*",  "/", "/",  "%", "||"};
  return operands(std::string("(") + names[static_cast<std::size_t>(op)]);
}

void expect_same_tree(Engine engine, const std::vector<Code>& codes) {
  const std::string text = test::rendered(engine, codes);
  const Code* c = codes.data();
  const std::string built = tree(engine, c);
  ASSERT_EQ(c, codes.data() + codes.size()) << "the generator made a broken tree";
  int placeholders = 0;
  for (Code code : codes) placeholders += node_of(code) == Node::value ? 1 : 0;
  try {
    SqlParser parser(engine, text);
    EXPECT_EQ(parser.parse(), built) << dialect_of(engine).name << ": " << text;
    EXPECT_EQ(parser.placeholders(), placeholders) << text;
  } catch (const std::runtime_error& error) {
    FAIL() << dialect_of(engine).name << " can't read: " << text << "\n" << error.what();
  }
}

class Precedence : public testing::TestWithParam<Engine> {};
INSTANTIATE_TEST_SUITE_P(Engines, Precedence,
                         testing::Values(Engine::sqlite, Engine::postgres, Engine::mysql),
                         [](const auto& engine) {
                           return std::string(dialect_of(engine.param).name);
                         });

TEST_P(Precedence, OfRandomConditionsIsTheTreesOwn) {
  SCOPED_TRACE(under_test::seed_text());
  test::RandomExpressions random(under_test::random_seed());
  for (int round = 0; round < 6000 && !HasFailure(); ++round)
    expect_same_tree(GetParam(), random.condition(1 + round % 6, true));
}

// Every operator as either operand of every operator, which chance may miss.
TEST_P(Precedence, OfEveryPairOfOperatorsIsTheTreesOwn) {
  const Code i = code(Node::column, 0, test::column_i), v = code(Node::value, 0, test::column_i);
  const Code b = code(Node::column, 0, test::column_b);
  using Codes = std::vector<Code>;
  const std::vector<Codes> numbers = {{i},
                                      {v},
                                      {code(Node::minus), i},
                                      {code(Node::minus), code(Node::minus), i},
                                      {code(Node::binary, Op::add), i, v},
                                      {code(Node::binary, Op::subtract), i, v},
                                      {code(Node::binary, Op::multiply), i, v},
                                      {code(Node::binary, Op::divide_integers), i, v},
                                      {code(Node::binary, Op::modulo), i, v}};
  std::vector<Codes> conditions = {{b},
                                   {code(Node::truth)},
                                   {code(Node::negation), b},
                                   {code(Node::is_null), i},
                                   {code(Node::is_null, 1), i},
                                   {code(Node::between), i, v, v},
                                   {code(Node::between, 1), i, v, v},
                                   {code(Node::in_list, 0, 2), i, v, v},
                                   {code(Node::in_list, 1, 1), i, v},
                                   {code(Node::in_array), i, v},
                                   {code(Node::in_array, 1), i, v},
                                   {code(Node::like), code(Node::column, 0, test::column_t), v},
                                   {code(Node::like, 1), code(Node::column, 0, test::column_t), v}};
  for (unsigned op = 0; op <= static_cast<unsigned>(Op::not_same); ++op)
    conditions.push_back({code(Node::binary, op), op < 2 ? b : i, op < 2 ? b : v});

  const auto join = [](Code head, const Codes& l, const Codes& r) {
    Codes out{head};
    out.insert(out.end(), l.begin(), l.end());
    out.insert(out.end(), r.begin(), r.end());
    return out;
  };
  const auto check_pairs = [&](const std::vector<Codes>& operands, unsigned first, unsigned last,
                               bool number) {
    for (unsigned op = first; op <= last; ++op)
      for (const Codes& l : operands)
        for (const Codes& r : operands) {
          const Codes pair = join(code(Node::binary, op), l, r);
          expect_same_tree(GetParam(), number ? join(code(Node::binary, Op::eq), pair, {v}) : pair);
        }
  };
  check_pairs(conditions, 0, static_cast<unsigned>(Op::not_same), false);
  check_pairs(numbers, static_cast<unsigned>(Op::eq), static_cast<unsigned>(Op::not_same), false);
  check_pairs(numbers, static_cast<unsigned>(Op::add), static_cast<unsigned>(Op::subtract), true);
  check_pairs(numbers, static_cast<unsigned>(Op::multiply), static_cast<unsigned>(Op::multiply),
              true);
  check_pairs(numbers, static_cast<unsigned>(Op::divide_integers),
              static_cast<unsigned>(Op::modulo), true);
  for (const Codes& e : conditions) {
    expect_same_tree(GetParam(), join(code(Node::negation), e, {}));
    expect_same_tree(GetParam(), join(code(Node::is_null), e, {}));
    expect_same_tree(GetParam(), join(code(Node::is_null, 1), e, {}));
  }
  for (const Codes& e : numbers)
    expect_same_tree(GetParam(), join(code(Node::between), e, join(e[0] == i ? v : i, {}, e)));
}

TEST(SqlParser, ReadsEachEnginesOwnPrecedence) {
  const auto read = [](Engine e, std::string_view text) { return SqlParser(e, text).parse(); };
  EXPECT_EQ(read(Engine::sqlite, R"("r"."i" + "r"."j" * ? = 1 AND NOT "r"."b" OR "r"."b")"),
            "(OR (AND (= (+ i (* j ?)) 1) (NOT b)) b)");
  EXPECT_EQ(read(Engine::sqlite, R"("r"."i" = "r"."j" < ?)"), "(= i (< j ?))");
  EXPECT_EQ(read(Engine::mysql, "`r`.`i` = `r`.`j` < ?"), "(< (= i j) ?)");
  EXPECT_THROW(read(Engine::postgres, R"("r"."i" = "r"."j" < $1)"), std::runtime_error);
  EXPECT_EQ(read(Engine::postgres, R"("r"."i" < "r"."j" IS NULL)"), "(NULL (< i j))");
  EXPECT_EQ(read(Engine::sqlite, R"("r"."i" < "r"."j" IS NULL)"), "(NULL (< i j))");
  EXPECT_EQ(read(Engine::mysql, "NOT `r`.`i` = ?"), "(NOT (= i ?))");
  EXPECT_EQ(read(Engine::sqlite, R"("r"."i" * "r"."t" || "r"."u")"), "(* i (|| t u))");
  EXPECT_EQ(read(Engine::postgres, R"("r"."i" * "r"."t" || "r"."u")"), "(|| (* i t) u)");
  EXPECT_THROW(read(Engine::postgres, R"("r"."i" = $2)"), std::runtime_error);
  EXPECT_THROW(read(Engine::sqlite, R"(--"r"."i" = ?)"), std::runtime_error);
}

}  // namespace
