// The rows of a running SQLite statement, and the checked reading of one cell.
// A cell of another storage class than its member's is refused, never converted (faults B02, B48).
#pragma once

#include <quark/engine/sqlite/session.hpp>
#include <quark/exec/error.hpp>
#include <quark/types/uuid_value.hpp>

namespace quark::sqlite {

class Cell;

class Cursor {
 public:
  static constexpr Engine engine = Engine::sqlite;
  Cursor(const Session& session, sqlite3_stmt* handle, const Statement& statement)
      : handle_(handle), session_(session), statement_(statement) {}

  /// Moves to the next row; false at the end. Throws what the engine reports.
  bool step() {
    const int code = sqlite3_step(handle_);
    if (code == SQLITE_ROW) [[likely]] {
      ++rows_;
      return true;
    }
    if (code != SQLITE_DONE) [[unlikely]] session_.fail(code, statement_);
    return false;
  }
  Cell cell(std::size_t i) const;
  std::size_t columns() const { return static_cast<std::size_t>(sqlite3_column_count(handle_)); }
  std::string_view column_name(std::size_t i) const;
  std::uint64_t rows() const { return rows_; }
  bool decimals_are_numbers() const { return session_.decimals_are_numbers(); }

  /// Throws a ConversionError that names table, column and row.
  [[noreturn, gnu::cold]] void refuse(std::size_t column, std::string_view why) const;
  /// The same for a wrong storage class: NULL, or another type than `expected`.
  [[noreturn, gnu::cold]] void refuse_type(std::size_t column, std::string_view expected) const;

 private:
  sqlite3_stmt* handle_;
  const Session& session_;
  const Statement& statement_;
  std::uint64_t rows_ = 0;
};

/// One cell of the current row. sqlite3_column_value is asked once: each sqlite3_column_* call would lock again.
class Cell {
 public:
  Cell(const Cursor& cursor, sqlite3_stmt* handle, std::size_t i)
      : value_(sqlite3_column_value(handle, static_cast<int>(i))), cursor_(cursor), index_(i) {}

  bool is_null() const { return sqlite3_value_type(value_) == SQLITE_NULL; }

  std::int64_t integer() const {
    need(SQLITE_INTEGER, "an integer");
    return sqlite3_value_int64(value_);
  }
  std::uint64_t natural() const {
    const std::int64_t value = integer();
    if (value < 0) refuse("the integer is negative");
    return static_cast<std::uint64_t>(value);
  }
  bool boolean() const {
    const std::int64_t value = integer();
    if (value != 0 && value != 1) [[unlikely]] refuse("the integer is neither 0 nor 1");
    return value == 1;
  }
  double real() const {
    if (sqlite3_value_type(value_) != SQLITE_FLOAT) [[unlikely]] return real_of_integer();
    return sqlite3_value_double(value_);
  }
  std::string_view text() const {
    need(SQLITE_TEXT, "text");
    const auto* data = reinterpret_cast<const char*>(sqlite3_value_text(value_));
    if (data == nullptr) [[unlikely]] out_of_memory();
    return {data, static_cast<std::size_t>(sqlite3_value_bytes(value_))};
  }
  ByteView bytes() const {
    need(SQLITE_BLOB, "bytes (a blob)");
    const auto* data = static_cast<const std::byte*>(sqlite3_value_blob(value_));
    return {data, static_cast<std::size_t>(sqlite3_value_bytes(value_))};
  }
  std::string_view json() const { return text(); }
  std::int32_t date() const;
  std::int64_t time() const;
  std::int64_t timestamp() const;
  Uuid uuid() const;
  Int128 decimal(int precision, int scale) const;

  [[noreturn, gnu::cold]] void refuse(std::string_view why) const { cursor_.refuse(index_, why); }

  /// Runs a conversion of the user's; its refusal gets table, column and row.
  template <class F>
  auto guard(F&& convert) const {
    try {
      return convert();
    } catch (const ConversionError& error) {
      if (!error.column().empty()) throw;
      refuse(error.what());
    }
  }

 private:
  void need(int type, std::string_view expected) const {
    if (sqlite3_value_type(value_) != type) [[unlikely]] cursor_.refuse_type(index_, expected);
  }
  [[gnu::cold]] double real_of_integer() const;
  Int128 number_as_decimal(int precision, int scale) const;
  [[noreturn, gnu::cold]] static void out_of_memory();

  sqlite3_value* value_;
  const Cursor& cursor_;
  std::size_t index_;
};

inline Cell Cursor::cell(std::size_t i) const { return Cell(*this, handle_, i); }

}  // namespace quark::sqlite
