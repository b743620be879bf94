// What PostgreSQL's types are to Quark: which wire form a column or parameter has.
// Shared by all that speaks to a PostgreSQL server, whichever client library it uses; knows none of them.
#pragma once

#include <quark/types/cell.hpp>

#include <bit>
#include <cstring>
#include <type_traits>

namespace quark::postgres {

using Oid = unsigned int;  // as in libpq

/// The binary forms that are read and written. `other`: none of ours; parameters go as text.
enum class Kind : std::uint8_t {
  other, boolean, i16, i32, i64, f32, f64, numeric, text, bytes, date, time, timestamp, interval, uuid, json, jsonb,
  inet, array,
};

/// Of a column that is an array the kind says that of the elements, too.
inline constexpr std::uint8_t first_array_kind = 64;
constexpr Kind array_kind(Kind element) {
  return static_cast<Kind>(first_array_kind + static_cast<std::uint8_t>(element));
}
constexpr bool is_array_kind(Kind kind) { return static_cast<std::uint8_t>(kind) >= first_array_kind; }
constexpr Kind element_of(Kind array) {
  return static_cast<Kind>(static_cast<std::uint8_t>(array) - first_array_kind);
}

/// A type of this database. Domains have the kind of what they are based on, enums are text.
struct Type {
  Oid oid = 0;
  Kind kind = Kind::other;
  Oid element = 0;  // of an array
  Kind element_kind = Kind::other;
  // Of the column that a parameter goes into: what it is based on, and its modifier, such as the
  // scale of numeric(10, 2); -1: none.
  Oid base = 0;
  std::int32_t modifier = -1;

  /// The kind of a column.
  constexpr Kind column() const { return kind == Kind::array ? array_kind(element_kind) : kind; }
};

/// Type numbers that are the same in every database (src/include/catalog/pg_type.dat).
namespace oid {
inline constexpr Oid boolean = 16, bytes = 17, i64 = 20, i16 = 21, i32 = 23, text = 25, json = 114, f32 = 700,
                     f64 = 701, bpchar = 1042, varchar = 1043, date = 1082, time = 1083, timestamp = 1114,
                     timestamptz = 1184, interval = 1186, numeric = 1700, uuid = 2950, jsonb = 3802, inet = 869,
                     cidr = 650, name = 19;
}  // namespace oid

/// What a number means that is the same in every database; Kind::other where it isn't one of those that are read.
Type fixed_type(Oid oid);
/// The array type of such a type; 0 where there is none.
Oid fixed_array_of(Oid element);
/// Numbers below are the server's own, and not those of a database.
inline constexpr Oid first_of_database = 16384;

/// Integers travel with their most significant byte first.
template <class Unsigned>
constexpr Unsigned swapped(Unsigned value) {
  if constexpr (std::endian::native == std::endian::big || sizeof(Unsigned) == 1) {
    return value;
  } else if constexpr (sizeof(Unsigned) == 2) {
    return __builtin_bswap16(value);
  } else if constexpr (sizeof(Unsigned) == 4) {
    return __builtin_bswap32(value);
  } else {
    return __builtin_bswap64(value);
  }
}

/// An integer of the width of Signed from the wire.
template <class Signed>
Signed load(const char* from) {
  std::make_unsigned_t<Signed> raw;
  std::memcpy(&raw, from, sizeof raw);
  return static_cast<Signed>(swapped(raw));
}
template <class Signed>
void store(char* to, Signed value) {
  const auto raw = swapped(static_cast<std::make_unsigned_t<Signed>>(value));
  std::memcpy(to, &raw, sizeof raw);
}

/// Microseconds and days from 1970-01-01 to 2000-01-01, where PostgreSQL counts from.
inline constexpr std::int64_t epoch_micros = 946'684'800'000'000;
inline constexpr std::int32_t epoch_days = 10'957;

}  // namespace quark::postgres
