// Parameters to SQLite values. What SQLite would change silently (2^63, NaN) is refused here.
#include "values.hpp"

#include <quark/types/chrono_text.hpp>
#include <quark/types/decimal_value.hpp>

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

void to_value(const Param& p, Times times, Value& out) {
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
      if (times == Times::integer) return integer(out, p.head.integer);
      return made_text(out, format_date(static_cast<std::int32_t>(p.head.integer), out.buffer),
                       "the date is outside the years 0000 to 9999 of its text form");
    case Form::timestamp:
      if (times == Times::integer) return integer(out, p.head.integer);
      return made_text(out, format_timestamp(p.head.integer, out.buffer),
                       "the time is outside the years 0000 to 9999 of its text form");
    case Form::decimal: {
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
