// What travels between types and engines: the closed list of wire forms, and a parameter of one of them.
// A leaf: types/ fills parameters, engines bind them; neither knows the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace quark {

__extension__ typedef __int128 Int128;

/// The wire forms that every engine serves. A C++ type maps onto exactly one of them.
enum class Form : std::uint8_t {
  boolean,
  i16,
  i32,
  i64,
  u64,
  f32,
  f64,
  text,
  bytes,
  date,       // days since 1970-01-01
  time,       // microseconds, any sign and length
  timestamp,  // microseconds since 1970-01-01T00:00:00Z
  uuid,       // 16 bytes
  decimal,    // integer scaled by 10^scale
  json,       // text that is JSON
  // The forms below never reach an engine: resolve() in types/scratch.hpp turns them into one of the above or `array`.
  deferred,     // a value whose wire form needs storage
  contains,     // text that becomes a LIKE pattern
  starts_with,  // "
  ends_with,    // "
  array,        // several parameters: the values of one IN, or one value of an array type
  refused,      // a value with no wire form: head.text is the reason, which the engine throws with the column's name
};

class Scratch;
struct Param;

/// Makes the wire form of `*value`; what it needs to live on is allocated in the scratch.
using Defer = void (*)(const void* value, Scratch& scratch, Param& out);

/// One value to bind. Text and bytes are borrowed: they must live until the statement has run.
struct Param {
  union Head {
    std::int64_t integer;
    std::uint64_t natural;
    double real;
    const char* text;         // text, json, bytes; never null
    const void* object;       // deferred
    const Param* items;       // array
  };
  union Tail {
    std::uint64_t size;  // of text and bytes in bytes, of array in items
    std::int64_t high;   // the upper half of a decimal
    Defer defer;
  };
  Head head{0};
  Tail tail{0};
  Form form = Form::i64;
  bool null = false;
  std::uint8_t scale = 0;      // of decimal
  std::uint8_t precision = 0;  // of decimal: digits of the type
  bool stored = false;         // text: head.integer is an offset into a TextStore
  bool whole = false;          // array: one value, which goes into a column

  constexpr std::string_view view() const { return {head.text, tail.size}; }
  constexpr Int128 decimal() const {
    return (static_cast<Int128>(tail.high) << 64) | head.natural;
  }
};

/// Marks a value that has no wire form. `reason` must be a string literal.
constexpr void refuse_param(Param& out, const char* reason) {
  out.head.text = reason;
  out.form = Form::refused;
  out.null = false;
}

/// A run of bytes that somebody else owns.
struct ByteView {
  const std::byte* data = nullptr;
  std::size_t size = 0;
};

/// What types/ says about a C++ type, for table definitions and checks.
struct TypeInfo {
  Form form = Form::i64;
  bool nullable = false;
  bool narrow = false;         // fewer values than the form: i8, u8, u16, u32
  bool natural = false;        // no negative ones: an unsigned integer
  std::uint8_t precision = 0;  // of decimal
  std::uint8_t scale = 0;      // of decimal
  Form element = Form::i64;    // of an array; the rest but `nullable` is said of its elements
};

}  // namespace quark
