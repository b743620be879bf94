// Reads iso3166.tab and zone1970.tab, the tables of countries and time zones of the package tzdata,
// into plain structs; part of the quickstart. Nothing here knows a database.
#pragma once

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tables {

/// A file that can't be read or isn't what it should be; the message names file and line.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct CountryLine {
  std::string code;
  std::string name;
};

/// A point in degrees: north and east are positive.
struct Position {
  double latitude = 0;
  double longitude = 0;
};

struct ZoneLine {
  std::vector<std::string> countries;  // the first one has the zone's principal city
  Position position;
  std::string name;
  std::optional<std::string> comment;
};

/// Whether `text` is UTF-8: no stray or overlong bytes, no surrogates, nothing above U+10FFFF.
inline bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t size = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
    if (size == 0 || i + size > text.size()) return false;
    for (std::size_t k = 1; k < size; ++k)
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return false;
    const auto second = size > 1 ? static_cast<unsigned char>(text[i + 1]) : 0u;
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
        (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F))
      return false;
    i += size;
  }
  return true;
}

/// One angle: a sign, `degree_digits` digits of degrees, two of minutes, perhaps two of seconds.
inline std::optional<double> parse_angle(std::string_view text, std::size_t degree_digits,
                                         int largest) {
  if (text.size() != degree_digits + 3 && text.size() != degree_digits + 5) return std::nullopt;
  if (text[0] != '+' && text[0] != '-') return std::nullopt;
  for (char c : text.substr(1))
    if (c < '0' || c > '9') return std::nullopt;
  const auto number = [&](std::size_t begin, std::size_t size) {
    int value = 0;
    std::from_chars(text.data() + begin, text.data() + begin + size, value);
    return value;
  };
  const int degrees = number(1, degree_digits);
  const int minutes = number(1 + degree_digits, 2);
  const int seconds = text.size() == degree_digits + 5 ? number(3 + degree_digits, 2) : 0;
  if (minutes > 59 || seconds > 59) return std::nullopt;
  const double angle = degrees + minutes / 60.0 + seconds / 3600.0;
  if (angle > largest) return std::nullopt;
  return text[0] == '-' ? -angle : angle;
}

/// ISO 6709 as in the table: ±DDMM±DDDMM or ±DDMMSS±DDDMMSS; nullopt for anything else.
inline std::optional<Position> parse_position(std::string_view text) {
  const std::size_t second_sign = text.find_first_of("+-", 1);
  if (second_sign == std::string_view::npos) return std::nullopt;
  const auto latitude = parse_angle(text.substr(0, second_sign), 2, 90);
  const auto longitude = parse_angle(text.substr(second_sign), 3, 180);
  if (!latitude || !longitude) return std::nullopt;
  return Position{*latitude, *longitude};
}

inline bool is_country_code(std::string_view text) {
  return text.size() == 2 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'A' && text[1] <= 'Z';
}

inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Calls `row(fields, fail)` for each line that is no comment, split at tabs. `fail(what)` throws
/// an InputError that names the line.
template <class Row>
void read_lines(const std::string& path, Row&& row) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw InputError("can't open " + path + ": " +
                     std::error_code(errno, std::generic_category()).message());
  std::string line;
  std::size_t number = 0;
  while (std::getline(file, line)) {
    ++number;
    const auto fail = [&](const std::string& what) {
      throw InputError(path + ":" + std::to_string(number) + ": " + what);
    };
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.starts_with('#')) continue;
    if (line.find('\0') != std::string::npos || !is_utf8(line)) fail("the line is not UTF-8 text");
    row(split(line, '\t'), fail);
  }
  if (file.bad()) throw InputError("can't read " + path + ": it is no ordinary file");
}

/// The countries of iso3166.tab: code, tab, name. Throws InputError.
inline std::vector<CountryLine> read_countries(const std::string& path) {
  std::vector<CountryLine> out;
  read_lines(path, [&](const std::vector<std::string>& fields, const auto& fail) {
    if (fields.size() != 2) fail("expected a country code, a tab and a name");
    if (!is_country_code(fields[0]))
      fail("\"" + fields[0] + "\" is no country code (two capital letters)");
    if (fields[1].empty()) fail("the country has no name");
    out.push_back({fields[0], fields[1]});
  });
  if (out.empty()) throw InputError(path + ": there is no country in it");
  return out;
}

/// The zones of zone1970.tab: codes, tab, position, tab, name, perhaps a tab and a comment.
/// Every code must be one of `countries`. Throws InputError.
inline std::vector<ZoneLine> read_zones(const std::string& path,
                                        const std::vector<CountryLine>& countries) {
  std::vector<ZoneLine> out;
  read_lines(path, [&](const std::vector<std::string>& fields, const auto& fail) {
    if (fields.size() != 3 && fields.size() != 4)
      fail(
          "expected country codes, coordinates, a zone's name and perhaps a comment, with tabs "
          "between");
    ZoneLine zone;
    zone.countries = split(fields[0], ',');
    for (const std::string& code : zone.countries) {
      bool known = false;
      for (const CountryLine& country : countries) known = known || country.code == code;
      if (!known) fail("country code \"" + code + "\" is not in iso3166.tab");
    }
    const auto position = parse_position(fields[1]);
    if (!position) fail("\"" + fields[1] + "\" is no position (±DDMM±DDDMM or ±DDMMSS±DDDMMSS)");
    zone.position = position.value();
    if (fields[2].empty()) fail("the zone has no name");
    zone.name = fields[2];
    if (fields.size() == 4 && !fields[3].empty()) zone.comment = fields[3];
    out.push_back(std::move(zone));
  });
  if (out.empty()) throw InputError(path + ": there is no zone in it");
  return out;
}

}  // namespace tables
