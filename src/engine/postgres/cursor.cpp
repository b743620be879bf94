// The cold half of reading: types that are not the usual one, and refusals with their place.
#include "quark/engine/postgres/cursor.hpp"

#include <quark/engine/postgres_numeric.hpp>
#include <quark/engine/postgres_values.hpp>
#include <quark/exec/refusal.hpp>

#include <arpa/inet.h>

#include <climits>

#include "decode.hpp"
#include "stream.hpp"

namespace quark::postgres {

bool Cursor::next_rows() {
  if (!stream_->next()) return false;
  result_ = stream_->current();
  count_ = PQntuples(result_);
  row_ = 0;
  return true;
}

std::string_view Cursor::column_name(std::size_t i) const {
  const char* name = PQfname(result_, static_cast<int>(i));
  return name != nullptr ? name : std::string_view{};
}

void Cursor::refuse(std::size_t column, std::string_view why) const {
  quark::detail::refuse_cell(statement_, column_name(column), rows_, why);
}

void Cursor::refuse_type(std::size_t column, std::string_view expected) const {
  constexpr std::string_view names[] = {"a type that Quark doesn't read (cast it to text in the query)",
                                        "a boolean", "a smallint", "an integer", "a bigint", "a real",
                                        "a double precision", "a numeric", "text", "bytes", "a date", "a time of day",
                                        "a time", "an interval", "a UUID", "JSON", "JSON", "a network address",
                                        "an array"};
  const bool null = PQgetisnull(result_, row_, static_cast<int>(column)) != 0;
  std::string why = "the member takes " + std::string(expected) + " and the row has ";
  const Kind kind = is_array_kind(kinds_[column]) ? Kind::array : kinds_[column];
  why += null ? "NULL (a std::optional takes NULL)" : names[static_cast<std::size_t>(kind)];
  refuse(column, why);
}

std::int64_t Cell::rare_integer() const {
  if (kind_ == Kind::i16) return load<std::int16_t>(fixed(2, "an integer"));
  // Sums of bigint are numeric.
  const Int128 value = numeric(38, 0, "an integer");
  if (value < INT64_MIN || value > INT64_MAX) refuse("the number does not fit 64 bits");
  return static_cast<std::int64_t>(value);
}

std::uint64_t Cell::natural() const {
  if (kind_ == Kind::numeric) {
    const Int128 value = numeric(38, 0, "an integer");
    if (value < 0) refuse("the integer is negative");
    if (value > static_cast<Int128>(UINT64_MAX)) refuse("the number does not fit 64 bits");
    return static_cast<std::uint64_t>(value);
  }
  const std::int64_t value = integer();
  if (value < 0) refuse("the integer is negative");
  return static_cast<std::uint64_t>(value);
}

Int128 Cell::numeric(int precision, int scale, std::string_view expected) const {
  need(kind_ == Kind::numeric, expected);
  const std::string_view raw = view(expected);
  Int128 out = 0;
  if (const char* why = decode_numeric(raw.data(), static_cast<int>(raw.size()), precision, scale, out)) refuse(why);
  return out;
}

Int128 Cell::decimal(int precision, int scale) const {
  if (kind_ == Kind::numeric) return numeric(precision, scale, "a number");
  need(kind_ == Kind::i16 || kind_ == Kind::i32 || kind_ == Kind::i64, "a number");
  Int128 out = integer();
  if (!scale_up(out, precision, scale)) refuse("the number has more digits than the member");
  return out;
}

std::string_view Cell::rare_text() const {
  if (kind_ == Kind::json) return view("text");
  if (kind_ != Kind::inet) cursor_.refuse_type(at(), "text");
  // network_send: family, bits, whether it is a cidr, size of the address, the address.
  const std::string_view raw = view("text");
  const bool v4 = raw.size() == 8, v6 = raw.size() == 20;
  if (!v4 && !v6) refuse("the address is not one that PostgreSQL sends");
  char text[64];
  inet_ntop(v4 ? AF_INET : AF_INET6, raw.data() + 4, text, sizeof text);
  cursor_.made_ = text;
  const auto bits = static_cast<unsigned char>(raw[1]);
  if (raw[2] != 0 || bits != (v4 ? 32 : 128)) cursor_.made_ += "/" + std::to_string(bits);
  return cursor_.made_;
}

std::string_view Cell::json() const {
  if (kind_ != Kind::jsonb) {
    need(kind_ == Kind::json || kind_ == Kind::text, "JSON");
    return view("JSON");
  }
  const std::string_view raw = view("JSON");
  if (raw.empty() || raw[0] != 1) refuse("jsonb is sent in a version that Quark doesn't know");
  return raw.substr(1);
}

std::int32_t Cell::date() const {
  need(kind_ == Kind::date, "a date");
  std::int32_t out = 0;
  if (const char* why = decode_date(fixed(4, "a date"), out)) refuse(why);
  return out;
}

std::int64_t Cell::time() const {
  if (kind_ == Kind::time) return load<std::int64_t>(fixed(8, "a duration (interval)"));
  need(kind_ == Kind::interval, "a duration (interval)");
  std::int64_t out = 0;
  if (const char* why = decode_interval(fixed(16, "a duration (interval)"), out)) refuse(why);
  return out;
}

void Cell::refuse_time(std::int64_t micros) const {
  refuse(reason_of_time(micros));
}

Uuid Cell::uuid() const {
  if (kind_ == Kind::text) {
    const auto parsed = Uuid::parse(text());
    if (!parsed) refuse("the text is not a UUID");
    return *parsed;
  }
  need(kind_ == Kind::uuid, "a UUID");
  Uuid out;
  std::memcpy(out.bytes.data(), fixed(16, "a UUID"), 16);
  return out;
}

}  // namespace quark::postgres
