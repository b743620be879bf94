// Builds an object of a model member by member, each in its place.
// Included by model/fields.hpp; the row reader in query/ is the main user.
#pragma once

#include <quark/model/fields_access.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace quark::reflect {
namespace detail {

// Stands for the value of one member in a braced list. As it converts to exactly the member's type,
// the compiler builds what `make` returns in the member itself.
template <class M, std::size_t I, class Make>
class MemberMaker {
 public:
  [[gnu::always_inline]] explicit constexpr MemberMaker(Make& make) noexcept : make_(make) {}
  // Never copied; this also keeps it from members that take any copyable thing, as std::any does.
  MemberMaker(const MemberMaker&) = delete;
  MemberMaker& operator=(const MemberMaker&) = delete;

  [[gnu::always_inline]] constexpr operator M() const { return make_.template operator()<I>(); }

 private:
  Make& make_;
};

// The bases come first in the list, and `{}` cannot be repeated by a pack.
template <class T, class... Makers>
[[gnu::always_inline]] constexpr T construct_in_place(const Makers&... makers) {
  static_assert(base_limit == 4, "quark: one branch a number of bases");
  constexpr std::size_t bases = base_count<T>;
  if constexpr (bases == 0) {
    return T{makers...};
  } else if constexpr (bases == 1) {
    return T{{}, makers...};
  } else if constexpr (bases == 2) {
    return T{{}, {}, makers...};
  } else if constexpr (bases == 3) {
    return T{{}, {}, {}, makers...};
  } else {
    return T{{}, {}, {}, {}, makers...};
  }
}

template <class... M>
consteval bool has_c_array(type_list<M...>) {
  return (std::is_array_v<M> || ...);
}

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

template <class T, class Make, std::size_t... I, class... M>
[[gnu::always_inline]] constexpr T construct_from(Make& make, std::index_sequence<I...>,
                                                  type_list<M...>) {
  if constexpr (!(std::is_array_v<M> || ...)) {
    return detail::construct_in_place<T>(MemberMaker<std::remove_cv_t<M>, I, Make>(make)...);
  } else {
    static_assert(
        requires { T{}; },
        "quark: a model with a C array is filled after it was made, so that all its members need "
        "a default: use std::array instead");
    T object{};
    reflect::visit(object, [&make](auto&... member) {
      (detail::move_into(member, make.template operator()<I>()), ...);
    });
    return object;
  }
}

}  // namespace detail

/// Whether T{m0, m1, ...} takes one value for each member: no bases come first, and no member is a C array.
template <class T>
inline constexpr bool is_plain = detail::base_count<T> == 0 && !detail::has_c_array(types<T>{});

/// Builds a T from make.template operator()<I>(), which is called once for each member, in order,
/// and returns a prvalue of exactly type_at<T, I> less `const`. It is built in place: members need
/// no default constructor, no move and no assignment. Bases are made from {}.
/// Only in a model with a C array (which no function can return: for those any thing with [] will
/// do) all members are assigned to instead.
template <class T, class Make>
[[gnu::always_inline]] constexpr T construct(Make&& make) {
  return detail::construct_from<T>(make, std::make_index_sequence<count<T>>{}, types<T>{});
}

}  // namespace quark::reflect
