// The members of an object and their types, through the backend that the build has chosen.
// Included by model/fields.hpp and fields_names.hpp.
#pragma once

#include <quark/model/fields_count.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#if defined(QUARK_REFLECTION_PFR) && QUARK_REFLECTION_PFR
#include <quark/model/fields_pfr.hpp>
#else
#include <quark/model/fields_native.hpp>
#endif

namespace quark::reflect {

/// The largest number of members that a model may have.
inline constexpr std::size_t member_limit = detail::arity_limit;

/// The number of T's own members; static members and empty bases are not counted.
template <class T>
inline constexpr std::size_t count = detail::count_members<std::remove_cv_t<T>>();

/// Calls f(member0, member1, ...) with references to the members of `object` in their order, const
/// if the object is, and returns what `f` does.
template <class T, class F>
[[gnu::always_inline]] constexpr decltype(auto) visit(T& object, F&& f) {
  return detail::take_apart<count<T>>(object, f);
}

/// A pack of types that costs nothing to name.
template <class... M>
struct type_list {
  static constexpr std::size_t size = sizeof...(M);
};

namespace detail {

struct TakeTypes {
  template <class... M>
  constexpr type_list<M...> operator()(M&...) const {
    return {};
  }
};

template <class T>
T& an_object_of() noexcept;

template <std::size_t I, class M>
struct numbered {
  using type = M;
};
template <class Numbers, class... M>
struct numbered_types;
template <std::size_t... I, class... M>
struct numbered_types<std::index_sequence<I...>, M...> : numbered<I, M>... {};

template <std::size_t I, class M>
numbered<I, M> pick(const numbered<I, M>&);

template <class List>
struct numbering;
template <class... M>
struct numbering<type_list<M...>> {
  using type = numbered_types<std::index_sequence_for<M...>, M...>;
#ifdef __clang__
  template <std::size_t I>
  using at = __type_pack_element<I, M...>;
#else
  template <std::size_t I>
  using at = typename decltype(detail::pick<I>(an_object_of<const type>()))::type;
#endif
};

}  // namespace detail

/// The declared types of T's members as one type_list: expand this rather than asking for each.
template <class T>
using types =
    decltype(reflect::visit(detail::an_object_of<std::remove_cv_t<T>>(), detail::TakeTypes{}));

/// The declared type of T's member number I.
template <class T, std::size_t I>
using type_at = typename detail::numbering<types<T>>::template at<I>;

namespace detail {

template <class... M>
consteval bool has_c_array(type_list<M...>) {
  return (std::is_array_v<M> || ...);
}

}  // namespace detail
}  // namespace quark::reflect
