// Takes models apart with the generated table alone: no Boost, C arrays and empty bases welcome.
// Included by model/fields.hpp when QUARK_REFLECTION_NATIVE is set or nothing is.
#pragma once

#include <quark/model/arity.hpp>

#include <cstddef>
#include <string_view>

namespace quark::reflect {

/// The backend in use, for test output and bug reports.
inline constexpr std::string_view backend_name = "native";

namespace detail {

inline constexpr bool accepts_arrays = true;
inline constexpr bool accepts_bases = true;
inline constexpr bool reads_names = false;
template <class T>
void backend_names();

template <std::size_t N, class T, class F>
[[gnu::always_inline]] constexpr decltype(auto) take_apart(T& object, F& f) {
  return arity<N>::apply(object, f);
}

}  // namespace detail
}  // namespace quark::reflect
