// One open MySQL or MariaDB connection: its handle, prepared statements, transactions and middleware.
// The inside of quark::mysql::Connection; query/ calls run(), everything else is cold and lives in src/engine/mysql/.
#pragma once

#include <quark/engine/mysql/result.hpp>
#include <quark/exec/deadline.hpp>
#include <quark/exec/middleware.hpp>
#include <quark/exec/row_source.hpp>
#include <quark/exec/statement_cache.hpp>
#include <quark/exec/transaction_stack.hpp>
#include <quark/sql/dialect.hpp>

#include <atomic>

namespace quark::mysql {

class Cursor;
struct Options;
struct Prepared;

/// How far transactions see each other's work; `standard` is what the server is set to (usually repeatable_read).
enum class Isolation : std::uint8_t { standard, read_uncommitted, read_committed, repeatable_read, serializable };

/// How a transaction begins. A savepoint takes none of it.
struct Begin {
  Isolation isolation = Isolation::standard;
  bool read_only = false;  // a write is refused by the server
  friend bool operator==(const Begin&, const Begin&) = default;
};

/// Reads the rows of one statement into `context`.
using RowFunction = void (*)(Cursor& cursor, void* context);

class Session {
 public:
  static constexpr Engine engine = Engine::mysql;
  using Cursor = mysql::Cursor;
  using Begin = mysql::Begin;
  using Outcome = quark::Outcome;

  /// The server commits before and after each CREATE, ALTER and DROP, whatever is open.
  static constexpr bool ddl_commits = true;

  explicit Session(const Options& options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Runs one statement: binds, hands the rows to `rows` (none when null), reads what is left. `slot` is null for
  /// run-time text.
  Outcome run(const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
              RowFunction rows, void* context) {
    if (!chain_.empty()) [[unlikely]]
      return run_wrapped(statement, slot, params, count, rows, context);
    return run_direct(statement, slot, params, count, rows, context);
  }

  /// Inserts all rows or none: by `many` in MariaDB's bulk protocol where the server has it, else by `one` per row.
  void insert_rows(const Statement& many, const Slot& many_slot, const Statement& one,
                   const Slot& one_slot, const BatchInsert& batch);

  // Transactions, as exec/transaction.hpp asks for them. Ids are never 0 and never repeat.
  std::uint64_t begin(Begin mode);
  void commit(std::uint64_t id);
  void rollback(std::uint64_t id);
  void abandon(std::uint64_t id) noexcept;
  void check_transaction(std::uint64_t id) const;

  /// Whether INSERT ... RETURNING is sent: else what the database made of a row is read by a second statement.
  bool returns_rows() const { return returning_; }

  /// Stops what is running, from any thread, by a connection of its own; nothing when that can't be had.
  void interrupt() noexcept;
  /// The same for the connection that the server knows by this number.
  static void kill_query(const Options& options, unsigned long thread) noexcept;

  // For pools.

  /// Makes the connection as good as new: an open transaction is rolled back; prepared statements stay. False when it
  /// must be closed instead: lost, with rows that nobody has read, or after execute(), whose settings and temporary
  /// tables the server can only forget together with the prepared statements.
  bool reset() noexcept;
  /// Whether the server answers. One round trip.
  bool ping() noexcept;
  /// Whether the server has said nothing since the last answer, such as good-bye. A system call, no round trip.
  bool looks_alive() noexcept;
  /// For execute(): what it did must not be met by the next user.
  void note_settings() { settings_changed_ = true; }
  bool settings_changed() const { return settings_changed_; }
  /// What execute() has changed so far is as it should be.
  void accept_settings() { settings_changed_ = false; }

  MiddlewareChain& chain() { return chain_; }
  detail::Watcher& watcher() { return watcher_; }
  /// For a deadline that begins: how it stops what runs here.
  detail::Interrupter* interrupter();
  TransactionStack& transactions() { return transactions_; }
  MYSQL* native() const { return db_; }
  /// Whether the connection was lost: nothing runs on it any more.
  bool is_lost() const { return lost_code_ != 0; }
  /// Prepared statements that are kept: by slot, and by run-time text.
  std::size_t cached_statements() const;

 private:
  using Place = CachedStatement<Prepared*>;
  friend class Use;
  friend class mysql::Cursor;

  Outcome run_direct(const Statement& statement, const Slot* slot, const Param* params,
                     std::size_t count, RowFunction rows, void* context);
  Outcome run_wrapped(const Statement& statement, const Slot* slot, const Param* params,
                      std::size_t count, RowFunction rows, void* context);
  Outcome run_plain(const Statement& statement);
  Outcome run_bulk(const Statement& statement, const Slot* slot, const Param& rows);
  Outcome finish(Prepared& prepared, const Statement& statement, std::uint64_t rows);
  void execute(Prepared& prepared, const Statement& statement);
  std::size_t ask_packet_size();
  Place* place_of(const Statement& statement, const Slot* slot);
  /// `named` knows the columns of the parameters: of a batch it is the INSERT of one row.
  Prepared* prepare(const Statement& statement, const Statement& named);
  void make_room(std::size_t most) noexcept;
  void check_columns(Prepared& prepared, const Statement& statement, const Statement& named);
  std::string_view text_of(const Statement& statement) const;
  void command(const Statement& statement) { run(statement, nullptr, nullptr, 0, nullptr, nullptr); }
  bool in_transaction() const { return (db_->server_status & SERVER_STATUS_IN_TRANS) != 0; }
  /// Whether the transaction ended on its own: by a deadlock, or a statement that commits.
  bool is_aborted() const { return !transactions_.empty() && (given_up_ || !in_transaction()); }
  [[noreturn, gnu::cold]] void refuse_aborted(std::string_view what) const;
  [[noreturn, gnu::cold]] void refuse_lost(const Statement& statement) const;
  /// Reads the rest of what a statement further up the stack reads into memory: the connection takes one at a time.
  [[gnu::cold]] void buffer_unread();
  /// Whether the transaction at this depth is a savepoint: all but the outermost, and that one too inside a
  /// transaction that the caller began with SQL of his own.
  bool is_savepoint(std::size_t depth) const { return depth > 0 || outermost_is_savepoint_; }
  void undo_quietly(std::size_t depth) noexcept;
  void open(const Options& options);
  void close() noexcept;
  [[noreturn, gnu::cold]] void fail(const Statement& statement, MYSQL_STMT* handle);
  [[gnu::cold]] void note_failure(unsigned code);

  MYSQL* db_ = nullptr;
  std::vector<Place*> slots_;
  TextCache<Prepared*> texts_;
  std::size_t text_capacity_ = 64;
  std::size_t statement_capacity_ = 256;
  std::size_t prepared_ = 0;  // statements that the server keeps for us
  std::uint64_t clock_ = 0;   // counts uses, so that the oldest can go
  Result* unread_ = nullptr;  // what the connection is busy with
  MiddlewareChain chain_;
  detail::Watcher watcher_;
  TransactionStack transactions_;
  bool outermost_is_savepoint_ = false;
  bool settings_changed_ = false;
  const Options* options_ = nullptr;  // a copy, for interrupt()
  bool given_up_ = false;  // the server has rolled the open transaction back
  bool returning_ = false;
  bool bulk_ = false;
  bool checks_columns_ = true;
  bool assigns_at_once_ = false;  // SET a = b, b = a swaps
  unsigned lost_code_ = 0;  // why the connection was lost
  std::size_t bulk_bytes_ = 0;  // how large a batch may be on its way; 0: not asked yet
  std::atomic<std::size_t> user_{0};  // debug builds: which thread is inside
};

}  // namespace quark::mysql
