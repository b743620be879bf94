// Records to fields, and the types that are not the usual one; refusals with their place.
#include "quark/engine/pqxx/cursor.hpp"

#include <quark/engine/postgres_numeric.hpp>
#include <quark/exec/refusal.hpp>

#include <arpa/inet.h>

#include <climits>

#include "scan.hpp"
#include "source.hpp"
#include "state.hpp"

namespace quark::pqxx_bridge {
namespace {

using postgres::load;

constexpr int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Both forms of bytea_output; false for what is neither (manual 8.4).
bool decode(std::string_view text, std::string& out) {
  out.clear();
  if (text.starts_with("\\x")) {
    text.remove_prefix(2);
    if (text.size() % 2 != 0) return false;
    out.resize(text.size() / 2);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
      if (high < 0 || low < 0) return false;
      out[i] = static_cast<char>(high * 16 + low);
    }
    return true;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
    } else if (text.substr(i + 1, 1) == "\\") {
      out += text[++i];
    } else {
      if (i + 3 >= text.size()) return false;
      int value = 0;
      for (std::size_t k = 1; k <= 3; ++k) {
        const int d = digit(text[i + k]);
        if (d < 0 || d > 7) return false;
        value = value * 8 + d;
      }
      out += static_cast<char>(value);
      i += 3;
    }
  }
  return true;
}

[[noreturn]] void throw_unreadable(const Statement& statement) {
  ErrorInfo info;
  info.kind = ErrorKind::conversion;
  info.table = statement.table;
  info.statement = statement.text;
  info.message = "quark: the server has sent a record in a form that isn't known";
  throw_error(std::move(info));
}

}  // namespace

bool Cursor::step() {
  std::string_view text;
  if (!source_.next(text)) return false;
  if (!decode(text, record_)) throw_unreadable(statement_);
  take_apart();
  ++rows_;
  return true;
}

std::size_t Cursor::waiting_rows() const { return source_.waiting(); }

// Of a record (record_send in rowtypes.c): how many fields; then of each its type, its length, -1 for NULL, and bytes.
void Cursor::take_apart() {
  const char* at = record_.data();
  const char* const end = at + record_.size();
  const auto number = [&] {
    if (end - at < 4) throw_unreadable(statement_);
    const auto value = load<std::int32_t>(at);
    at += 4;
    return value;
  };
  const std::int32_t count = number();
  if (count < 0) throw_unreadable(statement_);
  fields_.resize(static_cast<std::size_t>(count));
  for (Field& field : fields_) {
    const auto oid = static_cast<postgres::Oid>(number());
    if (oid != field.oid) {
      field.kind = session_.state().type_of(session_.joined(), oid).kind;
      field.oid = oid;
    }
    const std::int32_t size = number();
    field.size = size < 0 ? 0 : size;
    field.data = size < 0 ? nullptr : at;
    if (end - at < field.size) throw_unreadable(statement_);
    at += field.size;
  }
  if (at != end) throw_unreadable(statement_);
}

// A record has no names.
std::string Cursor::column_name(std::size_t i) const {
  const std::vector<std::string> names = column_names(statement_.text);
  return i < names.size() ? names[i] : std::string();
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
  const Field& field = fields_[column];
  std::string why = "the member takes " + std::string(expected) + " and the row has ";
  why += field.data == nullptr ? "NULL (a std::optional takes NULL)" : names[static_cast<std::size_t>(field.kind)];
  refuse(column, why);
}

std::int64_t Cell::rare_integer() const {
  if (field_.kind == Kind::i16) return load<std::int16_t>(fixed(2, "an integer"));
  // Sums of bigint are numeric.
  const Int128 value = numeric(38, 0, "an integer");
  if (value < INT64_MIN || value > INT64_MAX) refuse("the number does not fit 64 bits");
  return static_cast<std::int64_t>(value);
}

std::uint64_t Cell::natural() const {
  if (field_.kind == Kind::numeric) {
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
  need(field_.kind == Kind::numeric, expected);
  const std::string_view raw = view(expected);
  Int128 out = 0;
  const char* why = postgres::decode_numeric(raw.data(), static_cast<int>(raw.size()), precision, scale, out);
  if (why != nullptr) refuse(why);
  return out;
}

Int128 Cell::decimal(int precision, int scale) const {
  if (field_.kind == Kind::numeric) return numeric(precision, scale, "a number");
  need(field_.kind == Kind::i16 || field_.kind == Kind::i32 || field_.kind == Kind::i64, "a number");
  Int128 out = integer();
  Int128 end = 1;
  for (int i = 0; i < precision; ++i) end *= 10;
  const Int128 most = (end - 1) / 10;
  for (int i = 0; i < scale; ++i) {
    if (out > most || -out > most) refuse("the number has more digits than the member");
    out *= 10;
  }
  if (out >= end || -out >= end) refuse("the number has more digits than the member");
  return out;
}

std::string_view Cell::rare_text() const {
  if (field_.kind == Kind::json) return view("text");
  if (field_.kind != Kind::inet) cursor_.refuse_type(index_, "text");
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
  if (field_.kind != Kind::jsonb) {
    need(field_.kind == Kind::json || field_.kind == Kind::text, "JSON");
    return view("JSON");
  }
  const std::string_view raw = view("JSON");
  if (raw.empty() || raw[0] != 1) refuse("jsonb is sent in a version that Quark doesn't know");
  return raw.substr(1);
}

std::int32_t Cell::date() const {
  need(field_.kind == Kind::date, "a date");
  const auto days = load<std::int32_t>(fixed(4, "a date"));
  if (days == INT32_MIN || days == INT32_MAX) refuse("the date is infinite");
  return days + postgres::epoch_days;
}

std::int64_t Cell::time() const {
  if (field_.kind == Kind::time) return load<std::int64_t>(fixed(8, "a duration (interval)"));
  need(field_.kind == Kind::interval, "a duration (interval)");
  const char* raw = fixed(16, "a duration (interval)");
  if (load<std::int32_t>(raw + 12) != 0) refuse("the interval has months, which have no length");
  const std::int64_t days = load<std::int32_t>(raw + 8);
  std::int64_t out = 0;
  std::int64_t of_days = 0;
  if (__builtin_mul_overflow(days, std::int64_t{86'400'000'000}, &of_days) ||
      __builtin_add_overflow(load<std::int64_t>(raw), of_days, &out))
    refuse("the interval is too long");
  return out;
}

std::int64_t Cell::timestamp() const {
  need(field_.kind == Kind::timestamp, "a time (timestamptz)");
  const auto micros = load<std::int64_t>(fixed(8, "a time (timestamptz)"));
  // The two ends of the range are -infinity and infinity.
  if (micros == INT64_MIN || micros == INT64_MAX) refuse("the time is infinite");
  std::int64_t out = 0;
  if (__builtin_add_overflow(micros, postgres::epoch_micros, &out)) refuse("the time is outside 64 bits");
  return out;
}

Uuid Cell::uuid() const {
  if (field_.kind == Kind::text) {
    const auto parsed = Uuid::parse(text());
    if (!parsed) refuse("the text is not a UUID");
    return *parsed;
  }
  need(field_.kind == Kind::uuid, "a UUID");
  Uuid out;
  std::memcpy(out.bytes.data(), fixed(16, "a UUID"), 16);
  return out;
}

}  // namespace quark::pqxx_bridge
