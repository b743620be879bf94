// The errors: one class per kind that people catch, all of them quark::Error.
// A leaf: every layer may throw them; engines turn their codes into kinds in src/engine/<name>/errors.cpp.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

namespace quark {

/// What went wrong, decided by SQLSTATE, errno or extended result code, never by message text.
enum class ErrorKind : std::uint8_t {
  unique,         // a unique or primary key constraint
  foreign_key,    // a foreign key constraint
  not_null,       // NULL for a column that takes none
  check,          // a check constraint, or a strict column type
  deadlock,       // the engine broke a deadlock; the transaction is gone
  serialization,  // a snapshot was overtaken; run the transaction again
  aborted,        // the engine has undone the transaction after an earlier error; nothing of it was kept
  lock_timeout,   // a lock was not granted in time
  timeout,        // a deadline passed (also a pool's), or the statement was interrupted
  connection,     // the database can't be opened or was lost
  conversion,     // a value doesn't fit its column or member; nothing was written
  not_found,      // get() and one() without a row
  stale,          // the version of an entity is no longer the stored one
  unsupported,    // the engine can't do it
  syntax,         // the engine refused the statement: a missing table or column, wrong SQL
  permission,     // read-only database, or not allowed
  storage,        // corrupt file, full disk, failed I/O
  misuse,         // a call that makes no sense: use after commit, a negative limit
  other,
};

/// The kind's name as written above: "unique", "foreign_key", ...
std::string_view to_string(ErrorKind kind) noexcept;

/// All that an error can say. Filled by engines; read through Error's functions.
struct ErrorInfo {
  ErrorKind kind = ErrorKind::other;
  std::string message{};
  std::string constraint{};  // the constraint's name, where the engine tells it
  std::string table{};
  std::string column{};
  std::string sqlstate{};   // five characters, where the engine has them
  std::string statement{};  // the SQL text, never its values
  int engine_code = 0;    // SQLite: the extended result code
  bool retryable = false;
};

/// The base of all errors. Copying never throws (the details are shared).
class Error : public std::exception {
 public:
  explicit Error(ErrorInfo info);
  Error(const Error& other) noexcept;
  Error& operator=(const Error& other) noexcept;
  ~Error() override;

  /// One line for people: what went wrong, where, and the SQL text. Without values.
  const char* what() const noexcept override;
  ErrorKind kind() const noexcept { return info().kind; }
  /// The violated constraint's name; empty where it isn't known. (SQLite tells no name of a unique
  /// constraint: it is the one that the model has for these columns.)
  std::string_view constraint() const noexcept { return info().constraint; }
  /// The table at fault; empty where there is none, or it isn't known.
  std::string_view table() const noexcept { return info().table; }
  /// The column at fault; several of a composite constraint are separated by ", ".
  std::string_view column() const noexcept { return info().column; }
  /// SQLSTATE, five characters; empty for engines without it (SQLite), and for errors of our own.
  std::string_view sqlstate() const noexcept { return info().sqlstate; }
  /// The engine's own code (SQLite: the extended result code); 0 for errors of our own.
  int engine_code() const noexcept { return info().engine_code; }
  /// The SQL text that failed, without its values; empty when none was sent.
  std::string_view statement() const noexcept { return info().statement; }
  /// Whether running the whole transaction again can help.
  bool retryable() const noexcept { return info().retryable; }

 private:
  struct Shared;
  const ErrorInfo& info() const noexcept;
  Shared* shared_;
};

// Each class is one kind, so that `catch` can choose. They add nothing to Error.
// clang-format off
/// A unique constraint, or a key that exists.
class UniqueViolation      : public Error { public: using Error::Error; };
/// A row refers to nothing, or is referred to.
class ForeignKeyViolation  : public Error { public: using Error::Error; };
/// NULL for a column that takes none.
class NotNullViolation     : public Error { public: using Error::Error; };
/// A CHECK constraint, a strict column type, a trigger's RAISE.
class CheckViolation       : public Error { public: using Error::Error; };
/// The engine broke a deadlock.
class Deadlock             : public Error { public: using Error::Error; };
/// A snapshot was overtaken: run the transaction again.
class SerializationFailure : public Error { public: using Error::Error; };
/// The engine gave the transaction up: run it again.
class TransactionAborted   : public Error { public: using Error::Error; };
/// A lock wasn't granted in time.
class LockTimeout          : public Error { public: using Error::Error; };
/// The statement was interrupted, or no connection of a pool was free in time.
class Timeout              : public Error { public: using Error::Error; };
/// The database can't be opened, or is lost.
class ConnectionError      : public Error { public: using Error::Error; };
/// get() or one() found no row.
class NotFound             : public Error { public: using Error::Error; };
/// The object's version is no longer the stored one.
class StaleEntity          : public Error { public: using Error::Error; };
/// The engine can't do it.
class Unsupported          : public Error { public: using Error::Error; };
/// A missing table or column, or SQL that is wrong.
class SyntaxError          : public Error { public: using Error::Error; };
/// A database that is read-only, or not one's own.
class PermissionDenied     : public Error { public: using Error::Error; };
/// A corrupt file, a full disk, failed input or output.
class StorageError         : public Error { public: using Error::Error; };
/// A call that makes no sense: after the end of its transaction, a negative limit.
class Misuse               : public Error { public: using Error::Error; };
// clang-format on

/// A value that doesn't fit: thrown by our checks, and by users' type_of<T>::from_wire.
class ConversionError : public Error {
 public:
  using Error::Error;
  /// `message` says what is wrong with the value, without the value itself if it may be secret.
  explicit ConversionError(std::string message);
};

/// Throws the class that belongs to `info.kind`.
[[noreturn]] void throw_error(ErrorInfo info);

namespace detail {

// Cold ends of checks in headers: no std::string is built at the call site.
[[noreturn, gnu::cold]] void throw_misuse(std::string_view message);
[[noreturn, gnu::cold]] void throw_unsupported(std::string_view table, std::string_view why);
[[noreturn, gnu::cold]] void throw_out_of_range(std::string_view table, std::string_view column);
[[noreturn, gnu::cold]] void throw_not_found(std::string_view table, std::string_view operation);
[[noreturn, gnu::cold]] void throw_not_one(std::string_view table);
[[noreturn, gnu::cold]] void throw_stale(std::string_view table);
[[noreturn, gnu::cold]] void throw_not_inserted(std::string_view table);
[[noreturn, gnu::cold]] void throw_unread(std::string_view table);

}  // namespace detail
}  // namespace quark
