// One PostgreSQL connection: prepared statements, transactions and middleware.
// The inside of quark::postgres::Connection; query/ calls run(), everything else is cold and lives in
// src/engine/postgres/.
#pragma once

#include <quark/engine/postgres/prepared.hpp>
#include <quark/exec/deadline.hpp>
#include <quark/exec/middleware.hpp>
#include <quark/exec/row_source.hpp>
#include <quark/exec/statement_cache.hpp>
#include <quark/exec/transaction_stack.hpp>
#include <quark/sql/dialect.hpp>

#include <libpq-fe.h>

#include <atomic>

namespace quark {
struct ErrorInfo;
}

namespace quark::postgres {

class Cursor;
class Queue;
class Stream;
struct Options;
struct SharedCancel;

/// Isolation levels (manual 13.2). `server_default` is what default_transaction_isolation says.
enum class Isolation : std::uint8_t { server_default, read_committed, repeatable_read, serializable };

/// How a transaction begins. The default leaves everything to the server's settings.
struct Begin {
  Isolation isolation = Isolation::server_default;
  bool read_only = false;
  bool deferrable = false;  // with serializable and read_only: waits until it can't fail
};

/// Reads the rows of one statement into `context`.
using RowFunction = void (*)(Cursor& cursor, void* context);

/// Frees a result when it goes.
class Result {
 public:
  explicit Result(PGresult* result = nullptr) : result_(result) {}
  Result(Result&& other) noexcept : result_(std::exchange(other.result_, nullptr)) {}
  Result& operator=(Result&& other) noexcept {
    if (this != &other) {
      if (result_ != nullptr) PQclear(result_);
      result_ = std::exchange(other.result_, nullptr);
    }
    return *this;
  }
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;
  ~Result() {
    if (result_ != nullptr) PQclear(result_);
  }
  PGresult* get() const { return result_; }
  ExecStatusType status() const { return PQresultStatus(result_); }
  /// Whether the statement did what it should; a null result (no memory, lost connection) did not.
  bool good() const {
    const ExecStatusType s = status();
    return s == PGRES_TUPLES_OK || s == PGRES_COMMAND_OK || s == PGRES_SINGLE_TUPLE || s == PGRES_EMPTY_QUERY;
  }

 private:
  PGresult* result_;
};

class Session {
 public:
  static constexpr Engine engine = Engine::postgres;
  using Cursor = postgres::Cursor;
  using Begin = postgres::Begin;
  using Outcome = quark::Outcome;
  using Queue = postgres::Queue;

  explicit Session(const Options& options);
  /// On a connection that somebody else owns and closes.
  Session(PGconn* borrowed, const Options& options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Runs one statement: sends the parameters, hands the rows to `rows` (none when null). `slot` is null for run-time
  /// text. One round trip, and one more the first time, which prepares it.
  Outcome run(const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
              RowFunction rows, void* context) {
    if (!chain_.empty()) [[unlikely]]
      return run_wrapped(statement, slot, params, count, rows, context);
    return run_direct(statement, slot, params, count, rows, context);
  }

  /// Inserts all rows or none: `many` takes an array per column, `one` a row.
  void insert_rows(const Statement& many, const Slot& many_slot, const Statement& one,
                   const Slot& one_slot, const BatchInsert& batch);

  /// Sends all rows by this COPY, or none; `one` is the INSERT of one such row. Returns how many.
  std::uint64_t copy_rows(std::string_view text, const Statement& one, RowStream& rows);

  // Transactions, as exec/transaction.hpp asks for them. BEGIN is sent along with the first statement.
  std::uint64_t begin(Begin mode);
  void commit(std::uint64_t id);
  void rollback(std::uint64_t id);
  void abandon(std::uint64_t id) noexcept;
  void check_transaction(std::uint64_t id) const;

  /// Stops what is running, from any thread.
  void interrupt() noexcept;
  /// Waits for something that the server sends unasked; false when the time is over. Throws when
  /// the connection is lost.
  bool wait_for_notification(std::int64_t timeout_milliseconds, PGnotify*& out);

  // For pools.

  /// Makes the connection as good as new: an open transaction is rolled back; what execute() may have left (settings,
  /// temporary tables, advisory locks, LISTEN) is undone. Prepared statements stay. No round trip unless there is one
  /// of these. False when it must be closed instead: lost, or with a result that nobody has read.
  bool reset() noexcept;
  /// Whether the server answers within 5 seconds. One round trip.
  bool ping() noexcept;
  /// Whether the server has said nothing since the last answer, such as good-bye. A system call, no round trip.
  bool looks_alive() noexcept;
  /// For execute(): reset() shall undo what it did.
  void note_settings() { settings_changed_ = true; }
  bool settings_changed() const { return settings_changed_; }
  /// What execute() has changed so far is as it should be.
  void accept_settings() { settings_changed_ = false; }

  MiddlewareChain& chain() { return chain_; }
  detail::Watcher& watcher() { return watcher_; }
  /// For a deadline that begins: how it stops what runs here.
  detail::Interrupter* interrupter();
  TransactionStack& transactions() { return transactions_; }
  PGconn* native() const { return connection_; }
  /// Prepared statements that are kept: by slot, and by run-time text.
  std::size_t cached_statements() const;
  /// Sends a BEGIN or SAVEPOINT that waits, for what doesn't go through run().
  void send_pending();

 private:
  using Place = CachedStatement<Prepared*>;
  friend class Use;
  friend class postgres::Queue;
  friend class Stream;
  friend class postgres::Cursor;

  /// Parameters as libpq wants them; kept for the next statement.
  struct Arguments {
    struct Fixed {
      char bytes[40];
    };
    std::vector<Fixed> storage;
    std::vector<const char*> values;
    std::vector<int> lengths;
    std::vector<int> formats;
    void resize(std::size_t count);
  };
  struct KnownName {
    std::uint64_t hash;
    std::uint32_t uses;        // places that have it
    std::uint32_t generation;  // how often it had to be prepared under a new name
    bool prepared;
    std::string name;
  };

  Outcome run_direct(const Statement& statement, const Slot* slot, const Param* params,
                     std::size_t count, RowFunction rows, void* context);
  Outcome run_wrapped(const Statement& statement, const Slot* slot, const Param* params,
                      std::size_t count, RowFunction rows, void* context);
  Outcome run_command(const Statement& statement);
  Outcome run_plain(const Statement& statement, RowFunction rows, void* context);
  static Outcome outcome_of(const Result& result, const Statement& statement);
  Outcome finish(const Result& result, const Statement& statement, const std::vector<Kind>& columns, RowFunction rows,
                 void* context);
  Place* place_of(const Statement& statement, const Slot* slot);

  // prepare.cpp
  void prepare(Prepared& prepared, const Statement& statement, const Param* params, std::size_t count);
  void release(Prepared* prepared) noexcept;
  void forget(Prepared& prepared);
  KnownName* known(std::uint64_t hash);
  void prepare_as(Prepared& prepared, const Statement& statement, const std::vector<Oid>& oids);
  bool forget_if_stale(Prepared& prepared, const Result& result);
  // types.cpp
  Type type_of(Oid oid);
  Oid array_of(Oid element);

  void encode(const Prepared& prepared, const Statement& statement, const Param* params, std::size_t count,
              Scratch& scratch);
  int send(const Prepared& prepared, const Statement& statement, std::size_t count);
  Result execute(const Prepared& prepared, const Statement& statement, std::size_t count);
  /// Sends what waits, then what `send` sends, in one flush; returns the first error, else the last
  /// answer. With `columns` the last two answers are those to look_at_columns(): the second goes
  /// there, and the one before is returned.
  template <class F>
  Result in_pipeline(F&& send, Result* columns = nullptr) {
    bool sent = begin_pipeline();
    try {
      sent = sent && send();
    } catch (...) {
      finish_pipeline(false, nullptr);
      throw;
    }
    return finish_pipeline(sent, columns);
  }
  bool begin_pipeline();
  Result finish_pipeline(bool sent, Result* columns);
  Result next_result() { return Result(PQgetResult(connection_)); }
  void check_columns(Prepared& prepared, const Result& result);
  bool begin_waits() const { return !pending_.empty() && pending_.front().starts_with("BEGIN"); }

  // copy.cpp
  std::vector<Type> columns_of(const Statement& one);
  std::uint64_t send_copy(const Statement& copy, const Statement& one, const std::vector<Type>& types, RowStream& rows);
  std::uint64_t fill_copy(const Statement& one, const std::vector<Type>& types, RowStream& rows);
  [[noreturn, gnu::cold]] void refuse_copying() const;
  /// Makes room for a statement: rows that are on their way to a callback go to memory.
  void free_connection();

  // batch.cpp
  Prepared* prepared_row(const Statement& one, const Slot& slot, const BatchInsert& batch);
  void insert_once(const Statement& many, const Slot& many_slot, const Statement& one, const Slot& one_slot,
                   const BatchInsert& batch);
  bool insert_arrays(const Statement& many, const Slot& slot, const Statement& one, const Prepared& row,
                     const BatchInsert& batch);
  bool take_keys(const Result& result, const Prepared& prepared, const BatchInsert& batch, std::size_t first,
                 std::size_t count);

  /// Whether the server has given up the transaction that we think is open.
  bool is_aborted() const;
  [[noreturn, gnu::cold]] void refuse_aborted() const;
  void check_alive() const {
    if (PQstatus(connection_) != CONNECTION_OK) [[unlikely]] refuse_dead();
  }
  [[noreturn, gnu::cold]] void refuse_dead() const;
  bool is_savepoint(std::size_t depth) const { return depth > 0 || outermost_is_savepoint_; }
  void undo_quietly(std::size_t depth, bool savepoint) noexcept;
  bool drop_pending_savepoint(std::string_view name);
  bool forget_savepoint(std::string_view name);
  void command(std::string_view text, std::string_view operation, StatementKind kind);
  void open(const Options& options);
  void close() noexcept;
  void prepare_to_cancel();
  void forget_cancel() noexcept;
  [[noreturn, gnu::cold]] void fail(PGresult* result, const Statement& statement) const;
  [[noreturn, gnu::cold]] void refuse_stale(const Result& result, const Statement& statement) const;

  PGconn* connection_ = nullptr;
  SharedCancel* cancel_ = nullptr;
  bool owned_ = true;
  bool keeps_statements_ = true;  // Options::prepare
  std::vector<Place*> slots_;
  TextCache<Prepared*> texts_;
  std::size_t text_capacity_ = 64;
  std::vector<KnownName> names_;
  std::vector<Type> types_;          // of this database that have no fixed number
  std::vector<std::pair<Oid, Oid>> arrays_;  // element type -> its array type
  Arguments arguments_;
  std::vector<std::vector<char>> columns_;  // of a batch
  MiddlewareChain chain_;
  detail::Watcher watcher_;
  TransactionStack transactions_;
  std::vector<std::string> savepoints_;  // that are set, or wait to be
  std::vector<std::string> pending_;  // BEGIN, SAVEPOINT and RELEASE that go with the next statement
  bool outermost_is_savepoint_ = false;
  bool settings_changed_ = false;
  Stream* stream_ = nullptr;  // rows that are on their way; `copying` while a COPY is
  std::atomic<std::size_t> user_{0};  // debug builds: which thread is inside
};

}  // namespace quark::postgres
