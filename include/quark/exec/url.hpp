// The pieces of a database's URL: escapes, and options as ?name=value&name=value. Used by the engines' parse_url().
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace quark::detail {

/// Reads pieces of one kind of URL; `form` is how such a URL looks, for messages. A URL is never in a message: it may
/// have a password.
class UrlReader {
 public:
  explicit constexpr UrlReader(std::string_view form) : form_(form) {}

  /// Throws Misuse.
  [[noreturn]] void refuse(std::string_view why) const;
  /// The text with its percent escapes resolved.
  std::string decoded(std::string_view text) const;
  /// A number from 0 to `most`.
  std::uint64_t number(std::string_view text, std::string_view name, std::uint64_t most) const;
  /// true, 1, false or 0.
  bool truth(std::string_view text, std::string_view name) const;
  /// Takes the next option off `query`; false when none is left.
  bool next_option(std::string_view& query, std::string_view& name, std::string& value) const;

 private:
  std::string_view form_;
};

}  // namespace quark::detail
