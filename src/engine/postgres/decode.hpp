// What cells and the elements of arrays decode alike. Private to src/engine/postgres.
// Each returns null, or why the value is refused.
#pragma once

#include <quark/types/cell.hpp>

#include <climits>

#include <quark/engine/postgres_wire.hpp>

namespace quark::postgres {

inline const char* decode_date(const char* raw, std::int32_t& out) {
  const auto days = load<std::int32_t>(raw);
  if (days == INT32_MIN || days == INT32_MAX) return "the date is infinite";
  out = days + epoch_days;
  return nullptr;
}

inline const char* decode_interval(const char* raw, std::int64_t& out) {
  if (load<std::int32_t>(raw + 12) != 0) return "the interval has months, which have no length";
  const std::int64_t days = load<std::int32_t>(raw + 8);
  std::int64_t of_days = 0;
  if (__builtin_mul_overflow(days, std::int64_t{86'400'000'000}, &of_days) ||
      __builtin_add_overflow(load<std::int64_t>(raw), of_days, &out))
    return "the interval is too long";
  return nullptr;
}

/// Why a timestamp is refused.
inline const char* reason_of_time(std::int64_t micros) {
  return micros == INT64_MIN || micros == INT64_MAX ? "the time is infinite" : "the time is outside 64 bits";
}

/// An integer as a decimal of that many digits and places; false when it has more digits.
inline bool scale_up(Int128& value, int precision, int scale) {
  Int128 end = 1;
  for (int i = 0; i < precision; ++i) end *= 10;
  const Int128 most = (end - 1) / 10;
  for (int i = 0; i < scale; ++i) {
    if (value > most || -value > most) return false;
    value *= 10;
  }
  return value < end && -value < end;
}

}  // namespace quark::postgres
