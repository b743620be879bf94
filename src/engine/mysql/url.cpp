// mysql://user:password@host:port/database?option=value
#include <quark/exec/url.hpp>

#include <limits>

#include "quark/engine/mysql/connection.hpp"

namespace quark::mysql {
namespace {

constexpr quark::detail::UrlReader url_reader("a MySQL URL is mysql://user:password@host:port/database?option=value");

[[noreturn]] void refuse(std::string_view why) { url_reader.refuse(why); }
std::string decoded(std::string_view text) { return url_reader.decoded(text); }
bool truth(std::string_view text, std::string_view name) { return url_reader.truth(text, name); }
template <class Number>
Number number(std::string_view text, std::string_view name) {
  return static_cast<Number>(url_reader.number(text, name, std::numeric_limits<Number>::max()));
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
  } else if (name == "simultaneous_assignment") {
    out.simultaneous_assignment = truth(value, name);
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
  std::string_view name;
  std::string value;
  while (url_reader.next_option(query, name, value)) set_option(out, name, value);
  return out;
}

}  // namespace quark::mysql
