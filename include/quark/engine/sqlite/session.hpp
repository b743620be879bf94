// One open SQLite database: its handle, prepared statements, transactions and middleware.
// The inside of quark::sqlite::Connection; query/ calls run(), everything else is cold and lives in src/engine/sqlite/.
#pragma once

#include <quark/exec/deadline.hpp>
#include <quark/exec/middleware.hpp>
#include <quark/exec/row_source.hpp>
#include <quark/exec/statement_cache.hpp>
#include <quark/exec/transaction_stack.hpp>
#include <quark/sql/dialect.hpp>

#include <sqlite3.h>

#include <atomic>

namespace quark {
class Error;
}

namespace quark::sqlite {

class Cursor;
struct Options;

/// How a transaction begins. A write in a deferred one can fail at once when another writer was faster (fault B35).
enum class Begin : std::uint8_t { immediate, deferred, exclusive };

/// How sys_time and dates are stored: INTEGER (microseconds, days since 1970), ISO 8601 TEXT, or TEXT as SQLite's
/// datetime() writes it, with a fraction only where there is one.
enum class Times : std::uint8_t { integer, text, datetime };

/// How decimals are stored: times 10^S as INTEGER (beyond 18 digits as TEXT), or as the numbers they are.
enum class Decimals : std::uint8_t { scaled, number };

/// The forms in which a connection writes what SQLite has no type for.
struct Forms {
  Times times = Times::integer;
  Decimals decimals = Decimals::scaled;
};

/// Reads the rows of one statement into `context`.
using RowFunction = void (*)(Cursor& cursor, void* context);

class Session {
 public:
  static constexpr Engine engine = Engine::sqlite;
  using Cursor = sqlite::Cursor;
  using Begin = sqlite::Begin;
  using Outcome = quark::Outcome;

  explicit Session(const Options& options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Runs one statement: binds, hands the rows to `rows` (none when null), resets. `slot` is null for run-time text.
  Outcome run(const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
              RowFunction rows, void* context) {
    if (!chain_.empty()) [[unlikely]]
      return run_wrapped(statement, slot, params, count, rows, context);
    return run_direct(statement, slot, params, count, rows, context);
  }

  /// Inserts all rows or none, by `many` (from quark_rows) where the keys can be known for certain,
  /// else by `one` per row.
  void insert_rows(const Statement& many, const Slot& many_slot, const Statement& one,
                   const Slot& one_slot, const BatchInsert& batch);

  // Transactions, as exec/transaction.hpp asks for them. Ids are never 0 and never repeat.
  std::uint64_t begin(Begin mode);
  void commit(std::uint64_t id);
  void rollback(std::uint64_t id);
  void abandon(std::uint64_t id) noexcept;
  void check_transaction(std::uint64_t id) const;

  // For pools.

  /// Makes the connection as good as new: an open transaction is rolled back, statements that still run are ended,
  /// foreign keys and the busy timeout are what the options say. False when it must be closed instead: a pragma, ATTACH
  /// or temporary object of execute() has changed it. (A database in memory would go with it, and stays.)
  bool reset() noexcept;
  /// Whether the database can be read; for a file a look at it.
  bool ping() noexcept;
  /// What execute() was given, once it has run.
  void note_settings(std::string_view sql) noexcept;
  bool settings_changed() const { return settings_changed_; }
  /// What execute() has changed so far is as it should be.
  void accept_settings() { settings_changed_ = false; }

  /// Throws Misuse unless SQLite makes the key that the statement expects. For the insertion of rows.
  void check_made_key(const Statement& statement) const;

  MiddlewareChain& chain() { return chain_; }
  detail::Watcher& watcher() { return watcher_; }
  /// For a deadline that begins: how it stops what runs here.
  detail::Interrupter* interrupter();
  TransactionStack& transactions() { return transactions_; }
  Forms forms() const { return forms_; }
  bool times_are_text() const { return forms_.times != Times::integer; }
  bool decimals_are_numbers() const { return forms_.decimals == Decimals::number; }
  sqlite3* native() const { return db_; }
  /// Prepared statements that are kept: by slot, and by run-time text.
  std::size_t cached_statements() const;

 private:
  using Place = CachedStatement<sqlite3_stmt*>;
  friend class Use;
  friend class sqlite::Cursor;

  Outcome run_direct(const Statement& statement, const Slot* slot, const Param* params,
                     std::size_t count, RowFunction rows, void* context);
  Outcome run_wrapped(const Statement& statement, const Slot* slot, const Param* params,
                      std::size_t count, RowFunction rows, void* context);
  Place* place_of(const Statement& statement, const Slot* slot);
  sqlite3_stmt* prepare(const Statement& statement, bool persistent, const Param* params, std::size_t count);
  [[gnu::cold]] void check_changed_key(sqlite3_stmt* handle, const Statement& statement, const Outcome& outcome) const;
  void bind(sqlite3_stmt* handle, const Statement& statement, const Param* params, std::size_t count);
  void command(const Statement& statement, const Slot& slot);
  /// Whether SQLite gave up the transaction on its own (a full disk, RAISE(ROLLBACK), an interrupted write).
  bool is_aborted() const { return !transactions_.empty() && sqlite3_get_autocommit(db_) != 0; }
  [[noreturn, gnu::cold]] void refuse_aborted() const;
  /// Whether the transaction at this depth is a savepoint: all but the outermost, and that one too inside a
  /// transaction that the caller began with SQL of his own.
  bool is_savepoint(std::size_t depth) const { return depth > 0 || outermost_is_savepoint_; }
  void open(const Options& options);
  void close() noexcept;
  [[noreturn, gnu::cold]] void name_foreign_key(const Error& error, const Statement& statement, const Param* params,
                                                std::size_t count) const;
  [[noreturn, gnu::cold]] void fail(int code, const Statement& statement, bool preparing = false) const;

  sqlite3* db_ = nullptr;
  std::vector<Place*> slots_;
  TextCache<sqlite3_stmt*> texts_;
  std::size_t text_capacity_ = 64;
  MiddlewareChain chain_;
  detail::Watcher watcher_;
  TransactionStack transactions_;
  bool outermost_is_savepoint_ = false;
  Forms forms_;
  bool foreign_keys_ = true;
  bool in_memory_ = false;
  bool settings_changed_ = false;
  int busy_timeout_ = 0;
  std::atomic<std::size_t> user_{0};  // debug builds: which thread is inside
};

}  // namespace quark::sqlite
