// The rows of a running MySQL statement, and the checked reading of one cell.
// A cell of another kind than its member's is refused, never converted (faults B02, B48).
#pragma once

#include <quark/engine/mysql/session.hpp>
#include <quark/exec/error.hpp>
#include <quark/types/uuid_value.hpp>

namespace quark::mysql {

class Cell;

class Cursor {
 public:
  static constexpr Engine engine = Engine::mysql;
  Cursor(Session& session, Result& result, const Statement& statement)
      : result_(result), session_(session), statement_(statement) {}

  /// Moves to the next row; false at the end. Throws what the engine reports.
  bool step() {
    if (!result_.pending) [[unlikely]] return false;
    const int code = mysql_stmt_fetch(result_.handle);
    // Truncated: a cell is longer than its buffer, and its rest is fetched when it is asked for.
    if (code == 0 || code == MYSQL_DATA_TRUNCATED) [[likely]] {
      ++rows_;
      if (code != 0) [[unlikely]] forget_whole();
      return true;
    }
    finish(code);
    return false;
  }
  Cell cell(std::size_t i) const;
  std::size_t columns() const { return result_.columns.size(); }
  std::string_view column_name(std::size_t i) const { return result_.columns[i].name; }
  std::uint64_t rows() const { return rows_; }

  /// Throws a ConversionError that names table, column and row.
  [[noreturn, gnu::cold]] void refuse(std::size_t column, std::string_view why) const;
  /// The same for a wrong kind: NULL, or another one than `expected`.
  [[noreturn, gnu::cold]] void refuse_type(std::size_t column, std::string_view expected) const;

 private:
  friend class Cell;
  void finish(int code);
  void forget_whole();
  /// All of a cell that its buffer didn't hold.
  std::string_view whole(std::size_t column) const;

  Result& result_;
  Session& session_;
  const Statement& statement_;
  std::uint64_t rows_ = 0;
};

/// One cell of the current row.
class Cell {
 public:
  Cell(const Cursor& cursor, const ResultColumn& column, std::size_t i)
      : column_(column), cursor_(cursor), index_(i) {}

  bool is_null() const { return column_.is_null != 0; }

  std::int64_t integer() const {
    if (column_.is_null != 0 || column_.kind != CellKind::integer) [[unlikely]] return rare_integer();
    return column_.integer;
  }
  std::uint64_t natural() const;
  bool boolean() const {
    const std::int64_t value = integer();
    if (value != 0 && value != 1) [[unlikely]] refuse("the integer is neither 0 nor 1");
    return value == 1;
  }
  double real() const {
    if (column_.is_null != 0 || column_.kind != CellKind::float64) [[unlikely]] return rare_real();
    return column_.float64;
  }
  std::string_view text() const {
    need(CellKind::text, "text");
    return view();
  }
  ByteView bytes() const {
    need(CellKind::bytes, "bytes");
    const std::string_view all = view();
    return {reinterpret_cast<const std::byte*>(all.data()), all.size()};
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
  void need(CellKind kind, std::string_view expected) const {
    if (column_.is_null != 0 || column_.kind != kind) [[unlikely]] cursor_.refuse_type(index_, expected);
  }
  std::string_view view() const {
    if (column_.length > column_.capacity) [[unlikely]] return cursor_.whole(index_);
    return {column_.buffer, column_.length};
  }
  [[gnu::cold]] std::int64_t rare_integer() const;
  [[gnu::cold]] double rare_real() const;

  const ResultColumn& column_;
  const Cursor& cursor_;
  std::size_t index_;
};

inline Cell Cursor::cell(std::size_t i) const { return Cell(*this, result_.columns[i], i); }

}  // namespace quark::mysql
