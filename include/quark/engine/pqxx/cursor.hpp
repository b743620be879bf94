// The rows of a result, each of which came as one value: the server's binary form of the whole record, with the type of
// each field in it. Nothing in it depends on DateStyle, TimeZone, IntervalStyle, bytea_output or extra_float_digits.
// A field of another type than its member's is refused, never converted (faults B02, B48).
#pragma once

#include <quark/engine/postgres_wire.hpp>
#include <quark/engine/pqxx/session.hpp>
#include <quark/exec/error.hpp>
#include <quark/types/uuid_value.hpp>

#include <string>
#include <vector>

namespace quark::pqxx_bridge {

using postgres::Kind;

class Cell;
class Source;

class Cursor {
 public:
  static constexpr Engine engine = Engine::postgres;
  /// `source` gives the rows; `state` knows the database's own types.
  Cursor(Source& source, Session& session, const Statement& statement)
      : source_(source), session_(session), statement_(statement) {}

  /// Moves to the next row; false at the end. Throws what the server reports.
  bool step();
  Cell cell(std::size_t i) const;
  std::size_t columns() const { return fields_.size(); }
  /// As the statement's text names it.
  std::string column_name(std::size_t i) const;
  std::uint64_t rows() const { return rows_; }
  /// Rows that are here already.
  std::size_t waiting_rows() const;

  /// Throws a ConversionError that names table, column and row.
  [[noreturn, gnu::cold]] void refuse(std::size_t column, std::string_view why) const;
  /// The same for a wrong type: NULL, or another type than `expected`.
  [[noreturn, gnu::cold]] void refuse_type(std::size_t column, std::string_view expected) const;

 private:
  friend class Cell;
  struct Field {
    const char* data = nullptr;  // null for NULL
    int size = 0;
    Kind kind = Kind::other;
    postgres::Oid oid = 0;
  };
  void take_apart();

  Source& source_;
  Session& session_;
  const Statement& statement_;
  std::string record_;  // of the current row
  std::vector<Field> fields_;
  std::uint64_t rows_ = 0;
  mutable std::string made_;  // text that the wire doesn't have as text: addresses
};

/// One field of the current row.
class Cell {
 public:
  Cell(const Cursor& cursor, std::size_t i) : cursor_(cursor), index_(i), field_(cursor.fields_[i]) {}

  bool is_null() const { return field_.data == nullptr; }

  std::int64_t integer() const {
    if (field_.kind == Kind::i64) [[likely]] return postgres::load<std::int64_t>(fixed(8, "an integer"));
    if (field_.kind == Kind::i32) return postgres::load<std::int32_t>(fixed(4, "an integer"));
    return rare_integer();
  }
  std::uint64_t natural() const;
  bool boolean() const {
    need(field_.kind == Kind::boolean, "a boolean");
    return *fixed(1, "a boolean") != 0;
  }
  double real() const {
    if (field_.kind == Kind::f64) [[likely]]
      return std::bit_cast<double>(postgres::load<std::int64_t>(fixed(8, "a real number")));
    need(field_.kind == Kind::f32, "a real number");
    return std::bit_cast<float>(postgres::load<std::int32_t>(fixed(4, "a real number")));
  }
  std::string_view text() const {
    if (field_.kind != Kind::text) [[unlikely]] return rare_text();
    return view("text");
  }
  ByteView bytes() const {
    need(field_.kind == Kind::bytes, "bytes (bytea)");
    const std::string_view raw = view("bytes (bytea)");
    return {reinterpret_cast<const std::byte*>(raw.data()), raw.size()};
  }
  std::string_view json() const;
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
  void need(bool right, std::string_view expected) const {
    if (!right) [[unlikely]] cursor_.refuse_type(index_, expected);
  }
  /// The bytes of a type of one width.
  const char* fixed(int width, std::string_view expected) const {
    if (field_.data == nullptr || field_.size != width) [[unlikely]] cursor_.refuse_type(index_, expected);
    return field_.data;
  }
  std::string_view view(std::string_view expected) const {
    if (field_.data == nullptr) [[unlikely]] cursor_.refuse_type(index_, expected);
    return {field_.data, static_cast<std::size_t>(field_.size)};
  }
  std::int64_t rare_integer() const;
  std::string_view rare_text() const;
  Int128 numeric(int precision, int scale, std::string_view expected) const;

  const Cursor& cursor_;
  std::size_t index_;
  const Cursor::Field& field_;
};

inline Cell Cursor::cell(std::size_t i) const { return Cell(*this, i); }

}  // namespace quark::pqxx_bridge
