// One libpqxx transaction as an engine's session: what queries, batches and nested transactions run on.
// The inside of quark::pqxx_bridge::Connection and of For<T>(pqxx_transaction); everything is in src/engine/pqxx/.
#pragma once

#include <quark/engine/postgres_wire.hpp>
#include <quark/exec/handle.hpp>
#include <quark/exec/middleware.hpp>
#include <quark/exec/row_source.hpp>
#include <quark/exec/transaction_stack.hpp>
#include <quark/sql/dialect.hpp>

#include <string>
#include <utility>
#include <vector>

namespace pqxx {
class transaction_base;
}

namespace quark::pqxx_bridge {

class Cursor;
struct Prepared;
struct State;

/// Isolation levels (manual 13.2). `server_default` is what default_transaction_isolation says.
enum class Isolation : std::uint8_t { server_default, read_committed, repeatable_read, serializable };

/// How a transaction of ours begins on a pqxx::nontransaction. Elsewhere it is a savepoint, which ignores this.
struct Begin {
  Isolation isolation = Isolation::server_default;
  bool read_only = false;
  bool deferrable = false;  // with serializable and read_only: waits until it can't fail
};

/// Reads the rows of one statement into `context`.
using RowFunction = void (*)(Cursor& cursor, void* context);

class Session {
 public:
  static constexpr Engine engine = Engine::postgres;
  using Cursor = pqxx_bridge::Cursor;
  using Begin = pqxx_bridge::Begin;
  using Outcome = quark::Outcome;

  /// Joins a transaction later.
  Session() = default;
  explicit Session(::pqxx::transaction_base& transaction) : transaction_(&transaction) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();
  void join(::pqxx::transaction_base& transaction) { transaction_ = &transaction; }

  /// Runs one statement: sends the parameters, hands the rows to `rows` (none when null). `slot` is null for run-time
  /// text. One round trip, and two more the first time on a connection, which prepare it and ask for its types.
  Outcome run(const Statement& statement, const Slot* slot, const Param* params, std::size_t count, RowFunction rows,
              void* context) {
    if (!chain_.empty()) [[unlikely]]
      return run_wrapped(statement, slot, params, count, rows, context);
    return run_direct(statement, slot, params, count, rows, context);
  }

  /// Inserts all rows or none: `many` takes an array per column, `one` a row.
  void insert_rows(const Statement& many, const Slot& many_slot, const Statement& one, const Slot& one_slot,
                   const BatchInsert& batch);

  // Transactions, as exec/transaction.hpp asks for them.
  std::uint64_t begin(Begin mode);
  void commit(std::uint64_t id);
  void rollback(std::uint64_t id);
  void abandon(std::uint64_t id) noexcept;
  void check_transaction(std::uint64_t id) const;

  MiddlewareChain& chain() { return chain_; }
  TransactionStack& transactions() { return transactions_; }
  ::pqxx::transaction_base& joined() const { return *transaction_; }
  /// Prepared statements that are kept for this connection: by slot, and by run-time text.
  std::size_t cached_statements();

 private:
  friend class pqxx_bridge::Cursor;
  Outcome run_direct(const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
                     RowFunction rows, void* context);
  Outcome run_wrapped(const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
                      RowFunction rows, void* context);
  Outcome run_command(const Statement& statement);
  Outcome run_plain(const Statement& statement, RowFunction rows, void* context);
  Outcome run_stream(const Statement& statement, const Prepared& prepared, const Param* params, std::size_t count,
                     RowFunction rows, void* context);
  /// Refuses a transaction that has ended, and text that libpqxx would get in another encoding than UTF-8.
  void check_usable() const;
  /// What is kept for the connection; made when it is seen for the first time.
  State& state();

  Prepared& prepared(const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
                     bool as_records);
  std::vector<postgres::Type> column_types(const Statement& one, const Slot& slot, const BatchInsert& batch);
  bool insert_arrays(const Statement& many, const Slot& slot, const std::vector<postgres::Type>& types,
                     const Statement& one, const BatchInsert& batch);

  bool is_autocommit() const;
  bool joins_transaction();
  bool in_transaction() const { return begun_ || !is_autocommit(); }
  bool is_savepoint(std::size_t depth) const { return depth > 0 || outermost_is_savepoint_; }
  /// Whether SQL of the caller's own has ended the transaction that we think is open.
  bool was_ended() const { return !transactions_.empty() && !outermost_is_savepoint_ && !begun_; }
  void command(std::string_view text, std::string_view operation, StatementKind kind);
  void undo_quietly(std::size_t depth) noexcept;
  bool forget_savepoint(std::string_view name);

  ::pqxx::transaction_base* transaction_ = nullptr;
  State* state_ = nullptr;  // counted
  MiddlewareChain chain_;
  TransactionStack transactions_;
  std::vector<std::string> savepoints_;  // of ours that are set at the server
  bool outermost_is_savepoint_ = true;
  bool begun_ = false;                   // a BEGIN of ours is open at the server
};

}  // namespace quark::pqxx_bridge

namespace quark {

/// How a query reaches a libpqxx transaction: through the session of a Connection, or one that each terminal makes for
/// itself.
template <>
class Handle<pqxx_bridge::Session> {
 public:
  using session_type = pqxx_bridge::Session;
  explicit Handle(session_type& session, std::uint64_t transaction = 0)
      : session_(&session), id_(transaction) {}
  explicit Handle(::pqxx::transaction_base& joined) : joined_(&joined) {}

  /// The session, after checking that the transaction is still open. Throws Misuse. The one that is made here is the
  /// default argument, which lives until the end of the full expression that calls this.
  session_type& session(session_type&& place = session_type()) const {
    if (session_ != nullptr) {
      if (id_ != 0) session_->check_transaction(id_);
      return *session_;
    }
    place.join(*joined_);
    return place;
  }

 private:
  pqxx_bridge::Session* session_ = nullptr;
  ::pqxx::transaction_base* joined_ = nullptr;
  std::uint64_t id_ = 0;
};

}  // namespace quark
