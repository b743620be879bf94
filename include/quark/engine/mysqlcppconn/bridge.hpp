// What a user of MySQL Connector/C++ holds to work on his connection with Quark: nothing but the connection for a query
// here and there, a Bridge for transactions, middleware and statements that stay prepared.
#pragma once

#include <quark/engine/mysqlcppconn/session.hpp>
#include <quark/exec/transaction.hpp>

namespace quark::mysqlcppconn {

/// Quark on one connection of the connector, which stays the caller's: it must outlive the bridge and the queries that
/// are made on it, and is used by one thread at a time. Movable. What the caller does on the connection meanwhile is
/// seen, and part of the same transactions.
class Bridge {
 public:
  /// Asks the server what it is and how the session is set: one round trip. Throws Misuse for a session that could
  /// change values (see prepare_session) and for options that make no sense, ConnectionError when nobody answers.
  explicit Bridge(::sql::Connection& connection, const Options& options = {})
      : session_(std::make_shared<Session>(connection, options, true)) {
    session_->require();
  }
  Bridge(Bridge&&) noexcept = default;
  Bridge& operator=(Bridge&&) noexcept = default;
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;
  ~Bridge() = default;

  /// Runs `fn(tx)` in a transaction: commits when it returns, rolls back when it throws. Inside a transaction of the
  /// caller's, or with autocommit off, it is a savepoint: nothing is committed then before the caller does. Returns
  /// what fn returns. Throws what fn or the commit throws.
  template <class F>
  decltype(auto) transaction(F&& fn, Begin mode = {}) {
    return run_transaction(session(), mode, std::forward<F>(fn));
  }
  /// The same as a guard, which rolls back unless commit() was called. The bridge must outlive it.
  Transaction<Session> begin(Begin mode = {}) & { return Transaction<Session>(session(), mode); }

  /// Adds a middleware around every statement of this bridge, inside those that were added before. An lvalue derived
  /// from Middleware is referred to and must outlive the bridge; anything else is copied or moved in.
  template <class M>
  void use(M&& middleware) {
    session().chain().use(std::forward<M>(middleware));
  }

  /// Runs one statement of plain SQL without parameters, through the middleware; returns the rows affected. Throws
  /// Misuse for text with more than one statement, or none, and what the server reports.
  std::uint64_t execute(std::string_view sql);

  /// Whether the connection was lost; each call throws ConnectionError then. After sql::Connection::reconnect() make
  /// another bridge.
  bool is_lost() const { return session().is_lost(); }

  /// What For<T>(bridge) is made of.
  Handle<Session> handle() const {
    session();
    return Handle<Session>(session_);
  }
  /// The caller's connection.
  ::sql::Connection& connection() const { return session().connection(); }
  /// For this library's own files. Throws Misuse when the bridge was moved from.
  Session& session() const {
    if (session_ == nullptr) detail::throw_misuse("the bridge was moved from");
    return *session_;
  }

 private:
  std::shared_ptr<Session> session_;
};

/// Sets the session of a connection as Quark needs it: utf8mb4, time zone UTC, an sql_mode that refuses what it would
/// have to change (STRICT_ALL_TABLES, ERROR_FOR_DIVISION_BY_ZERO; on MariaDB SIMULTANEOUS_ASSIGNMENT, too) beside the
/// modes that are set. It stays that way for the caller's own statements: NOW() and TIMESTAMP columns are in UTC then,
/// and on MariaDB UPDATE ... SET a = 1, b = a takes the a of before. Two round trips. Throws what the server reports.
void prepare_session(::sql::Connection& connection);

}  // namespace quark::mysqlcppconn

namespace quark {

/// For<T>(connection): statements are prepared once per query value, and gone with it and its copies. The session is
/// asked about with the first of them.
Handle<mysqlcppconn::Session> bridge_handle(BridgeTag, ::sql::Connection& connection);

}  // namespace quark
