// From a specification (which statement, over which shape) to a constant: text, statement and slot, one per engine.
// Everything here happens in the compiler; query/ only names the specification it needs.
#pragma once

#include <quark/sql/expression.hpp>
#include <quark/sql/render.hpp>
#include <quark/sql/statement.hpp>

#include <string>

namespace quark::sql {

/// Text of exactly N characters, as a constant.
template <std::size_t N>
struct Text {
  char data[N + 1]{};
};

/// The text at run time, for shapes that are known only then.
std::string to_text(const Dialect& dialect, const Shape& shape);
/// The column of a parameter, for error reports. Statement::shape must be a Shape.
std::string_view param_column(const Statement& statement, std::size_t index);
/// The name of an index or unique constraint in the database: given, or made from table and columns.
std::string index_name(const meta::Table& table, const meta::Index& index);
/// The unique constraint over some columns, for error reports. Statement::shape must be a Shape.
std::string unique_name(const Statement& statement, std::string_view columns);
/// What an expression is worth whatever the rows are: an `in` over nothing decides much (fault B19).
enum class Decided : std::uint8_t { no, always_false, always_true };
Decided decide(Codes codes, const Param* params);
/// Visits the columns of `infos` that are Decimals, see Statement::decimals. Statement::shape must be a Shape.
void visit_decimals(const Statement& statement, const TypeInfo* infos, void (*visit)(void*, const DecimalColumn&),
                    void* context);
/// Throws Unsupported when an engine can't give the right answer for a run-time shape.
void check_shape(const Dialect& dialect, const Shape& shape, const TypeInfo* infos);

/// A decimal that an engine keeps as text has no order and no arithmetic there: it would go through floating point.
constexpr bool is_text_decimal(Engine engine, const TypeInfo& info) {
  return engine == Engine::sqlite && info.form == Form::decimal && info.precision > 18;
}

constexpr bool is_text_decimal(AnyEngine, const TypeInfo&) { return false; }  // a question of run time

/// Whether a model has such a column at all: hardly one does, and then no shape needs looking at.
template <class T, Engine E>
inline constexpr bool has_text_decimal = [] {
  for (const TypeInfo& info : detail::infos_of<T>::infos)
    if (is_text_decimal(E, info)) return true;
  return false;
}();

/// Whether the codes order or calculate with a column that the engine keeps as text only.
constexpr bool orders_text_decimal(Engine engine, Codes codes, const TypeInfo* infos) {
  bool ordering = false;
  for (std::size_t i = 0; i < codes.size; ++i) {
    const Code c = codes.data[i];
    switch (node_of(c)) {
      case Node::binary: {
        const Op op = static_cast<Op>(op_of(c));
        ordering = !(op == Op::eq || op == Op::ne || op == Op::same || op == Op::not_same ||
                     op == Op::logic_and || op == Op::logic_or);
        break;
      }
      case Node::between:
      case Node::term:
      case Node::minus: ordering = true; break;
      case Node::column:
        if (ordering && is_text_decimal(engine, infos[arg_of(c)])) return true;
        break;
      case Node::value: break;
      default: ordering = false;
    }
  }
  return false;
}

/// The same of all that a statement's shape says.
constexpr bool orders_text_decimal(Engine engine, const Shape& shape, const TypeInfo* infos) {
  return orders_text_decimal(engine, shape.where, infos) || orders_text_decimal(engine, shape.order, infos) ||
         orders_text_decimal(engine, shape.set, infos);
}

/// Why an engine can't do what a shape asks for; empty: it can.
constexpr std::string_view refusal_of(Engine engine, const Shape& shape, const TypeInfo* infos) {
  if (engine != Engine::postgres) {
    for (std::uint16_t i = 0; i < shape.table->count; ++i)
      if (infos[i].form == Form::array) return "only PostgreSQL has arrays";
  }
  const bool calculates = shape.verb == Verb::aggregate && is_text_decimal(engine, infos[shape.columns.data[0]]);
  if (calculates || orders_text_decimal(engine, shape, infos))
    return "SQLite keeps a Decimal of more than 18 digits as text, which has no numeric order and no arithmetic";
  return {};
}

/// Whether an UPDATE reads a column that an earlier one of its assignments sets: standard SQL gives it the old value,
/// MySQL the new one.
constexpr bool reads_assigned(const Shape& shape) {
  const auto set_before = [&](std::uint16_t column, std::size_t end) {
    for (std::uint16_t i = 0; i < shape.columns.size; ++i)
      if (shape.columns.data[i] == column) return true;
    for (std::size_t i = 0; i < end; ++i)
      if (node_of(shape.set.data[i]) == Node::assign && arg_of(shape.set.data[i]) == column) return true;
    return false;
  };
  std::size_t assignment = 0;
  for (std::size_t i = 0; i < shape.set.size; ++i) {
    const Code c = shape.set.data[i];
    if (node_of(c) == Node::assign) assignment = i;
    if (node_of(c) == Node::column && set_before(arg_of(c), assignment)) return true;
  }
  return false;
}

// A function of its own: one error per model, whatever is done with it. The deduced result makes
// the compiler look inside.
template <class T, Engine E>
constexpr auto check_arrays() {
  static_assert(E != Engine::sqlite || !detail::has_array<T>,
                "quark: SQLite has no arrays: give the elements a table of their own, or keep them as quark::Json");
  static_assert(E != Engine::mysql || !detail::has_array<T>,
                "quark: MySQL has no arrays: give the elements a table of their own, or keep them as quark::Json");
}

/// Statement::decimals of a model: hardly one has such a column, and then there is no function.
template <class T>
inline constexpr auto decimals_of = [] {
  void (*visitor)(const Statement&, void (*)(void*, const DecimalColumn&), void*) = nullptr;
  for (const TypeInfo& info : detail::infos_of<T>::infos)
    if (info.form == Form::decimal)
      visitor = [](const Statement& statement, void (*visit)(void*, const DecimalColumn&), void* context) {
        visit_decimals(statement, detail::infos_of<T>::infos, visit, context);
      };
  return visitor;
}();

template <Code... C>
struct CodePack {
  static constexpr Code data[sizeof...(C) == 0 ? 1 : sizeof...(C)] = {C...};
  static constexpr Codes codes{data, sizeof...(C)};
};

template <std::uint16_t... I>
struct IndexPack {
  static constexpr std::uint16_t data[sizeof...(I) == 0 ? 1 : sizeof...(I)] = {I...};
  static constexpr ColumnList list{data, sizeof...(I)};
};

template <class Spec>
constexpr std::string_view made_key() {
  if constexpr (requires { Spec::makes_key; }) {
    constexpr auto& table = table_of<typename Spec::model>;
    if (Spec::makes_key && table.generated_key) return table[table.key.columns[0]].name;
  }
  return {};
}

template <class Spec>
constexpr bool streams() {
  if constexpr (requires { Spec::streams; }) return Spec::streams;
  return false;
}

/// The constant of one specification and engine: `E` is an Engine, or any_engine.
template <class Spec, auto E>
struct Compiled {
  static constexpr Shape shape = Spec::shape(E);
  static_assert(!has_text_decimal<typename Spec::model, E> ||
                    !orders_text_decimal(E, shape, detail::infos_of<typename Spec::model>::infos),
                "quark: SQLite keeps a Decimal of more than 18 digits as text, which has no "
                "numeric order and no arithmetic");
  using Arrays = decltype(check_arrays<typename Spec::model, E>());
  static constexpr std::size_t size = rendered_size(dialect_of(E), shape);
  static constexpr Text<size> text = [] {
    Text<size> out;
    Writer writer(out.data);
    render(writer, dialect_of(E), shape);
    return out;
  }();
  static constexpr std::size_t returning = [] {
    if constexpr (E != Engine::mysql || shape.returning.size == 0) {
      return size;
    } else {
      Shape without = shape;
      without.returning = {};
      return rendered_size(dialect_of(E), without);
    }
  }();
  static constexpr Statement statement{.text = {text.data, size},
                                       .table = shape.table->name,
                                       .operation = Spec::operation,
                                       .kind = Spec::kind,
                                       .made_key = made_key<Spec>(),
                                       .returning = returning,
                                       .streams = streams<Spec>(),
                                       .reads_assigned = E == Engine::mysql && reads_assigned(shape),
                                       .shape = &shape,
                                       .param_column = &param_column,
                                       .unique_name = &unique_name,
                                       .decimals = decimals_of<typename Spec::model>};
  static inline constinit Slot slot{};
};

/// All engines' constants of one specification; the session takes the one of its engine.
template <class Spec>
struct Compiled<Spec, any_engine> {
  using T = typename Spec::model;
  template <Engine E>
  static consteval std::string_view refusal() {
    if constexpr (detail::has_array<T> || has_text_decimal<T, E>) {
      return refusal_of(E, Spec::shape(E), detail::infos_of<T>::infos);
    } else {
      return {};
    }
  }
  template <Engine E>
  static constexpr Spelling spelling() {
    if constexpr (refusal<E>().empty()) {
      return {&Compiled<Spec, E>::statement, &Compiled<Spec, E>::slot, {}};
    } else {
      return {nullptr, nullptr, refusal<E>()};
    }
  }
  static constexpr Spelling spellings[] = {spelling<Engine::sqlite>(), spelling<Engine::postgres>(),
                                           spelling<Engine::mysql>()};
  static constexpr const Slot& slot = *spellings[static_cast<std::size_t>(Engine::postgres)].slot;  // a placeholder
  static constexpr Statement statement{.table = table_of<typename Spec::model>.name,
                                       .operation = Spec::operation,
                                       .kind = Spec::kind,
                                       .spellings = spellings};
};

/// Some columns of a model, chosen by a predicate; a constant array.
template <std::size_t N>
struct ColumnArray {
  std::uint16_t data[N == 0 ? 1 : N]{};
  std::uint16_t size = 0;
  constexpr void add(std::size_t i) { data[size++] = static_cast<std::uint16_t>(i); }
  constexpr ColumnList list() const { return {data, size}; }
};

template <class T>
struct Columns {
  static constexpr std::size_t n = reflect::count<T>;
  using Array = ColumnArray<n>;
  static constexpr auto& table = table_of<T>;

  template <class Predicate>
  static consteval Array choose(Predicate wanted) {
    Array out;
    for (std::size_t i = 0; i < n; ++i)
      if (wanted(i)) out.add(i);
    return out;
  }
  static constexpr bool filled_by_database(std::size_t i) { return table[i].generated && !table[i].key; }

  static constexpr Array all = choose([](std::size_t) { return true; });
  static constexpr Array inserted = choose([](std::size_t i) { return !filled_by_database(i); });
  static constexpr Array inserted_without_key =
      choose([](std::size_t i) { return !filled_by_database(i) && !table[i].key; });
  static constexpr Array updated = choose([](std::size_t i) {
    return !filled_by_database(i) && !table[i].key && i != table.version && i != table.created_at;
  });
  static constexpr Array filled = choose([](std::size_t i) { return filled_by_database(i); });
  /// Read back after an insert: SQLite and MySQL tell a lone key without RETURNING, which costs less.
  static constexpr Array returned(bool tells_key, bool key_made) {
    Array out;
    const bool wanted = filled.size > 0 || !tells_key;
    for (std::size_t i = 0; i < n; ++i)
      if (filled_by_database(i) || (wanted && key_made && table[i].key)) out.add(i);
    return out;
  }
  static constexpr Array returned_where_told[2] = {returned(true, false), returned(true, true)};
  static constexpr Array returned_elsewhere[2] = {returned(false, false), returned(false, true)};
  static constexpr ColumnList returning(Engine e, bool key_made) {
    return (dialect_of(e).tells_key ? returned_where_told : returned_elsewhere)[key_made].list();
  }
  /// What an upsert may find in the row that exists: its key, too, when it was found by other columns.
  template <bool ByKey>
  static constexpr Array upserted = choose([](std::size_t i) {
    return filled_by_database(i) || (table[i].key && (table.generated_key || !ByKey)) || i == table.version ||
           i == table.created_at;
  });
};

/// The parts of a reading statement that are no expression.
struct ReadBits {
  Verb verb = Verb::select;
  Aggregate aggregate = Aggregate::sum;
  Limit limit = Limit::none;
  bool offset = false;
  bool distinct = false;
  bool by_key = false;
  bool streams = false;              // each()
  std::uint16_t column = no_column;  // the only one selected; no_column: all
};

constexpr std::string_view operation_of(const ReadBits& b) {
  constexpr std::string_view aggregates[] = {"sum", "avg", "min", "max"};
  switch (b.verb) {
    case Verb::count: return "count";
    case Verb::exists: return "exists";
    case Verb::aggregate: return aggregates[static_cast<std::size_t>(b.aggregate)];
    default: break;
  }
  if (b.by_key) return "find";
  if (b.streams) return "each";
  if (b.column != no_column) return "pluck";
  return b.limit == Limit::one ? "first" : b.limit == Limit::two ? "one" : "list";
}

template <class T, class Where, class Order, ReadBits B>
struct ReadSpec {
  using model = T;
  static constexpr StatementKind kind = StatementKind::select;
  static constexpr std::string_view operation = operation_of(B);
  static constexpr bool streams = B.streams;
  static constexpr std::uint16_t column[1] = {B.column};
  static constexpr Shape shape(Engine) {
    Shape s;
    s.verb = B.verb;
    s.table = &table_of<T>;
    s.forms = detail::infos_of<T>::forms;
    s.columns = B.column == no_column ? Columns<T>::all.list() : ColumnList{column, 1};
    s.where = Where::codes;
    s.order = Order::codes;
    s.aggregate = B.aggregate;
    s.limit = B.limit;
    s.offset = B.offset;
    s.distinct = B.distinct;
    s.by_key = B.by_key;
    return s;
  }
};

enum class InsertMode : std::uint8_t { with_key, without_key, rows_with_key, rows_without_key };

template <class T, InsertMode M>
struct InsertSpec {
  using model = T;
  static constexpr bool key = M == InsertMode::with_key || M == InsertMode::rows_with_key;
  static constexpr bool rows = M == InsertMode::rows_with_key || M == InsertMode::rows_without_key;
  static constexpr bool makes_key = !key;
  static constexpr StatementKind kind = StatementKind::insert;
  static constexpr std::string_view operation = rows ? "create_batch" : "create";
  static constexpr Shape shape(Engine e) {
    Shape s;
    s.verb = Verb::insert;
    s.table = &table_of<T>;
    s.forms = detail::infos_of<T>::forms;
    s.columns = key ? Columns<T>::inserted.list() : Columns<T>::inserted_without_key.list();
    s.from_rows = rows;
    // Of many rows only RETURNING tells the keys, except to SQLite's quark_rows.
    if (!rows) s.returning = Columns<T>::returning(e, !key);
    if (rows && e != Engine::sqlite) s.returning = Columns<T>::returned_elsewhere[!key].list();
    return s;
  }
};

/// Replace = void: every column but keys and created_at.
template <class T, class Conflict, class Replace, bool WithKey>
struct UpsertSpec {
  using model = T;
  static constexpr bool makes_key = !WithKey;
  static constexpr StatementKind kind = StatementKind::upsert;
  static constexpr std::string_view operation = "upsert";
  /// What an existing row takes. Named columns bring updated_at along; none at all leave the row as it is.
  static constexpr ColumnArray<Columns<T>::n + 1> replaced = [] {
    ColumnArray<Columns<T>::n + 1> out;
    const auto in = [](ColumnList list, std::size_t i) {
      for (std::uint16_t k = 0; k < list.size; ++k)
        if (list.data[k] == i) return true;
      return false;
    };
    constexpr std::size_t stamp = table_of<T>.updated_at;
    for (std::uint16_t k = 0; k < Columns<T>::updated.size; ++k) {
      const std::uint16_t i = Columns<T>::updated.data[k];
      if constexpr (std::is_void_v<Replace>) {
        if (!in(Conflict::list, i)) out.add(i);
      } else {
        if (in(Replace::list, i) || (i == stamp && Replace::list.size > 0)) out.add(i);
      }
    }
    return out;
  }();
  static constexpr bool by_key = [] {
    for (std::uint16_t k = 0; k < Conflict::list.size; ++k)
      if (!table_of<T>[Conflict::list.data[k]].key) return false;
    return Conflict::list.size == table_of<T>.key.count;
  }();
  static constexpr Shape shape(Engine) {
    Shape s;
    s.verb = Verb::upsert;
    s.table = &table_of<T>;
    s.forms = detail::infos_of<T>::forms;
    s.columns = WithKey ? Columns<T>::inserted.list() : Columns<T>::inserted_without_key.list();
    s.conflict = Conflict::list;
    s.replace = replaced.list();
    s.returning = Columns<T>::template upserted<by_key>.list();
    return s;
  }
};

/// Reads what Spec, an insert or upsert, returns: by key, or by the columns of the upsert's conflict.
template <class Spec, bool ByConflict = false>
struct ReadAgainSpec {
  using model = typename Spec::model;
  static constexpr StatementKind kind = StatementKind::select;
  static constexpr std::string_view operation = Spec::operation;
  static constexpr Shape shape(Engine e) {
    Shape s;
    s.verb = Verb::select;
    s.table = &table_of<model>;
    s.forms = detail::infos_of<model>::forms;
    s.columns = Spec::shape(e).returning;
    s.conflict = Spec::shape(e).conflict;
    s.by_key = !ByConflict;
    s.by_conflict = ByConflict;
    return s;
  }
};

/// Set = assignments (mass update); Some = void: all columns of an entity, else an IndexPack.
template <class T, class Where, class Some, class Set, bool ByKey>
struct UpdateSpec {
  using model = T;
  static constexpr StatementKind kind = StatementKind::update;
  static constexpr std::string_view operation = "update";
  static constexpr bool sets(std::size_t column) {
    for (std::size_t i = 0; i < Set::codes.size; ++i)
      if (node_of(Set::codes.data[i]) == Node::assign && arg_of(Set::codes.data[i]) == column) return true;
    return false;
  }
  static constexpr ColumnArray<Columns<T>::n + 1> columns = [] {
    ColumnArray<Columns<T>::n + 1> out;
    constexpr std::uint16_t stamp = table_of<T>.updated_at;
    bool stamped = sets(stamp);
    if constexpr (!ByKey) {
      (void)stamped;
    } else if constexpr (std::is_void_v<Some>) {
      for (std::uint16_t i = 0; i < Columns<T>::updated.size; ++i) out.add(Columns<T>::updated.data[i]);
      stamped = true;
    } else {
      for (std::uint16_t i = 0; i < Some::list.size; ++i) {
        out.add(Some::list.data[i]);
        if (Some::list.data[i] == stamp) stamped = true;
      }
    }
    if (stamp != no_column && !stamped) out.add(stamp);
    return out;
  }();
  static constexpr Shape shape(Engine) {
    Shape s;
    s.verb = Verb::update;
    s.table = &table_of<T>;
    s.forms = detail::infos_of<T>::forms;
    s.columns = columns.list();
    s.set = Set::codes;
    s.where = Where::codes;
    s.by_key = ByKey;
    s.by_version = ByKey && table_of<T>.version != no_column;
    return s;
  }
};

template <class T, class Where, bool ByKey, bool ByVersion>
struct RemoveSpec {
  using model = T;
  static constexpr StatementKind kind = StatementKind::remove;
  static constexpr std::string_view operation = "remove";
  static constexpr Shape shape(Engine) {
    Shape s;
    s.verb = Verb::remove;
    s.table = &table_of<T>;
    s.forms = detail::infos_of<T>::forms;
    s.where = Where::codes;
    s.by_key = ByKey;
    s.by_version = ByVersion;
    return s;
  }
};

}  // namespace quark::sql
