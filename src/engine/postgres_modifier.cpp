// Columns that are narrower than their type: numeric(10, 2), timestamp(0), varchar(10), char(2).
// The server makes values fit, in part without an error, so they are looked at before they are
// sent.
#include <quark/engine/postgres_values.hpp>

namespace quark::postgres {
namespace {

constexpr const char* rounds_number = "the column has fewer decimal places, and would round the number";
constexpr const char* rounds_time = "the column has fewer places of seconds, and would round the time";

// numeric(precision, scale): 4 more than both in one number; the scale has 11 bits with a sign
// (src/backend/utils/adt/numeric.c).
std::int32_t scale_of(std::int32_t modifier) { return (((modifier - 4) & 0x7ff) ^ 1024) - 1024; }

bool is_multiple(Int128 value, std::int32_t places) {
  for (; places > 0 && value != 0; --places) {
    if (value % 10 != 0) return false;
    value /= 10;
  }
  return true;
}

const char* number(const Param& p, std::int32_t scale) {
  switch (p.form) {
    case Form::decimal:
      return is_multiple(p.decimal(), static_cast<std::int32_t>(p.scale) - scale) ? nullptr : rounds_number;
    case Form::u64: return is_multiple(static_cast<Int128>(p.head.natural), -scale) ? nullptr : rounds_number;
    case Form::i16:
    case Form::i32:
    case Form::i64: return is_multiple(p.head.integer, -scale) ? nullptr : rounds_number;
    default: return nullptr;  // another type: refused for that
  }
}

bool keeps_places(std::int64_t micros, std::int32_t places) {
  std::int64_t step = 1;
  for (; places < 6; ++places) step *= 10;
  return micros % step == 0;
}

// interval: the fields that it keeps, and the places of its seconds (src/include/utils/timestamp.h).
const char* interval(const Param& p, std::int32_t modifier) {
  constexpr std::int32_t all_fields = 0x7fff, second = 1 << 12, no_places = 0xffff;
  const std::int32_t fields = (modifier >> 16) & 0x7fff, places = modifier & 0xffff;
  if (fields != all_fields && (fields & second) == 0) return "the column keeps only some fields of an interval";
  if (places == no_places) return nullptr;
  return keeps_places(p.head.integer, places) ? nullptr : rounds_time;
}

std::size_t count_characters(std::string_view text) {
  std::size_t n = 0;
  for (const char c : text) n += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u ? 1u : 0u;
  return n;
}

const char* text(std::string_view value, const Type& type) {
  const auto length = static_cast<std::size_t>(type.modifier - 4);
  if (type.base == oid::bpchar) {
    if (count_characters(value) < length)
      return "the column is char(n), which fills up with blanks: give it as many characters as it has";
    if (value.ends_with(' ')) return "the column is char(n), where blanks at the end don't count";
  }
  // What is too long is an error, unless it is blanks that are too many.
  if (value.ends_with(' ') && count_characters(value) > length)
    return "the text is too long, and PostgreSQL would drop the blanks at its end";
  return nullptr;
}

}  // namespace

const char* changed_by_modifier(const Param& p, const Type& type) {
  switch (type.kind) {
    case Kind::numeric: return number(p, scale_of(type.modifier));
    case Kind::interval: return p.form == Form::time ? interval(p, type.modifier) : nullptr;
    case Kind::time:
    case Kind::timestamp:
      if (p.form != Form::time && p.form != Form::timestamp) return nullptr;
      return keeps_places(p.head.integer, type.modifier) ? nullptr : rounds_time;
    case Kind::text:
      return p.form == Form::text && (type.base == oid::varchar || type.base == oid::bpchar) ? text(p.view(), type)
                                                                                          : nullptr;
    default: return nullptr;
  }
}

}  // namespace quark::postgres
