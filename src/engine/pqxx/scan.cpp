// Reading SQL text piece by piece.
#include "scan.hpp"

namespace quark::pqxx_bridge {
namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Every byte of a character outside ASCII belongs to a word.
constexpr bool begins_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (static_cast<unsigned char>(c) & 0x80) != 0;
}
constexpr bool is_in_word(char c) { return begins_word(c) || is_digit(c); }

// A name as the server has it: "a""b" is a"b.
std::string unquoted(const Token& token) {
  if (token.kind == Token::Kind::word) return std::string(token.text);
  if (token.kind != Token::Kind::name) return {};
  std::string out;
  const std::string_view inside = token.text.substr(1, token.text.size() - 2);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    out += inside[i];
    if (inside[i] == '"') ++i;
  }
  return out;
}

}  // namespace

void Scanner::skip_blanks() {
  while (at_ < sql_.size()) {
    if (is_blank(sql_[at_])) {
      ++at_;
    } else if (sql_.substr(at_, 2) == "--") {
      while (at_ < sql_.size() && sql_[at_] != '\n') ++at_;
    } else if (sql_.substr(at_, 2) == "/*") {
      // These nest.
      int depth = 0;
      do {
        const std::string_view two = sql_.substr(at_, 2);
        if (two == "/*") ++depth;
        if (two == "*/") --depth;
        at_ += two == "/*" || two == "*/" ? 2 : 1;
      } while (depth > 0 && at_ < sql_.size());
    } else {
      return;
    }
  }
}

// A quote is written twice, and in E'' strings also behind a backslash.
std::size_t Scanner::end_of_quoted(char quote, bool escapes) const {
  std::size_t i = at_ + 1;
  for (; i < sql_.size(); ++i) {
    if (escapes && sql_[i] == '\\') {
      ++i;
    } else if (sql_[i] == quote) {
      if (i + 1 >= sql_.size() || sql_[i + 1] != quote) return i + 1;
      ++i;
    }
  }
  return sql_.size();
}

Token Scanner::next() {
  skip_blanks();
  begin_ = at_;
  if (at_ >= sql_.size()) return {};
  const auto take = [this](Token::Kind kind, std::size_t end) {
    at_ = end < sql_.size() ? end : sql_.size();
    return Token{kind, sql_.substr(begin_, at_ - begin_)};
  };
  const char c = sql_[at_];
  const char following = at_ + 1 < sql_.size() ? sql_[at_ + 1] : '\0';
  if (c == '\'') return take(Token::Kind::text, end_of_quoted('\'', false));
  if (c == '"') return take(Token::Kind::name, end_of_quoted('"', false));
  if ((c == 'E' || c == 'e') && following == '\'') {
    ++at_;
    return take(Token::Kind::text, end_of_quoted('\'', true));
  }
  if (c == '$' && is_digit(following)) {
    std::size_t end = at_ + 1;
    while (end < sql_.size() && is_digit(sql_[end])) ++end;
    return take(Token::Kind::parameter, end);
  }
  if (c == '$') {
    // $tag$ ... $tag$
    std::size_t end = at_ + 1;
    while (end < sql_.size() && is_in_word(sql_[end])) ++end;
    if (end < sql_.size() && sql_[end] == '$') {
      const std::string_view tag = sql_.substr(at_, end + 1 - at_);
      const std::size_t close = sql_.find(tag, end + 1);
      return take(Token::Kind::text, close == std::string_view::npos ? sql_.size() : close + tag.size());
    }
    return take(Token::Kind::sign, at_ + 1);
  }
  if (is_in_word(c)) {
    std::size_t end = at_ + 1;
    while (end < sql_.size() && (is_in_word(sql_[end]) || sql_[end] == '$')) ++end;
    return take(Token::Kind::word, end);
  }
  return take(Token::Kind::sign, at_ + 1);
}

bool is_word(const Token& token, std::string_view lower) {
  if (token.kind != Token::Kind::word || token.text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const char c = token.text[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != lower[i]) return false;
  }
  return true;
}

std::string with_types(std::string_view sql, const std::vector<std::string>& types) {
  std::string out;
  std::size_t copied = 0;
  Scanner scanner(sql);
  for (Token token = scanner.next(); token.kind != Token::Kind::end; token = scanner.next()) {
    if (token.kind != Token::Kind::parameter) continue;
    std::size_t number = 0;
    for (const char digit : token.text.substr(1)) number = number * 10 + static_cast<std::size_t>(digit - '0');
    if (number == 0 || number > types.size() || types[number - 1].empty()) continue;
    const std::size_t end = scanner.begin() + token.text.size();
    out.append(sql.substr(copied, end - copied)).append("::").append(types[number - 1]);
    copied = end;
  }
  return out.append(sql.substr(copied));
}

int count_statements(std::string_view sql) {
  int count = 0;
  bool inside = false;
  Scanner scanner(sql);
  for (Token token = scanner.next(); token.kind != Token::Kind::end; token = scanner.next()) {
    if (token.text == ";") {
      inside = false;
    } else if (!inside) {
      inside = true;
      if (++count == 2) break;
    }
  }
  return count;
}

bool copies_to_client(std::string_view sql) {
  Scanner scanner(sql);
  if (!is_word(scanner.next(), "copy")) return false;
  int depth = 0;
  bool at_place = false;  // behind FROM or TO
  for (Token token = scanner.next(); token.kind != Token::Kind::end; token = scanner.next()) {
    if (token.text == "(") ++depth;
    if (token.text == ")") --depth;
    if (at_place && (is_word(token, "stdin") || is_word(token, "stdout"))) return true;
    at_place = depth == 0 && (is_word(token, "from") || is_word(token, "to"));
  }
  return false;
}

bool ends_transaction(std::string_view sql) {
  Scanner scanner(sql);
  Token token = scanner.next();
  if (!is_word(token, "commit") && !is_word(token, "end") && !is_word(token, "rollback") && !is_word(token, "abort"))
    return false;
  for (token = scanner.next(); token.kind != Token::Kind::end; token = scanner.next())
    if (is_word(token, "to") || is_word(token, "prepared") || is_word(token, "chain")) return false;
  return true;
}

std::vector<std::string> column_names(std::string_view sql) {
  std::vector<std::string> out;
  Scanner scanner(sql);
  Token token = scanner.next();
  if (is_word(token, "select")) {
    token = scanner.next();
    if (is_word(token, "distinct")) token = scanner.next();
  } else {
    while (token.kind != Token::Kind::end && !is_word(token, "returning")) token = scanner.next();
    token = scanner.next();
  }
  // The last name of each term: of table.column, and of `... AS name`.
  int depth = 0;
  std::string last;
  for (; token.kind != Token::Kind::end; token = scanner.next()) {
    if (token.text == "(") ++depth;
    if (token.text == ")") --depth;
    if (depth == 0 && is_word(token, "from")) break;
    if (depth == 0 && token.text == ",") {
      out.push_back(last);
      last.clear();
    } else if (depth == 0) {
      last = unquoted(token);
    }
  }
  out.push_back(last);
  return out;
}

}  // namespace quark::pqxx_bridge
