// The cold half of reading: forms that are not one storage class, and refusals with their place.
#include "quark/engine/sqlite/cursor.hpp"

#include <quark/exec/refusal.hpp>
#include <quark/types/chrono_text.hpp>
#include <quark/types/decimal_value.hpp>

#include <cstring>
#include <limits>
#include <new>
#include <string>

#include "values.hpp"

namespace quark::sqlite {

std::string_view Cursor::column_name(std::size_t i) const {
  const char* name = sqlite3_column_name(handle_, static_cast<int>(i));
  return name != nullptr ? name : std::string_view{};
}

void Cursor::refuse(std::size_t column, std::string_view why) const {
  quark::detail::refuse_cell(statement_, column_name(column), rows_, why);
}

void Cursor::refuse_type(std::size_t column, std::string_view expected) const {
  constexpr std::string_view names[] = {"", "an integer", "a real number", "text", "bytes", "NULL"};
  const int type = sqlite3_column_type(handle_, static_cast<int>(column));
  std::string why = "the member takes " + std::string(expected) + " and the row has ";
  why += names[type >= 1 && type <= 5 ? type : 0];
  if (type == SQLITE_NULL) why += " (a std::optional takes NULL)";
  refuse(column, why);
}

double Cell::real_of_integer() const {
  if (sqlite3_value_type(value_) != SQLITE_INTEGER) cursor_.refuse_type(index_, "a number");
  const std::int64_t value = sqlite3_value_int64(value_);
  // Beyond 2^53 not every integer is a double.
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  if (value > exact || value < -exact) refuse("the integer is not exactly a double");
  return static_cast<double>(value);
}

void Cell::out_of_memory() { throw std::bad_alloc(); }

std::int32_t Cell::date() const {
  if (sqlite3_value_type(value_) == SQLITE_TEXT) {
    std::int32_t days = 0;
    if (!parse_date(text(), days)) refuse("the text is not a date (YYYY-MM-DD)");
    return days;
  }
  const std::int64_t days = integer();
  if (days < std::numeric_limits<std::int32_t>::min() || days > std::numeric_limits<std::int32_t>::max())
    refuse("the integer is not a date");
  return static_cast<std::int32_t>(days);
}

std::int64_t Cell::time() const { return integer(); }

std::int64_t Cell::timestamp() const {
  if (sqlite3_value_type(value_) != SQLITE_TEXT) return integer();
  std::int64_t micros = 0;
  if (!parse_timestamp(text(), micros)) refuse("the text is not a time (YYYY-MM-DDTHH:MM:SS.ffffffZ)");
  return micros;
}

Uuid Cell::uuid() const {
  if (sqlite3_value_type(value_) == SQLITE_TEXT) {
    const auto parsed = Uuid::parse(text());
    if (!parsed) refuse("the text is not a UUID");
    return *parsed;
  }
  const ByteView raw = bytes();
  if (raw.size != 16) refuse("a UUID has 16 bytes");
  Uuid out;
  std::memcpy(out.bytes.data(), raw.data, 16);
  return out;
}

// The shortest text that is this number and no other: what a person or program wrote, who meant a decimal.
Int128 Cell::number_as_decimal(int precision, int scale) const {
  const int type = sqlite3_value_type(value_);
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) cursor_.refuse_type(index_, "a number");
  Int128 value = 0;
  const bool fits =
      type == SQLITE_INTEGER
          ? scaled_of(std::int64_t{sqlite3_value_int64(value_)}, precision, scale, value)
          : scaled_of(sqlite3_value_double(value_), precision, scale, value);
  if (!fits) refuse("the number has more digits or places than the member");
  return value;
}

Int128 Cell::decimal(int precision, int scale) const {
  if (cursor_.decimals_are_numbers()) return number_as_decimal(precision, scale);
  if (precision <= 18) return integer();
  Int128 value = 0;
  if (!parse_scaled(text(), precision, scale, value))
    refuse("the text is not a number of the member's precision and scale");
  return value;
}

}  // namespace quark::sqlite
