// Preparing a statement, and what is checked once per prepared statement: that the text is one statement, that the
// key is one that SQLite makes, that times are stored as this connection writes them.
#include <quark/exec/error.hpp>
#include <quark/types/scratch.hpp>

#include <string>

#include "plain_query.hpp"
#include "quark/engine/sqlite/session.hpp"
#include "values.hpp"

namespace quark::sqlite {
namespace {

/// Whether there is a statement (or something that isn't one) in `rest`, rather than blanks, semicolons and comments.
bool has_statement(sqlite3* db, std::string_view rest) {
  while (rest.find_first_not_of(" \t\r\n;") != std::string_view::npos) {
    sqlite3_stmt* handle = nullptr;
    const char* tail = nullptr;
    const int code = sqlite3_prepare_v3(db, rest.data(), static_cast<int>(rest.size()), 0, &handle, &tail);
    sqlite3_finalize(handle);
    if (code != SQLITE_OK || handle != nullptr) return true;
    rest.remove_prefix(static_cast<std::size_t>(tail - rest.data()));
  }
  return false;
}

/// What SQLite makes of a declared type (sqlite.org/datatype3.html, 3.1), as far as times are concerned.
enum class Affinity { integer, text, real, any };
Affinity affinity_of(std::string_view declared) {
  std::string type;
  for (const char c : declared) type += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  const auto has = [&](std::string_view part) { return type.find(part) != std::string::npos; };
  if (has("INT")) return Affinity::integer;
  if (has("CHAR") || has("CLOB") || has("TEXT")) return Affinity::text;
  if (has("REAL") || has("FLOA") || has("DOUB")) return Affinity::real;
  return Affinity::any;  // BLOB, ANY, none, and NUMERIC, which leaves ISO text alone
}

void check_time_column(sqlite3* db, const Statement& statement, std::size_t index, Times times) {
  const std::string table(statement.table), column(statement.param_column(statement, index));
  const char* type = nullptr;
  if (column.empty() || sqlite3_table_column_metadata(db, nullptr, table.c_str(), column.c_str(), &type, nullptr,
                                                      nullptr, nullptr, nullptr) != SQLITE_OK)
    return;  // a view, or nothing: preparing tells what is missing
  const Affinity affinity = affinity_of(type != nullptr ? type : "");
  const bool fits = affinity == Affinity::any ||
                    affinity == (times == Times::text ? Affinity::text : Affinity::integer);
  if (fits) return;
  ErrorInfo info;
  info.kind = ErrorKind::misuse;
  info.table = table;
  info.column = column;
  info.message = "quark: " + table + "." + column + " is declared " + type + ", and this connection writes times as " +
                 (times == Times::text ? "text: comparing would be wrong. Open it with Times::integer"
                                       : "integers: comparing would be wrong. Open it with Times::text");
  throw_error(std::move(info));
}

bool is_time(const Param& p) { return p.form == Form::date || p.form == Form::timestamp; }

void check_times(sqlite3* db, const Statement& statement, const Param* params, std::size_t count, Times times) {
  for (std::size_t i = 0; i < count; ++i) {
    const Param& p = params[i];
    // An `in` has one type for all its values.
    const bool array = !p.null && p.form == Form::array && p.tail.size != rows_of_batch && p.tail.size > 0;
    if (is_time(p) || (array && is_time(*p.head.items))) check_time_column(db, statement, i, times);
  }
}

}  // namespace

sqlite3_stmt* Session::prepare(const Statement& statement, bool persistent, const Param* params, std::size_t count) {
  if (!statement.made_key.empty()) check_made_key(statement);
  if (statement.param_column != nullptr) {
    if (count == 1 && params[0].form == Form::array && params[0].tail.size == rows_of_batch) {
      // The rows of a batch: the statement for one of them knows the columns.
      const RowsArgument& rows = *static_cast<const RowsArgument*>(params[0].head.object);
      std::vector<Param> row(rows.batch->source.columns);
      Scratch scratch;
      rows.batch->source.fill(rows.batch->source.rows, 0, row.data(), scratch);
      check_times(db_, *rows.one, row.data(), row.size(), times_);
    } else {
      check_times(db_, statement, params, count, times_);
    }
  }
  sqlite3_stmt* handle = nullptr;
  const char* tail = nullptr;
  const int code = sqlite3_prepare_v3(db_, statement.text.data(), static_cast<int>(statement.text.size()),
                                      persistent ? SQLITE_PREPARE_PERSISTENT : 0, &handle, &tail);
  if (code != SQLITE_OK) fail(code, statement, true);
  const std::string_view rest(tail, static_cast<std::size_t>(statement.text.data() + statement.text.size() - tail));
  const bool more = handle != nullptr && has_statement(db_, rest);
  if (handle == nullptr || more) {
    sqlite3_finalize(handle);
    quark::detail::throw_misuse(more ? "one call runs one SQL statement, and this text has more"
                                     : "the SQL text holds no statement");
  }
  return handle;
}

// last_insert_rowid() is the key only where the key is the row id (fault B26): one column, declared INTEGER, and no
// index made for it, which `INTEGER PRIMARY KEY DESC` and WITHOUT ROWID have.
void Session::check_made_key(const Statement& statement) const {
  PlainQuery keys(db_, "SELECT max(name = ?2 COLLATE NOCASE AND type = 'INTEGER' COLLATE NOCASE), count(*), "
                       "EXISTS (SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk') "
                       "FROM pragma_table_info(?1) WHERE pk > 0");
  keys.bind(1, statement.table);
  keys.bind(2, statement.made_key);
  if (!keys.step()) fail(sqlite3_errcode(db_), statement);
  if (keys.integer(0) == 1 && keys.integer(1) == 1 && keys.integer(2) == 0) return;
  const std::string table(statement.table), column(statement.made_key);
  // Preparing tells what is missing.
  if (sqlite3_table_column_metadata(db_, nullptr, table.c_str(), column.c_str(), nullptr, nullptr, nullptr, nullptr,
                                    nullptr) != SQLITE_OK)
    return;
  quark::detail::throw_misuse("SQLite makes keys only for a column that is INTEGER PRIMARY KEY, and " + table + "." +
                              column + " is not: give the key yourself, or change the table");
}

void Session::check_changed_key(sqlite3_stmt* handle, const Statement& statement, const Outcome& outcome) const {
  try {
    check_made_key(statement);
    sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 1);
  } catch (const Misuse&) {
    // The table was made anew since the statement was prepared. The row went in with a key that is not the one we know.
    PlainQuery undo(db_, "DELETE FROM " + quoted(statement.table) + " WHERE rowid = ?1");
    undo.bind(1, outcome.last_key);
    if (outcome.affected > 0) undo.step();
    throw;
  }
}

}  // namespace quark::sqlite
