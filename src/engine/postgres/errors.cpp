// Names come from the fields of the report; columns of unique and foreign keys only from its detail.
#include "errors.hpp"

#include <quark/engine/postgres_errors.hpp>

namespace quark::postgres {
namespace {

std::string field(const PGresult* result, int code) {
  const char* text = PQresultErrorField(result, code);
  return text != nullptr ? text : "";
}

// libpq ends its messages with a line feed, and puts causes on lines of their own.
std::string one_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  std::string out;
  for (const char c : text) out += c == '\n' || c == '\t' ? ' ' : c;
  return out;
}

}  // namespace

std::string_view sqlstate(const PGresult* result) {
  const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  return state != nullptr ? state : "";
}

ErrorInfo describe_error(const PGresult* result, PGconn* connection, const Statement& statement) {
  ErrorInfo info;
  info.sqlstate = sqlstate(result);
  info.kind = kind_of_state(info.sqlstate);
  info.table = field(result, PG_DIAG_TABLE_NAME);
  if (info.table.empty()) info.table = statement.table;
  info.column = field(result, PG_DIAG_COLUMN_NAME);
  info.constraint = field(result, PG_DIAG_CONSTRAINT_NAME);
  if (info.kind == ErrorKind::unique || info.kind == ErrorKind::foreign_key)
    info.column = columns_of_key(field(result, PG_DIAG_MESSAGE_DETAIL));
  info.statement = statement.text;
  std::string message = field(result, PG_DIAG_MESSAGE_PRIMARY);
  if (message.empty()) message = one_line(PQerrorMessage(connection));
  if (PQstatus(connection) != CONNECTION_OK) info.kind = ErrorKind::connection;
  info.retryable = info.kind == ErrorKind::serialization || info.kind == ErrorKind::deadlock ||
                   info.kind == ErrorKind::lock_timeout || info.kind == ErrorKind::aborted;
  info.message = "PostgreSQL: " + message;
  append_statement(info);
  return info;
}

ErrorInfo describe_connect_error(PGconn* connection) {
  ErrorInfo info;
  info.kind = ErrorKind::connection;
  // libpq tells no SQLSTATE of a refused login; that a password was asked for, or used, tells the kind.
  if (PQconnectionNeedsPassword(connection) != 0 || PQconnectionUsedPassword(connection) != 0)
    info.kind = ErrorKind::permission;
  info.message = "PostgreSQL: connecting: " + one_line(PQerrorMessage(connection));
  return info;
}

void set_connect_state(ErrorInfo& info, std::string_view report) {
  while (!report.empty() && report.back() == '\n') report.remove_suffix(1);
  constexpr std::size_t size = 5;
  if (report.size() < size + 2 || report.substr(report.size() - size - 2, 2) != "  ") return;
  const std::string_view state = report.substr(report.size() - size);
  for (const char c : state)
    if (!(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z')) return;
  info.sqlstate = state;
  info.kind = kind_of_state(state);
}

bool is_changed_plan(const PGresult* result) {
  return sqlstate(result) == state_unsupported && field(result, PG_DIAG_SOURCE_FUNCTION) == "RevalidateCachedQuery";
}

bool is_several_statements(const PGresult* result) {
  return sqlstate(result) == "42601" && field(result, PG_DIAG_SOURCE_FUNCTION) == "exec_parse_message";
}

}  // namespace quark::postgres
