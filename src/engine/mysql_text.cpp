// Quotes and comments of MySQL's, and what is found outside of them.
#include <quark/engine/mysql_text.hpp>

namespace quark::mysql {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

/// Behind the quoted text that begins at `at`.
std::size_t skip_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size()) {
    if (text[at] == '\\' && quote != '`') {
      at += 2;
    } else if (text[at++] == quote) {
      if (at >= text.size() || text[at] != quote) return at;
      ++at;  // doubled: one of the text's own
    }
  }
  return text.size();
}

/// Behind the comment at `at`; `at` itself when there is none.
std::size_t skip_comment(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  const bool dashes = rest.starts_with("--") && (rest.size() == 2 || is_blank(rest[2]));
  if (rest.starts_with("#") || dashes) {
    const std::size_t end = text.find('\n', at);
    return end == std::string_view::npos ? text.size() : end + 1;
  }
  // "/*!" and "/*M!" hold text that runs.
  if (rest.starts_with("/*") && !rest.starts_with("/*!") && !rest.starts_with("/*M!")) {
    const std::size_t end = text.find("*/", at + 2);
    return end == std::string_view::npos ? text.size() : end + 2;
  }
  return at;
}

}  // namespace

std::size_t count_statements(std::string_view text) {
  std::size_t count = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (const std::size_t behind = skip_comment(text, at); behind != at) {
      at = behind;
    } else if (c == ';') {
      inside = false;
      ++at;
    } else if (is_blank(c)) {
      ++at;
    } else {
      if (!inside) ++count;
      inside = true;
      at = c == '\'' || c == '"' || c == '`' ? skip_quoted(text, at) : at + 1;
    }
  }
  return count;
}

bool begins_transaction(std::string_view sql) {
  const std::size_t first = sql.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  std::string word;
  for (const char c : sql.substr(first)) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (!upper && !(c >= 'a' && c <= 'z')) break;
    word += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return word == "begin" || word == "start";
}

Written find_written(std::string_view text) {
  Written out;
  bool in_name = false;
  for (; out.end < text.size(); ++out.end) {
    const char c = text[out.end];
    if (c == '`') in_name = !in_name;
    if (in_name) continue;
    if (c == '?') ++out.params;
    if (c == ' ' && text.substr(out.end).starts_with(" WHERE ")) break;
  }
  return out;
}

std::vector<std::size_t> find_parameters(std::string_view text) {
  std::vector<std::size_t> found;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (const std::size_t behind = skip_comment(text, at); behind != at) {
      at = behind;
    } else if (c == '\'' || c == '"' || c == '`') {
      at = skip_quoted(text, at);
    } else {
      if (c == '?') found.push_back(at);
      ++at;
    }
  }
  return found;
}

std::string quoted_name(std::string_view name) {
  std::string out = "`";
  for (const char c : name) {
    out += c;
    if (c == '`') out += c;
  }
  return out + "`";
}

}  // namespace quark::mysql
