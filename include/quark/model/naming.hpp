// The table name that a type has when nobody says another: snake_case, plural. User -> users, BlogPost -> blog_posts.
// Used by model/model.hpp only.
#pragma once

#include <cstddef>
#include <string_view>

namespace quark::naming {

/// The unqualified name of T as written in the source, without template arguments.
template <class T>
consteval std::string_view type_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  // g++: "... [with T = app::User; std::string_view = ...]"; clang: "... [T = app::User]".
  const std::size_t start = text.find("T = ") + 4;
  text.remove_prefix(start);
  std::size_t end = text.find(';');
  if (end == std::string_view::npos) end = text.rfind(']');
  text = text.substr(0, end);
  // Stop before template arguments; "::" inside them is not ours.
  std::size_t depth = 0, name = 0, arguments = text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    if (c == '<' && depth == 0) {
      // A local type of a function template prints its arguments too: go on behind them.
      std::size_t angle = 1, j = i + 1;
      for (; j < text.size() && angle > 0; ++j) {
        if (text[j] == '<') ++angle;
        if (text[j] == '>') --angle;
      }
      if (text.find("::", j) == std::string_view::npos) {
        arguments = i;
        break;
      }
      i = j - 1;
      continue;
    }
    if (c == ':' && depth == 0) name = i + 1;
  }
  return text.substr(name, arguments - name);
}

template <class T>
consteval bool is_template_instance() {
  std::string_view text = __PRETTY_FUNCTION__;
  std::size_t end = text.find(';', text.find("T = "));
  if (end == std::string_view::npos) end = text.rfind(']');
  return text[end - 1] == '>';
}

/// Text of a bounded length, as a constant.
struct Name {
  char text[256] = {};
  std::size_t size = 0;
  constexpr void add(char c) {
    if (size < sizeof text) text[size++] = c;
  }
  constexpr void add(std::string_view s) {
    for (char c : s) add(c);
  }
  constexpr std::string_view view() const { return {text, size}; }
};

constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// CamelCase to snake_case; a run of capitals is one word: HTTPRequest -> http_request.
constexpr Name snake_case(std::string_view type) {
  Name out;
  for (std::size_t i = 0; i < type.size(); ++i) {
    const char c = type[i];
    if (is_upper(c)) {
      const bool after_word = i > 0 && (is_lower(type[i - 1]) || is_digit(type[i - 1]));
      const bool before_word =
          i > 0 && is_upper(type[i - 1]) && i + 1 < type.size() && is_lower(type[i + 1]);
      if (after_word || before_word) out.add('_');
      out.add(static_cast<char>(c - 'A' + 'a'));
    } else {
      out.add(c);
    }
  }
  return out;
}

/// Plain English plurals: category -> categories, box -> boxes, day -> days. Irregular ones are
/// said by table("people").
constexpr Name plural(Name word) {
  const std::string_view w = word.view();
  if (w.empty()) return word;
  const auto ends = [&](std::string_view tail) { return w.ends_with(tail); };
  const auto vowel = [](char c) {
    return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
  };
  if (ends("y") && w.size() > 1 && !vowel(w[w.size() - 2])) {
    --word.size;
    word.add("ies");
  } else if (ends("s") || ends("x") || ends("z") || ends("ch") || ends("sh")) {
    word.add("es");
  } else {
    word.add('s');
  }
  return word;
}

/// The default table name of T.
template <class T>
inline constexpr Name table_name = plural(snake_case(type_name<T>()));

}  // namespace quark::naming
