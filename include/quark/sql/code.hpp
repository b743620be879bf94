// The alphabet of expressions: one integer per node, in prefix order, so that a shape is a pack of integers.
// Written by sql/expression.hpp and query/filter.hpp, read by sql/render_expression.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quark::sql {

/// One node: kind, operator, argument.
using Code = std::uint32_t;

enum class Node : std::uint8_t {
  column,    // arg: index of the column
  value,     // a parameter; arg: the column it is compared with, for error reports
  binary,    // op: Op; two operands
  junction,  // op: logic_and or logic_or; arg: number of operands. Of filters, which grow at run time
  negation,  // NOT; one operand
  minus,     // unary; one operand
  is_null,   // op 1: IS NOT NULL; one operand
  between,   // op 1: NOT; three operands
  in_list,   // op 1: NOT; arg: number of values; 1 + arg operands
  in_array,  // op 1: NOT; operand and one array parameter
  like,      // op 1: NOT; operand and pattern
  truth,     // arg 0: false, 1: true
  assign,    // arg: the column that is set; one operand
  term,      // of ORDER BY; op 1: descending; one operand
};

enum class Op : std::uint8_t {
  logic_or, logic_and, eq, ne, lt, le, gt, ge,
  same, not_same,  // NULL-safe: IS [NOT] DISTINCT FROM
  add, subtract, multiply, divide, divide_integers, modulo, concat,
};

constexpr Code code(Node node, unsigned op = 0, std::size_t arg = 0) {
  return (static_cast<Code>(node) << 24) | (static_cast<Code>(op) << 16) | static_cast<Code>(arg);
}
constexpr Code code(Node node, Op op) { return code(node, static_cast<unsigned>(op)); }

constexpr Node node_of(Code c) { return static_cast<Node>(c >> 24); }
constexpr unsigned op_of(Code c) { return (c >> 16) & 0xffu; }
constexpr std::uint16_t arg_of(Code c) { return static_cast<std::uint16_t>(c & 0xffffu); }

/// How many operands follow a node.
constexpr std::size_t operands_of(Code c) {
  switch (node_of(c)) {
    case Node::column:
    case Node::value:
    case Node::truth: return 0;
    case Node::negation:
    case Node::minus:
    case Node::is_null:
    case Node::assign:
    case Node::term: return 1;
    case Node::binary:
    case Node::like:
    case Node::in_array: return 2;
    case Node::between: return 3;
    case Node::in_list: return 1u + arg_of(c);
    case Node::junction: return arg_of(c);
  }
  return 0;
}

/// Codes that somebody else owns.
struct Codes {
  const Code* data = nullptr;
  std::size_t size = 0;
};

}  // namespace quark::sql
