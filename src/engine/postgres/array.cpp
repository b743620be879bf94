// Reading arrays: the header, then each element with its length (src/backend/utils/adt/arrayfuncs.c, array_send).
#include "quark/engine/postgres/array.hpp"

#include <quark/engine/postgres_numeric.hpp>

#include <climits>

#include "decode.hpp"

namespace quark::postgres {

Elements Cell::array() const {
  need(is_array_kind(kind_), "an array");
  return Elements(*this, element_of(kind_), view("an array"));
}

// Dimensions, whether there are NULLs, the elements' type; then the length and the first index of each dimension.
Elements::Elements(const Cell& cell, Kind kind, std::string_view raw) : cell_(cell), kind_(kind) {
  if (raw.size() < 12) cell.refuse("the array is not one that PostgreSQL sends");
  const auto dimensions = load<std::int32_t>(raw.data());
  if (dimensions == 0) return;
  if (dimensions != 1) cell.refuse("the array has several dimensions, and the member has one");
  if (raw.size() < 20) cell.refuse("the array is not one that PostgreSQL sends");
  // The member could not keep it: written again it would begin at 1, and be another value.
  if (load<std::int32_t>(raw.data() + 16) != 1) cell.refuse("the array's first index is not 1");
  const auto count = load<std::int32_t>(raw.data() + 12);
  rest_ = raw.substr(20);
  if (count < 0 || static_cast<std::size_t>(count) > rest_.size() / 4)
    cell.refuse("the array is not one that PostgreSQL sends");
  count_ = static_cast<std::size_t>(count);
}

bool Elements::step() {
  if (number_ == count_) return false;
  ++number_;
  const bool has_size = rest_.size() >= 4;
  size_ = has_size ? load<std::int32_t>(rest_.data()) : 0;
  const std::size_t size = size_ < 0 ? 0 : static_cast<std::size_t>(size_);
  if (!has_size || rest_.size() - 4 < size) cell_.refuse("the array is not one that PostgreSQL sends");
  data_ = rest_.data() + 4;
  rest_.remove_prefix(4 + size);
  return true;
}

void Element::refuse(std::string_view why) const {
  cell_.refuse("element " + std::to_string(number_) + ": " + std::string(why));
}

void Element::refuse_type(std::string_view expected) const {
  if (is_null()) refuse("NULL, and the member is no vector of std::optional");
  refuse("the member takes " + std::string(expected) + " and the array has elements of another type");
}

const char* Element::fixed(Kind kind, std::int32_t size, std::string_view expected) const {
  if (kind_ != kind || size_ != size) refuse_type(expected);
  return data_;
}

std::string_view Element::view(std::string_view expected) const {
  if (is_null()) refuse_type(expected);
  return {data_, static_cast<std::size_t>(size_)};
}

Int128 Element::numeric(int precision, int scale, std::string_view expected) const {
  if (kind_ != Kind::numeric) refuse_type(expected);
  const std::string_view raw = view(expected);
  Int128 out = 0;
  if (const char* why = decode_numeric(raw.data(), static_cast<int>(raw.size()), precision, scale, out)) refuse(why);
  return out;
}

std::int64_t Element::integer() const {
  switch (kind_) {
    case Kind::i64: return load<std::int64_t>(fixed(Kind::i64, 8, "an integer"));
    case Kind::i32: return load<std::int32_t>(fixed(Kind::i32, 4, "an integer"));
    case Kind::i16: return load<std::int16_t>(fixed(Kind::i16, 2, "an integer"));
    default: break;
  }
  const Int128 value = numeric(38, 0, "an integer");
  if (value < INT64_MIN || value > INT64_MAX) refuse("the number does not fit 64 bits");
  return static_cast<std::int64_t>(value);
}

std::uint64_t Element::natural() const {
  const Int128 value = kind_ == Kind::numeric ? numeric(38, 0, "an integer") : integer();
  if (value < 0) refuse("the integer is negative");
  if (value > static_cast<Int128>(UINT64_MAX)) refuse("the number does not fit 64 bits");
  return static_cast<std::uint64_t>(value);
}

double Element::real() const {
  if (kind_ == Kind::f32) return std::bit_cast<float>(load<std::int32_t>(fixed(Kind::f32, 4, "a real number")));
  return std::bit_cast<double>(load<std::int64_t>(fixed(Kind::f64, 8, "a real number")));
}

std::string_view Element::text() const {
  if (kind_ != Kind::text && kind_ != Kind::json) refuse_type("text");
  return view("text");
}

ByteView Element::bytes() const {
  if (kind_ != Kind::bytes) refuse_type("bytes (bytea)");
  const std::string_view raw = view("bytes (bytea)");
  return {reinterpret_cast<const std::byte*>(raw.data()), raw.size()};
}

std::string_view Element::json() const {
  if (kind_ != Kind::jsonb && kind_ != Kind::json && kind_ != Kind::text) refuse_type("JSON");
  const std::string_view raw = view("JSON");
  if (kind_ != Kind::jsonb) return raw;
  if (raw.empty() || raw[0] != 1) refuse("jsonb is sent in a version that Quark doesn't know");
  return raw.substr(1);
}

std::int32_t Element::date() const {
  std::int32_t out = 0;
  if (const char* why = decode_date(fixed(Kind::date, 4, "a date"), out)) refuse(why);
  return out;
}

std::int64_t Element::time() const {
  if (kind_ == Kind::time) return load<std::int64_t>(fixed(Kind::time, 8, "a duration (interval)"));
  std::int64_t out = 0;
  if (const char* why = decode_interval(fixed(Kind::interval, 16, "a duration (interval)"), out)) refuse(why);
  return out;
}

std::int64_t Element::timestamp() const {
  const auto micros = load<std::int64_t>(fixed(Kind::timestamp, 8, "a time (timestamptz)"));
  std::int64_t out = 0;
  if (micros == INT64_MIN || __builtin_add_overflow(micros, epoch_micros, &out)) refuse(reason_of_time(micros));
  return out;
}

Uuid Element::uuid() const {
  if (kind_ == Kind::text) {
    const auto parsed = Uuid::parse(text());
    if (!parsed) refuse("the text is not a UUID");
    return *parsed;
  }
  Uuid out;
  std::memcpy(out.bytes.data(), fixed(Kind::uuid, 16, "a UUID"), 16);
  return out;
}

Int128 Element::decimal(int precision, int scale) const {
  if (kind_ == Kind::numeric) return numeric(precision, scale, "a number");
  Int128 out = integer();
  if (!scale_up(out, precision, scale)) refuse("the number has more digits than the member");
  return out;
}

}  // namespace quark::postgres
