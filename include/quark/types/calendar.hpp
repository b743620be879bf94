// The calendar: days since 1970-01-01 to year, month and day, and back.
// Used by types/chrono.hpp and for times as text, src/types/chrono_text.cpp.
#pragma once

#include <cstdint>

namespace quark::detail {

// Days of the proleptic Gregorian calendar since 1970-01-01, after H. Hinnant's published algorithm
// (howardhinnant.github.io/date_algorithms.html): eras of 400 years that begin on March 1st.
constexpr std::int32_t days_from_civil(int year, unsigned month, unsigned day) {
  const int y = year - (month <= 2 ? 1 : 0);
  const int era = (y >= 0 ? y : y - 399) / 400;
  const auto year_of_era = static_cast<unsigned>(y - era * 400);
  const unsigned day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const unsigned day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + static_cast<std::int32_t>(day_of_era) - 719468;
}

struct Civil {
  int year;
  unsigned month, day;
};

constexpr Civil civil_from_days(std::int32_t days) {
  const std::int64_t z = std::int64_t{days} + 719468;
  const std::int64_t era = (z >= 0 ? z : z - 146096) / 146097;
  const auto day_of_era = static_cast<unsigned>(z - era * 146097);
  const unsigned year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const unsigned day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const unsigned shifted = (5 * day_of_year + 2) / 153;
  const unsigned month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {static_cast<int>(year_of_era + era * 400) + (month <= 2 ? 1 : 0), month,
          day_of_year - (153 * shifted + 2) / 5 + 1};
}

}  // namespace quark::detail
