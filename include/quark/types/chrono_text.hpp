// Moments, dates and durations as text: for engines whose wire is text (SQLite, and text results
// elsewhere). Works on plain integers, so that <chrono> stays out; types/chrono.hpp connects it
// with std::chrono.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace quark {

// All calendars are proleptic Gregorian, all moments UTC. Functions that read leave the result
// untouched when they answer false; they never round, clamp or guess. Those that write add no
// terminating zero.

/// "YYYY-MM-DDTHH:MM:SS.ffffffZ": texts sort as the moments do.
inline constexpr std::size_t timestamp_text_size = 27;
/// "YYYY-MM-DD"
inline constexpr std::size_t date_text_size = 10;
/// Room for "[-]HH:MM:SS.ffffff" with up to ten digits of hours.
inline constexpr std::size_t max_time_text = 24;

/// Writes a moment, in microseconds since 1970-01-01T00:00:00Z, into timestamp_text_size
/// characters. Returns their number, or 0 outside the years 0000 to 9999.
std::size_t format_timestamp(std::int64_t micros_since_epoch, char* out) noexcept;

/// The same as "YYYY-MM-DD HH:MM:SS", with ".fff" or ".ffffff" only where the moment has such a fraction: texts sort as
/// the moments do, too, and each moment has one text. At most timestamp_text_size characters.
std::size_t format_datetime(std::int64_t micros_since_epoch, char* out) noexcept;

/// Reads "YYYY-MM-DD", 'T' or a blank, "HH:MM:SS", perhaps a fraction, perhaps a zone: 'Z', or an
/// offset
/// "+HH", "+HH:MM", "+HH:MM:SS" (or with '-') below 24 hours; none means UTC. Places after the
/// sixth must be zeros. False for anything else: other text, days that the calendar doesn't have
/// (also 0000-00-00), 24:00:00, second 60, 'infinity', moments that are outside the years 0000 to
/// 9999 in UTC.
bool parse_timestamp(std::string_view text, std::int64_t& micros_since_epoch) noexcept;

/// Writes a day, counted from 1970-01-01, into date_text_size characters. 0 outside the years 0000
/// to 9999.
std::size_t format_date(std::int32_t days_since_epoch, char* out) noexcept;

/// Reads exactly "YYYY-MM-DD", a day that the calendar has.
bool parse_date(std::string_view text, std::int32_t& days_since_epoch) noexcept;

/// Writes a duration or time of day, in microseconds: at least two digits of hours, any number of
/// hours,
/// '-' in front when negative. At most max_time_text characters; never fails.
std::size_t format_time(std::int64_t micros, char* out) noexcept;

/// Reads "[-]HH:MM:SS[.f...]" with two or more digits of hours. False when it doesn't fit 64 bits.
bool parse_time(std::string_view text, std::int64_t& micros) noexcept;

}  // namespace quark
