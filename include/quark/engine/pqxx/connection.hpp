// What a user holds: a libpqxx transaction as a database of Quark's, for as long as the transaction lives.
// For<T>(pqxx_transaction) needs none of it; it is for middleware, nested transactions and plain SQL.
#pragma once

#include <quark/engine/pqxx/session.hpp>
#include <quark/exec/transaction.hpp>

#include <string_view>

namespace quark {

/// For<T>(tx) on a libpqxx transaction: pqxx::work, read_transaction, robusttransaction, subtransaction or
/// nontransaction. Each terminal joins it while it runs; what it wrote is committed or aborted with it.
inline Handle<pqxx_bridge::Session> bridge_handle(BridgeTag, ::pqxx::transaction_base& transaction) {
  return Handle<pqxx_bridge::Session>(transaction);
}

namespace pqxx_bridge {

/// A libpqxx transaction that Quark works in. It neither begins nor ends it. Belongs to the thread that uses the
/// transaction, which must outlive it; so must queries on it.
class Connection {
 public:
  /// Joins an open transaction. Sends nothing.
  explicit Connection(::pqxx::transaction_base& transaction) : session_(new Session(transaction)) {}
  Connection(Connection&& other) noexcept : session_(std::exchange(other.session_, nullptr)) {}
  Connection& operator=(Connection&& other) noexcept {
    if (this != &other) {
      delete session_;
      session_ = std::exchange(other.session_, nullptr);
    }
    return *this;
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { delete session_; }

  /// Runs `fn(tx)` in a savepoint: keeps its work when it returns, undoes it when it throws. On a pqxx::nontransaction
  /// the outermost one is a transaction of its own (BEGIN and COMMIT), with the mode. Returns what fn returns. Throws
  /// what fn or the commit throws.
  template <class F>
  decltype(auto) transaction(F&& fn, Begin mode = {}) {
    return run_transaction(session(), mode, std::forward<F>(fn));
  }
  /// The same as a guard, which rolls back unless commit() was called. It must end before the libpqxx transaction does.
  Transaction<Session> begin(Begin mode = {}) { return Transaction<Session>(session(), mode); }

  /// Adds a middleware around every statement of ours, inside those that were added before; libpqxx's own statements
  /// don't pass it. An lvalue derived from Middleware is referred to and must outlive this; anything else is copied or
  /// moved in.
  template <class M>
  void use(M&& middleware) {
    session().chain().use(std::forward<M>(middleware));
  }

  /// Runs one statement of plain SQL without parameters; returns the rows affected. Throws Misuse for text with more
  /// than one statement, or none, and what the server reports.
  std::uint64_t execute(std::string_view sql);

  /// What For<T>(db) is made of.
  Handle<Session> handle() const { return Handle<Session>(session()); }
  /// The transaction that was joined.
  ::pqxx::transaction_base& native() const { return session().joined(); }
  /// For this library's own files. Throws Misuse when the connection was moved from.
  Session& session() const {
    if (session_ == nullptr) detail::throw_misuse("the connection was moved from");
    return *session_;
  }

 private:
  Session* session_;
};

}  // namespace pqxx_bridge
}  // namespace quark
