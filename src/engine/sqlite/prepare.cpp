// Preparing a statement, and what is checked once per prepared statement: that the text is one statement, that the
// key is one that SQLite makes. Whether times and decimals are stored as this connection writes them: columns.cpp.
#include <quark/exec/error.hpp>

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

}  // namespace

sqlite3_stmt* Session::prepare(const Statement& statement, bool persistent, const Param* params, std::size_t count) {
  if (!statement.made_key.empty()) check_made_key(statement);
  check_forms(db_, statement, params, count, forms_);
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
