// Reads enumerators' names out of the text that a compiler gives a function template for its own
// signature. Used by types/enum_names.hpp only, which makes tables of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace quark::detail::enums {

inline constexpr int chunk_size = 256;

// One instantiation per 256 values. What the compilers make of it:
//   g++    ... [with E = Mood; E ...Values = {(Mood)-1, Mood::sad, (Mood)1}; ...]
//   clang  ... [E = Mood, Values = <(Mood)-1, Mood::sad, (Mood)1>]
template <class E, E... Values>
consteval std::string_view signature() {
  return {__PRETTY_FUNCTION__, sizeof __PRETTY_FUNCTION__ - 1};
}

// The names found in one signature, by the position of their value in it.
struct Chunk {
  int count = 0;
  std::size_t characters = 0;
  std::uint8_t index[chunk_size] = {};
  const char* name[chunk_size] = {};
  std::uint16_t size[chunk_size] = {};
  bool readable = false;
};

consteval bool is_digit(char c) { return c >= '0' && c <= '9'; }
consteval bool is_identifier(char c) {
  // Anything that isn't ASCII is part of a UTF-8 sequence, as identifiers may have.
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c) || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Reads the values of a signature. Written for the compilers' interpreters, where a call costs as
// much as ten comparisons: raw pointers, and what has been seen once is skipped by its length. All
// casts "(Mood)7" begin alike, and so do all names "Mood::sad". The text ends with a zero.
class Reader {
 public:
  consteval explicit Reader(std::string_view text)
      : at_(text.data()), end_(text.data() + text.size()) {
#if defined(__clang__)
    constexpr std::string_view opening = ", Values = <";
#else
    constexpr std::string_view opening = "E ...Values = {";
#endif
    const std::size_t found = text.find(opening);
    at_ += found == std::string_view::npos ? text.size() : found + opening.size();
  }

  consteval Chunk read(int count) {
    Chunk chunk;
    for (int i = 0; i < count; ++i) {
      if (cast_size_ != 0) i += skip_casts(count - 1 - i);
      const char* const word = find_word();
      const char* const end = at_;
      if (word == end || (*end != ',' && i + 1 < count)) return chunk;
      if (i + 1 < count) at_ += 2;
      if (is_digit(*word) || *word == '-') continue;
      chunk.index[chunk.count] = static_cast<std::uint8_t>(i);
      chunk.name[chunk.count] = word;
      chunk.size[chunk.count] = static_cast<std::uint16_t>(end - word);
      chunk.characters += static_cast<std::size_t>(end - word);
      ++chunk.count;
    }
    chunk.readable = true;
    return chunk;
  }

 private:
  // Skips up to `most` casts, each with the comma behind it. Four characters tell a cast from a
  // name: the only names that begin with a parenthesis are "(anonymous namespace)::x", and they
  // have no number behind the closing one.
  consteval int skip_casts(int most) {
    const char* p = at_;
    const std::ptrdiff_t size = cast_size_;
    const char second = cast_second_;
    int skipped = 0;
    while (skipped < most && *p == '(' && p[1] == second && end_ - p > size && p[size - 1] == ')' &&
           p[size] < ':') {
      p += size + 1;
      while (*p != ',') ++p;
      p += 2;
      ++skipped;
    }
    at_ = p;
    return skipped;
  }

  // Moves behind the value at hand; returns where its name or number begins.
  consteval const char* find_word() {
    // A parenthesis may open a cast.
    if (!name_known_ || *at_ == '(') return find_word_with_care();
    const char* p = at_ + name_size_;
    const char* const word = p;
    while (*p != ',' && *p != '>' && *p != '}' && *p != 0) ++p;
    at_ = p;
    return word;
  }

  // The same, through all that a qualifier may hold: template arguments, character literals,
  // parameter lists, operators.
  consteval const char* find_word_with_care() {
    const char* const begin = at_;
    const char* word = at_;
    for (int depth = 0; *at_ != 0;) {
      const char c = *at_;
      if (is_identifier(c)) {
        const char* const start = at_;
        while (is_identifier(*at_)) ++at_;
        if (depth == 0) word = start;
        if (std::string_view(start, static_cast<std::size_t>(at_ - start)) == "operator")
          skip_operator();
        continue;
      }
      if (depth == 0 && (c == ',' || c == '>' || c == '}')) break;
      if (c == '\'' || c == '"') {
        skip_literal(c);
        continue;
      }
      if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
      ++at_;
    }
    if (is_digit(*word)) {
      if (word > begin && word[-1] == '-') --word;
      cast_size_ = word - begin;
      cast_second_ = begin[1];
    } else {
      name_size_ = word - begin;
      name_known_ = true;
    }
    return word;
  }

  // The symbol of an operator function, as far as its parameter list or the next scope.
  consteval void skip_operator() {
    if (at_[0] == '(' && at_[1] == ')') at_ += 2;
    while (*at_ != 0 && *at_ != '(' && *at_ != ' ' && !(at_[0] == ':' && at_[1] == ':')) ++at_;
  }
  consteval void skip_literal(char quote) {
    for (++at_; *at_ != quote && *at_ != 0; ++at_) {
      if (*at_ == '\\') ++at_;
    }
    if (*at_ != 0) ++at_;
  }

  const char* at_;
  const char* end_;
  std::ptrdiff_t cast_size_ = 0;  // of "(Mood)", once seen
  char cast_second_ = 0;
  std::ptrdiff_t name_size_ = 0;  // of "Mood::", may be nothing
  bool name_known_ = false;
};

}  // namespace quark::detail::enums
