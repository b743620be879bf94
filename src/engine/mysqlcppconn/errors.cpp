// The connector's exceptions become ours; what an error leaves behind.
#include <quark/engine/mysql_errors.hpp>
#include <quark/exec/error.hpp>

#include <new>
#include <string>

#include "prepared.hpp"

namespace quark::mysqlcppconn {
namespace {

constexpr unsigned out_of_memory = 2008;

bool is_closed(::sql::Connection& connection) {
  try {
    return connection.isClosed();
  } catch (const ::sql::SQLException&) {
    return true;
  }
}

/// What the connector says without having asked the server.
[[noreturn]] void throw_own(const Statement& statement, const ::sql::SQLException& error, bool closed) {
  ErrorInfo info;
  info.kind = closed ? ErrorKind::connection : ErrorKind::unsupported;
  info.table = statement.table;
  info.statement = statement.text;
  info.message = std::string("Connector/C++: ") + error.what();
  throw_error(std::move(info));
}

}  // namespace

void Session::note_failure(unsigned code) {
  if (mysql::is_fatal(code)) {
    lost_code_ = code;
    return;
  }
  if (transactions_.empty()) return;
  const ErrorKind kind = mysql::kind_of(code);
  if (kind == ErrorKind::deadlock) {
    given_up_ = true;
    return;
  }
  // An error doesn't say whether the transaction went with it.
  const bool may_have_ended = kind == ErrorKind::lock_timeout || kind == ErrorKind::serialization ||
                              kind == ErrorKind::timeout || kind == ErrorKind::storage;
  if (!may_have_ended) return;
  try {
    if (!in_transaction()) given_up_ = true;
  } catch (const Error&) {
    // The connection was lost meanwhile, which is noted.
  }
}

void Session::fail(const Statement& statement, const ::sql::SQLException& error) {
  const auto code = static_cast<unsigned>(error.getErrorCode());
  if (code == 0) throw_own(statement, error, is_closed(connection_));
  if (code == out_of_memory) throw std::bad_alloc();
  // Copied before the next statement.
  ErrorInfo info = mysql::describe_error(code, error.getSQLState(), error.what(), statement);
  note_failure(code);
  throw_error(std::move(info));
}

void Session::refuse_lost(const Statement& statement) const {
  ErrorInfo info;
  info.kind = ErrorKind::connection;
  info.engine_code = static_cast<int>(lost_code_);
  info.table = statement.table;
  info.statement = statement.text;
  info.message = "quark: the connection to MySQL was lost (error " + std::to_string(lost_code_) +
                 "); what an open transaction had done is undone";
  throw_error(std::move(info));
}

void Session::refuse_aborted(std::string_view what) const {
  ErrorInfo info;
  info.kind = ErrorKind::aborted;
  info.message = "quark: " + std::string(what);
  info.message += given_up_ ? ": the server has rolled the transaction back after an earlier error"
                            : ": a statement has ended the transaction (COMMIT, ROLLBACK, or one that makes or changes "
                              "tables, which commits)";
  info.retryable = given_up_;
  throw_error(std::move(info));
}

}  // namespace quark::mysqlcppconn
