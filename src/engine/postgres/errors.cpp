// SQLSTATEs become kinds (manual appendix A). Names come from the fields of the report; columns of unique and foreign
// keys only from its detail, "Key (a, b)=(...)", which has them in parentheses in every language.
#include "errors.hpp"

namespace quark::postgres {
namespace {

ErrorKind kind_of(std::string_view state) {
  if (state == "23505") return ErrorKind::unique;
  if (state == "23503" || state == "23001") return ErrorKind::foreign_key;
  if (state == "23502") return ErrorKind::not_null;
  if (state == "23514" || state == "23P01" || state == "P0001" || state == "44000") return ErrorKind::check;
  if (state == "40001") return ErrorKind::serialization;
  if (state == "40P01") return ErrorKind::deadlock;
  if (state == "25P02" || state.starts_with("40")) return ErrorKind::aborted;
  if (state == "55P03") return ErrorKind::lock_timeout;
  if (state == "57014" || state == "25P03") return ErrorKind::timeout;
  if (state == "42501" || state == "25006" || state.starts_with("28")) return ErrorKind::permission;
  if (state == "3D000" || state.starts_with("08") || state.starts_with("57P") || state == "53300")
    return ErrorKind::connection;
  if (state.starts_with("22")) return ErrorKind::conversion;
  if (state.starts_with("0A")) return ErrorKind::unsupported;
  if (state.starts_with("42") || state.starts_with("3F")) return ErrorKind::syntax;
  if (state.starts_with("53") || state.starts_with("58") || state.starts_with("XX")) return ErrorKind::storage;
  return ErrorKind::other;
}

std::string field(const PGresult* result, int code) {
  const char* text = PQresultErrorField(result, code);
  return text != nullptr ? text : "";
}

// "Key (a, b)=(1, 2) already exists." The values are not for us.
std::string columns_of_key(std::string_view detail) {
  const std::size_t open = detail.find('(');
  const std::size_t close = detail.find(")=(");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  std::string out;
  bool quoted = false;
  for (const char c : detail.substr(open + 1, close - open - 1)) {
    if (c == '"') quoted = !quoted;
    // An index over an expression has no column to name.
    if (c == '(' && !quoted) return {};
    if (c != '"') out += c;
  }
  return out;
}

void append_statement(ErrorInfo& info) {
  if (info.statement.empty()) return;
  // A filter can make a long one: statement() has all of it.
  constexpr std::size_t most = 500;
  info.message += " [";
  info.message += std::string_view(info.statement).substr(0, most);
  info.message += info.statement.size() > most ? " ...]" : "]";
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
  info.kind = kind_of(info.sqlstate);
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
  info.kind = kind_of(state);
}

bool is_changed_plan(const PGresult* result) {
  return sqlstate(result) == state_unsupported && field(result, PG_DIAG_SOURCE_FUNCTION) == "RevalidateCachedQuery";
}

bool is_several_statements(const PGresult* result) {
  return sqlstate(result) == "42601" && field(result, PG_DIAG_SOURCE_FUNCTION) == "exec_parse_message";
}

}  // namespace quark::postgres
