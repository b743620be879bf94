// Tables from models: create_table, create_all, drop_table, drop_all; as statements that run, or as text.
// What a model says becomes keys, foreign keys, unique constraints, indexes, checks and defaults.
#pragma once

#include <quark/exec/error.hpp>
#include <quark/exec/handle.hpp>
#include <quark/sql/column.hpp>
#include <quark/sql/dialect.hpp>
#include <quark/sql/statement.hpp>

#include <string>
#include <vector>

namespace quark {

/// What to do when the table is there already.
enum class IfExists : std::uint8_t { fail, skip };

namespace schema {

/// A model's table with the wire forms of its columns.
struct TableDefinition {
  const meta::Table* table = nullptr;
  const TypeInfo* infos = nullptr;
  const std::string_view* default_names = nullptr;  // of columns that store an enumerator's name
};

/// The DEFAULT of an enumeration that is stored by name is a name too.
template <class T, class Indexes = std::make_index_sequence<reflect::count<T>>>
struct default_names;
template <class T, std::size_t... I>
struct default_names<T, std::index_sequence<I...>> {
  template <std::size_t K>
  static constexpr std::string_view name() {
    constexpr const meta::Column& column = table_of<T>.columns[K];
    if constexpr (column.by_name && column.default_value.kind != meta::Literal::Kind::none) {
      return enum_name(static_cast<detail::bare<detail::member_type<T, K>>>(column.default_value.integer));
    } else {
      return {};
    }
  }
  static constexpr std::string_view names[sizeof...(I)] = {name<I>()...};
};

template <class T>
constexpr TableDefinition definition_of() {
  return {&table_of<T>, detail::infos_of<T>::infos, default_names<T>::names};
}

/// Engine choices that a definition depends on.
struct Style {
  Engine engine = Engine::sqlite;
  bool times_as_text = false;  // SQLite: sys_time and dates as TEXT
  bool decimals_as_numbers = false;  // SQLite: decimals as they are, not times 10^S
};

/// The statements that make one table and its indexes, in order. Throws Misuse for a column type
/// that would change values (SQLite's affinity) and for two indexes of one name, Unsupported for a
/// name that is too long for the engine.
std::vector<std::string> create_statements(const TableDefinition& definition, Style style, IfExists if_exists);
/// The statements for several tables that may refer to each other, referred tables first; foreign
/// keys of a cycle are added at the end where the engine can.
std::vector<std::string> create_statements(const TableDefinition* definitions, std::size_t count, Style style,
                                           IfExists if_exists);
std::string drop_statement(const meta::Table& table, Engine engine, bool if_exists);
/// The statements that drop several tables, referring ones first, and those of a cycle together.
std::vector<std::string> drop_statements(const TableDefinition* definitions, std::size_t count, Engine engine,
                                         bool if_exists);
/// The order in which tables are created: referred ones first.
std::vector<std::size_t> creation_order(const TableDefinition* definitions, std::size_t count);

/// The names of a table's indexes that are made by statements of their own.
std::vector<std::string> index_names(const meta::Table& table);
/// Counts the indexes of a name ($1) on a table ($2); empty where each table has its own names.
std::string_view index_query(Engine engine);
[[noreturn]] void throw_foreign_index(std::string_view index, std::string_view table);

template <class S>
Style style_of(const S& session) {
  if constexpr (is_any<S>) {
    return session.pick([](const auto& native) { return style_of(native); });
  } else {
    Style style;
    style.engine = S::engine;
    if constexpr (requires { session.times_are_text(); }) style.times_as_text = session.times_are_text();
    if constexpr (requires { session.decimals_are_numbers(); })
      style.decimals_as_numbers = session.decimals_are_numbers();
    return style;
  }
}

template <class S>
void run_ddl(S& session, std::string_view text, std::string_view table, std::string_view operation) {
  Statement statement;
  statement.text = text;
  statement.table = table;
  statement.operation = operation;
  statement.kind = StatementKind::ddl;
  session.run(statement, nullptr, nullptr, 0, nullptr, nullptr);
}

/// Whether a count isn't zero.
template <class Cursor>
void read_found(Cursor& cursor, void* out) {
  if constexpr (is_any<Cursor>) {
    cursor.pick([out](auto& native) { read_found(native, out); });
  } else {
    *static_cast<bool*>(out) = cursor.step() && cursor.cell(0).integer() > 0;
  }
}

/// After IF NOT EXISTS: an index that was there already may be another table's. Throws Misuse.
template <class S>
void check_indexes(S& session, const TableDefinition* definitions, std::size_t count) {
  Statement statement;
  statement.text = index_query(engine_of(session));
  statement.operation = "create_table";
  statement.kind = StatementKind::select;
  if (statement.text.empty()) return;
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::string& index : index_names(*definitions[i].table)) {
      Param params[2];
      codec<std::string>::put(params[0], index);
      codec<std::string>::put(params[1], definitions[i].table->name);
      bool found = false;
      session.run(statement, nullptr, params, 2, &read_found<typename S::Cursor>, &found);
      if (!found) throw_foreign_index(index, definitions[i].table->name);
    }
  }
}

/// All or nothing, where the engine can. One that commits at each definition is given them as they are; inside of a
/// transaction it refuses them.
template <class S, class Run>
void in_transaction(S& session, Run&& run) {
  if constexpr (is_any<S>) {
    session.pick([&run](auto& native) { in_transaction(native, run); });
  } else if constexpr (requires { S::ddl_commits; }) {
    run();
  } else {
    const std::uint64_t tx = session.begin({});
    try {
      run();
      session.commit(tx);
    } catch (...) {
      session.abandon(tx);
      throw;
    }
  }
}

}  // namespace schema

/// The statements of create_table<T> on an engine, each of them one string: the table, then its
/// indexes. Throws Misuse and Unsupported like create_statements.
template <class T>
std::vector<std::string> create_table_sql(Engine engine, IfExists if_exists = IfExists::fail) {
  return schema::create_statements(schema::definition_of<T>(), {.engine = engine}, if_exists);
}

namespace schema {

// The session is an argument, not a local reference: that of a pool lives for one full expression.
template <class... T, class S>
void create_on(S& session, IfExists if_exists) {
  if constexpr (is_any<S>) {
    const bool can = engine_of(session) == Engine::postgres;
    ((!can && detail::has_array<T>
          ? detail::throw_unsupported(table_of<T>.name, "only PostgreSQL has arrays")
          : void()),
     ...);
  } else {
    static_assert(S::engine == Engine::postgres || !(detail::has_array<T> || ...),
                  "quark: only PostgreSQL has arrays: give the elements a table of their own, or "
                  "keep them as quark::Json");
  }
  const TableDefinition definitions[] = {definition_of<T>()...};
  const auto statements = create_statements(definitions, sizeof...(T), style_of(session), if_exists);
  in_transaction(session, [&] {
    for (const std::string& text : statements) run_ddl(session, text, {}, "create_table");
    if (if_exists == IfExists::skip) check_indexes(session, definitions, sizeof...(T));
  });
}

template <class... T, class S>
void drop_on(S& session, IfExists if_missing) {
  const TableDefinition definitions[] = {definition_of<T>()...};
  const auto statements = drop_statements(definitions, sizeof...(T), engine_of(session), if_missing == IfExists::skip);
  in_transaction(session, [&] {
    for (const std::string& text : statements) run_ddl(session, text, {}, "drop_table");
  });
}

template <class T, class S>
void drop_one(S& session, IfExists if_missing) {
  run_ddl(session, drop_statement(table_of<T>, engine_of(session), if_missing == IfExists::skip), table_of<T>.name,
          "drop_table");
}

}  // namespace schema

/// Makes the tables of the models, which may refer to each other in any order, in one transaction.
/// Throws SyntaxError when a table is there already, unless told IfExists::skip.
template <class... T, class Db>
void create_all(Db& db, IfExists if_exists = IfExists::fail) {
  static_assert(sizeof...(T) > 0, "quark: create_all<Model, ...>(db) needs models");
  schema::create_on<T...>(detail::handle_of(db).session(), if_exists);
}

/// Makes one model's table with its indexes; see create_all.
template <class T, class Db>
void create_table(Db& db, IfExists if_exists = IfExists::fail) {
  create_all<T>(db, if_exists);
}

/// Drops one model's table with its rows. A missing table is an error unless told IfExists::skip.
template <class T, class Db>
void drop_table(Db& db, IfExists if_missing = IfExists::fail) {
  schema::drop_one<T>(detail::handle_of(db).session(), if_missing);
}

/// Drops the tables of the models with their rows, in one transaction. They may refer to each other
/// in any order, also in a circle; a row of another table that refers to one of theirs is an error.
/// See drop_table.
template <class... T, class Db>
void drop_all(Db& db, IfExists if_missing = IfExists::fail) {
  static_assert(sizeof...(T) > 0, "quark: drop_all<Model, ...>(db) needs models");
  schema::drop_on<T...>(detail::handle_of(db).session(), if_missing);
}

}  // namespace quark
