// Which parameters of a statement go into columns, and the query that tells what these are.
#include <quark/engine/postgres_columns.hpp>

#include <charconv>
#include <string>

namespace quark::postgres {
namespace {

/// Where the quoted name ends that begins at `at`.
std::size_t end_of_name(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] != '"') continue;
    if (!text.substr(at + 1).starts_with('"')) return at + 1;
    ++at;  // a quote in the name
  }
  return at;
}

/// Where an expression ends: at a comma or WHERE outside of brackets.
std::size_t end_of_expression(std::string_view text, std::size_t at) {
  for (std::size_t depth = 0; at < text.size();) {
    if (text[at] == '"') {
      at = end_of_name(text, at);
      continue;
    }
    if (text[at] == '(') ++depth;
    if (text[at] == ')') --depth;
    if (depth == 0 && (text[at] == ',' || text.substr(at).starts_with(" WHERE "))) break;
    ++at;
  }
  return at;
}

/// Those of an UPDATE: UPDATE "t" SET "a" = $1, "b" = "b" + $2 WHERE ... has one.
std::vector<bool> assigned_parameters(std::string_view text, std::size_t count) {
  std::vector<bool> out(count);
  constexpr std::string_view update = "UPDATE ", set = " SET ", equals = " = ", comma = ", ";
  std::size_t at = end_of_name(text, update.size());
  if (!text.substr(at).starts_with(set)) return out;
  for (at += set.size();; at += comma.size()) {
    at = end_of_name(text, at) + equals.size();
    if (at >= text.size()) return out;
    const std::size_t end = end_of_expression(text, at);
    std::size_t number = 0;
    const auto [rest, error] = std::from_chars(text.data() + at + 1, text.data() + end, number);
    if (text[at] == '$' && error == std::errc{} && rest == text.data() + end && number >= 1 && number <= count)
      out[number - 1] = true;
    at = end;
    if (!text.substr(at).starts_with(comma)) return out;
  }
}

}  // namespace

std::vector<bool> written_parameters(const Statement& statement, std::size_t count) {
  const bool inserts = statement.kind == StatementKind::insert || statement.kind == StatementKind::upsert;
  if (statement.kind == StatementKind::update) return assigned_parameters(statement.text, count);
  return std::vector<bool>(count, inserts);
}

std::string look_at_columns(const Statement& statement) {
  const bool writes = statement.kind == StatementKind::insert || statement.kind == StatementKind::upsert ||
                      statement.kind == StatementKind::update;
  if (!writes || statement.param_column == nullptr || statement.table.empty()) return {};
  std::string out = "SELECT * FROM \"";
  for (const char c : statement.table) {
    if (c == '"') out += c;
    out += c;
  }
  return out + '"';
}

}  // namespace quark::postgres
