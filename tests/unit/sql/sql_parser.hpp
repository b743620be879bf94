// A small parser of SQL conditions, independent of the renderer: it knows each engine's own table
// of precedence, and makes a text in which every operand is in parentheses. Used by
// precedence_test.cpp as the oracle.
#pragma once

#include <quark/sql/dialect.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace quark::test {

/// Reads one condition. "a + b * c = d" becomes "(= (+ a (* b c)) d)"; AND and OR are flattened:
/// "(AND a b c)".
class SqlParser {
 public:
  SqlParser(Engine engine, std::string_view text) : engine_(engine) { tokenize(text); }

  std::string parse() {
    const std::string out = expression(0);
    if (at_ != tokens_.size()) fail("something is left: " + tokens_[at_]);
    return out;
  }
  int placeholders() const { return placeholders_; }

 private:
  [[noreturn]] static void fail(const std::string& what) { throw std::runtime_error(what); }

  // Binding strength, the weakest is 1. 0: no operator.
  //   SQLite: sqlite.org/lang_expr.html 2; PostgreSQL: manual 4.1.6; MySQL: manual 12.4.1.
  int level(const std::string& op) const {
    const auto is = [&](std::initializer_list<std::string_view> ops) {
      for (std::string_view o : ops)
        if (op == o) return true;
      return false;
    };
    const bool comparison = is({"<", "<=", ">", ">="}), equality = is({"=", "<>"});
    if (op == "OR") return 1;
    if (op == "AND") return 3;  // 2: MySQL's XOR
    if (op == "NOT") return 4;
    switch (engine_) {
      case Engine::sqlite:
        if (equality || is({"IS", "BETWEEN", "IN", "LIKE"})) return 5;
        if (comparison) return 6;
        if (is({"+", "-"})) return 9;  // 7: ESCAPE, 8: bits
        if (is({"*", "/", "%"})) return 10;
        if (op == "||") return 11;
        break;
      case Engine::postgres:
        if (op == "IS") return 5;
        if (comparison || equality) return 6;
        if (is({"BETWEEN", "IN", "LIKE"})) return 7;
        if (op == "||") return 8;  // any other operator
        if (is({"+", "-"})) return 9;
        if (is({"*", "/", "%"})) return 10;
        break;
      case Engine::mysql:
        if (op == "BETWEEN") return 5;
        if (comparison || equality || is({"<=>", "IS", "LIKE", "IN"})) return 6;
        if (is({"+", "-"})) return 10;  // 7 to 9: bits
        if (is({"*", "/", "%", "DIV"})) return 11;
        break;
    }
    return 0;
  }
  bool chains(int l) const { return engine_ != Engine::postgres || l < 5 || l > 7; }
  static constexpr int unary = 20;

  const std::string& peek(std::size_t ahead = 0) const {
    static const std::string end;
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : end;
  }
  bool take(std::string_view token) {
    if (peek() != token) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) fail("expected " + std::string(token) + ", found " + peek());
  }

  std::string expression(int weakest) {
    std::string left = prefix();
    int last = 0;
    for (;;) {
      const bool negated = peek() == "NOT";  // x NOT IN, x NOT BETWEEN, x NOT LIKE
      const std::string op = peek(negated ? 1 : 0);
      const int l = level(op);
      if (l == 0 || l < weakest || (negated && op == "NOT")) return left;
      if (l == last && !chains(l)) fail("operators of one level don't chain: " + op);
      last = l;
      at_ += negated ? 2 : 1;
      left = infix(std::move(left), op, negated ? "NOT " : "", l);
    }
  }

  std::string infix(std::string left, const std::string& op, const std::string& no, int l) {
    if (op == "IS") return is(std::move(left), l);
    if (op == "BETWEEN") {
      const std::string low = expression(l + 1);
      expect("AND");
      return "(" + no + "BETWEEN " + left + " " + low + " " + expression(l + 1) + ")";
    }
    if (op == "LIKE") {
      const std::string pattern = expression(l + 1);
      expect("ESCAPE");
      expect("'!'");
      return "(" + no + "LIKE " + left + " " + pattern + ")";
    }
    if (op == "IN") {
      expect("(");
      if (peek() == "SELECT") {
        subquery();
        return "(" + no + "IN " + left + " ARRAY)";
      }
      std::string out = "(" + no + "IN " + left;
      do out += " " + expression(0);
      while (take(","));
      expect(")");
      return out + ")";
    }
    if ((op == "=" && peek() == "ANY") || (op == "<>" && peek() == "ALL")) {
      const bool all = op == "<>";
      ++at_;
      expect("(");
      expression(0);
      expect(")");
      return std::string(all ? "(NOT IN " : "(IN ") + left + " ARRAY)";
    }
    const std::string right = expression(l + 1);
    if (op == "AND" || op == "OR") {
      // Both sides of one operator are its operands, however they were grouped.
      return "(" + op + " " + flat(left, op) + " " + flat(right, op) + ")";
    }
    return "(" + (op == "<=>" ? "SAME" : op == "DIV" ? "/" : op) + " " + left + " " + right + ")";
  }

  std::string is(std::string left, int l) {
    const bool no = take("NOT");
    if (take("NULL")) return (no ? "(NOT NULL " : "(NULL ") + left + ")";
    if (engine_ == Engine::postgres) {
      expect("DISTINCT");
      expect("FROM");
      return (no ? "(SAME " : "(NOT SAME ") + left + " " + expression(l + 1) + ")";
    }
    return (no ? "(NOT SAME " : "(SAME ") + left + " " + expression(l + 1) + ")";
  }

  static std::string flat(const std::string& e, const std::string& op) {
    const std::string head = "(" + op + " ";
    if (!e.starts_with(head)) return e;
    return e.substr(head.size(), e.size() - head.size() - 1);
  }

  std::string prefix() {
    if (take("NOT")) return "(NOT " + expression(level("NOT")) + ")";
    if (take("-")) return "(NEG " + expression(unary) + ")";
    if (take("(")) {
      std::string inner = expression(0);
      expect(")");
      return inner;
    }
    if (take("CONCAT")) {
      expect("(");
      const std::string a = expression(0);
      expect(",");
      const std::string b = expression(0);
      expect(")");
      return "(|| " + a + " " + b + ")";
    }
    const std::string token = peek();
    ++at_;
    if (token == "?" || token.starts_with("$")) {
      ++placeholders_;
      if (token != "?" && token != "$" + std::to_string(placeholders_))
        fail("placeholders are out of order: " + token);
      return "?";
    }
    if (token.empty() || level(token) != 0 || token == ")" || token == ",")
      fail("an operand is missing at: " + token);
    return token;
  }

  void subquery() {
    for (int depth = 1; depth > 0; ++at_) {
      if (at_ >= tokens_.size()) fail("an open parenthesis");
      if (tokens_[at_] == "(") ++depth;
      if (tokens_[at_] == ")") --depth;
      if (tokens_[at_] == "?") ++placeholders_;
    }
  }

  void tokenize(std::string_view s) {
    const auto word = [](char c) {
      return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
             c == '_' || c == '$';
    };
    for (std::size_t i = 0; i < s.size();) {
      const char c = s[i];
      if (c == ' ') {
        ++i;
      } else if (c == '"' || c == '`') {
        // "r"."i": the column's name is enough.
        const std::size_t dot = s.find('.', i), open = dot + 1, close = s.find(c, open + 1);
        tokens_.emplace_back(s.substr(open + 1, close - open - 1));
        i = close + 1;
      } else if (c == '\'') {
        const std::size_t close = s.find('\'', i + 1);
        tokens_.emplace_back(s.substr(i, close - i + 1));
        i = close + 1;
      } else if (word(c)) {
        std::size_t end = i;
        while (end < s.size() && word(s[end])) ++end;
        tokens_.emplace_back(s.substr(i, end - i));
        i = end;
      } else {
        std::size_t n = 1;
        for (std::string_view symbol : {"<=>", "<=", ">=", "<>", "||", "--"})
          if (n == 1 && s.substr(i, symbol.size()) == symbol) n = symbol.size();
        tokens_.emplace_back(s.substr(i, n));
        if (tokens_.back() == "--") fail("a comment");
        i += n;
      }
    }
  }

  Engine engine_;
  std::vector<std::string> tokens_;
  std::size_t at_ = 0;
  int placeholders_ = 0;
};

}  // namespace quark::test
