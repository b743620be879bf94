// What PostgreSQL's types are to Quark: which wire form a column or parameter has.
// Filled in when a statement is prepared (src/engine/postgres/types.cpp), read with every cell.
#pragma once

#include <quark/types/cell.hpp>

#include <bit>
#include <cstring>
#include <string>
#include <vector>

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

/// A prepared statement: what the server said of it.
struct Prepared {
  std::string name;                // "" when it is not kept at the server
  std::uint64_t hash = 0;          // of text and parameter types: the name's number
  std::vector<Form> forms;         // of the parameters that it was prepared for
  std::vector<Type> parameters;
  std::vector<Kind> columns;
  bool ready = false;
};

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
