// A session whose engine is chosen at run time: it holds the connection of one engine and sends each statement to it.
// The inside of quark::Database. One switch per statement; what isn't per statement lives in src/engine/database/.
#pragma once

#include <quark/engine/database/cursor.hpp>
#include <quark/engine/database/options.hpp>
#include <quark/exec/middleware.hpp>
#include <quark/exec/transaction_stack.hpp>

namespace quark {

/// How far transactions see each other's work. An engine that has no such level takes the next stricter one: SQLite's
/// transactions are always serializable, PostgreSQL has no read_uncommitted.
enum class Isolation : std::uint8_t {
  server_default,
  read_uncommitted,
  read_committed,
  repeatable_read,
  serializable,
};

namespace database {

/// How a transaction begins. What the engine doesn't have is Unsupported: SQLite has no read_only, only PostgreSQL has
/// deferrable. A savepoint takes none of it.
struct Begin {
  Isolation isolation = Isolation::server_default;
  bool read_only = false;
  bool deferrable = false;
  friend bool operator==(const Begin&, const Begin&) = default;
};

/// Reads the rows of one statement into `context`.
using RowFunction = void (*)(Cursor& cursor, void* context);

class Session {
 public:
  static constexpr AnyEngine engine = any_engine;
  using Cursor = database::Cursor;
  using Begin = database::Begin;
  using Outcome = quark::Outcome;

  explicit Session(const DatabaseOptions& options);
  template <class Connection>
  explicit Session(Connection&& connection) {
    hold(new Connection(std::move(connection)));
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  Engine chosen_engine() const { return chosen_; }

  /// Returns `fn(session)`, with the session of the engine.
  template <class F>
  decltype(auto) pick(F&& fn) const {
    return pick_connection([&fn](auto& connection) -> decltype(auto) { return fn(connection.session()); });
  }
  /// The same with the connection.
  template <class F>
  decltype(auto) pick_connection(F&& fn) const {
    switch (chosen_) {
#if defined(QUARK_DATABASE_SQLITE)
      case Engine::sqlite: return fn(*static_cast<sqlite::Connection*>(connection_));
#endif
#if defined(QUARK_DATABASE_POSTGRES)
      case Engine::postgres: return fn(*static_cast<postgres::Connection*>(connection_));
#endif
#if defined(QUARK_DATABASE_MYSQL)
      case Engine::mysql: return fn(*static_cast<mysql::Connection*>(connection_));
#endif
      default: __builtin_unreachable();
    }
  }

  /// Runs the engine's spelling of a statement. Throws Unsupported when there is none.
  Outcome run(const Statement& statement, const Slot* slot, const Param* params, std::size_t count, RowFunction rows,
              void* context);

  // Transactions, as exec/transaction.hpp asks for them.
  std::uint64_t begin(Begin mode);
  void commit(std::uint64_t id);
  void rollback(std::uint64_t id);
  void abandon(std::uint64_t id) noexcept;
  void check_transaction(std::uint64_t id) const;
  TransactionStack& transactions();

  // For pools.
  bool reset() noexcept;
  bool ping() noexcept;
  bool looks_alive() noexcept;
  bool settings_changed() const;
  void accept_settings();
  MiddlewareChain& chain();
  std::size_t cached_statements() const;

  void* connection() const { return connection_; }

 private:
#if defined(QUARK_DATABASE_SQLITE)
  void hold(sqlite::Connection* connection) { chosen_ = Engine::sqlite, connection_ = connection; }
#endif
#if defined(QUARK_DATABASE_POSTGRES)
  void hold(postgres::Connection* connection) { chosen_ = Engine::postgres, connection_ = connection; }
#endif
#if defined(QUARK_DATABASE_MYSQL)
  void hold(mysql::Connection* connection) { chosen_ = Engine::mysql, connection_ = connection; }
#endif

  Engine chosen_ = Engine::sqlite;
  void* connection_ = nullptr;  // of the chosen engine; owned
};

}  // namespace database
}  // namespace quark
