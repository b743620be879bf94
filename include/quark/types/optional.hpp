// std::optional: the only member type that accepts NULL.
#pragma once

#include <quark/types/type_of.hpp>

#include <optional>

namespace quark {
namespace detail {

template <class T>
struct unwrap_optional<std::optional<T>> {
  using type = T;
  static constexpr bool is_optional = true;
};

constexpr TypeInfo nullable(TypeInfo info) {
  info.nullable = true;
  return info;
}

constexpr void put_null(Param& out, const TypeInfo& info) {
  out.form = info.form;
  out.scale = info.scale;
  out.null = true;
}

/// The codec of an optional over a given inner codec.
template <class T, class Inner>
struct optional_codec {
  static_assert(!Inner::info.nullable,
                "quark: a std::optional of a type whose wire form is an optional has two kinds of "
                "NULL: drop one of them");
  static constexpr TypeInfo info = nullable(Inner::info);
  static constexpr bool borrows = Inner::borrows;
  static constexpr bool deferred = is_deferred<Inner>;
  static void put(Param& out, const std::optional<T>& value) {
    if (value) {
      Inner::put(out, *value);
    } else {
      put_null(out, info);
    }
  }
  template <class Cell>
  static std::optional<T> get(const Cell& cell) {
    if (cell.is_null()) return std::nullopt;
    // Text goes straight into the optional: one construction, no move.
    if constexpr (std::is_same_v<T, std::string>) {
      const std::string_view text = cell.text();
      return std::optional<T>(std::in_place, text.data(), text.size());
    } else {
      return Inner::get(cell);
    }
  }
};

}  // namespace detail

template <class T>
  requires(Mapped<T> && !detail::unwrap_optional<T>::is_optional)
struct codec<std::optional<T>> : detail::optional_codec<T, codec<T>> {};

}  // namespace quark
