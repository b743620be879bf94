// The one renderer: a shape and a dialect become text. It runs inside the compiler for constant shapes and at run
// time for those with a Filter or run-time order; being one function, the two can't differ.
#pragma once

#include <quark/model/table.hpp>
#include <quark/sql/code.hpp>
#include <quark/sql/dialect.hpp>
#include <quark/sql/writer.hpp>
#include <quark/types/cell.hpp>

namespace quark::sql {

enum class Verb : std::uint8_t { select, count, exists, aggregate, insert, upsert, update, remove };
enum class Aggregate : std::uint8_t { sum, avg, min, max };
enum class Limit : std::uint8_t { none, param, one, two };

/// A list of column indexes that somebody else owns.
struct ColumnList {
  const std::uint16_t* data = nullptr;
  std::uint16_t size = 0;
};

/// All that decides a statement's text but the dialect.
struct Shape {
  Verb verb = Verb::select;
  const meta::Table* table = nullptr;
  const Form* forms = nullptr;  // of the table's columns; only read for an `in` over an array
  ColumnList columns{};         // selected, inserted, or set from an entity
  ColumnList returning{};
  ColumnList conflict{};  // upsert: the unique key
  ColumnList replace{};   // upsert: what an existing row takes from the new one
  Codes where{};
  Codes order{};
  Codes set{};  // UPDATE: assignments
  Aggregate aggregate = Aggregate::sum;
  Limit limit = Limit::none;
  bool offset = false;
  bool distinct = false;
  bool by_key = false;      // AND key = ?
  bool by_version = false;  // AND version = ?; UPDATE counts it up
  bool from_rows = false;   // SQLite: INSERT ... SELECT from the caller's rows
};

// Binding strength of what a node prints.
enum Level : std::uint8_t { any, disjunction, conjunction, predicate, sum, product, chain, prefix, primary };

class Renderer {
 public:
  constexpr Renderer(Writer& out, const Dialect& dialect, const Shape& shape)
      : out_(out), dialect_(dialect), shape_(shape), table_(*shape.table) {}

  constexpr void statement() {
    switch (shape_.verb) {
      case Verb::select: return select();
      case Verb::count:
      case Verb::aggregate: return aggregate();
      case Verb::exists: return exists();
      case Verb::insert:
      case Verb::upsert: return insert();
      case Verb::update: return update();
      case Verb::remove:
        out_.add("DELETE FROM ");
        name(table_.name);
        return where();
    }
  }

 private:
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

  constexpr void names(ColumnList list) {
    for (std::uint16_t i = 0; i < list.size; ++i) {
      if (i > 0) out_.add(", ");
      name(table_[list.data[i]].name);
    }
  }

  constexpr void select_list() {
    if (shape_.distinct) out_.add("DISTINCT ");
    for (std::uint16_t i = 0; i < shape_.columns.size; ++i) {
      if (i > 0) out_.add(", ");
      column(shape_.columns.data[i]);
    }
  }

  constexpr void from() {
    out_.add(" FROM ");
    name(table_.name);
  }

  constexpr void select() {
    out_.add("SELECT ");
    select_list();
    from();
    where();
    order_and_limit();
  }

  // Equal rows count once, which an offset can tell. In a query of its own: SQLite drops a DISTINCT directly in EXISTS.
  constexpr void exists() {
    const bool inner = shape_.distinct && shape_.offset;
    out_.add("SELECT EXISTS(SELECT 1");
    if (inner) {
      out_.add(" FROM (SELECT ");
      select_list();
    }
    from();
    where();
    order_and_limit();
    if (inner) {
      out_.add(") AS ");
      name("q");
    }
    out_.add(')');
  }

  constexpr void aggregate_call(bool over_rows) {
    constexpr std::string_view functions[] = {"SUM(", "AVG(", "MIN(", "MAX("};
    if (shape_.verb == Verb::count) {
      out_.add("COUNT(*)");
      return;
    }
    out_.add(functions[static_cast<std::size_t>(shape_.aggregate)]);
    if (over_rows) {
      name("q");
      out_.add('.');
      name(table_[shape_.columns.data[0]].name);
    } else {
      column(shape_.columns.data[0]);
    }
    out_.add(')');
  }

  // A limit or DISTINCT counts before the aggregate does, hence the inner query.
  constexpr void aggregate() {
    out_.add("SELECT ");
    const bool inner = shape_.distinct || shape_.limit != Limit::none || shape_.offset;
    aggregate_call(inner);
    if (!inner) {
      from();
      return where();
    }
    out_.add(" FROM (SELECT ");
    select_list();
    from();
    where();
    order_and_limit();
    out_.add(") AS ");
    name("q");
  }

  constexpr void insert() {
    out_.add("INSERT INTO ");
    name(table_.name);
    if (shape_.columns.size == 0) {
      out_.add(dialect_.engine == Engine::mysql ? " () VALUES ()" : " DEFAULT VALUES");
    } else {
      out_.add(" (");
      names(shape_.columns);
      if (shape_.from_rows) {
        out_.add(") SELECT ");
        for (std::uint16_t i = 0; i < shape_.columns.size; ++i) {
          out_.add(i > 0 ? ", c" : "c");
          out_.add_number(i);
        }
        out_.add(" FROM quark_rows(?)");
      } else {
        out_.add(") VALUES (");
        for (std::uint16_t i = 0; i < shape_.columns.size; ++i) {
          if (i > 0) out_.add(", ");
          placeholder();
        }
        out_.add(')');
      }
    }
    if (shape_.verb == Verb::upsert) upsert();
    if (shape_.returning.size > 0 && dialect_.returning) {
      out_.add(" RETURNING ");
      names(shape_.returning);
    }
  }

  constexpr void upsert() {
    const bool mysql = dialect_.engine == Engine::mysql;
    if (mysql) {
      out_.add(" ON DUPLICATE KEY UPDATE ");
    } else {
      // SQLite's grammar reads ON after a SELECT as a join's, unless a WHERE stands between.
      if (shape_.from_rows) out_.add(" WHERE true");
      out_.add(" ON CONFLICT (");
      names(shape_.conflict);
      out_.add(") DO UPDATE SET ");
    }
    // Nothing to replace: the key is set to itself, so that the row still comes back.
    const ColumnList replace = shape_.replace.size > 0 ? shape_.replace : shape_.conflict;
    bool first = true;
    for (std::uint16_t i = 0; i < replace.size; ++i) {
      if (replace.data[i] == table_.version) continue;
      if (!first) out_.add(", ");
      first = false;
      name(table_[replace.data[i]].name);
      out_.add(mysql ? " = VALUES(" : " = excluded.");
      name(table_[replace.data[i]].name);
      if (mysql) out_.add(')');
    }
    if (table_.version != no_column && shape_.replace.size > 0) count_up(!first);
  }

  constexpr void count_up(bool comma) {
    if (comma) out_.add(", ");
    name(table_[table_.version].name);
    out_.add(" = ");
    column(table_.version);
    out_.add(" + 1");
  }

  constexpr void update() {
    out_.add("UPDATE ");
    name(table_.name);
    out_.add(" SET ");
    bool comma = false;
    bool sets_version = false;
    for (std::uint16_t i = 0; i < shape_.columns.size; ++i) {
      if (comma) out_.add(", ");
      comma = true;
      name(table_[shape_.columns.data[i]].name);
      out_.add(" = ");
      placeholder();
    }
    for (const Code *c = shape_.set.data, *end = c + shape_.set.size; c != end;) {
      if (comma) out_.add(", ");
      comma = true;
      if (arg_of(*c) == table_.version) sets_version = true;
      name(table_[arg_of(*c++)].name);
      out_.add(" = ");
      expression(c, any);
    }
    if (table_.version != no_column && !sets_version) count_up(comma);
    where();
  }

  // Our conditions are ANDed outside the user's, which is parenthesised when it binds weaker (fault QK-41).
  constexpr void where() {
    bool any_yet = false;
    const auto conjunct = [&] {
      out_.add(any_yet ? " AND " : " WHERE ");
      any_yet = true;
    };
    const bool more = shape_.by_key || shape_.by_version;
    if (shape_.where.size > 0) {
      conjunct();
      const Code* c = shape_.where.data;
      expression(c, more ? conjunction : any);
    }
    const auto equals = [&](std::uint16_t i) {
      conjunct();
      column(i);
      out_.add(" = ");
      placeholder();
    };
    if (shape_.by_key)
      for (std::uint16_t k = 0; k < table_.key.count; ++k) equals(table_.key.columns[k]);
    if (shape_.by_version) equals(table_.version);
  }

  constexpr void order_and_limit() {
    const Code* c = shape_.order.data;
    for (const Code* end = c + shape_.order.size; c != end;) {
      out_.add(c == shape_.order.data ? " ORDER BY " : ", ");
      const bool descending = op_of(*c++) != 0;
      expression(c, any);
      if (descending) out_.add(" DESC");
    }
    switch (shape_.limit) {
      case Limit::none:
        if (shape_.offset) out_.add(dialect_.offset_only);
        break;
      case Limit::param:
        out_.add(" LIMIT ");
        placeholder();
        break;
      case Limit::one: out_.add(" LIMIT 1"); break;
      case Limit::two: out_.add(" LIMIT 2"); break;
    }
    if (shape_.offset) {
      out_.add(" OFFSET ");
      placeholder();
    }
  }

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

  /// Prints the node at `c` and moves `c` behind it; in parentheses when it binds weaker than `need`.
  constexpr void expression(const Code*& c, Level need) {
    const bool parens = level_of(*c) < need;
    if (parens) out_.add('(');
    node(c);
    if (parens) out_.add(')');
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
    }
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
    const Form form = node_of(*c) == Node::column ? shape_.forms[arg_of(*c)] : Form::i64;
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
        out_.add(negated ? " NOT IN (SELECT v FROM JSON_TABLE(" : " IN (SELECT v FROM JSON_TABLE(");
        placeholder();
        out_.add(", '$[*]' COLUMNS (v ");
        out_.add(json_table_type(form));
        return out_.add(" PATH '$')) AS j)");
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
      case Form::decimal: return "DECIMAL(65,30)";
      case Form::date: return "DATE";
      case Form::time: return "TIME(6)";
      case Form::timestamp: return "DATETIME(6)";
      default: return "LONGTEXT";
    }
  }

  Writer& out_;
  const Dialect& dialect_;
  const Shape& shape_;
  const meta::Table& table_;
  unsigned params_ = 0;
};

/// Writes the text of `shape` in `dialect`.
constexpr void render(Writer& out, const Dialect& dialect, const Shape& shape) {
  Renderer(out, dialect, shape).statement();
}

/// How many characters that is.
constexpr std::size_t rendered_size(const Dialect& dialect, const Shape& shape) {
  Writer counter;
  render(counter, dialect, shape);
  return counter.size();
}

}  // namespace quark::sql
