// Builds an object of a model member by member, each in its place.
// Included by model/fields.hpp; the row reader in query/ is the main user.
#pragma once

#include <quark/model/fields_access.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace quark::reflect {

/// T{m0, m1, ...} takes one value for each member: T has no bases, which would come first, and no C
/// array, which no value can fill.
template <class T>
inline constexpr bool is_plain = detail::base_count<T> == 0 && !detail::has_c_array(types<T>{});

namespace detail {

template <class M, class Value>
constexpr void move_into(M& member, Value&& value) {
  if constexpr (std::is_array_v<M>) {
    for (std::size_t i = 0; i < std::extent_v<M>; ++i) {
      detail::move_into(member[i], std::move(value[i]));
    }
  } else {
    member = std::move(value);
  }
}

template <class T, class Make, std::size_t... I>
constexpr T construct_with_arrays(Make& make, std::index_sequence<I...>) {
  static_assert(
      requires { T{}; },
      "quark: a model with a C array is filled after it was made, so that all its members need a "
      "default: use std::array instead");
  T object{};
  reflect::visit(object, [&make](auto&... member) {
    (detail::move_into(member, make.template operator()<I>()), ...);
  });
  return object;
}

// Values stand in the braces as they are returned: through objects that convert to them it would
// cost twice as much to compile. The bases come first, and `{}` cannot be repeated by a pack.
template <class T, class Make, std::size_t... I>
[[gnu::always_inline]] constexpr T construct_from(
    Make& make, [[maybe_unused]] std::index_sequence<I...> numbers) {
  static_assert(base_limit == 4, "quark: one branch for each number of bases");
  if constexpr (is_plain<T>) {
    return T{make.template operator()<I>()...};
  } else if constexpr (detail::has_c_array(types<T>{})) {
    return detail::construct_with_arrays<T>(make, numbers);
  } else if constexpr (base_count<T> == 1) {
    return T{{}, make.template operator()<I>()...};
  } else if constexpr (base_count<T> == 2) {
    return T{{}, {}, make.template operator()<I>()...};
  } else if constexpr (base_count<T> == 3) {
    return T{{}, {}, {}, make.template operator()<I>()...};
  } else {
    return T{{}, {}, {}, {}, make.template operator()<I>()...};
  }
}

}  // namespace detail

/// Builds a T from `make.template operator()<I>()`, which is called once for each member, in order,
/// and returns a prvalue of exactly `type_at<T, I>` less `const`. It is built in place: members need
/// no default constructor, no move and no assignment. Bases are made from {}.
/// Only in a model with a C array (which no function can return: for those any thing with [] will
/// do) all members are assigned to instead.
template <class T, class Make>
[[gnu::always_inline]] constexpr T construct(Make&& make) {
  return detail::construct_from<T>(make, std::make_index_sequence<count<T>>{});
}

}  // namespace quark::reflect
