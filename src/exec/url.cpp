// Reading the pieces of a URL.
#include <quark/exec/error.hpp>
#include <quark/exec/url.hpp>

#include <charconv>

namespace quark::detail {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

void UrlReader::refuse(std::string_view why) const { throw_misuse(std::string(form_) + ": " + std::string(why)); }

std::string UrlReader::decoded(std::string_view text) const {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) refuse("a percent sign is followed by two hexadecimal digits (%25 is itself)");
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

std::uint64_t UrlReader::number(std::string_view text, std::string_view name, std::uint64_t most) const {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error == std::errc::result_out_of_range || (error == std::errc{} && n > most))
    refuse(std::string(name) + " is at most " + std::to_string(most));
  if (error != std::errc{} || end != text.data() + text.size()) refuse(std::string(name) + " is a number");
  return n;
}

bool UrlReader::truth(std::string_view text, std::string_view name) const {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  refuse(std::string(name) + " is true or false");
}

bool UrlReader::next_option(std::string_view& query, std::string_view& name, std::string& value) const {
  if (query.empty()) return false;
  const std::size_t end = query.find('&');
  const std::string_view one = query.substr(0, end);
  const std::size_t equals = one.find('=');
  if (equals == std::string_view::npos) refuse("an option is name=value");
  name = one.substr(0, equals);
  value = decoded(one.substr(equals + 1));
  query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
  return true;
}

}  // namespace quark::detail
