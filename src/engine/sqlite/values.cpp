// Parameters to SQLite values. What SQLite would change silently (2^63, NaN) is refused here.
#include "values.hpp"

#include <quark/types/chrono_text.hpp>
#include <quark/types/decimal_value.hpp>

#include <charconv>
#include <cmath>
#include <cstddef>

namespace quark::sqlite {
namespace {

void refuse(Value& out, const char* reason) {
  out.storage = Value::Class::refused;
  out.reason = reason;
}

void text(Value& out, const char* data, std::uint64_t size) {
  out.storage = Value::Class::text;
  out.data = data;
  out.size = size;
}

void integer(Value& out, std::int64_t value) {
  out.storage = Value::Class::integer;
  out.integer = value;
}

void made_text(Value& out, std::size_t size, const char* reason) {
  if (size == 0) return refuse(out, reason);
  text(out, out.buffer, size);
}

}  // namespace

bool scaled_of(std::int64_t number, int precision, int scale, Int128& out) noexcept {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, number);
  return parse_scaled({text, static_cast<std::size_t>(end.ptr - text)}, precision, scale, out);
}

bool scaled_of(double number, int precision, int scale, Int128& out) noexcept {
  char text[64];  // more than any decimal has
  const auto end = std::to_chars(text, text + sizeof text, number, std::chars_format::fixed);
  return end.ec == std::errc{} && parse_scaled({text, static_cast<std::size_t>(end.ptr - text)}, precision, scale, out);
}

namespace {

// The nearest double, if it reads as this decimal and no other.
void number(Value& out, const Param& p) {
  const Int128 scaled = p.decimal();
  char text[max_decimal_text];
  const std::size_t size = format_scaled(scaled, p.scale, text);
  double nearest = 0;
  Int128 again = 0;
  if (std::from_chars(text, text + size, nearest).ec != std::errc{} ||
      !scaled_of(nearest, p.precision, p.scale, again) || again != scaled)
    return refuse(out, "SQLite's numbers don't hold so many digits exactly");
  out.storage = Value::Class::real;
  out.real = nearest;
}

}  // namespace

void to_value(const Param& p, Forms forms, Value& out) {
  if (p.null) {
    out.storage = Value::Class::null;
    return;
  }
  switch (p.form) {
    case Form::boolean:
    case Form::i16:
    case Form::i32:
    case Form::i64:
    case Form::time: return integer(out, p.head.integer);
    case Form::u64:
      if (p.head.integer < 0) return refuse(out, "SQLite integers end at 9223372036854775807");
      return integer(out, p.head.integer);
    case Form::f32:
    case Form::f64:
      if (std::isnan(p.head.real)) return refuse(out, "SQLite can't store NaN (it would become NULL)");
      out.storage = Value::Class::real;
      out.real = p.head.real;
      return;
    case Form::text:
    case Form::json: return text(out, p.head.text, p.tail.size);
    case Form::bytes:
      out.storage = Value::Class::blob;
      out.data = p.head.text;
      out.size = p.tail.size;
      return;
    case Form::uuid:
      // The two halves lie side by side in the parameter, in memory order.
      static_assert(offsetof(Param, tail) == offsetof(Param, head) + 8);
      out.storage = Value::Class::blob;
      out.data = &p.head;
      out.size = 16;
      return;
    case Form::date:
      if (forms.times == Times::integer) return integer(out, p.head.integer);
      return made_text(out, format_date(static_cast<std::int32_t>(p.head.integer), out.buffer),
                       "the date is outside the years 0000 to 9999 of its text form");
    case Form::timestamp:
      if (forms.times == Times::integer) return integer(out, p.head.integer);
      return made_text(out,
                       forms.times == Times::text ? format_timestamp(p.head.integer, out.buffer)
                                                  : format_datetime(p.head.integer, out.buffer),
                       "the time is outside the years 0000 to 9999 of its text form");
    case Form::decimal: {
      if (forms.decimals == Decimals::number) return number(out, p);
      const Int128 scaled = p.decimal();
      // Up to 18 digits fit an integer (types/decimal.hpp gives such a column Form::decimal with a small scaled value);
      // the column's precision decides, not the value, so that one column has one form.
      if (p.precision <= 18) return integer(out, static_cast<std::int64_t>(scaled));
      return made_text(out, format_scaled(scaled, p.scale, out.buffer), "the decimal is too long");
    }
    case Form::array:
      out.storage = Value::Class::rows;
      out.data = p.head.items;
      out.size = p.tail.size;
      return;
    case Form::refused: return refuse(out, p.head.text);
    case Form::deferred:
    case Form::contains:
    case Form::starts_with:
    case Form::ends_with: break;
  }
  refuse(out, "a value was not prepared for binding");
}

}  // namespace quark::sqlite
