// Takes models apart with Boost.PFR, 1.81 or newer; the names come from PFR too where it has them
// (1.84 or newer) and from fields_names.hpp elsewhere.
// Included by model/fields.hpp when the build sets QUARK_REFLECTION_PFR.
#pragma once

#if defined(QUARK_REFLECTION_PFR) && QUARK_REFLECTION_PFR

// Not boost/pfr.hpp, which takes <iostream> along and doubles the cost.
#include <boost/pfr/core.hpp>
#include <boost/version.hpp>
#if BOOST_VERSION >= 108400
#include <boost/pfr/core_name.hpp>
#endif

#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

namespace quark::reflect {
namespace detail {

// PFR counts wrongly with C arrays and stops at base classes, with messages about itself; both are
// refused here, whatever its version, so that a model does not depend on the Boost it meets.
inline constexpr bool accepts_arrays = false;
inline constexpr bool accepts_bases = false;

// PFR says itself whether it can read names with this compiler.
#if defined(BOOST_PFR_CORE_NAME_ENABLED) && BOOST_PFR_CORE_NAME_ENABLED
inline constexpr bool reads_names = true;
inline constexpr char pfr_text[] = "pfr " BOOST_LIB_VERSION ", PFR names";
template <class T>
consteval auto backend_names() {
  return boost::pfr::names_as_array<T>();
}
#else
inline constexpr bool reads_names = false;
inline constexpr char pfr_text[] = "pfr " BOOST_LIB_VERSION ", own names";
template <class T>
void backend_names();
#endif

// With a point in the version: BOOST_LIB_VERSION is "1_81".
struct PfrName {
  char text[sizeof(pfr_text)];
};
consteval PfrName write_pfr_name() {
  PfrName name{};
  for (std::size_t i = 0; i < sizeof(pfr_text); ++i) {
    name.text[i] = pfr_text[i] == '_' ? '.' : pfr_text[i];
  }
  return name;
}
inline constexpr PfrName pfr_name = write_pfr_name();

// PFR's tuple of references for a number of members that we have counted: its public functions
// count again, which costs 50 to 200 ms a model on clang. The overloads by number are internal to
// PFR and gone from its C++26 form, hence the question.
template <class T, class N>
concept pfr_ties_by_number = requires(T& object) {
  boost::pfr::detail::tie_as_tuple(object, N{});
};

struct PfrProbe {
  int member;
};

template <std::size_t... I, class Tuple, class F>
[[gnu::always_inline]] constexpr decltype(auto) spread(std::index_sequence<I...>, Tuple&& members,
                                                       F& f) {
  return f(boost::pfr::detail::sequence_tuple::get<I>(members)...);
}

template <std::size_t N, class T, class F>
[[gnu::always_inline]] constexpr decltype(auto) take_apart(T& object, F& f) {
  if constexpr (pfr_ties_by_number<PfrProbe, boost::pfr::detail::size_t_<1>>) {
    return detail::spread(
        std::make_index_sequence<N>{},
        boost::pfr::detail::tie_as_tuple(object, boost::pfr::detail::size_t_<N>{}), f);
  } else {
    return std::apply(f, boost::pfr::structure_tie(object));
  }
}

}  // namespace detail

/// The backend in use, for test output and bug reports.
inline constexpr std::string_view backend_name = {detail::pfr_name.text,
                                                  sizeof(detail::pfr_text) - 1};

}  // namespace quark::reflect

#endif
