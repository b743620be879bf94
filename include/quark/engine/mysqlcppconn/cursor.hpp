// The rows of a statement that MySQL Connector/C++ has run, and the checked reading of one cell.
// A cell of another kind than its member's is refused, never converted: the connector itself converts without a word.
#pragma once

#include <quark/engine/mysqlcppconn/session.hpp>
#include <quark/exec/error.hpp>
#include <quark/types/cell.hpp>
#include <quark/types/uuid_value.hpp>

#include <string>

namespace sql {
class ResultSet;
}

namespace quark::mysqlcppconn {

class Cell;

/// What a column's cells are, whatever their width: decided by what the connector tells of the result.
enum class CellKind : std::uint8_t {
  integer, natural, real, decimal, text, bytes, bits, date, timestamp, time, other,
};

/// One column of a result.
struct ResultColumn {
  CellKind kind = CellKind::other;
  bool too_long = false;  // of decimals: more than the connector has room for
  unsigned size = 0;      // of bits: bytes
  std::string name{};
  std::string value{};         // the current row's, when `row` is its number
  std::uint64_t row = 0;
};

class Cursor {
 public:
  static constexpr Engine engine = Engine::mysql;
  /// The result must be buffered: the connector cuts what it doesn't know the length of. Throws what it throws.
  Cursor(Session& session, ::sql::ResultSet& result, const Statement& statement);
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  ~Cursor();

  /// Moves to the next row; false at the end. Throws what the connector reports.
  bool step();
  Cell cell(std::size_t i) const;
  std::size_t columns() const { return columns_.size(); }
  std::string_view column_name(std::size_t i) const { return columns_[i].name; }
  std::uint64_t rows() const { return rows_; }

  /// Throws a ConversionError that names table, column and row.
  [[noreturn, gnu::cold]] void refuse(std::size_t column, std::string_view why) const;
  /// The same for a wrong kind: NULL, or another one than `expected`.
  [[noreturn, gnu::cold]] void refuse_type(std::size_t column, std::string_view expected) const;

 private:
  friend class Cell;
  template <class F>
  auto ask(F&& get) const;
  bool is_null(std::size_t i) const;
  std::int64_t integer(std::size_t i) const;
  std::uint64_t natural(std::size_t i) const;
  double real(std::size_t i) const;
  /// The cell as the connector prints it; valid until the next row.
  std::string_view text(std::size_t i) const;

  Session& session_;
  ::sql::ResultSet& result_;
  const Statement& statement_;
  mutable std::vector<ResultColumn> columns_;
  std::uint64_t rows_ = 0;
};

/// One cell of the current row.
class Cell {
 public:
  Cell(const Cursor& cursor, std::size_t i) : cursor_(cursor), index_(i) {}

  bool is_null() const { return cursor_.is_null(index_); }
  std::int64_t integer() const;
  std::uint64_t natural() const;
  bool boolean() const;
  double real() const;
  std::string_view text() const;
  ByteView bytes() const;
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
  CellKind kind() const { return cursor_.columns_[index_].kind; }
  /// Throws unless the cell has a value of this kind.
  void need(CellKind kind, std::string_view expected) const;
  /// The text of a decimal.
  std::string_view digits() const;

  const Cursor& cursor_;
  std::size_t index_;
};

inline Cell Cursor::cell(std::size_t i) const { return Cell(*this, i); }

}  // namespace quark::mysqlcppconn
