// Rows out of the connector: what its columns are, and each cell read by the one of its functions that changes nothing.
#include <quark/engine/mysqlcppconn/cursor.hpp>
#include <quark/exec/refusal.hpp>
#include <quark/types/chrono_text.hpp>
#include <quark/types/decimal_value.hpp>

#include <cppconn/datatype.h>

#include <cstring>

#include "prepared.hpp"

namespace quark::mysqlcppconn {
namespace {

CellKind kind_of(int type, bool is_signed) {
  using Type = ::sql::DataType;
  switch (type) {
    case Type::TINYINT:
    case Type::SMALLINT:
    case Type::MEDIUMINT:
    case Type::INTEGER:
    case Type::BIGINT:
    case Type::YEAR: return is_signed ? CellKind::integer : CellKind::natural;
    case Type::REAL:
    case Type::DOUBLE: return CellKind::real;
    case Type::DECIMAL:
    case Type::NUMERIC: return CellKind::decimal;
    case Type::CHAR:
    case Type::VARCHAR:
    case Type::LONGVARCHAR:
    case Type::ENUM:
    case Type::SET:
    case Type::JSON: return CellKind::text;
    case Type::BINARY:
    case Type::VARBINARY:
    case Type::LONGVARBINARY: return CellKind::bytes;
    case Type::BIT: return CellKind::bits;
    case Type::TIMESTAMP: return CellKind::timestamp;
    case Type::DATE: return CellKind::date;
    case Type::TIME: return CellKind::time;
    default: return CellKind::other;
  }
}

unsigned number(std::size_t i) { return static_cast<unsigned>(i + 1); }

}  // namespace

Cursor::Cursor(Session& session, ::sql::ResultSet& result, const Statement& statement)
    : session_(session), result_(result), statement_(statement) {
  ::sql::ResultSetMetaData& columns = *result.getMetaData();
  columns_.resize(columns.getColumnCount());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    ResultColumn& column = columns_[i];
    column.kind = kind_of(columns.getColumnType(number(i)), columns.isSigned(number(i)));
    column.name = columns.getColumnLabel(number(i)).asStdString();
    // The connector's buffer for a decimal has 64 bytes, and it reads on behind the end.
    constexpr unsigned longest_decimal = 64;
    const unsigned size = columns.getColumnDisplaySize(number(i));
    column.too_long = column.kind == CellKind::decimal && size > longest_decimal;
    column.size = column.kind == CellKind::bits ? (size + 7) / 8 : 0;
  }
}

Cursor::~Cursor() = default;

template <class F>
auto Cursor::ask(F&& get) const {
  try {
    return get();
  } catch (const ::sql::SQLException& error) {
    session_.fail(statement_, error);
  }
}

bool Cursor::step() {
  if (!ask([&] { return result_.next(); })) return false;
  ++rows_;
  return true;
}

bool Cursor::is_null(std::size_t i) const {
  return ask([&] { return result_.isNull(number(i)); });
}
std::int64_t Cursor::integer(std::size_t i) const {
  return ask([&] { return result_.getInt64(number(i)); });
}
std::uint64_t Cursor::natural(std::size_t i) const {
  return ask([&] { return result_.getUInt64(number(i)); });
}
double Cursor::real(std::size_t i) const {
  // The connector widens what is a double, or a float.
  return ask([&] { return static_cast<double>(result_.getDouble(number(i))); });
}
std::string_view Cursor::text(std::size_t i) const {
  ResultColumn& column = columns_[i];
  if (column.row != rows_) {
    column.value = ask([&] { return result_.getString(number(i)).asStdString(); });
    column.row = rows_;
  }
  return column.value;
}

void Cursor::refuse(std::size_t column, std::string_view why) const {
  quark::detail::refuse_cell(statement_, column_name(column), rows_, why);
}

void Cursor::refuse_type(std::size_t i, std::string_view expected) const {
  constexpr std::string_view names[] = {"an integer",     "an integer", "a real number", "a decimal",
                                        "text",           "bytes (a blob)", "bits",      "a date",
                                        "a time stamp",   "a time",     "something else"};
  const bool null = is_null(i);
  std::string why = "the member takes " + std::string(expected) + " and the row has ";
  why += null ? "NULL" : names[static_cast<std::size_t>(columns_[i].kind)];
  if (null) why += " (a std::optional takes NULL)";
  refuse(i, why);
}

void Cell::need(CellKind expected_kind, std::string_view expected) const {
  if (kind() != expected_kind || is_null()) cursor_.refuse_type(index_, expected);
}

std::string_view Cell::digits() const {
  if (cursor_.columns_[index_].too_long)
    refuse("the column has more digits than Connector/C++ can read (62): CAST it to fewer");
  return cursor_.text(index_);
}

std::int64_t Cell::integer() const {
  if (is_null()) cursor_.refuse_type(index_, "an integer");
  if (kind() == CellKind::integer) return cursor_.integer(index_);
  if (kind() == CellKind::natural) {
    const std::uint64_t value = cursor_.natural(index_);
    if (value > static_cast<std::uint64_t>(INT64_MAX)) refuse("the integer is larger than 9223372036854775807");
    return static_cast<std::int64_t>(value);
  }
  // The sum of integers is a decimal.
  if (kind() != CellKind::decimal || digits().find('.') != std::string_view::npos)
    cursor_.refuse_type(index_, "an integer");
  Int128 value = 0;
  if (!parse_scaled(digits(), 38, 0, value) || value > INT64_MAX || value < INT64_MIN)
    refuse("the number does not fit 64 bits");
  return static_cast<std::int64_t>(value);
}

std::uint64_t Cell::natural() const {
  if (!is_null() && kind() == CellKind::natural) return cursor_.natural(index_);
  if (!is_null() && kind() == CellKind::decimal && digits().find('.') == std::string_view::npos) {
    Int128 value = 0;
    if (!parse_scaled(digits(), 38, 0, value) || value < 0 || value > static_cast<Int128>(UINT64_MAX))
      refuse("the number does not fit unsigned 64 bits");
    return static_cast<std::uint64_t>(value);
  }
  const std::int64_t value = integer();
  if (value < 0) refuse("the integer is negative");
  return static_cast<std::uint64_t>(value);
}

bool Cell::boolean() const {
  const std::int64_t value = integer();
  if (value != 0 && value != 1) refuse("the integer is neither 0 nor 1");
  return value == 1;
}

double Cell::real() const {
  if (is_null()) cursor_.refuse_type(index_, "a number");
  if (kind() == CellKind::real) return cursor_.real(index_);
  if (kind() != CellKind::integer && kind() != CellKind::natural) cursor_.refuse_type(index_, "a number");
  // Beyond 2^53 not every integer is a double.
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  if (kind() == CellKind::natural ? cursor_.natural(index_) > static_cast<std::uint64_t>(exact)
                                  : cursor_.integer(index_) > exact || cursor_.integer(index_) < -exact)
    refuse("the integer is not exactly a double");
  return static_cast<double>(cursor_.integer(index_));
}

std::string_view Cell::text() const {
  need(CellKind::text, "text");
  return cursor_.text(index_);
}

ByteView Cell::bytes() const {
  if (kind() == CellKind::bits && !is_null()) {
    ResultColumn& column = cursor_.columns_[index_];
    const std::uint64_t value = cursor_.natural(index_);
    column.value.assign(column.size, '\0');
    for (unsigned i = 0; i < column.size; ++i)
      column.value[column.size - 1 - i] = static_cast<char>(value >> (8 * i) & 0xff);
    return {reinterpret_cast<const std::byte*>(column.value.data()), column.value.size()};
  }
  need(CellKind::bytes, "bytes");
  const std::string_view all = cursor_.text(index_);
  return {reinterpret_cast<const std::byte*>(all.data()), all.size()};
}

std::int32_t Cell::date() const {
  need(CellKind::date, "a date");
  // The connector gives a year its digits, not four of them.
  std::string text(cursor_.text(index_));
  while (text.size() < date_text_size) text.insert(text.begin(), '0');
  std::int32_t days = 0;
  if (!parse_date(text, days)) refuse("the date is a zero date, or another one that is no day");
  return days;
}

std::int64_t Cell::timestamp() const {
  need(CellKind::timestamp, "a time stamp");
  std::int64_t micros = 0;
  if (!parse_timestamp(cursor_.text(index_), micros))
    refuse("the time is a zero date, or another one that is no moment");
  return micros;
}

std::int64_t Cell::time() const {
  need(CellKind::time, "a time");
  std::int64_t micros = 0;
  if (!parse_time(cursor_.text(index_), micros)) refuse("the text of the time is not understood");
  return micros;
}

Uuid Cell::uuid() const {
  // CHAR(36), or MariaDB's UUID, which travels as text.
  if (kind() == CellKind::text && !is_null()) {
    const auto parsed = Uuid::parse(cursor_.text(index_));
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
  Int128 value = 0;
  if (kind() == CellKind::integer && !is_null()) {
    // An integer is a decimal without places; scaling must not overflow.
    if (!parse_scaled(std::to_string(cursor_.integer(index_)), precision, scale, value))
      refuse("the number has more digits than the member");
    return value;
  }
  need(CellKind::decimal, "a decimal");
  if (!parse_scaled(digits(), precision, scale, value))
    refuse("the number is not of the member's precision and scale");
  return value;
}

}  // namespace quark::mysqlcppconn
