// Enumerations: stored by value, or by name where the model says by_name(&T::m).
// A stored value or name without an enumerator is refused, never cast.
#pragma once

#include <quark/types/enum_names.hpp>
#include <quark/types/integers.hpp>
#include <quark/types/optional.hpp>

namespace quark {

template <class T>
  requires(std::is_enum_v<T> && !detail::HasWire<T> && !std::is_same_v<T, std::byte>)
struct codec<T> {
  using Underlying = std::underlying_type_t<T>;
  static_assert(Mapped<Underlying>,
                "quark: an enumeration needs a fixed underlying integer type (enum class E : int)");
  static_assert(!enum_values<T>.empty(),
                "quark: no enumerator of this enumeration was found: say where they are with "
                "quark::enum_range<E>, or map "
                "an enumeration without enumerators by quark::type_of<E>");
  static constexpr TypeInfo info = codec<Underlying>::info;
  static constexpr bool borrows = false;
  static constexpr void put(Param& out, T value) {
    // What could not be read back is not written.
    if (!is_enumerator(value)) return refuse_param(out, "no enumerator has this value");
    codec<Underlying>::put(out, static_cast<Underlying>(value));
  }
  template <class Cell>
  static T get(const Cell& cell) {
    const T value = static_cast<T>(codec<Underlying>::get(cell));
    if (!is_enumerator(value)) cell.refuse("no enumerator has this value");
    return value;
  }
};

namespace detail {

/// The codec of an enumeration that is stored as its enumerator's name.
template <class T>
struct named_codec {
  static_assert(std::is_enum_v<T>, "quark: by_name(&T::member) needs an enumeration");
  static constexpr TypeInfo info{.form = Form::text};
  static constexpr bool borrows = false;  // names are constants
  static void put(Param& out, T value) {
    const std::string_view name = enum_name(value);
    if (name.empty()) return refuse_param(out, "no enumerator has this value, so it has no name to store");
    out.head.text = name.data();
    out.tail.size = name.size();
    out.form = Form::text;
    out.null = false;
  }
  template <class Cell>
  static T get(const Cell& cell) {
    T value{};
    if (!enum_value(cell.text(), value)) cell.refuse("no enumerator has this name");
    return value;
  }
};
template <class T>
struct named_codec<std::optional<T>> : optional_codec<T, named_codec<T>> {};

}  // namespace detail
}  // namespace quark
