// Which values a column would change.
#include <quark/engine/mysql_columns.hpp>

#include <cmath>

namespace quark::mysql {
namespace {

// Beyond these not every integer is a number of the type.
constexpr std::int64_t exact_in_double = std::int64_t{1} << 53, exact_in_float = std::int64_t{1} << 24;

bool is_integer(const Param& p) { return p.form >= Form::i16 && p.form <= Form::u64; }
bool is_real(const Param& p) { return p.form == Form::f32 || p.form == Form::f64; }
bool is_within(const Param& p, std::int64_t most) {
  if (p.form == Form::u64) return p.head.natural <= static_cast<std::uint64_t>(most);
  return p.head.integer <= most && p.head.integer >= -most;
}
bool is_whole(const Param& p) {
  Int128 step = 1;
  for (unsigned i = 0; i < p.scale; ++i) step *= 10;
  return p.decimal() % step == 0;
}

bool is_single(double value) {
  if (value > 3.4028234663852886e38 || value < -3.4028234663852886e38) return false;
  return static_cast<double>(static_cast<float>(value)) == value;
}

std::size_t count_characters(std::string_view text) {
  std::size_t n = 0;
  for (const char c : text) n += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u ? 1u : 0u;
  return n;
}

const char* reason_of(const NarrowParam& narrow, const Param& p) {
  if (p.null) return nullptr;
  switch (narrow.kind) {
    case NarrowParam::Kind::whole:
      if (is_real(p) && p.head.real != std::trunc(p.head.real))
        return "the column has integers, and would round the number";
      return p.form == Form::decimal && !is_whole(p) ? "the column has integers, and would round the number" : nullptr;
    case NarrowParam::Kind::single:
      if (p.form == Form::decimal || (is_real(p) && !is_single(p.head.real)) ||
          (is_integer(p) && !is_within(p, exact_in_float)))
        return "the column is FLOAT, which would round the number";
      return nullptr;
    case NarrowParam::Kind::real:
      if (p.form == Form::decimal || (is_integer(p) && !is_within(p, exact_in_double)) ||
          (is_real(p) && narrow.places < 31))
        return "the column is DOUBLE, and would round the number";
      return nullptr;
    case NarrowParam::Kind::decimal: {
      if (is_real(p)) return "the column is DECIMAL, which would round the number";
      if (p.form != Form::decimal || p.scale <= narrow.places) return nullptr;
      Int128 step = 1;
      for (unsigned i = narrow.places; i < p.scale; ++i) step *= 10;
      return p.decimal() % step != 0 ? "the column has fewer decimal places, and would round the number" : nullptr;
    }
    case NarrowParam::Kind::time: {
      if (p.form == Form::timestamp && narrow.fixed) return "the column is TIME, and would drop the day";
      if (p.form != Form::timestamp && p.form != Form::time) return nullptr;
      std::int64_t step = 1;
      for (unsigned i = narrow.places; i < 6; ++i) step *= 10;
      return p.head.integer % step != 0 ? "the column has fewer places of seconds, and would round the time" : nullptr;
    }
    case NarrowParam::Kind::day: {
      constexpr std::int64_t micros_of_day = 86'400'000'000;
      if (p.form != Form::timestamp || p.head.integer % micros_of_day == 0) return nullptr;
      return "the column is DATE, and would drop the time of day";
    }
    case NarrowParam::Kind::bytes:
      if (p.form != Form::bytes || p.tail.size == narrow.length) return nullptr;
      return "the column is BINARY, which fills up with zero bytes: give it as many as it has";
    case NarrowParam::Kind::blob:
      if (p.form != Form::text || p.tail.size <= narrow.length || p.head.text[p.tail.size - 1] != ' ') return nullptr;
      return "the text is too long, and MySQL would drop the blanks at its end";
    case NarrowParam::Kind::text:
      if (p.form == Form::uuid) return "the column is text, and a UUID is written as 16 bytes: make it BINARY(16)";
      if (p.form != Form::text || p.tail.size == 0 || p.head.text[p.tail.size - 1] != ' ') return nullptr;
      if (narrow.fixed) return "the column is CHAR, which drops blanks at the end";
      if (count_characters(p.view()) <= narrow.length) return nullptr;
      return "the text is too long, and MySQL would drop the blanks at its end";
  }
  return nullptr;
}

}  // namespace

std::size_t refused_by_column(const std::vector<NarrowParam>& columns, const Param* params, const char*& reason) {
  for (const NarrowParam& narrow : columns) {
    reason = reason_of(narrow, params[narrow.index]);
    if (reason != nullptr) return narrow.index;
  }
  return 0;
}

}  // namespace quark::mysql
