// The elements of an array that PostgreSQL sent: read like cells, by the same codecs. Part of cursor.hpp.
#pragma once

#include <quark/engine/postgres/cursor.hpp>

namespace quark::postgres {

/// One element; it has the calls of a Cell, and refuses like one.
class Element {
 public:
  /// `size` is -1 for NULL; `number` counts from 1.
  Element(const Cell& cell, Kind kind, const char* data, std::int32_t size, std::size_t number)
      : cell_(cell), data_(data), size_(size), kind_(kind), number_(number) {}

  bool is_null() const { return size_ < 0; }
  std::int64_t integer() const;
  std::uint64_t natural() const;
  bool boolean() const { return *fixed(Kind::boolean, 1, "a boolean") != 0; }
  double real() const;
  std::string_view text() const;
  ByteView bytes() const;
  std::string_view json() const;
  std::int32_t date() const;
  std::int64_t time() const;
  std::int64_t timestamp() const;
  Uuid uuid() const;
  Int128 decimal(int precision, int scale) const;

  [[noreturn, gnu::cold]] void refuse(std::string_view why) const;
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
  const char* fixed(Kind kind, std::int32_t size, std::string_view expected) const;
  std::string_view view(std::string_view expected) const;
  Int128 numeric(int precision, int scale, std::string_view expected) const;
  [[noreturn, gnu::cold]] void refuse_type(std::string_view expected) const;

  const Cell& cell_;
  const char* data_;
  std::int32_t size_;
  Kind kind_;
  std::size_t number_;
};

/// An array on its way into a vector. Sizes are checked: nothing is read past the end of what came.
class Elements {
 public:
  std::size_t size() const { return count_; }
  /// Moves to the next one; false at the end.
  bool step();
  Element element() const { return Element(cell_, kind_, data_, size_, number_); }

 private:
  friend class Cell;
  Elements(const Cell& cell, Kind kind, std::string_view raw);

  const Cell& cell_;
  Kind kind_;
  std::size_t count_ = 0, number_ = 0;
  const char* data_ = nullptr;
  std::int32_t size_ = 0;
  std::string_view rest_;
};

}  // namespace quark::postgres
