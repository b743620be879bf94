// mysql://user:password@host:port/database?option=value
#include "quark/engine/mysql/connection.hpp"

#include <charconv>

namespace quark::mysql {
namespace {

// The URL itself is never in a message: it has the password.
[[noreturn]] void refuse(std::string_view why) {
  quark::detail::throw_misuse("a MySQL URL is mysql://user:password@host:port/database?option=value: " +
                              std::string(why));
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded(std::string_view text) {
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

template <class Number>
Number number(std::string_view text, std::string_view what) {
  Number n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) refuse(std::string(what) + " is a number");
  return n;
}

bool truth(std::string_view text, std::string_view what) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  refuse(std::string(what) + " is true or false");
}

SslMode ssl_mode(std::string_view text) {
  if (text == "automatic") return SslMode::automatic;
  if (text == "disabled") return SslMode::disabled;
  if (text == "required") return SslMode::required;
  if (text == "verify_ca") return SslMode::verify_ca;
  if (text == "verify_identity") return SslMode::verify_identity;
  refuse("ssl_mode is automatic, disabled, required, verify_ca or verify_identity");
}

void set_option(Options& out, std::string_view name, const std::string& value) {
  if (name == "socket") {
    out.socket = value;
  } else if (name == "ssl_mode") {
    out.ssl_mode = ssl_mode(value);
  } else if (name == "ssl_ca") {
    out.ssl_ca = value;
  } else if (name == "ssl_cert") {
    out.ssl_cert = value;
  } else if (name == "ssl_key") {
    out.ssl_key = value;
  } else if (name == "connect_timeout_seconds") {
    out.connect_timeout_seconds = number<unsigned>(value, name);
  } else if (name == "read_timeout_seconds") {
    out.read_timeout_seconds = number<unsigned>(value, name);
  } else if (name == "write_timeout_seconds") {
    out.write_timeout_seconds = number<unsigned>(value, name);
  } else if (name == "lock_timeout_seconds") {
    out.lock_timeout_seconds = number<unsigned>(value, name);
  } else if (name == "cached_statements") {
    out.cached_statements = number<std::size_t>(value, name);
  } else if (name == "cached_texts") {
    out.cached_texts = number<std::size_t>(value, name);
  } else if (name == "returning") {
    out.returning = truth(value, name);
  } else if (name == "bulk") {
    out.bulk = truth(value, name);
  } else if (name == "check_columns") {
    out.check_columns = truth(value, name);
  } else {
    refuse("there is no such option");
  }
}

}  // namespace

Options parse_url(std::string_view url) {
  Options out;
  if (url.starts_with("mysql://")) {
    url.remove_prefix(8);
  } else if (url.starts_with("mariadb://")) {
    url.remove_prefix(10);
  } else {
    refuse("it begins with mysql:// or mariadb://");
  }
  std::string_view query;
  if (const std::size_t mark = url.find('?'); mark != std::string_view::npos) {
    query = url.substr(mark + 1);
    url = url.substr(0, mark);
  }
  std::string_view authority = url;
  if (const std::size_t slash = url.find('/'); slash != std::string_view::npos) {
    authority = url.substr(0, slash);
    const std::string_view path = url.substr(slash + 1);
    if (path.find('/') != std::string_view::npos) refuse("a database's name has no slash (%2F is one)");
    out.database = decoded(path);
  }
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    const std::string_view who = authority.substr(0, at);
    authority.remove_prefix(at + 1);
    const std::size_t colon = who.find(':');
    out.user = decoded(who.substr(0, colon));
    if (colon != std::string_view::npos) out.password = decoded(who.substr(colon + 1));
  }
  std::string_view port;
  if (authority.starts_with('[')) {
    // An IPv6 address has colons of its own.
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos) refuse("an address in brackets ends with one");
    out.host = authority.substr(1, end - 1);
    authority.remove_prefix(end + 1);
    if (authority.starts_with(':')) {
      port = authority.substr(1);
    } else if (!authority.empty()) {
      refuse("behind the host there is a port or nothing");
    }
  } else {
    const std::size_t colon = authority.find(':');
    if (colon != std::string_view::npos) port = authority.substr(colon + 1);
    if (colon != 0 && !authority.empty()) out.host = decoded(authority.substr(0, colon));
  }
  if (!port.empty()) {
    out.port = number<unsigned>(port, "the port");
    if (out.port > 65535) refuse("a port is at most 65535");
  }
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view one = query.substr(0, end);
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) refuse("an option is name=value");
    set_option(out, one.substr(0, equals), decoded(one.substr(equals + 1)));
    query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
  }
  return out;
}

}  // namespace quark::mysql
