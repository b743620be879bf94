// The rows of a PostgreSQL result, and the checked reading of one cell.
// A cell of another type than its member's is refused, never converted (faults B02, B48).
#pragma once

#include <quark/engine/postgres/session.hpp>
#include <quark/exec/error.hpp>
#include <quark/types/uuid_value.hpp>

namespace quark::postgres {

class Cell;
class Elements;

class Cursor {
 public:
  static constexpr Engine engine = Engine::postgres;
  /// All rows of a result. `stream`: where more results come from; null: there are none.
  Cursor(PGresult* result, const std::vector<Kind>& columns, const Statement& statement, Stream* stream = nullptr)
      : result_(result), count_(PQntuples(result)), kinds_(columns.data()), columns_(columns), statement_(statement),
        stream_(stream) {}

  /// Moves to the next row; false at the end. Throws what the server reports.
  bool step() {
    if (++row_ < count_ || (stream_ != nullptr && next_rows())) [[likely]] {
      ++rows_;
      return true;
    }
    row_ = count_;
    return false;
  }
  Cell cell(std::size_t i) const;
  std::size_t columns() const { return columns_.size(); }
  std::string_view column_name(std::size_t i) const;
  std::uint64_t rows() const { return rows_; }
  /// Rows that are here already.
  std::size_t waiting_rows() const { return static_cast<std::size_t>(count_ - row_ - 1); }

  /// Throws a ConversionError that names table, column and row.
  [[noreturn, gnu::cold]] void refuse(std::size_t column, std::string_view why) const;
  /// The same for a wrong type: NULL, or another type than `expected`.
  [[noreturn, gnu::cold]] void refuse_type(std::size_t column, std::string_view expected) const;

 private:
  friend class Cell;
  bool next_rows();

  PGresult* result_;
  int row_ = -1;
  int count_;
  const Kind* kinds_;
  const std::vector<Kind>& columns_;
  const Statement& statement_;
  Stream* stream_;
  std::uint64_t rows_ = 0;
  mutable std::string made_;  // text that the wire doesn't have as text: addresses
};

/// One cell of the current row.
class Cell {
 public:
  Cell(const Cursor& cursor, std::size_t i) : cursor_(cursor), index_(static_cast<int>(i)), kind_(cursor.kinds_[i]) {}

  bool is_null() const { return PQgetisnull(cursor_.result_, cursor_.row_, index_) != 0; }

  std::int64_t integer() const {
    if (kind_ == Kind::i64) [[likely]] return load<std::int64_t>(fixed(8, "an integer"));
    if (kind_ == Kind::i32) return load<std::int32_t>(fixed(4, "an integer"));
    return rare_integer();
  }
  std::uint64_t natural() const;
  bool boolean() const {
    need(kind_ == Kind::boolean, "a boolean");
    return *fixed(1, "a boolean") != 0;
  }
  double real() const {
    if (kind_ == Kind::f64) [[likely]] return std::bit_cast<double>(load<std::int64_t>(fixed(8, "a real number")));
    need(kind_ == Kind::f32, "a real number");
    return std::bit_cast<float>(load<std::int32_t>(fixed(4, "a real number")));
  }
  std::string_view text() const {
    if (kind_ != Kind::text) [[unlikely]] return rare_text();
    return view("text");
  }
  ByteView bytes() const {
    need(kind_ == Kind::bytes, "bytes (bytea)");
    const std::string_view raw = view("bytes (bytea)");
    return {reinterpret_cast<const std::byte*>(raw.data()), raw.size()};
  }
  std::string_view json() const;
  std::int32_t date() const;
  std::int64_t time() const;
  std::int64_t timestamp() const {
    if (kind_ != Kind::timestamp) [[unlikely]] cursor_.refuse_type(at(), "a time (timestamptz)");
    const auto micros = load<std::int64_t>(fixed(8, "a time (timestamptz)"));
    std::int64_t out = 0;
    // The two ends of the range are -infinity and infinity.
    if (micros == INT64_MIN || __builtin_add_overflow(micros, epoch_micros, &out)) [[unlikely]] refuse_time(micros);
    return out;
  }
  Uuid uuid() const;
  Int128 decimal(int precision, int scale) const;
  /// The elements of an array of one dimension. Refuses any other.
  Elements array() const;

  [[noreturn, gnu::cold]] void refuse(std::string_view why) const { cursor_.refuse(at(), why); }

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
  std::size_t at() const { return static_cast<std::size_t>(index_); }
  void need(bool right, std::string_view expected) const {
    if (!right) [[unlikely]] cursor_.refuse_type(at(), expected);
  }
  /// The bytes of a type of one width: NULL has none.
  const char* fixed(int width, std::string_view expected) const {
    if (PQgetlength(cursor_.result_, cursor_.row_, index_) != width) [[unlikely]] cursor_.refuse_type(at(), expected);
    return PQgetvalue(cursor_.result_, cursor_.row_, index_);
  }
  std::string_view view(std::string_view expected) const {
    const int size = PQgetlength(cursor_.result_, cursor_.row_, index_);
    if (size == 0 && is_null()) [[unlikely]] cursor_.refuse_type(at(), expected);
    return {PQgetvalue(cursor_.result_, cursor_.row_, index_), static_cast<std::size_t>(size)};
  }
  std::int64_t rare_integer() const;
  std::string_view rare_text() const;
  Int128 numeric(int precision, int scale, std::string_view expected) const;
  [[noreturn, gnu::cold]] void refuse_time(std::int64_t micros) const;

  const Cursor& cursor_;
  int index_;
  Kind kind_;
};

inline Cell Cursor::cell(std::size_t i) const { return Cell(*this, i); }

}  // namespace quark::postgres

#include <quark/engine/postgres/array.hpp>
