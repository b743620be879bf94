// How a query reaches its connection: a session of some engine, and the transaction it must run in, if any.
// Made by connections and transactions, kept by quark::For<T>(db).
#pragma once

#include <cstdint>

namespace quark {

/// What an engine reports of one run.
struct Outcome {
  std::uint64_t affected = 0;
  std::int64_t last_key = 0;
  std::uint64_t rows = 0;
  bool triggered = false;  // a trigger wrote rows, which RETURNING doesn't show (SQLite)
  bool unread = false;     // the server has no RETURNING: its columns are to be read by a statement of their own
};

/// A borrowed session. Valid as long as the connection; a transaction's handle refuses after its end.
template <class Session>
class Handle {
 public:
  using session_type = Session;
  constexpr explicit Handle(Session& session, std::uint64_t transaction = 0)
      : session_(&session), transaction_(transaction) {}

  /// The session, after checking that the transaction is still open. Throws Misuse.
  [[gnu::always_inline]] Session& session() const {
    if (transaction_ != 0) [[unlikely]] session_->check_transaction(transaction_);
    return *session_;
  }

 private:
  Session* session_;
  std::uint64_t transaction_;
};

/// Finds bridge_handle(BridgeTag, db) in this namespace, by argument-dependent look-up: how a bridge makes
/// a database of what another library has. Overloads take a base class by reference; classes derived from it convert.
struct BridgeTag {};

namespace detail {

template <class Db>
concept HasHandle = requires(Db& db) { db.handle(); };
/// What For<T>(db) takes: connections, transactions and pools of ours, and what a bridge was included for.
template <class Db>
concept Database = HasHandle<Db> || requires(Db& db) { bridge_handle(BridgeTag(), db); };

template <Database Db>
[[gnu::always_inline]] constexpr auto handle_of(Db& db) {
  if constexpr (HasHandle<Db>) {
    return db.handle();
  } else {
    return bridge_handle(BridgeTag(), db);
  }
}

}  // namespace detail
}  // namespace quark
