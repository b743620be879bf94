// What a table's columns would change of the values that are written, without an error: MySQL rounds times, decimals
// and floats, and drops blanks. For the adapters of MySQL and MariaDB, which find out what the columns are.
#pragma once

#include <quark/types/cell.hpp>

#include <vector>

namespace quark::mysql {

/// A parameter that becomes the value of a column which could change it without an error.
struct NarrowParam {
  enum class Kind : std::uint8_t { whole, single, real, decimal, time, day, text, blob, bytes };
  std::size_t index = 0;
  Kind kind = Kind::text;
  bool fixed = false;        // of text: CHAR; of times: TIME, which has no day
  unsigned places = 0;       // of decimals, reals and times
  unsigned long length = 0;  // of text in characters, of bytes and blobs in bytes
};

/// The index of a parameter that its column would change, when there is one; then `reason` says why, else it is null.
std::size_t refused_by_column(const std::vector<NarrowParam>& columns, const Param* params, const char*& reason);

}  // namespace quark::mysql
