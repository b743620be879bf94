// The cold half of reading: the end of a result, long cells, forms that are not one kind, refusals with their place.
#include "quark/engine/mysql/cursor.hpp"

#include <quark/exec/refusal.hpp>
#include <quark/types/calendar.hpp>
#include <quark/types/decimal_value.hpp>

#include <cstring>
#include <string>

#include "use.hpp"

namespace quark::mysql {

void Cursor::finish(int code) {
  result_.pending = false;
  if (session_.unread_ == &result_) session_.unread_ = nullptr;
  if (code == MYSQL_NO_DATA) [[likely]] {
    if (result_.lost)
      session_.refuse_lost(statement_);
    return;
  }
  session_.fail(statement_, result_.handle);
}

void Cursor::forget_whole() {
  for (ResultColumn& column : result_.columns) column.whole_is_current = false;
}

bool fetch_whole(Result& result, std::size_t i) {
  ResultColumn& column = result.columns[i];
  if (column.whole_is_current) return true;
  column.whole.resize(column.length);
  std::memcpy(column.whole.data(), column.buffer, column.capacity);
  MYSQL_BIND rest{};
  unsigned long length = 0;
  Flag is_null{}, error{};
  rest.buffer_type = column.kind == CellKind::bytes ? MYSQL_TYPE_BLOB : MYSQL_TYPE_STRING;
  rest.buffer = column.whole.data() + column.capacity;
  rest.buffer_length = column.length - column.capacity;
  rest.length = &length;
  rest.is_null = &is_null;
  rest.error = &error;
  column.whole_is_current = mysql_stmt_fetch_column(result.handle, &rest, static_cast<unsigned>(i),
                                                    column.capacity) == 0;
  return column.whole_is_current;
}

std::string_view Cursor::whole(std::size_t i) const {
  if (!fetch_whole(result_, i)) session_.fail(statement_, result_.handle);
  return {result_.columns[i].whole.data(), result_.columns[i].length};
}

void Cursor::refuse(std::size_t column, std::string_view why) const {
  quark::detail::refuse_cell(statement_, column_name(column), rows_, why);
}

void Cursor::refuse_type(std::size_t index, std::string_view expected) const {
  constexpr std::string_view names[] = {"an integer", "an integer",       "a real number", "a real number", "a decimal",
                                        "text",       "bytes (a blob)",   "a date",        "a time stamp",  "a time"};
  const ResultColumn& column = result_.columns[index];
  std::string why = "the member takes " + std::string(expected) + " and the row has ";
  why += column.is_null != 0 ? "NULL" : names[static_cast<std::size_t>(column.kind)];
  if (column.is_null != 0) why += " (a std::optional takes NULL)";
  refuse(index, why);
}

std::int64_t Cell::rare_integer() const {
  if (column_.is_null == 0 && column_.kind == CellKind::natural) {
    if (column_.integer < 0) refuse("the integer is larger than 9223372036854775807");
    return column_.integer;
  }
  // The sum of integers is a decimal.
  if (column_.is_null == 0 && column_.kind == CellKind::decimal && column_.decimals == 0) {
    Int128 value = 0;
    if (!parse_scaled(view(), 38, 0, value) || value > INT64_MAX || value < INT64_MIN)
      refuse("the number does not fit 64 bits");
    return static_cast<std::int64_t>(value);
  }
  cursor_.refuse_type(index_, "an integer");
}

std::uint64_t Cell::natural() const {
  if (column_.is_null == 0) {
    if (column_.kind == CellKind::natural) return static_cast<std::uint64_t>(column_.integer);
    if (column_.kind == CellKind::decimal && column_.decimals == 0) {
      Int128 value = 0;
      if (!parse_scaled(view(), 38, 0, value) || value < 0 || value > static_cast<Int128>(UINT64_MAX))
        refuse("the number does not fit unsigned 64 bits");
      return static_cast<std::uint64_t>(value);
    }
  }
  const std::int64_t value = integer();
  if (value < 0) refuse("the integer is negative");
  return static_cast<std::uint64_t>(value);
}

double Cell::rare_real() const {
  if (column_.is_null == 0 && column_.kind == CellKind::float32) return static_cast<double>(column_.float32);
  const bool integral = column_.kind == CellKind::integer || column_.kind == CellKind::natural;
  if (column_.is_null != 0 || !integral) cursor_.refuse_type(index_, "a number");
  // Beyond 2^53 not every integer is a double; as a natural number such a one is negative here, or larger.
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  const std::int64_t value = column_.integer;
  if (value > exact || value < -exact || (value < 0 && column_.kind == CellKind::natural))
    refuse("the integer is not exactly a double");
  return static_cast<double>(value);
}

std::int32_t Cell::date() const {
  need(CellKind::date, "a date");
  const MYSQL_TIME& t = column_.time;
  if (t.month == 0 || t.day == 0) refuse("the date is a zero date, which is no day");
  return quark::detail::days_from_civil(static_cast<int>(t.year), t.month, t.day);
}

std::int64_t Cell::timestamp() const {
  need(CellKind::timestamp, "a time stamp");
  const MYSQL_TIME& t = column_.time;
  if (t.month == 0 || t.day == 0) refuse("the time is a zero date, which is no moment");
  const std::int64_t days = quark::detail::days_from_civil(static_cast<int>(t.year), t.month, t.day);
  return (((days * 24 + t.hour) * 60 + t.minute) * 60 + t.second) * 1000000 + static_cast<std::int64_t>(t.second_part);
}

std::int64_t Cell::time() const {
  need(CellKind::time, "a time");
  const MYSQL_TIME& t = column_.time;
  const std::int64_t hours = std::int64_t{t.day} * 24 + t.hour;
  const std::int64_t micros = ((hours * 60 + t.minute) * 60 + t.second) * 1000000 +
                              static_cast<std::int64_t>(t.second_part);
  return t.neg != 0 ? -micros : micros;
}

Uuid Cell::uuid() const {
  // CHAR(36), or MariaDB's UUID, which travels as text.
  if (column_.is_null == 0 && column_.kind == CellKind::text) {
    const auto parsed = Uuid::parse(view());
    if (!parsed) refuse("the text is not a UUID");
    return *parsed;
  }
  const ByteView raw = bytes();
  if (raw.size != 16) refuse("a UUID has 16 bytes");
  Uuid out;
  std::memcpy(out.bytes.data(), raw.data, 16);
  return out;
}

Int128 Cell::decimal(int precision, int scale) const {
  if (column_.is_null == 0 && column_.kind == CellKind::integer) {
    // An integer is a decimal without places; scaling must not overflow.
    Int128 value = column_.integer;
    char text[24];
    const std::string_view digits = [&] {
      const std::size_t size = format_scaled(value, 0, text);
      return std::string_view(text, size);
    }();
    if (!parse_scaled(digits, precision, scale, value)) refuse("the number has more digits than the member");
    return value;
  }
  need(CellKind::decimal, "a decimal");
  Int128 value = 0;
  if (!parse_scaled(view(), precision, scale, value))
    refuse("the number is not of the member's precision and scale");
  return value;
}

}  // namespace quark::mysql
