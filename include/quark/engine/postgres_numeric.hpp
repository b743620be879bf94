// PostgreSQL's numeric on the wire (src/backend/utils/adt/numeric.c, numeric_send): int16 digit count, weight, sign,
// decimal places, then digits of base 10000.
#pragma once

#include <quark/types/cell.hpp>

namespace quark::postgres {

/// Room for what encode_numeric() writes: a header and eleven digits.
inline constexpr int numeric_room = 8 + 2 * 11;

/// Writes value / 10^scale; returns the number of bytes. scale is 0 to 38.
int encode_numeric(Int128 value, int scale, char* out);

/// Reads a number as value / 10^scale, exactly: null, or why that can't be. precision is at most 38.
const char* decode_numeric(const char* data, int size, int precision, int scale, Int128& out);

}  // namespace quark::postgres
