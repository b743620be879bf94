// SQLSTATEs become kinds (manual appendix A).
#include <quark/engine/postgres_errors.hpp>

namespace quark::postgres {

ErrorKind kind_of_state(std::string_view state) {
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

}  // namespace quark::postgres
