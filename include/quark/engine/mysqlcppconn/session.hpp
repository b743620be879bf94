// What Quark keeps beside a connection of MySQL Connector/C++: prepared statements, transactions, middleware.
// The inside of quark::mysqlcppconn::Bridge, and of a query that was made on a bare sql::Connection.
#pragma once

#include <quark/exec/middleware.hpp>
#include <quark/exec/row_source.hpp>
#include <quark/exec/statement_cache.hpp>
#include <quark/exec/transaction_stack.hpp>
#include <quark/sql/dialect.hpp>

#include <atomic>
#include <memory>

// The connector's namespace is called like one of ours: inside of Quark it is written with its colons.
namespace sql {
class Connection;
class SQLException;
}  // namespace sql

namespace quark::mysqlcppconn {

class Cursor;
struct Prepared;

/// How the bridge works on a connection.
struct Options {
  std::size_t cached_statements = 256;  // prepared statements that are kept in all; at least 1
  std::size_t cached_texts = 64;        // of these, for run-time text; at least 1
  bool returning = true;                // use INSERT ... RETURNING where the server has it (MariaDB 10.5)
  bool check_columns = true;            // look at the table's columns when a write is prepared
};

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

class Session : public std::enable_shared_from_this<Session> {
 public:
  static constexpr Engine engine = Engine::mysql;
  using Cursor = mysqlcppconn::Cursor;
  using Begin = mysqlcppconn::Begin;
  using Outcome = quark::Outcome;

  /// The server commits before and after each CREATE, ALTER and DROP, whatever is open.
  static constexpr bool ddl_commits = true;

  /// `kept`: for many statements, so that it pays to find out once how the connection counts. Sends nothing yet.
  Session(::sql::Connection& connection, const Options& options, bool kept);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Runs one statement: sets its parameters, hands the rows to `rows` (none when null). `slot` is null for run-time
  /// text.
  Outcome run(const Statement& statement, const Slot* slot, const Param* params, std::size_t count, RowFunction rows,
              void* context);

  /// Inserts all rows or none, by `one` per row.
  void insert_rows(const Statement& many, const Slot& many_slot, const Statement& one, const Slot& one_slot,
                   const BatchInsert& batch);

  // Transactions, as exec/transaction.hpp asks for them. Ids are never 0 and never repeat.
  std::uint64_t begin(Begin mode);
  void commit(std::uint64_t id);
  void rollback(std::uint64_t id);
  void abandon(std::uint64_t id) noexcept;
  void check_transaction(std::uint64_t id) const;

  /// Whether INSERT ... RETURNING is sent: else what the database made of a row is read by a second statement.
  bool returns_rows() const;

  /// Asks once what the server is and whether the session is set as Quark needs it. Throws Misuse when it is not.
  void require();
  /// Sets the session as Quark needs it; see prepare_session.
  void prepare();

  MiddlewareChain& chain() { return chain_; }
  TransactionStack& transactions() { return transactions_; }
  ::sql::Connection& connection() const { return connection_; }
  /// Whether the connection was lost: nothing runs on it any more.
  bool is_lost() const { return lost_code_ != 0; }
  /// Prepared statements that are kept: by slot, and by run-time text.
  std::size_t cached_statements() const { return prepared_; }

 private:
  using Place = CachedStatement<Prepared*>;
  friend class Use;
  friend class mysqlcppconn::Cursor;
  enum class Counts : std::uint8_t { unknown, found, changed };

  Outcome run_direct(const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
                     RowFunction rows, void* context);
  Outcome run_prepared(const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
                       RowFunction rows, void* context);
  Outcome run_plain(const Statement& statement);
  /// An UPDATE whose answer is the rows that changed: those that it finds are counted before.
  Outcome run_counted(const Statement& statement, const Slot* slot, const Param* params, std::size_t count);
  /// Whether an UPDATE's answer is the rows that it found (CLIENT_FOUND_ROWS).
  bool counts_found();
  Place* place_of(const Statement& statement, const Slot* slot);
  Prepared* prepare(const Statement& statement, const Param* params, std::size_t count, const Prepared* before);
  void make_room(std::size_t most) noexcept;
  void check_columns(Prepared& prepared, const Statement& statement);
  void check_single(std::string_view text);
  std::string text_of(const Statement& statement, bool& returns_key) const;
  std::int64_t made_key(const Statement& statement);

  void command(const Statement& statement) { run(statement, nullptr, nullptr, 0, nullptr, nullptr); }
  /// Past middleware, straight to the server.
  void send(std::string_view text);
  /// The cells of the first row of an answer, as text; NULL is empty.
  std::vector<std::string> ask(std::string_view question);
  /// Whether something is open that a COMMIT would keep; with autocommit off there always may be.
  bool in_transaction();
  /// Whether the transaction ended on its own: by a deadlock, or a statement that commits.
  bool is_aborted() const { return !transactions_.empty() && (given_up_ || ended_); }
  bool is_savepoint(std::size_t depth) const { return depth > 0 || outermost_is_savepoint_; }
  std::string savepoint_name(std::size_t depth) const;
  std::string mark() const;
  void undo_quietly(std::size_t depth) noexcept;
  [[noreturn, gnu::cold]] void refuse_aborted(std::string_view what) const;
  [[noreturn, gnu::cold]] void refuse_lost(const Statement& statement) const;
  [[noreturn, gnu::cold]] void fail(const Statement& statement, const ::sql::SQLException& error);
  [[gnu::cold]] void note_failure(unsigned code);

  ::sql::Connection& connection_;
  Options options_;
  std::vector<Place*> slots_;
  TextCache<Prepared*> texts_;
  std::size_t prepared_ = 0;
  std::uint64_t clock_ = 0;  // counts uses, so that the oldest can go
  MiddlewareChain chain_;
  TransactionStack transactions_;
  std::uint64_t number_;  // no other session's
  bool kept_;
  bool ready_ = false;  // require() has asked
  bool mariadb_ = false;
  bool returning_ = false;
  bool outermost_is_savepoint_ = false;
  bool given_up_ = false;  // the server has rolled the open transaction back
  bool ended_ = false;     // a statement has ended the open transaction
  Counts counts_ = Counts::unknown;
  unsigned lost_code_ = 0;             // why the connection was lost
  std::atomic<std::size_t> user_{0};  // debug builds: which thread is inside
};

}  // namespace quark::mysqlcppconn

namespace quark {

/// A query holds the session that it was made on: on a bare sql::Connection nobody else does.
template <>
class Handle<mysqlcppconn::Session> {
 public:
  using session_type = mysqlcppconn::Session;
  explicit Handle(std::shared_ptr<mysqlcppconn::Session> session) : session_(std::move(session)) {}
  Handle(mysqlcppconn::Session& session, std::uint64_t transaction)
      : session_(session.shared_from_this()), transaction_(transaction) {}

  /// The session, after checking that the transaction is still open. Throws Misuse.
  mysqlcppconn::Session& session() const {
    if (transaction_ != 0) session_->check_transaction(transaction_);
    return *session_;
  }

 private:
  std::shared_ptr<mysqlcppconn::Session> session_;
  std::uint64_t transaction_ = 0;
};

}  // namespace quark
