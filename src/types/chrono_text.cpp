// The text of moments, dates and durations.
// Used by engines that store times as text, and by migrations for their timestamps.
#include <quark/types/calendar.hpp>
#include <quark/types/chrono_text.hpp>

#include <cstring>

namespace quark {
namespace {

constexpr std::int64_t micros_per_second = 1'000'000;
constexpr std::int64_t seconds_per_day = 86'400;
constexpr std::int64_t micros_per_day = seconds_per_day * micros_per_second;
constexpr std::int32_t first_day = -719'528;  // 0000-01-01
constexpr std::int32_t last_day = 2'932'896;  // 9999-12-31

constexpr bool is_leap(unsigned year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

constexpr unsigned days_in_month(unsigned year, unsigned month) {
  if (month == 2) return is_leap(year) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

static_assert(detail::days_from_civil(0, 1, 1) == first_day && detail::days_from_civil(9999, 12, 31) == last_day);

char* put_digits(char* out, std::uint64_t value, int width) {
  for (int i = width - 1; i >= 0; --i, value /= 10) out[i] = static_cast<char>('0' + value % 10);
  return out + width;
}

char* put_date(char* out, std::int32_t day) {
  const detail::Civil date = detail::civil_from_days(day);
  out = put_digits(out, static_cast<std::uint64_t>(date.year), 4);
  *out++ = '-';
  out = put_digits(out, date.month, 2);
  *out++ = '-';
  return put_digits(out, date.day, 2);
}

// ":MM:SS.ffffff", what follows the hours; `micros` is below one hour.
char* put_below_hour(char* out, std::uint64_t micros) {
  *out++ = ':';
  out = put_digits(out, micros / (60 * micros_per_second), 2);
  *out++ = ':';
  out = put_digits(out, micros / micros_per_second % 60, 2);
  *out++ = '.';
  return put_digits(out, micros % micros_per_second, 6);
}

constexpr std::uint64_t micros_per_hour = 3'600'000'000;

// Takes text from the front; every function answers false and stops at what it doesn't know.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }

  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  // Exactly `width` digits.
  bool number(int width, unsigned& out) {
    unsigned value = 0;
    for (; width > 0; --width) {
      if (!next_is_digit()) return false;
      value = value * 10 + digit();
    }
    out = value;
    return true;
  }

  bool date(std::int32_t& out) {
    unsigned year = 0, month = 0, day = 0;
    if (!number(4, year) || !take('-') || !number(2, month) || !take('-') || !number(2, day))
      return false;
    if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) return false;
    out = detail::days_from_civil(static_cast<int>(year), month, day);
    return true;
  }

  // ":MM:SS" and perhaps a fraction.
  bool below_hour(std::int64_t& micros) {
    unsigned minute = 0, second = 0, fraction = 0;
    if (!take(':') || !number(2, minute) || !take(':') || !number(2, second)) return false;
    if (minute > 59 || second > 59) return false;
    if (take('.') && !fraction_digits(fraction)) return false;
    micros = (minute * 60 + second) * micros_per_second + fraction;
    return true;
  }

  // Seconds east of UTC.
  bool zone(std::int64_t& offset) {
    offset = 0;
    if (at_end() || take('Z')) return true;
    const bool west = take('-');
    if (!west && !take('+')) return false;
    unsigned hour = 0, minute = 0, second = 0;
    if (!number(2, hour)) return false;
    if (take(':')) {
      if (!number(2, minute)) return false;
      // Zones had seconds before they were standardised, and PostgreSQL prints them.
      if (take(':') && !number(2, second)) return false;
    }
    if (hour > 23 || minute > 59 || second > 59) return false;
    offset = std::int64_t{hour} * 3600 + minute * 60 + second;
    if (west) offset = -offset;
    return true;
  }

  bool next_is_digit() const { return !at_end() && text_[at_] >= '0' && text_[at_] <= '9'; }
  unsigned digit() { return static_cast<unsigned>(text_[at_++] - '0'); }

 private:
  // Six places; what follows them must be zeros.
  bool fraction_digits(unsigned& micros) {
    if (!next_is_digit()) return false;
    unsigned weight = 100'000;
    for (; next_is_digit(); weight /= 10) {
      const unsigned d = digit();
      if (weight == 0 && d != 0) return false;
      micros += d * weight;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::size_t format_date(std::int32_t days_since_epoch, char* out) noexcept {
  if (days_since_epoch < first_day || days_since_epoch > last_day) return 0;
  put_date(out, days_since_epoch);
  return date_text_size;
}

bool parse_date(std::string_view text, std::int32_t& days_since_epoch) noexcept {
  Reader reader(text);
  std::int32_t day = 0;
  if (!reader.date(day) || !reader.at_end()) return false;
  days_since_epoch = day;
  return true;
}

std::size_t format_timestamp(std::int64_t micros_since_epoch, char* out) noexcept {
  std::int64_t day = micros_since_epoch / micros_per_day;
  std::int64_t micros = micros_since_epoch % micros_per_day;
  if (micros < 0) {  // before 1970 division rounds the wrong way
    micros += micros_per_day;
    --day;
  }
  if (day < first_day || day > last_day) return 0;
  out = put_date(out, static_cast<std::int32_t>(day));
  *out++ = 'T';
  const auto of_day = static_cast<std::uint64_t>(micros);
  out = put_digits(out, of_day / micros_per_hour, 2);
  out = put_below_hour(out, of_day % micros_per_hour);
  *out = 'Z';
  return timestamp_text_size;
}

std::size_t format_datetime(std::int64_t micros_since_epoch, char* out) noexcept {
  if (format_timestamp(micros_since_epoch, out) == 0) return 0;
  constexpr std::size_t seconds_end = 19;
  out[10] = ' ';
  const std::int64_t fraction = micros_since_epoch % micros_per_second;
  if (fraction == 0) return seconds_end;
  return seconds_end + (fraction % 1000 == 0 ? 4 : 7);
}

bool parse_timestamp(std::string_view text, std::int64_t& micros_since_epoch) noexcept {
  Reader reader(text);
  std::int32_t day = 0;
  unsigned hour = 0;
  std::int64_t below_hour = 0;
  std::int64_t offset = 0;
  if (!reader.date(day) || !(reader.take('T') || reader.take(' ')) || !reader.number(2, hour) ||
      hour > 23 || !reader.below_hour(below_hour) || !reader.zone(offset) || !reader.at_end())
    return false;
  // Four digits of years keep this far from the ends of 64 bits.
  const std::int64_t micros =
      day * micros_per_day + (std::int64_t{hour} * 3600 - offset) * micros_per_second + below_hour;
  if (micros < first_day * micros_per_day || micros >= (last_day + 1) * micros_per_day)
    return false;
  micros_since_epoch = micros;
  return true;
}

std::size_t format_time(std::int64_t micros, char* out) noexcept {
  char* cursor = out;
  auto size = static_cast<std::uint64_t>(micros);
  if (micros < 0) {
    *cursor++ = '-';
    size = 0 - size;  // also right for the smallest number, which has no positive twin
  }
  const std::uint64_t hours = size / micros_per_hour;
  int width = 2;
  for (std::uint64_t limit = 100; hours >= limit; limit *= 10) ++width;
  cursor = put_digits(cursor, hours, width);
  cursor = put_below_hour(cursor, size % micros_per_hour);
  return static_cast<std::size_t>(cursor - out);
}

bool parse_time(std::string_view text, std::int64_t& micros) noexcept {
  Reader reader(text);
  const bool negative = reader.take('-');
  std::uint64_t hours = 0;
  int width = 0;
  for (; reader.next_is_digit(); ++width) {
    hours = hours * 10 + reader.digit();
    if (hours > INT64_MAX / micros_per_hour) return false;  // before it can wrap
  }
  std::int64_t below_hour = 0;
  if (width < 2 || !reader.below_hour(below_hour) || !reader.at_end()) return false;
  // At most one hour beyond INT64_MAX: no overflow in 64 unsigned bits.
  const std::uint64_t size = hours * micros_per_hour + static_cast<std::uint64_t>(below_hour);
  const std::uint64_t largest = static_cast<std::uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  if (size > largest) return false;
  micros = static_cast<std::int64_t>(negative ? 0 - size : size);
  return true;
}

}  // namespace quark
