// What a user holds: a connection to PostgreSQL. quark::postgres::open("postgres://user@host/database") gives one.
#pragma once

#include <quark/engine/postgres/queue.hpp>
#include <quark/engine/postgres/session.hpp>
#include <quark/exec/transaction.hpp>
#include <quark/fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace quark::postgres {

/// Whether statements are kept at the server.
enum class Prepare : std::uint8_t {
  always,  // each is prepared once per connection
  never,   // each is sent whole: for poolers that give every transaction another server connection
};

/// How the server plans prepared statements (manual 20.7.4, plan_cache_mode).
enum class PlanCacheMode : std::uint8_t { server_default, automatic, force_generic_plan, force_custom_plan };

/// How a connection is opened.
struct Options {
  /// A URL, "postgres://user:password@host:port/database?sslmode=verify-full", or libpq's "key=value" list; what isn't
  /// said comes from libpq's environment variables and defaults (manual 34.1.1). Empty: all of it.
  std::string url{};
  std::int64_t connect_timeout_seconds = 10;  // per host; 0: none, else at least 2
  std::int64_t statement_timeout_milliseconds = 0;  // by the server; 0: what its settings say
  std::int64_t lock_timeout_milliseconds = 0;       // by the server; 0: what its settings say
  PlanCacheMode plan_cache_mode = PlanCacheMode::server_default;
  Prepare prepare = Prepare::always;
  std::string search_path{};        // empty: what the server's settings say
  std::string application_name{};   // shown in pg_stat_activity
  std::size_t cached_texts = 64;    // prepared statements kept for run-time text; at least 1
};

/// What a NOTIFY has sent.
struct Notification {
  std::string channel;
  std::string payload;
  int backend_pid = 0;  // the server process of the connection that sent it
};

/// A connection. Movable; assigning over one closes it; queries refer to what it holds, so they survive a move, not its
/// destruction. It belongs to one thread at a time: passing it on is fine, sharing is not (debug builds throw Misuse).
class Connection {
 public:
  using Options = postgres::Options;
  /// Connects. Throws ConnectionError (no server, no such database, too many connections), PermissionDenied (wrong
  /// password, not allowed), Misuse (options that make no sense). Cost: one connection, no statement is sent.
  explicit Connection(const Options& options) : session_(new Session(options)) {}
  /// Uses a connection that somebody else owns: it is not closed, and its encoding must be UTF-8. Of the options only
  /// `prepare` and `cached_texts` apply. Prepared statements that were made stay at the server until it is closed.
  explicit Connection(PGconn* borrowed, const Options& options = {}) : session_(new Session(borrowed, options)) {}
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

  /// Runs `fn(tx)` in a transaction: commits when it returns, rolls back when it throws. Inside
  /// another it is a savepoint, which ignores the mode. Returns what fn returns. Throws what fn or
  /// the commit throws. BEGIN travels with the first statement: a transaction with one statement
  /// takes two round trips, an empty one none.
  template <class F>
  decltype(auto) transaction(F&& fn, Begin mode = {}) {
    return run_transaction(session(), mode, std::forward<F>(fn));
  }
  /// The same as a guard, which rolls back unless commit() was called.
  Transaction<Session> begin(Begin mode = {}) { return Transaction<Session>(session(), mode); }

  /// Runs `fn(pipeline)`, which queues writes, and sends them in a transaction of their own: all or
  /// nothing, in two round trips. See Transaction::pipeline.
  template <class F>
  auto pipeline(F&& fn) {
    return transaction([&fn](auto& tx) { return tx.pipeline(std::forward<F>(fn)); });
  }

  /// Adds a middleware around every statement, inside those that were added before. An lvalue
  /// derived from Middleware is referred to and must outlive the connection; anything else is
  /// copied or moved in.
  template <class M>
  void use(M&& middleware) {
    session().chain().use(std::forward<M>(middleware));
  }

  /// Runs one statement of plain SQL without parameters; returns the rows affected. For set-up and settings. Throws
  /// Misuse for text with more than one statement, or none, and what the server reports.
  std::uint64_t execute(std::string_view sql);

  /// Has the notifications of a channel sent to this connection from now on (after the commit of an open transaction).
  /// Throws what the server reports. One round trip.
  void listen(std::string_view channel);
  /// Ends that, for one channel, or for all of them.
  void unlisten(std::string_view channel);
  void unlisten_all();
  /// Notifies all who listen to the channel; in a transaction when it commits. The payload has less than 8000 bytes.
  /// Throws what the server reports. One round trip.
  void notify(std::string_view channel, std::string_view payload = {});
  /// The next notification; waits for it at most so long: 0 only takes what has arrived, a negative
  /// number waits without end. nullopt when the time is over. Throws ConnectionError when the
  /// connection is lost meanwhile.
  std::optional<Notification> wait_for_notification(std::int64_t timeout_milliseconds);

  /// Gives every statement of this connection until then: `limit` from now, as a
  /// std::chrono::duration. Holds as long as the object lives, which must not outlive the
  /// connection. `grace`: how long the server may take to stop what it was told to stop, 2 s unless
  /// said; then the connection is ended. See quark::Deadline. Cost: a thread of the connection's,
  /// which starts with its first deadline, and two locks per statement; when it passes, a
  /// connection for the cancel request.
  template <detail::AnyDuration D>
  Deadline deadline(const D& limit) {
    return make_deadline(session(), detail::whole_micros(limit), default_grace_micros);
  }
  template <detail::AnyDuration D, detail::AnyDuration G>
  Deadline deadline(const D& limit, const G& grace) {
    return make_deadline(session(), detail::whole_micros(limit), detail::whole_micros(grace));
  }

  /// Stops what is running, from another thread; it ends with quark::Timeout. Opens a connection of its own for that
  /// (some milliseconds).
  void interrupt() noexcept {
    if (session_ != nullptr) session_->interrupt();
  }

  /// What For<T>(db) is made of.
  Handle<Session> handle() const { return Handle<Session>(session()); }
  /// libpq's handle, for what Quark doesn't do. It stays ours: don't close it. A BEGIN that waits
  /// for its first statement is sent, so that what you send runs in the transaction; throws what
  /// the server reports of that.
  PGconn* native() const {
    session().send_pending();
    return session().native();
  }
  /// For this library's own files. Throws Misuse when the connection was moved from.
  Session& session() const {
    if (session_ == nullptr) detail::throw_misuse("the connection was moved from");
    return *session_;
  }

 private:
  Session* session_;
};

/// Connections to one database that threads share; see quark::Pool.
using Pool = quark::Pool<Connection>;

/// Connects with the default options to a URL or "key=value" list. Throws like Connection.
[[nodiscard]] inline Connection open(std::string_view url) {
  Options options;
  options.url = url;
  return Connection(options);
}
/// Connects with options. Throws like Connection.
[[nodiscard]] inline Connection open(const Options& options) { return Connection(options); }

}  // namespace quark::postgres
