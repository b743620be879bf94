// Integers and bool: every width, signed and unsigned, checked both ways. Characters are not integers.
#pragma once

#include <quark/types/type_of.hpp>

#include <limits>

namespace quark {
namespace detail {

template <class T, class... Us>
concept one_of = (std::is_same_v<T, Us> || ...);

template <class T>
concept Integer = one_of<T, signed char, unsigned char, short, unsigned short, int, unsigned, long,
                         unsigned long, long long, unsigned long long>;

template <Integer T>
constexpr Form integer_form() {
  if constexpr (sizeof(T) == 8) return std::is_signed_v<T> ? Form::i64 : Form::u64;
  // An unsigned type needs the next wider signed column.
  constexpr std::size_t bytes = std::is_signed_v<T> ? sizeof(T) : 2 * sizeof(T);
  return bytes <= 2 ? Form::i16 : bytes == 4 ? Form::i32 : Form::i64;
}

/// Whether an integer of any type has the same value as a T.
template <Integer T, Integer U>
[[gnu::always_inline]] constexpr bool fits(U value) {
  constexpr T least = std::numeric_limits<T>::min();
  constexpr T most = std::numeric_limits<T>::max();
  if constexpr (std::is_same_v<T, U>) {
    return true;
  } else if constexpr (std::is_signed_v<T> == std::is_signed_v<U>) {
    return value >= least && value <= most;
  } else if constexpr (std::is_signed_v<U>) {
    return value >= 0 && static_cast<std::make_unsigned_t<U>>(value) <= most;
  } else {
    return value <= static_cast<std::make_unsigned_t<T>>(most);
  }
}

}  // namespace detail

template <detail::Integer T>
struct codec<T> {
  static constexpr Form form = detail::integer_form<T>();
  static constexpr TypeInfo info{.form = form,
                                 .narrow = sizeof(T) == 1 || (!std::is_signed_v<T> && sizeof(T) < 8),
                                 .natural = !std::is_signed_v<T>};
  static constexpr bool borrows = false;

  static constexpr void put(Param& out, T value) {
    if constexpr (form == Form::u64) {
      out.head.natural = value;
    } else {
      out.head.integer = value;
    }
    out.form = form;
    out.null = false;
  }
  template <class Cell>
  static T get(const Cell& cell) {
    if constexpr (form == Form::u64) {
      return static_cast<T>(cell.natural());
    } else {
      const std::int64_t value = cell.integer();
      if constexpr (sizeof(T) < 8) {
        if (!detail::fits<T>(value)) [[unlikely]] cell.refuse("the integer does not fit the member");
      }
      return static_cast<T>(value);
    }
  }
};

template <>
struct codec<bool> {
  static constexpr TypeInfo info{.form = Form::boolean};
  static constexpr bool borrows = false;
  static constexpr void put(Param& out, bool value) {
    out.head.integer = value ? 1 : 0;
    out.form = Form::boolean;
    out.null = false;
  }
  template <class Cell>
  static bool get(const Cell& cell) {
    return cell.boolean();
  }
};

}  // namespace quark
