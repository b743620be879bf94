// Random expressions as codes, typed as the operators of sql/operators.hpp type them: whatever a
// user can write. Used by precedence_test.cpp and by query/evaluation_test.cpp. A seed makes a run
// repeatable.
#pragma once

#include <quark/query/text.hpp>

#include "support/random_seed.hpp"

#include <random>
#include <string>
#include <vector>

namespace quark::test {

using namespace sql;

/// The columns that random expressions are about.
struct Operand {
  std::int64_t i{};
  std::int64_t j{};
  std::optional<std::int64_t> n;
  std::string t;
  std::string u;
  bool b{};
  static consteval auto orm() { return model(table("r")); }
};
enum : std::uint16_t { column_i, column_j, column_n, column_t, column_u, column_b };

class RandomExpressions {
 public:
  explicit RandomExpressions(unsigned seed) : random_(seed) {}

  /// A condition of at most this depth. `arrays`: with IN over an array parameter.
  std::vector<Code> condition(int depth, bool arrays) {
    out_.clear();
    arrays_ = arrays;
    add_condition(depth);
    return out_;
  }
  std::vector<Code> number(int depth) {
    out_.clear();
    add_number(depth);
    return out_;
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

 private:
  void add(Node node, unsigned op = 0, std::size_t arg = 0) { out_.push_back(code(node, op, arg)); }
  void add(Op op) { out_.push_back(code(Node::binary, op)); }

  void add_number(int depth) {
    if (depth <= 0 || below(4) == 0) {
      if (below(3) == 0) return add(Node::value, 0, column_i);
      return add(Node::column, 0, below(3));
    }
    if (below(5) == 0) {
      add(Node::minus);
      return add_number(depth - 1);
    }
    constexpr Op ops[] = {Op::add, Op::subtract, Op::multiply, Op::divide_integers, Op::modulo};
    add(ops[below(5)]);
    add_number(depth - 1);
    add_number(depth - 1);
  }
  void add_text(int depth) {
    if (depth <= 0 || below(2) == 0) {
      if (below(3) == 0) return add(Node::value, 0, column_t);
      return add(Node::column, 0, column_t + below(2));
    }
    add(Op::concat);
    add_text(depth - 1);
    add_text(depth - 1);
  }
  void add_any(int depth) {
    switch (below(3)) {
      case 0:
        return add_number(depth);
      case 1:
        return add_text(depth);
      default:
        return add_condition(depth);
    }
  }
  void add_condition(int depth) {
    if (depth <= 0) {
      if (below(6) == 0) return add(Node::truth, 0, below(2));
      return add(Node::column, 0, column_b);
    }
    const unsigned negated = below(2);
    switch (below(11)) {
      case 0:
      case 1:
      case 2:
      case 3:
        add(below(2) == 0 ? Op::logic_and : Op::logic_or);
        add_condition(depth - 1);
        return add_condition(depth - 1);
      case 4:
        add(Node::negation);
        return add_condition(depth - 1);
      case 5:
        add(Node::is_null, negated);
        return add_any(depth - 1);
      case 6:
        add(Node::between, negated);
        add_number(depth - 1);
        add_number(depth - 1);
        return add_number(depth - 1);
      case 7: {
        if (arrays_ && below(2) == 0) {
          add(Node::in_array, negated);
          add(Node::column, 0, column_i);
          return add(Node::value, 0, column_i);
        }
        const unsigned n = 1 + below(3);
        add(Node::in_list, negated, n);
        add_number(depth - 1);
        for (unsigned k = 0; k < n; ++k) add(Node::value, 0, column_i);
        return;
      }
      case 8:
        add(Node::like, negated);
        add_text(depth - 1);
        return add(Node::value, 0, column_t);
      default: {
        add(static_cast<Op>(static_cast<unsigned>(Op::eq) + below(8)));  // eq ... not_same
        switch (below(3)) {
          case 0:
            add_number(depth - 1);
            return add_number(depth - 1);
          case 1:
            add_text(depth - 1);
            return add_text(depth - 1);
          default:
            add_condition(depth - 1);
            return add_condition(depth - 1);
        }
      }
    }
  }

  std::mt19937 random_;
  std::vector<Code> out_;
  bool arrays_ = false;
};

/// The condition as the renderer writes it behind WHERE.
inline std::string rendered(Engine engine, const std::vector<Code>& codes) {
  constexpr std::uint16_t column[] = {column_i};
  Shape shape;
  shape.table = &table_of<Operand>;
  shape.forms = detail::infos_of<Operand>::forms;
  shape.columns = {column, 1};
  shape.where = {codes.data(), codes.size()};
  const std::string text = sql::to_text(dialect_of(engine), shape);
  constexpr std::string_view where = " WHERE ";
  return text.substr(text.find(where) + where.size());
}

}  // namespace quark::test
