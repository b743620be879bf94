// What a user holds when the engine is chosen at run time: quark::open("postgres://...") gives a quark::Database.
#pragma once

#include <quark/engine/database/session.hpp>
#include <quark/exec/transaction.hpp>

namespace quark {

/// A connection to whichever engine its URL names. Movable; assigning over one closes it; queries
/// refer to what it holds, so they survive a move, not its destruction. It belongs to one thread at
/// a time. A query on it is compiled for every engine of the installation, and costs one switch per
/// statement at run time; what the chosen engine can't do throws Unsupported.
class Database {
 public:
  using Options = DatabaseOptions;
  using Session = database::Session;
  using Begin = database::Begin;

  /// Connects. Throws what the engine's Connection throws.
  explicit Database(const Options& options) : session_(new Session(options)) {}
  /// Takes over a connection of one engine.
#if defined(QUARK_DATABASE_SQLITE)
  explicit Database(sqlite::Connection&& connection) : session_(new Session(std::move(connection))) {}
#endif
#if defined(QUARK_DATABASE_POSTGRES)
  explicit Database(postgres::Connection&& connection) : session_(new Session(std::move(connection))) {}
#endif
#if defined(QUARK_DATABASE_MYSQL)
  explicit Database(mysql::Connection&& connection) : session_(new Session(std::move(connection))) {}
#endif
  Database(Database&& other) noexcept : session_(std::exchange(other.session_, nullptr)) {}
  Database& operator=(Database&& other) noexcept {
    if (this != &other) {
      delete session_;
      session_ = std::exchange(other.session_, nullptr);
    }
    return *this;
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() { delete session_; }

  /// The engine behind it.
  Engine engine() const { return session().chosen_engine(); }
  /// The connection of one engine, for what only that engine has: db.get_if<quark::postgres::Connection>(); null when
  /// it is another engine. It stays ours.
  template <class Connection>
  Connection* get_if() const {
    return session().pick_connection([]<class C>(C& connection) -> Connection* {
      if constexpr (std::is_same_v<C, Connection>) {
        return &connection;
      } else {
        return nullptr;
      }
    });
  }

  /// Runs `fn(tx)` in a transaction: commits when it returns, rolls back when it throws. Inside
  /// another it is a savepoint. Returns what fn returns. Throws what fn or the commit throws, and
  /// Unsupported for a mode that the engine doesn't have.
  template <class F>
  decltype(auto) transaction(F&& fn, Begin mode = {}) {
    return run_transaction(session(), mode, std::forward<F>(fn));
  }
  /// The same as a guard, which rolls back unless commit() was called.
  Transaction<Session> begin(Begin mode = {}) { return Transaction<Session>(session(), mode); }

  /// Adds a middleware around every statement, inside those that were added before. An lvalue derived from Middleware
  /// is referred to and must outlive the connection; anything else is copied or moved in.
  template <class M>
  void use(M&& middleware) {
    session().chain().use(std::forward<M>(middleware));
  }

  /// Runs one statement of plain SQL without parameters, in the engine's own spelling; returns the rows affected.
  std::uint64_t execute(std::string_view sql);

  /// Stops what is running, from another thread; it ends with quark::Timeout.
  void interrupt() noexcept;

  /// Gives every statement of this connection until then: `limit` from now, as a std::chrono::duration, as long as the
  /// object lives, which must not outlive the connection. See quark::Deadline and the engine's Connection.
  template <detail::AnyDuration D>
  Deadline deadline(const D& limit) {
    return session().pick_connection([&](auto& connection) { return connection.deadline(limit); });
  }
  template <detail::AnyDuration D, detail::AnyDuration G>
  Deadline deadline(const D& limit, const G& grace) {
    return session().pick_connection([&](auto& connection) { return connection.deadline(limit, grace); });
  }

  /// What For<T>(db) is made of.
  Handle<Session> handle() const { return Handle<Session>(session()); }
  /// For this library's own files. Throws Misuse when the connection was moved from.
  Session& session() const {
    if (session_ == nullptr) detail::throw_misuse("the connection was moved from");
    return *session_;
  }

 private:
  Session* session_;
};

/// Connections that threads share, to whichever engine the URL names; see quark::Pool.
using DatabasePool = Pool<Database>;

/// Opens the database that a URL names, or that an engine's options describe; see DatabaseOptions. Throws like the
/// engine's Connection, Misuse for a URL that can't be read, Unsupported for an engine that isn't there.
[[nodiscard]] inline Database open(const DatabaseOptions& options) { return Database(options); }

}  // namespace quark
