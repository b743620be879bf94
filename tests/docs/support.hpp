// What the programs made of the guide's code blocks (extract.awk) check with.
#pragma once

#include <quark/quark.hpp>

#include <charconv>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace quark_docs {

inline const char* page = "";
inline int line = 0;
inline int failures = 0;
inline int checks = 0;

/// Remembers which block is running, for exceptions that nobody expected.
inline void at(const char* where, int number) {
  page = where;
  line = number;
}

inline void fail(const char* where, int number, const std::string& what) {
  std::printf("%s:%d: %s\n", where, number, what.c_str());
  ++failures;
}

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// The value as a page writes it: text without quotes, nullopt, {1, 2, 3}, enumerators by name.
template <class T>
std::string text_of(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_arithmetic_v<T>) {
    char text[64];
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(quark::enum_name(value));
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return std::string(std::string_view(value));
  } else if constexpr (is_optional<T>) {
    return value ? text_of(*value) : "nullopt";
  } else if constexpr (requires { value.begin(); value.end(); }) {
    std::string text = "{";
    for (const auto& element : value) {
      if (text.size() > 1) text += ", ";
      text += text_of(element);
    }
    return text + "}";
  } else if constexpr (requires { value.to_string(); }) {
    return value.to_string();
  } else {
    return value.text();
  }
}

/// Runs of blanks count as one, so that a page may break long lines.
inline std::string squeezed(std::string_view text) {
  std::string out;
  for (char c : text)
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

template <class T>
void expect(const char* where, int number, std::string_view wanted, const T& value) {
  ++checks;
  const std::string actual = text_of(value);
  if (squeezed(actual) != squeezed(wanted))
    fail(where, number, "is\n    " + actual + "\nand not\n    " + std::string(wanted));
}

template <class E, class F>
void expect_throw(const char* where, int number, std::string_view message, F&& statement) {
  ++checks;
  try {
    statement();
    fail(where, number, "throws nothing");
  } catch (const E& error) {
    if (std::string_view(error.what()).find(message) == std::string_view::npos)
      fail(where, number, "throws, but says: " + std::string(error.what()));
  } catch (const std::exception& error) {
    fail(where, number, "throws something else: " + std::string(error.what()));
  }
}

inline int run(void (*blocks)()) {
  try {
    blocks();
  } catch (const std::exception& error) {
    fail(page, line, "this block throws: " + std::string(error.what()));
  }
  std::printf("%d checks, %d failures\n", checks, failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace quark_docs
