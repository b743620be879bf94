// Parameters to the binary forms of PostgreSQL's types. Private to src/engine/postgres.
#pragma once

#include <quark/types/scratch.hpp>

#include "quark/engine/postgres/wire.hpp"

namespace quark::postgres {

/// Type numbers that are the same in every database (src/include/catalog/pg_type.dat).
namespace oid {
inline constexpr Oid boolean = 16, bytes = 17, i64 = 20, i16 = 21, i32 = 23, text = 25, json = 114, f32 = 700,
                     f64 = 701, bpchar = 1042, varchar = 1043, date = 1082, time = 1083, timestamp = 1114,
                     timestamptz = 1184, interval = 1186, numeric = 1700, uuid = 2950, jsonb = 3802, inet = 869,
                     cidr = 650, name = 19;
}  // namespace oid

/// A value as libpq takes it. `data` is null for NULL.
struct Encoded {
  const char* data = nullptr;
  int size = 0;
  bool binary = true;
};

/// The type that a parameter is declared with; 0: the server infers it from where the parameter stands.
Oid declared_type(const Param& param);

/// Whether a statement was prepared for parameters of these forms (prepare.cpp).
bool is_prepared_for(const Prepared& prepared, const Param* params, std::size_t count);

/// Makes the wire form of a value that the server takes as `type`. `room` has 40 bytes; what needs more comes from the
/// scratch. Returns null, or why the value is refused: PostgreSQL would not keep it as it is.
const char* encode(const Param& param, const Type& type, char* room, Scratch& scratch, Encoded& out);

/// Why a column with a modifier would change the value, as the server does without an error: it
/// rounds numbers and times, fills up with blanks or drops them. Null when it would not
/// (modifier.cpp).
const char* changed_by_modifier(const Param& param, const Type& type);

}  // namespace quark::postgres
