// What a user holds: an open SQLite database. quark::sqlite::open("app.db") gives one.
#pragma once

#include <quark/engine/sqlite/session.hpp>
#include <quark/exec/transaction.hpp>
#include <quark/fwd.hpp>

#include <string>

namespace quark::sqlite {

/// How a database is opened.
struct Options {
  std::string path = ":memory:";  // a file, or ":memory:": private to the connection
  bool read_only = false;
  bool create = true;                        // make the file when it is missing
  std::int64_t busy_timeout_milliseconds = 5000;  // how long to wait for a lock
  bool wal = true;                           // files: write-ahead log, synchronous=NORMAL
  bool foreign_keys = true;
  Times times = Times::integer;              // how this connection writes times; it reads all forms
  Decimals decimals = Decimals::scaled;      // how decimals are stored; nothing else is read
  std::size_t cached_texts = 64;             // prepared statements kept for run-time text; at least 1
};

/// The options that a URL spells: "sqlite:///var/lib/app.db?read_only=true" is the file /var/lib/app.db,
/// "sqlite:app.db" one in the working directory, "sqlite::memory:" a database in memory. Percent signs escape (%3F is a
/// question mark). The query takes the options' names. Throws Misuse for anything else.
Options parse_url(std::string_view url);

/// A connection. Movable; assigning over one closes it; queries refer to what it holds, so they survive a move, not its
/// destruction. It belongs to one thread at a time: passing it on is fine, sharing is not (debug
/// builds throw Misuse).
class Connection {
 public:
  using Options = sqlite::Options;
  /// Opens. Throws ConnectionError (missing directory, no such file), StorageError (not a
  /// database), PermissionDenied (a file that can't be written, unless read_only; a folder in which
  /// none can be made), Misuse (options that make no sense). Cost: about 0.1 ms for a file.
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

  /// Runs `fn(tx)` in a transaction: commits when it returns, rolls back when it throws. Inside
  /// another it is a savepoint. Returns what fn returns. Throws what fn or the commit throws.
  template <class F>
  decltype(auto) transaction(F&& fn, Begin mode = Begin::immediate) {
    return run_transaction(session(), mode, std::forward<F>(fn));
  }
  /// The same as a guard, which rolls back unless commit() was called. Throws LockTimeout when the
  /// lock isn't granted in busy_timeout_milliseconds.
  Transaction<Session> begin(Begin mode = Begin::immediate) {
    return Transaction<Session>(session(), mode);
  }

  /// Adds a middleware around every statement, inside those that were added before. An lvalue
  /// derived from Middleware is referred to and must outlive the connection; anything else is
  /// copied or moved in.
  template <class M>
  void use(M&& middleware) {
    session().chain().use(std::forward<M>(middleware));
  }

  /// Runs one statement of plain SQL without parameters; returns the rows affected. For set-up and
  /// pragmas. Throws Misuse for text with more than one statement, or none, and what SQLite
  /// reports.
  std::uint64_t execute(std::string_view sql);

  /// Gives every statement of this connection until then: `limit` from now, as a
  /// std::chrono::duration; waiting for a lock ends then, too. Holds as long as the object lives,
  /// which must not outlive the connection. See quark::Deadline; SQLite always stops. Cost: a
  /// thread of the connection's, which starts with its first deadline, and two locks per statement.
  template <detail::AnyDuration D>
  Deadline deadline(const D& limit) {
    return make_deadline(session(), detail::whole_micros(limit), default_grace_micros);
  }

  /// Stops what is running, from another thread; it ends with quark::Timeout.
  void interrupt() noexcept;

  /// What For<T>(db) is made of.
  Handle<Session> handle() const { return Handle<Session>(session()); }
  /// The C handle, for what Quark doesn't do. It stays ours: don't close it.
  sqlite3* native() const { return session().native(); }
  /// For this library's own files. Throws Misuse when the connection was moved from.
  Session& session() const {
    if (session_ == nullptr) detail::throw_misuse("the connection was moved from");
    return *session_;
  }

 private:
  Session* session_;
};

/// Connections to one database file that threads share; see quark::Pool.
using Pool = quark::Pool<Connection>;
/// For quark::Pool: of a database in memory there is one connection, which is kept. Throws Misuse when more are wanted.
void adjust_pool(const Options& options, PoolOptions& pool);

/// A file's name as text, or as a std::filesystem::path (which is known by its u8string(): its header is a large one).
template <class Path>
concept PathLike =
    std::is_convertible_v<const Path&, std::string_view> || requires(const Path& p) { p.u8string().data(); };

/// Opens a database file, or ":memory:", with the default options: made when missing. Throws like
/// Connection.
template <PathLike Path>  // a template, so that open({.path = ...}) means Options
[[nodiscard]] Connection open(const Path& path) {
  Options options;
  if constexpr (std::is_convertible_v<const Path&, std::string_view>) {
    options.path = std::string_view(path);
  } else {
    options.path.clear();  // SQLite takes UTF-8 on every system
    for (const char8_t c : path.u8string()) options.path += static_cast<char>(c);
  }
  return Connection(options);
}
/// Opens with options. Throws like Connection.
[[nodiscard]] Connection open(const Options& options);

/// Switches off SQLite's memory statistics, which cost each statement up to a fifth of its time.
/// For the whole process, and only before SQLite is first used; returns whether it took effect.
bool tune_process() noexcept;

}  // namespace quark::sqlite
