// What a pool asks of a connection: to be as good as new, and whether it lives.
#include <quark/exec/error.hpp>
#include <quark/exec/pool.hpp>

#include <string>

#include "quark/engine/sqlite/connection.hpp"

namespace quark::sqlite {
namespace {

/// Takes the next word of SQL off `text`, in capitals and at most 9 letters of it; blanks and comments go.
std::string next_word(std::string_view& text) {
  for (;;) {
    const std::size_t start = text.find_first_not_of(" \t\r\n\f;");
    text.remove_prefix(start == std::string_view::npos ? text.size() : start);
    std::string_view end;
    if (text.starts_with("--")) end = "\n";
    if (text.starts_with("/*")) end = "*/";
    if (end.empty()) break;
    const std::size_t at = text.find(end, 2);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
  }
  std::string word;
  while (!text.empty() && word.size() < 9) {
    const char c = text.front();
    const bool small = c >= 'a' && c <= 'z';
    if (!small && !(c >= 'A' && c <= 'Z')) break;
    word += small ? static_cast<char>(c - 'a' + 'A') : c;
    text.remove_prefix(1);
  }
  return word;
}

}  // namespace

void Session::note_settings(std::string_view sql) noexcept {
  if (settings_changed_) return;
  try {
    const std::string word = next_word(sql);
    settings_changed_ = word == "PRAGMA" || word == "ATTACH" || word == "DETACH" ||
                        (word == "CREATE" && next_word(sql).starts_with("TEMP"));
  } catch (...) {
    settings_changed_ = true;  // no memory for a word: rather one time too often
  }
}

bool Session::reset() noexcept {
  watcher_.forget();
  transactions_.cut(0);
  outermost_is_savepoint_ = false;
  if (settings_changed_ && !in_memory_) return false;
  settings_changed_ = false;
  // What SQLite says, not what we know: a transaction may have been begun through native().
  if (sqlite3_get_autocommit(db_) == 0 || sqlite3_txn_state(db_, nullptr) != SQLITE_TXN_NONE) [[unlikely]] {
    for (sqlite3_stmt* s = sqlite3_next_stmt(db_, nullptr); s != nullptr; s = sqlite3_next_stmt(db_, s))
      if (sqlite3_stmt_busy(s) != 0) sqlite3_reset(s);
    if (sqlite3_get_autocommit(db_) == 0) sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
    if (sqlite3_get_autocommit(db_) == 0 || sqlite3_txn_state(db_, nullptr) != SQLITE_TXN_NONE) return false;
  }
  sqlite3_db_config(db_, SQLITE_DBCONFIG_ENABLE_FKEY, foreign_keys_ ? 1 : 0, nullptr);
  sqlite3_busy_timeout(db_, busy_timeout_);
  return true;
}

bool Session::ping() noexcept {
  return sqlite3_exec(db_, "SELECT 1 FROM sqlite_schema LIMIT 1", nullptr, nullptr, nullptr) == SQLITE_OK;
}

void adjust_pool(const Options& options, PoolOptions& pool) {
  if (!options.path.empty() && options.path != ":memory:") return;
  if (pool.max > 1)
    quark::detail::throw_misuse("each connection to :memory: has a database of its own: a pool of one must say "
                                "{.max = 1}, and several connections need a file");
  // The database would go with its connection.
  pool.min = pool.max;
  pool.max_lifetime_seconds = 0;
  pool.idle_timeout_seconds = 0;
}

}  // namespace quark::sqlite
