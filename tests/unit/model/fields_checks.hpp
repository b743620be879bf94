// One question for all field tests: does reflection see exactly the members that C++ sees?
// Used by the fields*_test.cpp files, which the build compiles once for each backend.
#pragma once

#include <quark/model/fields.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>

namespace quark::test {

template <class>
struct MemberType;
template <class M, class T>
struct MemberType<M T::*> {
  using type = M;
};

// The members of `object` are these, in this order, with these names: asked of the count, the
// types, the names, the positions, and of the addresses in the object itself, const and not.
template <auto... Members, class T, std::size_t N>
void expect_members(T& object, const std::string_view (&expected)[N]) {
  static_assert(sizeof...(Members) == N, "give a pointer and a name for each member");
  constexpr std::size_t no_member = N;
  static_assert(reflect::count<T> == N);
  static_assert(reflect::count<const T> == N);
  static_assert(reflect::types<T>::size == N);
  static_assert(reflect::has_model_shape<T>);
  reflect::check_model_shape<T>();
#if defined(QUARK_REFLECTION_PFR)
  static_assert(boost::pfr::tuple_size_v<T> == N, "our count and Boost.PFR's differ");
#endif

  // Compile-time answers, checked where the compiler can say which member is wrong.
  []<std::size_t... I>(std::index_sequence<I...>) {
    static_assert(
        (std::is_same_v<reflect::type_at<T, I>, typename MemberType<decltype(Members)>::type> &&
         ...));
    static_assert(((reflect::index_of(Members) == I) && ...));
    static_assert(((reflect::index_of<T>(Members) != no_member) && ...));
  }
  (std::make_index_sequence<N>{});

  constexpr auto names = reflect::names<T>();
  static_assert(names.size() == N);
  for (std::size_t i = 0; i < N; ++i) EXPECT_EQ(names[i], expected[i]) << "member " << i;

  const std::array<const void*, N> wanted = {std::addressof(object.*Members)...};
  reflect::visit(object, [&](auto&... member) {
    static_assert(sizeof...(member) == N);
    const std::array<const void*, N> visited = {std::addressof(member)...};
    for (std::size_t i = 0; i < N; ++i) EXPECT_EQ(visited[i], wanted[i]) << expected[i];
  });
  reflect::visit(std::as_const(object), [&](auto&... member) {
    static_assert((std::is_const_v<std::remove_reference_t<decltype(member)>> && ...));
    const std::array<const void*, N> visited = {std::addressof(member)...};
    for (std::size_t i = 0; i < N; ++i) EXPECT_EQ(visited[i], wanted[i]) << expected[i] << " const";
  });
}

}  // namespace quark::test
