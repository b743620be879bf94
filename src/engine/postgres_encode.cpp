// One rule per wire form: which bytes a value is for the type that the server expects, and what it refuses.
#include <quark/engine/postgres_numeric.hpp>
#include <quark/engine/postgres_values.hpp>

#include <climits>
#include <cmath>
#include <limits>

namespace quark::postgres {
namespace {

constexpr const char* wrong_type = "the column has another type than the value";

const char* take(Encoded& out, const char* data, std::size_t size) {
  if (size > INT_MAX) return "the value has more than 2 GiB";
  out.data = data;
  out.size = static_cast<int>(size);
  return nullptr;
}

// What the server reads with a type's input function: it ends at a zero byte.
const char* take_as_text(Encoded& out, std::string_view text, Scratch& scratch) {
  auto* copy = static_cast<char*>(scratch.allocate(text.size() + 1));
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  out.binary = false;
  return take(out, copy, text.size());
}

template <class Signed>
const char* fixed(Encoded& out, char* room, Signed value) {
  store(room, value);
  return take(out, room, sizeof value);
}

template <class Signed>
const char* narrowed(Encoded& out, char* room, std::int64_t value) {
  if (value != static_cast<Signed>(value)) return "the value does not fit the column's type";
  return fixed(out, room, static_cast<Signed>(value));
}

const char* integer(std::int64_t value, bool natural, Kind kind, char* room, Encoded& out) {
  const bool large = natural && value < 0;  // 2^63 and more
  switch (kind) {
    case Kind::i64:
      if (large) return "bigint ends at 9223372036854775807";
      return fixed(out, room, value);
    case Kind::i32:
      return large ? "the value does not fit the column's type"
                   : narrowed<std::int32_t>(out, room, value);
    case Kind::i16:
      return large ? "the value does not fit the column's type"
                   : narrowed<std::int16_t>(out, room, value);
    case Kind::numeric: {
      const Int128 wide = natural ? static_cast<Int128>(static_cast<std::uint64_t>(value)) : static_cast<Int128>(value);
      return take(out, room, static_cast<std::size_t>(encode_numeric(wide, 0, room)));
    }
    case Kind::f64: {
      constexpr std::int64_t exact = std::int64_t{1} << 53;
      if (large || value > exact || value < -exact) return "the integer is not exactly a double precision";
      return fixed(out, room, std::bit_cast<std::int64_t>(static_cast<double>(value)));
    }
    default: return wrong_type;
  }
}

const char* real(double value, Kind kind, char* room, Encoded& out) {
  if (kind == Kind::f64) return fixed(out, room, std::bit_cast<std::int64_t>(value));
  if (kind != Kind::f32) return wrong_type;
  if (std::isfinite(value) && std::fabs(value) > std::numeric_limits<float>::max())
    return "the value does not fit the column's type";
  const auto narrow = static_cast<float>(value);
  if (!std::isnan(value) && static_cast<double>(narrow) != value) return "the value is not exactly a real";
  return fixed(out, room, std::bit_cast<std::int32_t>(narrow));
}

const char* text(std::string_view value, Kind kind, Scratch& scratch, Encoded& out) {
  if (std::memchr(value.data(), '\0', value.size()) != nullptr) return "PostgreSQL text can't contain a zero byte";
  if (kind == Kind::text || kind == Kind::json) return take(out, value.data(), value.size());
  return take_as_text(out, value, scratch);
}

// A version, then the text.
const char* jsonb(std::string_view value, Scratch& scratch, Encoded& out) {
  auto* copy = static_cast<char*>(scratch.allocate(value.size() + 1));
  copy[0] = 1;
  std::memcpy(copy + 1, value.data(), value.size());
  return take(out, copy, value.size() + 1);
}

// Both ends of the range are infinity's (src/include/datatype/timestamp.h).
constexpr std::int64_t first_timestamp = -211'813'488'000'000'000, end_of_timestamps = 9'223'371'331'200'000'000;
constexpr std::int32_t first_date = -2'451'545, end_of_dates = 2'145'031'949;

const char* days(std::int64_t since_1970, char* room, Encoded& out) {
  const std::int64_t since_2000 = since_1970 - epoch_days;
  if (since_2000 < first_date || since_2000 >= end_of_dates) return "PostgreSQL has no such date (4713 BC to 5874897)";
  return fixed(out, room, static_cast<std::int32_t>(since_2000));
}

constexpr std::int64_t micros_of_day = 86'400'000'000;

const char* timestamp(std::int64_t micros, Kind kind, char* room, Encoded& out) {
  if (kind == Kind::date) {
    if (micros % micros_of_day != 0) return "the column is a date and the time is not midnight";
    return days(micros / micros_of_day, room, out);
  }
  if (kind != Kind::timestamp) return wrong_type;
  std::int64_t since_2000 = 0;
  if (__builtin_sub_overflow(micros, epoch_micros, &since_2000) || since_2000 < first_timestamp ||
      since_2000 >= end_of_timestamps)
    return "PostgreSQL has no such time (4713 BC to 294276)";
  return fixed(out, room, since_2000);
}

const char* duration(std::int64_t micros, Kind kind, char* room, Encoded& out) {
  if (kind == Kind::time) {
    if (micros < 0 || micros > micros_of_day) return "a time of day is 00:00 to 24:00";
    return fixed(out, room, micros);
  }
  if (kind != Kind::interval) return wrong_type;
  store<std::int64_t>(room, micros);
  store<std::int64_t>(room + 8, 0);  // days and months
  return take(out, room, 16);
}

const char* array(const Param& param, const Type& type, Scratch& scratch, Encoded& out) {
  if (type.kind != Kind::array) return wrong_type;
  const Param* const items = param.head.items;
  const std::size_t count = param.tail.size;
  if (count > INT_MAX / 8) return "the list is too long";
  const Type element{.oid = type.element, .kind = type.element_kind, .base = type.element, .modifier = type.modifier};
  // Sizes first: one piece of memory. Fixed forms are small, the rest is where its owner has it.
  auto* parts = static_cast<Encoded*>(scratch.allocate((count + 1) * sizeof(Encoded)));
  auto* rooms = static_cast<char*>(scratch.allocate((count + 1) * 40));
  std::size_t size = count == 0 ? 12 : 20;
  bool nulls = false;
  for (std::size_t i = 0; i < count; ++i) {
    parts[i] = Encoded{};
    const char* reason = encode(items[i], element, rooms + 40 * i, scratch, parts[i]);
    if (reason != nullptr) return reason;
    if (!parts[i].binary) return "PostgreSQL's type of the column can't be sent in a list";
    nulls = nulls || parts[i].data == nullptr;
    size += 4 + static_cast<std::size_t>(parts[i].size);
  }
  auto* const begin = static_cast<char*>(scratch.allocate(size));
  char* to = begin;
  const auto number = [&to](std::size_t value) {
    store<std::int32_t>(to, static_cast<std::int32_t>(value));
    to += 4;
  };
  number(count == 0 ? 0 : 1);  // dimensions
  number(nulls ? 1 : 0);
  number(type.element);
  if (count > 0) {
    number(count);
    number(1);  // the first index
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (parts[i].data == nullptr) {
      store<std::int32_t>(to, -1);
      to += 4;
      continue;
    }
    number(static_cast<std::size_t>(parts[i].size));
    std::memcpy(to, parts[i].data, static_cast<std::size_t>(parts[i].size));
    to += parts[i].size;
  }
  return take(out, begin, size);
}

Oid declared_item(const Param& param) {
  switch (param.form) {
    case Form::boolean: return oid::boolean;
    // All widths as bigint, which compares with every integer column by its index, and whose sums don't overflow early.
    case Form::i16:
    case Form::i32:
    case Form::i64: return oid::i64;
    case Form::f32: return oid::f32;
    case Form::f64: return oid::f64;
    case Form::bytes: return oid::bytes;
    case Form::date: return oid::date;
    case Form::uuid: return oid::uuid;
    case Form::decimal: return oid::numeric;
    default: return 0;
  }
}

}  // namespace

Oid declared_type(const Param& p) {
  // The server infers the type of an array that goes into a column.
  if (p.form != Form::array || p.whole || p.null || p.tail.size == 0) return declared_item(p);
  switch (declared_item(p.head.items[0])) {
    case oid::boolean: return 1000;
    case oid::i64: return 1016;
    case oid::f32: return 1021;
    case oid::f64: return 1022;
    case oid::bytes: return 1001;
    case oid::date: return 1182;
    case oid::uuid: return 2951;
    case oid::numeric: return 1231;
    default: return 0;
  }
}

Form prepared_form(const Param& p) {
  if (p.form != Form::array || p.whole || p.null) return p.form;
  const Form item = p.tail.size > 0 ? p.head.items[0].form : Form::refused;
  return static_cast<Form>(static_cast<std::uint8_t>(item) + 64);
}

const char* encode(const Param& p, const Type& type, char* room, Scratch& scratch, Encoded& out) {
  if (p.form == Form::refused) return p.head.text;
  if (p.null) return nullptr;
  if (type.modifier >= 0 && type.kind != Kind::array) {
    if (const char* reason = changed_by_modifier(p, type)) return reason;
  }
  switch (p.form) {
    case Form::boolean:
      if (type.kind != Kind::boolean) return wrong_type;
      room[0] = p.head.integer != 0 ? 1 : 0;
      return take(out, room, 1);
    case Form::i16:
    case Form::i32:
    case Form::i64: return integer(p.head.integer, false, type.kind, room, out);
    case Form::u64: return integer(p.head.integer, true, type.kind, room, out);
    case Form::f32:
    case Form::f64: return real(p.head.real, type.kind, room, out);
    case Form::text: return text(p.view(), type.kind, scratch, out);
    case Form::json:
      if (type.kind == Kind::json || type.kind == Kind::text) return take(out, p.head.text, p.tail.size);
      if (type.kind != Kind::jsonb) return wrong_type;
      return jsonb(p.view(), scratch, out);
    case Form::bytes:
      if (type.kind != Kind::bytes) return wrong_type;
      return take(out, p.head.text, p.tail.size);
    case Form::date:
      if (type.kind != Kind::date) return wrong_type;
      return days(p.head.integer, room, out);
    case Form::time: return duration(p.head.integer, type.kind, room, out);
    case Form::timestamp: return timestamp(p.head.integer, type.kind, room, out);
    case Form::uuid:
      if (type.kind != Kind::uuid) return wrong_type;
      std::memcpy(room, &p.head, 8);
      std::memcpy(room + 8, &p.tail, 8);
      return take(out, room, 16);
    case Form::decimal:
      if (type.kind != Kind::numeric) return wrong_type;
      return take(out, room, static_cast<std::size_t>(encode_numeric(p.decimal(), p.scale, room)));
    case Form::array: return array(p, type, scratch, out);
    default: return "a value was not prepared for binding";
  }
}

}  // namespace quark::postgres
