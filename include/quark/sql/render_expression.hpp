// The text of expressions: nodes in prefix order, with parentheses where they bind weaker than what is around them.
// The base of the one renderer, sql/render.hpp.
#pragma once

#include <quark/model/table.hpp>
#include <quark/sql/code.hpp>
#include <quark/sql/dialect.hpp>
#include <quark/sql/writer.hpp>
#include <quark/types/cell.hpp>

namespace quark::sql {

// Binding strength of what a node prints.
enum Level : std::uint8_t { any, disjunction, conjunction, predicate, sum, product, chain, prefix, primary };

class ExpressionRenderer {
 protected:
  constexpr ExpressionRenderer(Writer& out, const Dialect& dialect, const meta::Table& table, const Form* forms)
      : out_(out), dialect_(dialect), table_(table), forms_(forms) {}

  constexpr void name(std::string_view n) { out_.add_quoted(n, dialect_.quote); }

  // Always qualified: SQLite takes an unknown quoted name alone for a string (fault B16).
  constexpr void column(std::size_t i) {
    name(table_.name);
    out_.add('.');
    name(table_[i].name);
  }

  constexpr void placeholder() {
    ++params_;
    if (dialect_.numbered) {
      out_.add('$');
      out_.add_number(params_);
    } else {
      out_.add('?');
    }
  }

  /// Prints the node at `c` and moves `c` behind it; in parentheses when it binds weaker than `need`.
  constexpr void expression(const Code*& c, Level need) {
    const bool parens = level_of(*c) < need;
    if (parens) out_.add('(');
    node(c);
    if (parens) out_.add(')');
  }

  Writer& out_;
  const Dialect& dialect_;
  const meta::Table& table_;

 private:
  static constexpr Level level_of(Op op) {
    switch (op) {
      case Op::logic_or: return disjunction;
      case Op::logic_and: return conjunction;
      case Op::add:
      case Op::subtract: return sum;
      case Op::multiply:
      case Op::divide:
      case Op::divide_integers:
      case Op::modulo: return product;
      case Op::concat: return chain;
      default: return predicate;
    }
  }

  constexpr Level level_of(Code c) const {
    switch (node_of(c)) {
      case Node::column:
      case Node::value:
      case Node::assign:
      case Node::term: return primary;
      case Node::minus: return prefix;
      case Node::negation: return predicate;
      case Node::junction: return level_of(static_cast<Op>(op_of(c)));
      case Node::binary: {
        const Op op = static_cast<Op>(op_of(c));
        if (op == Op::concat && dialect_.concat_function) return primary;
        return level_of(op);
      }
      default: return predicate;
    }
  }

  constexpr std::string_view symbol(Op op) const {
    switch (op) {
      case Op::logic_or: return " OR ";
      case Op::logic_and: return " AND ";
      case Op::eq: return " = ";
      case Op::ne: return " <> ";
      case Op::lt: return " < ";
      case Op::le: return " <= ";
      case Op::gt: return " > ";
      case Op::ge: return " >= ";
      case Op::same: return dialect_.same;
      case Op::not_same: return dialect_.not_same;
      case Op::add: return " + ";
      case Op::subtract: return " - ";
      case Op::multiply: return " * ";
      case Op::divide: return " / ";
      case Op::divide_integers: return dialect_.integer_division;
      case Op::modulo: return " % ";
      case Op::concat: return " || ";
    }
    return {};
  }

  constexpr void node(const Code*& c) {
    const Code head = *c++;
    const bool negated = op_of(head) != 0;
    switch (node_of(head)) {
      case Node::column: return column(arg_of(head));
      case Node::value: return placeholder();
      case Node::truth: return out_.add(arg_of(head) != 0 ? "1 = 1" : "1 = 0");
      case Node::assign:
      case Node::term: return expression(c, any);
      case Node::negation:
        out_.add("NOT (");
        expression(c, any);
        return out_.add(')');
      case Node::minus:
        out_.add('-');
        return expression(c, primary);
      case Node::is_null:
        expression(c, sum);
        return out_.add(negated ? " IS NOT NULL" : " IS NULL");
      case Node::between:
        expression(c, sum);
        out_.add(negated ? " NOT BETWEEN " : " BETWEEN ");
        expression(c, sum);
        out_.add(" AND ");
        return expression(c, sum);
      case Node::in_list:
        expression(c, sum);
        out_.add(negated ? " NOT IN (" : " IN (");
        for (std::size_t i = 0, n = arg_of(head); i < n; ++i) {
          if (i > 0) out_.add(", ");
          expression(c, any);
        }
        return out_.add(')');
      case Node::in_array: return in_array(c, negated);
      case Node::like:
        expression(c, sum);
        out_.add(negated ? " NOT LIKE " : " LIKE ");
        expression(c, sum);
        return out_.add(" ESCAPE '!'");
      case Node::binary: return binary(c, static_cast<Op>(op_of(head)));
      case Node::junction: return junction(c, static_cast<Op>(op_of(head)), arg_of(head));
    }
  }

  // a OR b OR c ... is as deep as it is long to a parser, and SQLite's ends at 1000 levels: many operands are halved.
  constexpr void junction(const Code*& c, Op op, std::size_t count) {
    constexpr std::size_t most = 100;
    if (count <= most) {
      for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) out_.add(symbol(op));
        expression(c, level_of(op));
      }
      return;
    }
    out_.add('(');
    junction(c, op, count / 2);
    out_.add(')');
    out_.add(symbol(op));
    out_.add('(');
    junction(c, op, count - count / 2);
    out_.add(')');
  }

  constexpr void binary(const Code*& c, Op op) {
    if (op == Op::concat && dialect_.concat_function) {
      out_.add("CONCAT(");
      expression(c, any);
      out_.add(", ");
      expression(c, any);
      return out_.add(')');
    }
    const bool by_not = op == Op::not_same && dialect_.not_same.empty();
    if (by_not) {
      out_.add("NOT (");
      op = Op::same;
    }
    const Level level = level_of(op);
    // Comparisons don't chain; AND and OR do on both sides; the rest does on the left.
    const bool logic = level <= conjunction;
    const Level left = level == predicate ? sum : level;
    const Level right = level == predicate ? sum : logic ? level : static_cast<Level>(level + 1);
    expression(c, left);
    out_.add(symbol(op));
    expression(c, right);
    if (by_not) out_.add(')');
  }

  constexpr void in_array(const Code*& c, bool negated) {
    const Form form = node_of(*c) == Node::column ? forms_[arg_of(*c)] : Form::i64;
    expression(c, sum);
    ++c;  // the array parameter
    switch (dialect_.engine) {
      case Engine::sqlite:
        // A table-valued function over the caller's values: one text for any number of them.
        out_.add(negated ? " NOT IN (SELECT c0 FROM quark_rows(" : " IN (SELECT c0 FROM quark_rows(");
        placeholder();
        return out_.add("))");
      case Engine::postgres:
        out_.add(negated ? " <> ALL(" : " = ANY(");
        placeholder();
        return out_.add(')');
      case Engine::mysql:
        out_.add(negated ? " NOT IN (SELECT " : " IN (SELECT ");
        out_.add(json_table_value(form));
        out_.add(" FROM JSON_TABLE(");
        placeholder();
        out_.add(", '$[*]' COLUMNS (v ");
        out_.add(json_table_type(form));
        return out_.add(" PATH '$')) AS j)");
    }
  }

  // Text out of a column would bring that column's collation along, out of a function it takes the other side's. Bytes
  // ride as hexadecimal digits.
  static constexpr std::string_view json_table_value(Form form) {
    switch (form) {
      case Form::text: return "JSON_UNQUOTE(v)";
      case Form::bytes:
      case Form::uuid: return "UNHEX(v)";
      default: return "v";
    }
  }

  static constexpr std::string_view json_table_type(Form form) {
    switch (form) {
      case Form::boolean:
      case Form::i16:
      case Form::i32:
      case Form::i64: return "BIGINT";
      case Form::u64: return "BIGINT UNSIGNED";
      case Form::f32:
      case Form::f64: return "DOUBLE";
      case Form::decimal: return "DECIMAL(65,27)";  // 38 digits in front of the point
      case Form::text: return "JSON";
      case Form::date: return "DATE";
      case Form::time: return "TIME(6)";
      case Form::timestamp: return "DATETIME(6)";
      default: return "LONGTEXT";
    }
  }

  const Form* forms_;  // of the table's columns; only read for an `in` over an array
  unsigned params_ = 0;
};

}  // namespace quark::sql
