// Dates, moments and durations between our integers and MySQL's components.
#include <quark/types/calendar.hpp>

#include "prepared.hpp"

namespace quark::mysql {
namespace {

constexpr std::int64_t day_micros = std::int64_t{86400} * 1000000;

void put_clock(std::int64_t micros, MYSQL_TIME& out) {
  out.second_part = static_cast<unsigned long>(micros % 1000000);
  const std::int64_t seconds = micros / 1000000;
  out.second = static_cast<unsigned>(seconds % 60);
  out.minute = static_cast<unsigned>(seconds / 60 % 60);
  out.hour = static_cast<unsigned>(seconds / 3600);
}

}  // namespace

bool to_date(std::int64_t days, MYSQL_TIME& out) {
  // Far away from what a calendar's int could hold.
  if (days < -1000000 || days > 4000000) return false;
  const detail::Civil c = detail::civil_from_days(static_cast<std::int32_t>(days));
  if (c.year < 1 || c.year > 9999) return false;
  out = MYSQL_TIME{};
  out.year = static_cast<unsigned>(c.year);
  out.month = static_cast<unsigned>(c.month);
  out.day = static_cast<unsigned>(c.day);
  out.time_type = MYSQL_TIMESTAMP_DATE;
  return true;
}

bool to_timestamp(std::int64_t micros, MYSQL_TIME& out) {
  std::int64_t days = micros / day_micros;
  std::int64_t rest = micros % day_micros;
  if (rest < 0) {
    rest += day_micros;
    --days;
  }
  if (!to_date(days, out)) return false;
  put_clock(rest, out);
  out.time_type = MYSQL_TIMESTAMP_DATETIME;
  return true;
}

bool to_time(std::int64_t micros, MYSQL_TIME& out) {
  constexpr std::int64_t most = ((std::int64_t{838} * 60 + 59) * 60 + 59) * 1000000 + 999999;
  if (micros > most || micros < -most) return false;
  out = MYSQL_TIME{};
  out.neg = micros < 0;
  if (micros < 0) micros = -micros;
  put_clock(micros, out);
  out.day = out.hour / 24;
  out.hour %= 24;
  out.time_type = MYSQL_TIMESTAMP_TIME;
  return true;
}

}  // namespace quark::mysql
