// What a user holds: an open connection to MySQL or MariaDB. quark::mysql::open("mysql://...") gives one.
#pragma once

#include <quark/engine/mysql/session.hpp>
#include <quark/exec/transaction.hpp>
#include <quark/fwd.hpp>

#include <string>

namespace quark::mysql {

/// Whether the connection is encrypted, and what the server must prove.
enum class SslMode : std::uint8_t {
  automatic,        // what the client library does by itself
  disabled,
  required,         // encrypted, whoever the server is
  verify_ca,        // its certificate must be from ssl_ca (libmariadb: as verify_identity)
  verify_identity,  // and be made for its name
};

/// Where the server is, and how a connection behaves.
struct Options {
  std::string host = "localhost";
  unsigned port = 0;  // 0: 3306, or the Unix socket for localhost
  std::string socket{};  // the file of a Unix socket; host and port are not used then
  std::string user{};
  std::string password{};
  std::string database{};
  SslMode ssl_mode = SslMode::automatic;
  std::string ssl_ca{}, ssl_cert{}, ssl_key{};  // files
  unsigned connect_timeout_seconds = 10;
  unsigned read_timeout_seconds = 0;   // of waiting for an answer; the connection is lost then. 0: no limit
  unsigned write_timeout_seconds = 0;  // 0: no limit
  unsigned lock_timeout_seconds = 0;   // of waiting for a row's lock; 0: what the server is set to (50)
  std::size_t cached_statements = 256;  // prepared statements that are kept in all; at least 1
  std::size_t cached_texts = 64;        // of these, for run-time text; at least 1
  bool returning = true;      // use INSERT ... RETURNING where the server has it (MariaDB 10.5)
  bool bulk = true;           // send batches as arrays where the server takes them (MariaDB)
  bool simultaneous_assignment =
      true;  // SET a = b, b = a swaps where the server can (MariaDB 10.3.5); else it is refused
  bool check_columns = true;  // look at the table's columns when a write is prepared
};

/// The options that a URL spells:
/// "mysql://user:password@host:port/database?socket=...&ssl_mode=required". Percent signs escape.
/// The query takes the options' names. Throws Misuse for anything else; the password is never in
/// the message.
Options parse_url(std::string_view url);

/// A connection. Movable; assigning over one closes it; queries refer to what it holds, so they survive a move, not its
/// destruction. It belongs to one thread at a time: passing it on is fine, sharing is not (debug builds throw Misuse).
class Connection {
 public:
  using Options = mysql::Options;

  /// Connects. Throws ConnectionError (nobody there, no such database), PermissionDenied (wrong user or password),
  /// Misuse (options that make no sense).
  explicit Connection(const Options& options) : session_(new Session(options)) {}
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

  /// Runs `fn(tx)` in a transaction: commits when it returns, rolls back when it throws. Inside another it is a
  /// savepoint. Returns what fn returns. Throws what fn or the commit throws.
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

  /// Runs one statement of plain SQL without parameters; returns the rows affected. Throws Misuse for text with more
  /// than one statement, or none, and what the server reports.
  std::uint64_t execute(std::string_view sql);

  /// Gives every statement of this connection until then: `limit` from now, as a
  /// std::chrono::duration. Holds as long as the object lives, which must not outlive the
  /// connection. `grace`: how long the server may take to stop what it was told to stop, 2 s unless
  /// said; then the connection is ended. See quark::Deadline. Cost: a thread of the connection's,
  /// which starts with its first deadline, and two locks per statement; when it passes, a
  /// connection for KILL QUERY.
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

  /// Whether the connection was lost; each call throws ConnectionError then.
  bool is_lost() const { return session().is_lost(); }

  /// What For<T>(db) is made of.
  Handle<Session> handle() const { return Handle<Session>(session()); }
  /// The C handle, for what Quark doesn't do. It stays ours: don't close it.
  MYSQL* native() const { return session().native(); }
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

/// Connects by a URL; see parse_url. Throws like Connection.
[[nodiscard]] inline Connection open(std::string_view url) { return Connection(parse_url(url)); }
[[nodiscard]] inline Connection open(const char* url) { return open(std::string_view(url)); }
[[nodiscard]] inline Connection open(const std::string& url) { return open(std::string_view(url)); }
/// Connects with options. Throws like Connection.
[[nodiscard]] inline Connection open(const Options& options) { return Connection(options); }

}  // namespace quark::mysql
