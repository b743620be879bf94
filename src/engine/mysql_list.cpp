// The values of an `in` as the JSON that JSON_TABLE reads: one text of a statement for any number of them.
// Each form is written such that nothing is rounded or taken for something else (sql/render_expression.hpp reads it).
#include <quark/engine/mysql_values.hpp>
#include <quark/types/decimal_value.hpp>

#include <charconv>
#include <cmath>

namespace quark::mysql {
namespace {

constexpr char hex_digits[] = "0123456789abcdef";

// RFC 8259, 7: quote, backslash and all below U+0020 are escaped; the rest goes as it is.
void add_text(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00";
      out += hex_digits[byte >> 4];
      out += hex_digits[byte & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

void add_hex(std::string& out, const char* data, std::size_t size) {
  out += '"';
  for (std::size_t i = 0; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(data[i]);
    out += hex_digits[byte >> 4];
    out += hex_digits[byte & 15];
  }
  out += '"';
}

template <class Number>
void add_number(std::string& out, Number number) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, number);
  out.append(text, end.ptr);
}

const char* add(const Param& p, std::string& out) {
  if (p.null) {
    out += "null";
    return nullptr;
  }
  switch (p.form) {
    case Form::boolean:
    case Form::i16:
    case Form::i32:
    case Form::i64: add_number(out, p.head.integer); return nullptr;
    case Form::u64: add_number(out, p.head.natural); return nullptr;
    case Form::f32:
    case Form::f64:
      if (std::isnan(p.head.real)) return "MySQL has no NaN";
      if (std::isinf(p.head.real)) return "MySQL has no infinity";
      add_number(out, p.head.real);
      return nullptr;
    case Form::text: add_text(out, p.view()); return nullptr;
    case Form::bytes: add_hex(out, p.head.text, p.tail.size); return nullptr;
    case Form::uuid: add_hex(out, reinterpret_cast<const char*>(&p.head), 16); return nullptr;
    case Form::date:
    case Form::timestamp:
    case Form::time: {
      out += '"';
      const char* const reason = add_moment(p, out);
      out += '"';
      return reason;
    }
    case Form::decimal: {
      // The column of JSON_TABLE has 38 digits in front of the point and 27 behind it.
      if (p.scale > 27) return "MySQL takes at most 27 decimal places in a list";
      char text[max_decimal_text];
      out.append(text, format_scaled(p.decimal(), p.scale, text));
      return nullptr;
    }
    case Form::refused: return p.head.text;
    default: return "this kind of value can't be in a list";
  }
}

}  // namespace

const char* to_json(const Param* items, std::size_t count, std::string& out) {
  out += '[';
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += ',';
    const char* reason = add(items[i], out);
    if (reason != nullptr) return reason;
  }
  out += ']';
  return nullptr;
}

}  // namespace quark::mysql
