// Times as text, against std::chrono: every day of ten thousand years, and all that must be
// refused.
#include <quark/types/chrono_text.hpp>

#include "support/random_seed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <locale>
#include <random>
#include <string>
#include <string_view>

namespace {

using std::chrono::day;
using std::chrono::days;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t micros_per_day = 86'400 * second;
const std::int32_t first_day = sys_days(year(0) / 1 / 1).time_since_epoch().count();
const std::int32_t last_day = sys_days(year(9999) / 12 / 31).time_since_epoch().count();
constexpr std::int64_t untouched = -123'456'789;

std::string padded(std::uint64_t value, std::size_t width) {
  std::string text;
  for (; value != 0 || text.size() < width; value /= 10)
    text.insert(text.begin(), static_cast<char>('0' + value % 10));
  return text;
}

std::string date_by_chrono(std::int64_t number) {
  const year_month_day ymd{sys_days{days{number}}};
  return padded(static_cast<unsigned>(static_cast<int>(ymd.year())), 4) + "-" +
         padded(static_cast<unsigned>(ymd.month()), 2) + "-" +
         padded(static_cast<unsigned>(ymd.day()), 2);
}

std::string timestamp_by_chrono(std::int64_t micros) {
  using namespace std::chrono;
  const sys_time<microseconds> moment{microseconds{micros}};
  const auto midnight = floor<days>(moment);
  const hh_mm_ss<microseconds> time{moment - midnight};
  return date_by_chrono(midnight.time_since_epoch().count()) + "T" +
         padded(static_cast<unsigned>(time.hours().count()), 2) + ":" +
         padded(static_cast<unsigned>(time.minutes().count()), 2) + ":" +
         padded(static_cast<unsigned>(time.seconds().count()), 2) + "." +
         padded(static_cast<unsigned>(time.subseconds().count()), 6) + "Z";
}

// Formats into a buffer with a guard behind, so that one character too many shows.
template <std::size_t Room, class Function, class Value>
std::string formatted(Function function, Value value) {
  char buffer[Room + 8];
  std::fill(std::begin(buffer), std::end(buffer), '#');
  const std::size_t size = function(value, buffer);
  for (std::size_t i = size; i < sizeof buffer; ++i)
    EXPECT_EQ(buffer[i], '#') << "wrote behind the end";
  return std::string(buffer, size);
}
std::string timestamp(std::int64_t micros) {
  return formatted<quark::timestamp_text_size>(quark::format_timestamp, micros);
}
// Shorter texts leave parts of the longest behind their end.
std::string datetime(std::int64_t micros) {
  char buffer[quark::timestamp_text_size];
  return std::string(buffer, quark::format_datetime(micros, buffer));
}
std::string date(std::int32_t number) {
  return formatted<quark::date_text_size>(quark::format_date, number);
}
std::string time(std::int64_t micros) {
  return formatted<quark::max_time_text>(quark::format_time, micros);
}

std::int64_t read_timestamp(std::string_view text) {
  std::int64_t micros = untouched;
  EXPECT_TRUE(quark::parse_timestamp(text, micros)) << text;
  return micros;
}
void expect_no_timestamp(std::string_view text) {
  std::int64_t micros = untouched;
  EXPECT_FALSE(quark::parse_timestamp(text, micros)) << text;
  EXPECT_EQ(micros, untouched) << text;
}
void expect_no_date(std::string_view text) {
  std::int32_t number = -77;
  EXPECT_FALSE(quark::parse_date(text, number)) << text;
  EXPECT_EQ(number, -77) << text;
}
void expect_no_time(std::string_view text) {
  std::int64_t micros = untouched;
  EXPECT_FALSE(quark::parse_time(text, micros)) << text;
  EXPECT_EQ(micros, untouched) << text;
}

TEST(TimestampText, OfDatetimeHasAFractionOnlyWhereThereIsOne) {
  EXPECT_EQ(datetime(0), "1970-01-01 00:00:00");
  EXPECT_EQ(datetime(-1), "1969-12-31 23:59:59.999999");
  EXPECT_EQ(datetime(-500'000), "1969-12-31 23:59:59.500");
  EXPECT_EQ(datetime(-1'000'000), "1969-12-31 23:59:59");
  EXPECT_EQ(datetime(1'000), "1970-01-01 00:00:00.001");
  EXPECT_EQ(datetime(1'001), "1970-01-01 00:00:00.001001");
  EXPECT_EQ(datetime(last_day * INT64_C(86'400'000'000) * 2), "");
  for (const std::int64_t micros : {INT64_C(0), INT64_C(-1), INT64_C(-500'000), INT64_C(1'709'168'400'000'005)})
    EXPECT_EQ(read_timestamp(datetime(micros)), micros);
}

TEST(DateText, EveryDayOfTheYears0000To9999AgreesWithChrono) {
  char text[quark::date_text_size];
  const auto number_at = [&](int begin, int end) {
    int value = 0;
    for (int i = begin; i < end; ++i) value = value * 10 + (text[i] - '0');
    return value;
  };
  for (std::int32_t number = first_day; number <= last_day; ++number) {
    const year_month_day expected{sys_days{days{number}}};
    std::int32_t back = 0;
    const bool right =
        quark::format_date(number, text) == quark::date_text_size &&
        number_at(0, 4) == static_cast<int>(expected.year()) && text[4] == '-' &&
        number_at(5, 7) == static_cast<int>(static_cast<unsigned>(expected.month())) &&
        text[7] == '-' &&
        number_at(8, 10) == static_cast<int>(static_cast<unsigned>(expected.day())) &&
        quark::parse_date({text, quark::date_text_size}, back) && back == number;
    if (!right) FAIL() << date_by_chrono(number) << " became " << std::string_view(text, 10);
  }
}

TEST(DateText, ReadsExactlyTheDaysThatTheCalendarHas) {
  const auto check = [](int y, unsigned m, unsigned d) {
    const auto text = padded(static_cast<unsigned>(y), 4) + "-" + padded(m, 2) + "-" + padded(d, 2);
    std::int32_t number = 0;
    ASSERT_EQ(quark::parse_date(text, number), (year_month_day{year(y), month(m), day(d)}.ok()))
        << text;
  };
  for (int y = 0; y <= 9999; ++y) {
    check(y, 2, 28);
    check(y, 2, 29);
    check(y, 2, 30);
  }
  for (const int y : {0, 4, 100, 400, 1600, 1900, 1970, 2000, 2023, 2024, 9996, 9999}) {
    for (unsigned m = 0; m <= 99; ++m) {
      for (unsigned d = 0; d <= 99; ++d) check(y, m, d);
    }
  }
}

TEST(DateText, OutsideFourDigitsOfYearsIsRefused) {
  EXPECT_EQ(date(first_day), "0000-01-01");
  EXPECT_EQ(date(last_day), "9999-12-31");
  EXPECT_EQ(date(first_day - 1), "");
  EXPECT_EQ(date(last_day + 1), "");
  EXPECT_EQ(date(std::numeric_limits<std::int32_t>::min()), "");
  EXPECT_EQ(date(std::numeric_limits<std::int32_t>::max()), "");
}

TEST(DateText, RefusesOtherForms) {
  for (const char* text : {"",
                           "2024",
                           "2024-02",
                           "2024-2-03",
                           "2024-02-3",
                           "24-02-03",
                           "2024/02/03",
                           "2024-02-03 ",
                           " 2024-02-03",
                           "2024-02-03T",
                           "2024-02-031",
                           "12024-02-03",
                           "-024-02-03",
                           "+024-02-03",
                           "2024-0a-03",
                           "2024-02--3",
                           "20240203",
                           "2024-02-03T00:00:00",
                           "04.02.2024",
                           "today"})
    expect_no_date(text);
  expect_no_date(std::string_view("2024-02-03\0", 11));
}

TEST(TimestampText, RandomMomentsAgreeWithChronoAndSortAsText) {
  SCOPED_TRACE(under_test::seed_text());
  std::mt19937_64 random(under_test::random_seed());
  std::uniform_int_distribution<std::int64_t> all(
      first_day * micros_per_day, (last_day + std::int64_t{1}) * micros_per_day - 1);
  std::uniform_int_distribution<std::int64_t> near_epoch(-3 * micros_per_day, 3 * micros_per_day);
  std::uniform_int_distribution<std::int64_t> any_day(first_day, last_day);
  std::uniform_int_distribution<std::int64_t> close(-2, 2);
  std::int64_t before = 0;
  std::string text_before = timestamp(0);
  for (int i = 0; i < 50'000; ++i) {
    std::int64_t micros = 0;
    switch (i % 4) {
      case 0:
        micros = all(random);
        break;
      case 1:
        micros = near_epoch(random);
        break;
      case 2:
        micros = any_day(random) * micros_per_day + close(random);
        break;  // around midnights
      default:
        micros = before + close(random);
        break;
    }
    if (micros < first_day * micros_per_day) continue;
    const std::string text = timestamp(micros);
    ASSERT_EQ(text, timestamp_by_chrono(micros)) << micros;
    ASSERT_EQ(read_timestamp(text), micros) << text;
    ASSERT_EQ(text < text_before, micros < before) << text << " " << text_before;
    before = micros;
    text_before = text;
  }
}

TEST(TimestampText, FractionsOnBothSidesOfTheEpochAreRight) {
  for (std::int64_t micros = -1'500'000; micros <= 1'500'000; micros += 211) {
    ASSERT_EQ(timestamp(micros), timestamp_by_chrono(micros));
    ASSERT_EQ(read_timestamp(timestamp(micros)), micros);
  }
}

TEST(TimestampText, TheEndsOfItsRange) {
  const std::int64_t first = first_day * micros_per_day;
  const std::int64_t last = (last_day + std::int64_t{1}) * micros_per_day - 1;
  EXPECT_EQ(timestamp(first), "0000-01-01T00:00:00.000000Z");
  EXPECT_EQ(timestamp(last), "9999-12-31T23:59:59.999999Z");
  EXPECT_EQ(timestamp(first - 1), "");
  EXPECT_EQ(timestamp(last + 1), "");
  EXPECT_EQ(timestamp(std::numeric_limits<std::int64_t>::min()), "");
  EXPECT_EQ(timestamp(std::numeric_limits<std::int64_t>::max()), "");
  // An offset may not lead out of it.
  EXPECT_EQ(read_timestamp("9999-12-31T23:59:59.999999+00:00"), last);
  EXPECT_EQ(read_timestamp("0000-01-01T01:00:00+01"), first);
  expect_no_timestamp("9999-12-31T23:59:59.999999-00:00:01");
  expect_no_timestamp("9999-12-31T23:59:59-00:00:01");
  expect_no_timestamp("0000-01-01T00:59:59.999999+01:00");
}

TEST(TimestampText, ReadsTheFormsOfOtherWriters) {
  const std::int64_t micros = read_timestamp("2023-05-21T22:05:21.000000Z");
  EXPECT_EQ(micros, 1'684'706'721 * second);
  EXPECT_EQ(read_timestamp("2023-05-21 22:05:21"), micros);  // SQLite's CURRENT_TIMESTAMP
  EXPECT_EQ(read_timestamp("2023-05-21T22:05:21"), micros);
  EXPECT_EQ(read_timestamp("2023-05-21 22:05:21Z"), micros);
  EXPECT_EQ(read_timestamp("2023-05-21 22:05:21+00"), micros);  // PostgreSQL
  EXPECT_EQ(read_timestamp("2023-05-22 07:05:21+09"), micros);
  EXPECT_EQ(read_timestamp("2023-05-22 03:35:21+05:30"), micros);
  EXPECT_EQ(read_timestamp("2023-05-21 18:05:21-04:00"), micros);
  EXPECT_EQ(read_timestamp("2023-05-21 18:35:21-03:30"), micros);
  EXPECT_EQ(read_timestamp("2023-05-21 22:58:49+00:53:28"),
            micros);  // before zones were standardised
  EXPECT_EQ(read_timestamp("2023-05-20 22:06:21-23:59"), micros);
  EXPECT_EQ(read_timestamp("2023-05-21 22:05:21-00:00"), micros);
}

TEST(TimestampText, FractionsAreReadToTheMicrosecondAndNeverRounded) {
  const std::int64_t base = 1'684'706'721 * second;
  EXPECT_EQ(read_timestamp("2023-05-21 22:05:21.1"), base + 100'000);
  EXPECT_EQ(read_timestamp("2023-05-21 22:05:21.12"), base + 120'000);
  EXPECT_EQ(read_timestamp("2023-05-21 22:05:21.123Z"), base + 123'000);
  EXPECT_EQ(read_timestamp("2023-05-21 22:05:21.1234+00"), base + 123'400);
  EXPECT_EQ(read_timestamp("2023-05-21 22:05:21.12345"), base + 123'450);
  EXPECT_EQ(read_timestamp("2023-05-21 22:05:21.123456"), base + 123'456);
  EXPECT_EQ(read_timestamp("2023-05-21 22:05:21.000001"), base + 1);
  EXPECT_EQ(read_timestamp("2023-05-21 22:05:21.123456000Z"), base + 123'456);
  EXPECT_EQ(read_timestamp("2023-05-21 22:05:21.000000000000000000000000000000"), base);
  expect_no_timestamp("2023-05-21 22:05:21.1234567");
  expect_no_timestamp("2023-05-21 22:05:21.0000005");
  expect_no_timestamp("2023-05-21 22:05:21.1234560001");
  expect_no_timestamp("2023-05-21 22:05:21.");
  expect_no_timestamp("2023-05-21 22:05:21.Z");
}

TEST(TimestampText, RefusesOtherForms) {
  for (const char* text : {"",
                           "now",
                           "2023-05-21",
                           "2023-05-21 22:05",
                           "2023-05-21 22",
                           "2023-05-2122:05:21",
                           "2023-05-21  22:05:21",
                           "2023-05-21t22:05:21",
                           "2023-05-21T22:05:21z",
                           "2023-05-21T22:05:21 Z",
                           "2023-05-21T22:05:21ZZ",
                           "2023-05-21T22:05:21Zx",
                           "2023-05-21T22:05:21 UTC",
                           "2023-05-21T22:05:21+",
                           "2023-05-21T22:05:21+1",
                           "2023-05-21T22:05:21+0100",
                           "2023-05-21T22:05:21+01:",
                           "2023-05-21T22:05:21+01:0",
                           "2023-05-21T22:05:21+01:00:",
                           "2023-05-21T22:05:21+24:00",
                           "2023-05-21T22:05:21+01:60",
                           "2023-05-21T22:05:21+01:00:60",
                           "2023-05-21T22:05:21+01:00:00:00",
                           "2023-05-21T22:05:21+-1",
                           "2023-05-21T22:05:21,5",
                           "2023-05-21T22.05.21",
                           "2023-05-21T2:05:21",
                           "2023-05-21T22:5:21",
                           "2023-05-21T22:05:1",
                           "2023-05-21T-2:05:21",
                           " 2023-05-21T22:05:21",
                           "2023-05-21T22:05:21 ",
                           "2023-05-21 22:05:21 AD",
                           "44-03-15 12:00:00 BC",
                           "12023-05-21T22:05:21",
                           "1684706721",
                           "2460086.5"})
    expect_no_timestamp(text);
  expect_no_timestamp(std::string_view("2023-05-21T22:05:21\0", 20));
  expect_no_timestamp(std::string_view{});
}

TEST(TimestampText, EveryChangedCharacterIsRefusedOrReadAsItStands) {
  const std::string good = "2024-02-29T23:59:58.123456Z";
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (int c = 0; c < 256; ++c) {
      std::string text = good;
      text[i] = static_cast<char>(c);
      std::int64_t micros = 0;
      if (!quark::parse_timestamp(text, micros)) continue;
      if (i == 10) text[i] = 'T';
      if (i == 26) text[i] = 'Z';  // a digit instead must be 0
      ASSERT_TRUE(i != 26 || c == 'Z' || c == '0') << c;
      ASSERT_TRUE(i != 10 || c == 'T' || c == ' ') << c;
      ASSERT_EQ(timestamp(micros), text);
    }
  }
}

// B13: stored moments move by the session's zone, by a second before 1970, or in their fraction.
TEST(TimestampText, B13_PreEpochAndMicrosecondsStayWhatTheyAre) {
  EXPECT_EQ(read_timestamp("2023-05-21T22:05:21.000001Z"), 1'684'706'721'000'001);
  EXPECT_EQ(read_timestamp("1969-12-31T23:59:59.250000Z"), -750'000);
  EXPECT_EQ(read_timestamp("1901-12-13T20:45:51.999999Z"), -2'147'483'648'000'001);
  EXPECT_EQ(read_timestamp("2023-10-29T01:30:00Z"), 1'698'543'000 * second);
  EXPECT_EQ(timestamp(1'684'706'721'000'001), "2023-05-21T22:05:21.000001Z");
  EXPECT_EQ(timestamp(-750'000), "1969-12-31T23:59:59.250000Z");
  EXPECT_EQ(timestamp(-1), "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(timestamp(-2'147'483'648'000'001), "1901-12-13T20:45:51.999999Z");
  // Both sides of the fold of Europe/Berlin, told apart by their offsets.
  EXPECT_EQ(read_timestamp("2023-10-29 02:30:00+02"), 1'698'539'400 * second);
  EXPECT_EQ(read_timestamp("2023-10-29 02:30:00+01"), 1'698'543'000 * second);
}

// B14: infinity and zero dates are no moments: neither overflow, nor 1970, nor another date.
TEST(TimestampText, B14_InfinityAndZeroDatesAreRefused) {
  for (const char* text : {"infinity", "-infinity", "0000-00-00 00:00:00", "0000-00-00T00:00:00Z",
                           "2024-00-10 00:00:00", "2024-01-00 00:00:00", "2023-02-29 00:00:00",
                           "1900-02-29 00:00:00", "2024-02-30 00:00:00", "2024-04-31 00:00:00",
                           "2024-13-01 00:00:00", "2024-01-01 24:00:00", "2024-01-01 23:60:00",
                           "2024-01-01 23:59:60", "2016-12-31T23:59:60Z", "99999-12-31 00:00:00"})
    expect_no_timestamp(text);
  for (const char* text : {"infinity", "-infinity", "0000-00-00", "2024-00-10", "2024-01-00",
                           "2023-02-29", "1900-02-29", "2024-02-30"})
    expect_no_date(text);
  std::int32_t number = 0;
  EXPECT_TRUE(quark::parse_date("0000-01-01", number));
  EXPECT_EQ(number, first_day);
  EXPECT_TRUE(quark::parse_date("2000-02-29", number));
}

std::string time_by_chrono(std::int64_t micros) {
  // In two parts: chrono's own hh_mm_ss negates, which the smallest number doesn't survive.
  const auto size = micros < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(micros)
                               : static_cast<std::uint64_t>(micros);
  const std::chrono::hh_mm_ss<std::chrono::microseconds> rest{
      std::chrono::microseconds{static_cast<std::int64_t>(size % 3'600'000'000u)}};
  return (micros < 0 ? "-" : "") + padded(size / 3'600'000'000u, 2) + ":" +
         padded(static_cast<unsigned>(rest.minutes().count()), 2) + ":" +
         padded(static_cast<unsigned>(rest.seconds().count()), 2) + "." +
         padded(static_cast<unsigned>(rest.subseconds().count()), 6);
}

TEST(TimeText, RandomDurationsOfEveryLengthComeBack) {
  SCOPED_TRACE(under_test::seed_text());
  std::mt19937_64 random(under_test::random_seed());
  for (int i = 0; i < 50'000; ++i) {
    const auto micros = static_cast<std::int64_t>(random()) >> (random() % 64);
    const std::string text = time(micros);
    ASSERT_EQ(text, time_by_chrono(micros));
    std::int64_t back = 0;
    ASSERT_TRUE(quark::parse_time(text, back)) << text;
    ASSERT_EQ(back, micros) << text;
  }
}

TEST(TimeText, WritesHoursBeyondADayAndNegatives) {
  EXPECT_EQ(time(0), "00:00:00.000000");
  EXPECT_EQ(time(-1), "-00:00:00.000001");
  EXPECT_EQ(time(micros_per_day), "24:00:00.000000");
  EXPECT_EQ(time(-(99 * 3600 + 59 * 60 + 59) * second), "-99:59:59.000000");
  EXPECT_EQ(time(100 * 3600 * second), "100:00:00.000000");
  EXPECT_EQ(time((838 * 3600 + 59 * 60 + 59) * second), "838:59:59.000000");
}

TEST(TimeText, TheEndsOf64Bits) {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(time(most), "2562047788:00:54.775807");
  EXPECT_EQ(time(least), "-2562047788:00:54.775808");
  EXPECT_EQ(time(least).size(), quark::max_time_text);
  std::int64_t micros = 0;
  EXPECT_TRUE(quark::parse_time("2562047788:00:54.775807", micros));
  EXPECT_EQ(micros, most);
  EXPECT_TRUE(quark::parse_time("-2562047788:00:54.775808", micros));
  EXPECT_EQ(micros, least);
  EXPECT_TRUE(quark::parse_time("000000000000000000000000000002:00:00", micros));
  EXPECT_EQ(micros, 7200 * second);
  expect_no_time("2562047788:00:54.775808");
  expect_no_time("-2562047788:00:54.775809");
  expect_no_time("2562047788:59:59.999999");
  expect_no_time("2562047789:00:00");
  expect_no_time("5124095576:01:49.551616");  // 2^64: zero, if it wrapped
  expect_no_time("18446744073709551616:00:00");
  expect_no_time("99999999999999999999999999999:00:00");
}

TEST(TimeText, RefusesOtherForms) {
  for (const char* text : {"",          "-",
                           "1",         "00",
                           "00:00",     "0:00:00",
                           "00:0:00",   "00:00:0",
                           "00:60:00",  "00:00:60",
                           "+01:00:00", "--01:00:00",
                           "-:00:00",   "01:00:00 ",
                           " 01:00:00", "01:00:00Z",
                           "01:00:00.", "01:00:00.1234567",
                           "01:-1:00",  "1 day 01:00:00",
                           "PT1H",      "01:00:00,5",
                           "aa:00:00"})
    expect_no_time(text);
  std::int64_t micros = 0;
  EXPECT_TRUE(quark::parse_time("01:02:03.5", micros));
  EXPECT_EQ(micros, (3723 * second) + 500'000);
  EXPECT_TRUE(quark::parse_time("-00:00:00.000", micros));
  EXPECT_EQ(micros, 0);
}

struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(ChronoText, B08_TheProcessLocaleChangesNothing) {
  const std::locale old = std::locale::global(std::locale(std::locale(), new Comma));
  const auto moment = timestamp(1'684'706'721'000'001);
  const auto duration = time(1'234'567 * 3600ll * second);
  std::int64_t back = 0;
  const bool read = quark::parse_time(duration, back);
  const auto moment_back = read_timestamp(moment);
  std::locale::global(old);
  EXPECT_EQ(moment, "2023-05-21T22:05:21.000001Z");
  EXPECT_EQ(moment_back, 1'684'706'721'000'001);
  EXPECT_EQ(duration, "1234567:00:00.000000");
  EXPECT_TRUE(read);
  EXPECT_EQ(back, 1'234'567 * 3600ll * second);
}

}  // namespace
