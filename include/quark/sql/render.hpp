// The one renderer: a shape and a dialect become text. It runs inside the compiler for constant shapes and at run
// time for those with a Filter or run-time order; being one function, the two can't differ.
#pragma once

#include <quark/sql/render_expression.hpp>

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
  bool by_conflict = false;  // AND column = ? for each one of `conflict`
  bool by_version = false;  // AND version = ?; UPDATE counts it up
  bool from_rows = false;   // INSERT of many rows, which the caller has
};

class Renderer : ExpressionRenderer {
 public:
  constexpr Renderer(Writer& out, const Dialect& dialect, const Shape& shape)
      : ExpressionRenderer(out, dialect, *shape.table, shape.forms), shape_(shape) {}

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
        out_.add("DELETE ");
        if (joins_lists()) {
          name(table_.name);
          out_.add(' ');
        }
        out_.add("FROM ");
        name(table_.name);
        return where();
    }
  }

 private:
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

  constexpr void aggregate_column(bool over_rows) {
    if (over_rows) {
      name("q");
      out_.add('.');
      name(table_[shape_.columns.data[0]].name);
    } else {
      column(shape_.columns.data[0]);
    }
  }

  constexpr void aggregate_call(bool over_rows, std::string_view cast) {
    constexpr std::string_view functions[] = {"SUM(", "AVG(", "MIN(", "MAX("};
    if (shape_.verb == Verb::count) {
      out_.add("COUNT(*)");
      return;
    }
    out_.add(functions[static_cast<std::size_t>(shape_.aggregate)]);
    aggregate_column(over_rows);
    out_.add(cast);
    out_.add(')');
  }

  // PostgreSQL's sum of bigint and average of integers are numeric, its sum of real is real: not what comes back here.
  // MySQL's average of integers is a decimal of four places: the sum, which is exact, is divided as a double instead.
  constexpr void aggregate_result(bool over_rows) {
    if (shape_.verb != Verb::aggregate || dialect_.engine == Engine::sqlite) return aggregate_call(over_rows, "");
    const bool sum = shape_.aggregate == Aggregate::sum;
    const Form form = shape_.forms[shape_.columns.data[0]];
    const bool integer = form >= Form::i16 && form <= Form::u64;
    if (dialect_.engine == Engine::mysql) {
      if (shape_.aggregate != Aggregate::avg || !integer) return aggregate_call(over_rows, "");
      out_.add("CAST(SUM(");
      aggregate_column(over_rows);
      out_.add(") AS DOUBLE) / COUNT(");
      aggregate_column(over_rows);
      return out_.add(')');
    }
    aggregate_call(over_rows, sum && form == Form::f32 ? "::float8" : "");
    if (sum && integer) out_.add("::bigint");
    if (shape_.aggregate == Aggregate::avg && integer) out_.add("::float8");
  }

  // A limit or DISTINCT counts before the aggregate does, hence the inner query.
  constexpr void aggregate() {
    out_.add("SELECT ");
    const bool inner = shape_.distinct || shape_.limit != Limit::none || shape_.offset;
    aggregate_result(inner);
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
    // A batch is all or nothing: the word overrides what a constraint says (ON CONFLICT FAIL keeps earlier rows).
    const bool sqlite = dialect_.engine == Engine::sqlite;
    out_.add(shape_.from_rows && sqlite ? "INSERT OR ABORT INTO " : "INSERT INTO ");
    name(table_.name);
    if (shape_.columns.size == 0) {
      out_.add(dialect_.engine == Engine::mysql ? " () VALUES ()" : " DEFAULT VALUES");
    } else {
      out_.add(" (");
      names(shape_.columns);
      if (shape_.from_rows && dialect_.engine != Engine::mysql) {
        from_rows();
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
    if (shape_.returning.size > 0) {
      out_.add(" RETURNING ");
      names(shape_.returning);
    }
  }

  // The caller's rows: SQLite reads them by a function, PostgreSQL takes an array per column, which the select list
  // unnests in step. MySQL and MariaDB take the statement of one row, and many rows of parameters.
  constexpr void from_rows() {
    out_.add(") SELECT ");
    for (std::uint16_t i = 0; i < shape_.columns.size; ++i) {
      if (i > 0) out_.add(", ");
      if (dialect_.engine == Engine::sqlite) {
        out_.add('c');
        out_.add_number(i);
      } else {
        out_.add("unnest(");
        placeholder();
        out_.add(')');
      }
    }
    if (dialect_.engine == Engine::sqlite) out_.add(" FROM quark_rows(?)");
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
    [[maybe_unused]] bool guard = mysql && other_key_may_meet();
    for (std::uint16_t i = 0; i < replace.size; ++i) {
      if (replace.data[i] == table_.version) continue;
      if (!first) out_.add(", ");
      first = false;
      name(table_[replace.data[i]].name);
      if (mysql) {
        out_.add(" = ");
        if (guard) {
          guarded_value(replace.data[i]);
        } else {
          new_value(replace.data[i]);
        }
        guard = false;
        continue;
      }
      out_.add(" = excluded.");
      name(table_[replace.data[i]].name);
    }
    if (table_.version != no_column && shape_.replace.size > 0) count_up(!first);
  }

  constexpr void new_value(std::uint16_t i) {
    out_.add("VALUES(");
    name(table_[i].name);
    out_.add(')');
  }

  // ON DUPLICATE KEY is any key: a row that was met by another one than the upsert's must not be changed. A condition
  // can't raise an error, but the second row of a subquery does (1242; the engine makes a unique violation of it).
  constexpr void guarded_value(std::uint16_t column_index) {
    out_.add("IF(");
    for (std::uint16_t i = 0; i < shape_.conflict.size; ++i) {
      if (i > 0) out_.add(" AND ");
      column(shape_.conflict.data[i]);
      out_.add(" = ");
      new_value(shape_.conflict.data[i]);
    }
    out_.add(", ");
    new_value(column_index);
    out_.add(", (SELECT 1 UNION ALL SELECT 2))");
  }

  /// Whether the new row could meet one by another unique key than the upsert's. A key that the database makes can't.
  constexpr bool other_key_may_meet() const {
    const auto meets = [&](const meta::ColumnSet& set) {
      std::uint16_t same = 0;
      for (std::uint16_t i = 0; i < set.count; ++i) {
        bool inserted = false;
        for (std::uint16_t k = 0; k < shape_.columns.size; ++k) inserted |= shape_.columns.data[k] == set.columns[i];
        if (!inserted && table_[set.columns[i]].key) return false;
        for (std::uint16_t k = 0; k < shape_.conflict.size; ++k)
          if (shape_.conflict.data[k] == set.columns[i]) ++same;
      }
      return set.count > 0 && (same != set.count || same != shape_.conflict.size);
    };
    if (meets(table_.key)) return true;
    for (std::uint16_t i = 0; i < table_.index_count; ++i)
      if (table_.indexes[i].unique && meets(table_.indexes[i].columns)) return true;
    return false;
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
    if (joins_lists()) out_.add(", (SELECT 1) AS one_row");
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

  // MariaDB reads a subquery anew for each row of a DELETE or UPDATE, but not in their forms for several tables.
  constexpr bool joins_lists() const {
    if (dialect_.engine != Engine::mysql) return false;
    for (std::size_t i = 0; i < shape_.where.size; ++i)
      if (node_of(shape_.where.data[i]) == Node::in_array) return true;
    return false;
  }

  // Our conditions are ANDed outside the user's, which is parenthesised when it binds weaker (fault QK-41).
  constexpr void where() {
    bool any_yet = false;
    const auto conjunct = [&] {
      out_.add(any_yet ? " AND " : " WHERE ");
      any_yet = true;
    };
    const bool more = shape_.by_key || shape_.by_version || shape_.by_conflict;
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
    if (shape_.by_conflict)
      for (std::uint16_t k = 0; k < shape_.conflict.size; ++k) equals(shape_.conflict.data[k]);
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

  const Shape& shape_;
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
