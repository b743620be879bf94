// JSON as a value: text that has been checked once, when it came in.
// Included by whoever has such a member; types/json.hpp says how it travels. No JSON library is
// needed to use it.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace quark {

/// Owns text that is one JSON value (RFC 8259). It is not parsed into a tree: bring your own
/// library for that.
///
/// Refused: anything after the value, comments, a byte order mark, text that is not UTF-8, an
/// unpaired surrogate in an escape, a number beyond the range of double. Equality is that of the
/// text: {"a":1} and
/// {"a": 1} differ, and engines that keep JSON in a parsed form (PostgreSQL's jsonb, MySQL's JSON)
/// may give back other blanks and another order of keys.
class Json {
 public:
  /// The JSON value null.
  Json() : text_("null") {}

  /// Checks `text` and keeps it. Throws ConversionError when it is not JSON. Linear in its size.
  explicit Json(std::string text);

  /// As the constructor, but answers nullopt.
  static std::optional<Json> parse(std::string text);

  /// Keeps `text` unchecked: for what an engine has checked already.
  static Json trusted(std::string text) { return Json(Unchecked{}, std::move(text)); }

  Json(const Json&) = default;
  Json& operator=(const Json&) = default;
  ~Json() = default;
  // What is moved from is null, not empty: empty text is no JSON. (Four characters: no allocation.)
  Json(Json&& other) noexcept : text_(std::move(other.text_)) { other.text_ = "null"; }
  Json& operator=(Json&& other) noexcept {
    text_.swap(other.text_);
    return *this;
  }

  const std::string& text() const& noexcept { return text_; }
  std::string text() && noexcept { return std::exchange(text_, "null"); }

  /// Compares the text, byte by byte.
  friend bool operator==(const Json& a, const Json& b) noexcept { return a.text_ == b.text_; }

 private:
  struct Unchecked {};
  Json(Unchecked, std::string&& text) : text_(std::move(text)) {}

  std::string text_;
};

}  // namespace quark
