// The sink that statement text is written into: it counts when it has no buffer, and fills when it has one.
// The same two passes make constants and run-time text, so that they can't differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace quark::sql {

class Writer {
 public:
  /// Counts only.
  constexpr Writer() = default;
  /// Fills `out`, which must have room for what a counting pass has told.
  constexpr explicit Writer(char* out) : out_(out) {}

  constexpr void add(char c) {
    if (out_ != nullptr) out_[size_] = c;
    ++size_;
  }
  constexpr void add(std::string_view text) {
    if (out_ != nullptr) {
      const std::size_t n = text.size();
      for (std::size_t i = 0; i < n; ++i) out_[size_ + i] = text[i];
    }
    size_ += text.size();
  }
  constexpr void add_number(std::uint64_t n) {
    char digits[20] = {};
    std::size_t i = 20;
    do {
      digits[--i] = static_cast<char>('0' + n % 10);
      n /= 10;
    } while (n != 0);
    add(std::string_view(digits + i, 20 - i));
  }
  /// `name` in quotes, a quote inside doubled. How every name of a model gets into SQL.
  constexpr void add_quoted(std::string_view name, char quote) {
    add(quote);
    for (char c : name) {
      add(c);
      if (c == quote) add(c);
    }
    add(quote);
  }

  constexpr std::size_t size() const { return size_; }

 private:
  char* out_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace quark::sql
