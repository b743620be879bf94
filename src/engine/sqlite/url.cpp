// sqlite:///path/of/file.db?option=value
#include <quark/exec/url.hpp>

#include <limits>

#include "quark/engine/sqlite/connection.hpp"

namespace quark::sqlite {
namespace {

constexpr quark::detail::UrlReader reader("a SQLite URL is sqlite:///path/of/file.db?option=value or sqlite::memory:");

std::int64_t milliseconds(std::string_view text, std::string_view name) {
  return static_cast<std::int64_t>(reader.number(text, name, std::numeric_limits<int>::max()));
}

void set_option(Options& out, std::string_view name, const std::string& value) {
  if (name == "read_only") {
    out.read_only = reader.truth(value, name);
  } else if (name == "create") {
    out.create = reader.truth(value, name);
  } else if (name == "busy_timeout_milliseconds") {
    out.busy_timeout_milliseconds = milliseconds(value, name);
  } else if (name == "wal") {
    out.wal = reader.truth(value, name);
  } else if (name == "foreign_keys") {
    out.foreign_keys = reader.truth(value, name);
  } else if (name == "times") {
    if (value != "integer" && value != "text" && value != "datetime")
      reader.refuse("times is integer, text or datetime");
    out.times = value == "text" ? Times::text : value == "datetime" ? Times::datetime : Times::integer;
  } else if (name == "decimals") {
    if (value != "scaled" && value != "number") reader.refuse("decimals is scaled or number");
    out.decimals = value == "number" ? Decimals::number : Decimals::scaled;
  } else if (name == "cached_texts") {
    out.cached_texts = reader.number(value, name, std::numeric_limits<std::uint32_t>::max());
  } else {
    reader.refuse("there is no such option");
  }
}

}  // namespace

Options parse_url(std::string_view url) {
  if (!url.starts_with("sqlite:")) reader.refuse("it begins with sqlite:");
  url.remove_prefix(7);
  std::string_view query;
  if (const std::size_t mark = url.find('?'); mark != std::string_view::npos) {
    query = url.substr(mark + 1);
    url = url.substr(0, mark);
  }
  if (url.starts_with("//")) url.remove_prefix(2);
  Options out;
  out.path = reader.decoded(url);
  // An empty name would be a database that is lost when it closes: hardly what a URL is written for.
  if (out.path.empty()) reader.refuse("it names a file");
  std::string_view name;
  std::string value;
  while (reader.next_option(query, name, value)) set_option(out, name, value);
  return out;
}

}  // namespace quark::sqlite
