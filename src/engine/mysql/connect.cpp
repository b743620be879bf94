// Opening and closing: options of the client library, what is set for the session, what the server can do.
#include "quark/engine/mysql/connection.hpp"

#include <quark/engine/mysql_errors.hpp>
#include <quark/exec/error.hpp>

#include <cstring>
#include <new>

#include "use.hpp"

namespace quark::mysql {
namespace {

void set(MYSQL* db, mysql_option option, unsigned value) { mysql_options(db, option, &value); }
void set(MYSQL* db, mysql_option option, const std::string& value) {
  if (!value.empty()) mysql_options(db, option, value.c_str());
}
[[maybe_unused]] void set_flag(MYSQL* db, mysql_option option, bool value) {
  const Flag flag = value;
  mysql_options(db, option, &flag);
}

void set_ssl(MYSQL* db, const Options& options) {
  set(db, MYSQL_OPT_SSL_CA, options.ssl_ca);
  set(db, MYSQL_OPT_SSL_CERT, options.ssl_cert);
  set(db, MYSQL_OPT_SSL_KEY, options.ssl_key);
  if (options.ssl_mode == SslMode::automatic) return;
#ifdef LIBMARIADB
  set_flag(db, MYSQL_OPT_SSL_ENFORCE, options.ssl_mode != SslMode::disabled);
  set_flag(db, MYSQL_OPT_SSL_VERIFY_SERVER_CERT,
           options.ssl_mode == SslMode::verify_ca || options.ssl_mode == SslMode::verify_identity);
#else
  unsigned mode = SSL_MODE_DISABLED;
  switch (options.ssl_mode) {
    case SslMode::required: mode = SSL_MODE_REQUIRED; break;
    case SslMode::verify_ca: mode = SSL_MODE_VERIFY_CA; break;
    case SslMode::verify_identity: mode = SSL_MODE_VERIFY_IDENTITY; break;
    default: break;
  }
  mysql_options(db, MYSQL_OPT_SSL_MODE, &mode);
#endif
}

bool is_mariadb(MYSQL* db) { return std::strstr(mysql_get_server_info(db), "MariaDB") != nullptr; }

/// Whether the server takes arrays of parameters, and tells the keys of what it made of them.
bool has_bulk([[maybe_unused]] MYSQL* db) {
#ifdef LIBMARIADB
  unsigned long extended = 0;
  if (mariadb_get_infov(db, MARIADB_CONNECTION_EXTENDED_SERVER_CAPABILITIES, &extended) != 0) return false;
  // RETURNING with arrays was tried from 10.11 on.
  return (extended & (MARIADB_CLIENT_STMT_BULK_OPERATIONS >> 32)) != 0 && mysql_get_server_version(db) >= 101100;
#else
  return false;
#endif
}

// Once for the process, before any thread can be inside: mysql_init() alone is not safe for that.
void init_library() {
  static const bool done = mysql_library_init(0, nullptr, nullptr) == 0;
  if (!done) throw std::bad_alloc();
}

}  // namespace

Session::Session(const Options& options)
    : text_capacity_(options.cached_texts),
      statement_capacity_(options.cached_statements),
      checks_columns_(options.check_columns) {
  if (text_capacity_ == 0 || statement_capacity_ == 0)
    quark::detail::throw_misuse("cached_texts and cached_statements must be at least 1");
  for (const std::string* text : {&options.host, &options.socket, &options.user, &options.password, &options.database})
    if (text->find('\0') != std::string::npos) quark::detail::throw_misuse("an option can't contain a zero byte");
  if (options.port > 65535) quark::detail::throw_misuse("a port is at most 65535");
  init_library();
  db_ = mysql_init(nullptr);
  if (db_ == nullptr) throw std::bad_alloc();
  try {
    options_ = new Options(options);
    open(options);
  } catch (...) {
    close();
    throw;
  }
}

void Session::open(const Options& options) {
  mysql_options(db_, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  set(db_, MYSQL_OPT_LOCAL_INFILE, 0u);  // a server must not ask for the client's files
  set(db_, MYSQL_OPT_CONNECT_TIMEOUT, options.connect_timeout_seconds);
  if (options.read_timeout_seconds != 0) set(db_, MYSQL_OPT_READ_TIMEOUT, options.read_timeout_seconds);
  if (options.write_timeout_seconds != 0) set(db_, MYSQL_OPT_WRITE_TIMEOUT, options.write_timeout_seconds);
  set_ssl(db_, options);
  // SET a = b, b = a swaps where the server knows how (MariaDB), as on the other engines.
  // Values that don't fit are errors, and moments are UTC, whatever the server's own settings. Reconnecting is not
  // switched on: the client library would lose prepared statements and transactions without a word.
  std::string init =
      "SET sql_mode=CONCAT('STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,"
      "NO_ENGINE_SUBSTITUTION'";
  if (options.simultaneous_assignment) init += "/*M!100305 ,',SIMULTANEOUS_ASSIGNMENT'*/";
  init += "), time_zone='+00:00', autocommit=1";
  if (options.lock_timeout_seconds != 0)
    init += ", innodb_lock_wait_timeout=" + std::to_string(options.lock_timeout_seconds);
  mysql_options(db_, MYSQL_INIT_COMMAND, init.c_str());
  // The client library takes "localhost" for the Unix socket, even when there is a port.
  if (options.socket.empty() && options.port != 0 && options.host == "localhost")
    set(db_, MYSQL_OPT_PROTOCOL, static_cast<unsigned>(MYSQL_PROTOCOL_TCP));
  const char* const host = options.socket.empty() ? options.host.c_str() : nullptr;
  const char* const socket = options.socket.empty() ? nullptr : options.socket.c_str();
  const char* const database = options.database.empty() ? nullptr : options.database.c_str();
  // FOUND_ROWS: an UPDATE counts the rows that it found, also those that were as they should be.
  if (mysql_real_connect(db_, host, options.user.c_str(), options.password.c_str(), database, options.port, socket,
                         CLIENT_FOUND_ROWS) == nullptr) {
    ErrorInfo info = describe_error(mysql_errno(db_), mysql_sqlstate(db_), mysql_error(db_), Statement{});
    if (info.kind != ErrorKind::permission) info.kind = ErrorKind::connection;
    throw_error(std::move(info));
  }
  const bool mariadb = is_mariadb(db_);
  returning_ = options.returning && mariadb && mysql_get_server_version(db_) >= 100500;
  assigns_at_once_ = options.simultaneous_assignment && mariadb && mysql_get_server_version(db_) >= 100305;
  bulk_ = options.bulk && options.returning && mariadb && has_bulk(db_);
}

void Session::close() noexcept {
  watcher_.stop();
  for (Place* place : slots_) {
    if (place == nullptr) continue;
    Use::close(*this, place->handle);
    delete place;
  }
  slots_.clear();
  texts_.clear([this](Prepared* prepared) { Use::close(*this, prepared); });
  mysql_close(db_);
  db_ = nullptr;
  delete options_;
  options_ = nullptr;
}

Session::~Session() { close(); }

}  // namespace quark::mysql
