// Stands in for the names of Boost.PFR 1.84 on top of an older PFR: same macro, same function, same
// result type. Written on its own, one function per member as PFR does it, so that it also checks
// our reader of names, which goes another way.
#pragma once

#include <boost/pfr/core.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#define BOOST_PFR_CORE_NAME_ENABLED 1

namespace boost::pfr {
namespace stand_in {

template <class T>
struct Shell {
  T inner;
};

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif

template <class T>
extern const Shell<T> shell;

template <class P>
struct Pointer {
  P value;
};

template <class T, auto Member>
consteval auto name_of() {  // auto: g++ would print what std::string_view stands for
  std::string_view text = __PRETTY_FUNCTION__;
#ifdef __clang__
  text.remove_suffix(std::string_view("}]").size());
  return text.substr(text.rfind('.') + 1);
#else
  text.remove_suffix(std::string_view("}]").size());
  while (text.back() == ')') text.remove_suffix(1);  // from g++ 13 on a cast stands around some
  return text.substr(text.rfind("::") + 2);
#endif
}

template <class T, std::size_t... I>
consteval std::array<std::string_view, sizeof...(I)> names(std::index_sequence<I...>) {
  return {name_of<T, Pointer{std::addressof(boost::pfr::get<I>(shell<T>.inner))}>()...};
}

#ifdef __clang__
#pragma clang diagnostic pop
#endif

}  // namespace stand_in

template <class T>
consteval auto names_as_array() noexcept {
  return stand_in::names<T>(std::make_index_sequence<tuple_size_v<T>>{});
}

}  // namespace boost::pfr
