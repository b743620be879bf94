// Errors: their shared details, and the way from a kind to its class.
#include <quark/exec/error.hpp>

#include <atomic>
#include <utility>

namespace quark {

struct Error::Shared {
  ErrorInfo info;
  std::atomic<int> users{1};
};

Error::Error(ErrorInfo info) : shared_(new Shared{std::move(info)}) {}

Error::Error(const Error& other) noexcept : std::exception(other), shared_(other.shared_) {
  shared_->users.fetch_add(1, std::memory_order_relaxed);
}

Error& Error::operator=(const Error& other) noexcept {
  Error copy(other);
  std::swap(shared_, copy.shared_);
  return *this;
}

Error::~Error() {
  if (shared_->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete shared_;
}

const char* Error::what() const noexcept { return shared_->info.message.c_str(); }
const ErrorInfo& Error::info() const noexcept { return shared_->info; }

namespace {
ErrorInfo conversion_info(std::string message) {
  ErrorInfo info;
  info.kind = ErrorKind::conversion;
  info.message = std::move(message);
  return info;
}
}  // namespace

ConversionError::ConversionError(std::string message)
    : Error(conversion_info(std::move(message))) {}

std::string_view to_string(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::unique: return "unique";
    case ErrorKind::foreign_key: return "foreign_key";
    case ErrorKind::not_null: return "not_null";
    case ErrorKind::check: return "check";
    case ErrorKind::deadlock: return "deadlock";
    case ErrorKind::serialization: return "serialization";
    case ErrorKind::aborted: return "aborted";
    case ErrorKind::lock_timeout: return "lock_timeout";
    case ErrorKind::timeout: return "timeout";
    case ErrorKind::connection: return "connection";
    case ErrorKind::conversion: return "conversion";
    case ErrorKind::not_found: return "not_found";
    case ErrorKind::stale: return "stale";
    case ErrorKind::unsupported: return "unsupported";
    case ErrorKind::syntax: return "syntax";
    case ErrorKind::permission: return "permission";
    case ErrorKind::storage: return "storage";
    case ErrorKind::misuse: return "misuse";
    case ErrorKind::other: break;
  }
  return "other";
}

void throw_error(ErrorInfo info) {
  switch (info.kind) {
    case ErrorKind::unique: throw UniqueViolation(std::move(info));
    case ErrorKind::foreign_key: throw ForeignKeyViolation(std::move(info));
    case ErrorKind::not_null: throw NotNullViolation(std::move(info));
    case ErrorKind::check: throw CheckViolation(std::move(info));
    case ErrorKind::deadlock: throw Deadlock(std::move(info));
    case ErrorKind::serialization: throw SerializationFailure(std::move(info));
    case ErrorKind::aborted: throw TransactionAborted(std::move(info));
    case ErrorKind::lock_timeout: throw LockTimeout(std::move(info));
    case ErrorKind::timeout: throw Timeout(std::move(info));
    case ErrorKind::connection: throw ConnectionError(std::move(info));
    case ErrorKind::conversion: throw ConversionError(std::move(info));
    case ErrorKind::not_found: throw NotFound(std::move(info));
    case ErrorKind::stale: throw StaleEntity(std::move(info));
    case ErrorKind::unsupported: throw Unsupported(std::move(info));
    case ErrorKind::syntax: throw SyntaxError(std::move(info));
    case ErrorKind::permission: throw PermissionDenied(std::move(info));
    case ErrorKind::storage: throw StorageError(std::move(info));
    case ErrorKind::misuse: throw Misuse(std::move(info));
    case ErrorKind::other: break;
  }
  throw Error(std::move(info));
}

namespace detail {
namespace {

[[noreturn]] void raise(ErrorKind kind, std::string message, std::string_view table = {},
                        std::string_view column = {}) {
  ErrorInfo info;
  info.kind = kind;
  info.message = "quark: " + std::move(message);
  info.table = table;
  info.column = column;
  throw_error(std::move(info));
}

}  // namespace

void throw_misuse(std::string_view message) { raise(ErrorKind::misuse, std::string(message)); }

void throw_out_of_range(std::string_view table, std::string_view column) {
  raise(ErrorKind::conversion,
        "the value does not fit column " + std::string(table) + "." + std::string(column), table,
        column);
}

void throw_not_found(std::string_view table, std::string_view operation) {
  raise(ErrorKind::not_found,
        std::string(operation) + "() found no row in " + std::string(table), table);
}

void throw_not_one(std::string_view table) {
  raise(ErrorKind::not_found, "one() found more than one row in " + std::string(table), table);
}

void throw_stale(std::string_view table) {
  raise(ErrorKind::stale,
        "the row in " + std::string(table) +
            " was changed or removed since it was read (its version is another one)",
        table);
}

void throw_not_inserted(std::string_view table) {
  raise(ErrorKind::other, "the row was not inserted into " + std::string(table) + " (a trigger dropped it)", table);
}

void throw_unsupported(std::string_view table, std::string_view why) {
  raise(ErrorKind::unsupported, std::string(why), table);
}

void throw_unread(std::string_view table) {
  raise(ErrorKind::unsupported,
        "the server has no RETURNING, and without a key there is no other way to what it made of the row in " +
            std::string(table),
        table);
}

}  // namespace detail
}  // namespace quark
