// Opening and closing: flags, pragmas, the quark_rows function.
#include "quark/engine/sqlite/connection.hpp"

#include <quark/exec/error.hpp>

#include <cerrno>
#include <climits>

#include "errors.hpp"
#include "values.hpp"

namespace quark::sqlite {
namespace {

[[noreturn]] void fail_open(sqlite3* db, int code, const std::string& path) {
  const int extended = db != nullptr ? sqlite3_extended_errcode(db) : code;
  std::string message = db != nullptr ? sqlite3_errmsg(db) : sqlite3_errstr(code);
  ErrorInfo info = describe_error(extended != 0 ? extended : code, "opening " + path + ": " + message, {}, {}, false);
  // "Can't open" has many causes; the system's code tells the one that a password or chmod mends.
  const int system = db != nullptr ? sqlite3_system_errno(db) : 0;
  if ((code & 0xff) == SQLITE_CANTOPEN && (system == EACCES || system == EPERM || system == EROFS))
    info.kind = ErrorKind::permission;
  throw_error(std::move(info));
}

void pragma(sqlite3* db, const char* sql, const std::string& path) {
  const int code = sqlite3_exec(db, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail_open(db, code, path);
}

bool is_memory(const std::string& path) { return path.empty() || path == ":memory:"; }

}  // namespace

Session::Session(const Options& options)
    : text_capacity_(options.cached_texts),
      forms_{options.times, options.decimals},
      foreign_keys_(options.foreign_keys),
      in_memory_(is_memory(options.path)) {
  if (text_capacity_ == 0) quark::detail::throw_misuse("cached_texts must be at least 1");
  if (options.path.find('\0') != std::string::npos)
    quark::detail::throw_misuse("a path can't contain a zero byte");
  if (options.busy_timeout_milliseconds < 0) quark::detail::throw_misuse("busy_timeout_milliseconds can't be negative");
  try {
    open(options);
  } catch (...) {
    close();
    throw;
  }
}

void Session::open(const Options& options) {
  // NOMUTEX: a connection belongs to one thread at a time, so SQLite needs no lock per call.
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  flags |= options.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  if (options.create && !options.read_only) flags |= SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(options.path.c_str(), &db_, flags, nullptr);
  if (code != SQLITE_OK) fail_open(db_, code, options.path);
  // SQLite opens a write-protected file for reading and says nothing: the first write would find out.
  if (!options.read_only && sqlite3_db_readonly(db_, "main") == 1) {
    ErrorInfo info;
    info.kind = ErrorKind::permission;
    info.engine_code = SQLITE_READONLY;
    info.message = "quark: opening " + options.path + ": the file can't be written; open it with read_only = true";
    throw_error(std::move(info));
  }
  sqlite3_extended_result_codes(db_, 1);
  const std::int64_t timeout = options.busy_timeout_milliseconds;
  busy_timeout_ = timeout > INT_MAX ? INT_MAX : static_cast<int>(timeout);
  sqlite3_busy_timeout(db_, busy_timeout_);
  // A misspelt name must be an error, not the text of its name (fault B16).
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
  if (register_rows(db_) != SQLITE_OK) fail_open(db_, SQLITE_ERROR, options.path);
  // SQLite opens lazily: reading the schema now makes a corrupt or foreign file fail here.
  pragma(db_, "SELECT 1 FROM sqlite_schema LIMIT 1", options.path);
  pragma(db_, options.foreign_keys ? "PRAGMA foreign_keys=ON" : "PRAGMA foreign_keys=OFF", options.path);
  if (options.wal && !options.read_only && !is_memory(options.path)) {
    pragma(db_, "PRAGMA journal_mode=WAL", options.path);
    pragma(db_, "PRAGMA synchronous=NORMAL", options.path);
  }
}

void Session::close() noexcept {
  watcher_.stop();
  for (Place* place : slots_) {
    if (place == nullptr) continue;
    sqlite3_finalize(place->handle);
    delete place;
  }
  slots_.clear();
  texts_.clear([](sqlite3_stmt* handle) { sqlite3_finalize(handle); });
  // _v2: should the caller still hold a statement of his own, the database closes with it.
  sqlite3_close_v2(db_);
  db_ = nullptr;
}

Session::~Session() { close(); }

std::uint64_t Connection::execute(std::string_view sql) {
  Statement statement;
  statement.text = sql;
  statement.operation = "execute";
  const sqlite3_int64 before = sqlite3_total_changes64(session().native());
  session().run(statement, nullptr, nullptr, 0, nullptr, nullptr);
  session().note_settings(sql);
  // sqlite3_changes keeps the last write's count through statements that write nothing.
  const bool wrote = sqlite3_total_changes64(session().native()) != before;
  return wrote ? static_cast<std::uint64_t>(sqlite3_changes64(session().native())) : 0;
}

Connection open(const Options& options) { return Connection(options); }

bool tune_process() noexcept { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK; }

}  // namespace quark::sqlite
