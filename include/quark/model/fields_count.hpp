// How many members and bases a struct has, found without touching an object of it.
// Included by model/fields.hpp; both backends count with this (Boost.PFR's own counting costs 50 to
// 200 ms a model on clang; the tests compare the two).
#pragma once

#include <quark/model/arity.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace quark::reflect::detail {

// Converts to anything, by value: only so are members made that can neither be moved nor made from
// nothing. The operator is never called. It has a body because a constructor template of a member
// (std::optional's, say) may name it, and -fkeep-inline-functions makes the compiler emit that.
template <class T>
struct Anything {
  template <class U>
  requires(!std::is_same_v<std::remove_cv_t<U>, T>) operator U() const noexcept {
    __builtin_unreachable();
  }
};

template <class T, class U>
concept base_of = std::is_base_of_v<U, T> && !std::is_same_v<std::remove_cv_t<U>, T>;

// Converts to bases of T only.
template <class T>
struct AnyBase {
  template <class U>
  requires base_of<T, U>
  operator U() const noexcept { __builtin_unreachable(); }
};
// Converts to empty bases of T only.
template <class T>
struct AnyEmptyBase {
  template <class U>
  requires(base_of<T, U>&& std::is_empty_v<U>) operator U() const noexcept {
    __builtin_unreachable();
  }
};
// Converts to nothing: what accepts this accepts all (std::any does) and says nothing about bases.
struct Nothing {};

template <class T, std::size_t>
using anything_at = Anything<T>;

// T can be written as a list of N things that convert to whatever is wanted.
template <class T, std::size_t... I>
consteval bool fits_anything(std::index_sequence<I...>) {
  return requires { T{anything_at<T, I>{}...}; };
}

// The largest N in [Low, High) whose braces fit, given that Low's do: fewer than a number that fits
// do fit, as all members have a default then.
template <class T, std::size_t Low, std::size_t High>
consteval std::size_t count_braces() {
  if constexpr (High - Low == 1) {
    return Low;
  } else {
    constexpr std::size_t middle = Low + (High - Low) / 2;
    if constexpr (arity<middle>::template fits<T>) {
      return count_braces<T, middle, High>();
    } else {
      return count_braces<T, Low, middle>();
    }
  }
}

// The slow way, for structs with a member that empty braces cannot make (no default constructor, or
// an explicit one): from the limit downwards, because too few values may also be refused. It may
// not have C arrays, whose elements would be counted; taking it apart would not compile then.
template <class T, std::size_t N>
consteval std::size_t count_conversions() {
  if constexpr (N == 0 || detail::fits_anything<T>(std::make_index_sequence<N>{})) {
    return N;
  } else {
    return count_conversions<T, N - 1>();
  }
}

// The number of elements of an aggregate, its bases among them; more than arity_limit if it has
// more.
template <class T>
consteval std::size_t count_elements() {
  constexpr std::size_t past_limit = arity_limit + 1;
  if constexpr (arity<0>::template fits<T>) {
    constexpr std::size_t braces = count_braces<T, 0, past_limit>();
    // Is there one more that empty braces cannot make?
    if constexpr (!arity<braces>::template fits<T, Anything<T>>) {
      return braces;
    } else {
      return count_conversions<T, past_limit>();
    }
  } else {
    return count_conversions<T, past_limit>();
  }
}

template <class T>
inline constexpr std::size_t element_count = count_elements<T>();

// T's element number `Before` can be made from a Probe.
template <class T, class Probe, std::size_t Before, std::size_t... After>
consteval bool fits_at(std::index_sequence<After...>) {
  if constexpr (arity<0>::template fits<T>) {
    return arity<Before>::template fits<T, Probe>;
  } else {
    return arity<Before>::template fits<T, Probe, anything_at<T, After>...>;
  }
}

inline constexpr std::size_t base_limit = 4;

// The number of elements of T, from the Nth on, that a Probe fits and Nothing does not.
template <class T, class Probe, std::size_t N = 0>
consteval std::size_t count_leading() {
  if constexpr (N > base_limit || N >= element_count<T>) {
    return N;
  } else {
    using After = std::make_index_sequence<element_count<T> - N - 1>;
    if constexpr (!detail::fits_at<T, Probe, N>(After{})) {
      return N;
    } else if constexpr (detail::fits_at<T, Nothing, N>(After{})) {
      return N;
    } else {
      return count_leading<T, Probe, N + 1>();
    }
  }
}

// More than base_limit if there are more.
template <class T>
inline constexpr std::size_t base_count = count_leading<T, AnyBase<T>>();
template <class T>
inline constexpr bool has_filled_base = base_count<T> != 0 &&
                                        base_count<T> != count_leading<T, AnyEmptyBase<T>>();

// What is wrong with a struct. The first faults make counting impossible, the others are found in
// fields_shape.hpp.
enum class Fault {
  none,
  not_an_aggregate,
  too_many,
  too_many_bases,
  filled_base,
  uncountable,
  base,
  empty,
  no_address,
  array,
};

template <class T>
consteval Fault find_count_fault() {
  if constexpr (!std::is_class_v<T> || !std::is_aggregate_v<T>) {
    return Fault::not_an_aggregate;
  } else if constexpr (element_count<T> > arity_limit) {
    return Fault::too_many;
  } else if constexpr (base_count<T> > base_limit) {
    return Fault::too_many_bases;
  } else if constexpr (has_filled_base<T>) {
    return Fault::filled_base;
  } else if constexpr (element_count<T> == 0 && !std::is_empty_v<T>) {
    return Fault::uncountable;
  } else {
    return Fault::none;
  }
}

template <class T, Fault F>
consteval void complain() {
  static_assert(F != Fault::not_an_aggregate,
                "quark: this model is not an aggregate (it has constructors, private members, "
                "virtual functions or the like): make it a plain struct");
  static_assert(F != Fault::too_many,
                "quark: this model has more than 64 members, the limit: split it, or write "
                "model/arity.hpp anew with cmake/generate_arity.cmake");
  static_assert(F != Fault::too_many_bases,
                "quark: this model has more than 4 base classes, the limit: drop some");
  static_assert(F != Fault::filled_base,
                "quark: this model has a base class with members, which are not read: move them "
                "into the model, or make the base a member");
  static_assert(
      F != Fault::uncountable,
      "quark: the members of this model cannot be counted, because nothing can be put into "
      "one of them: it is a reference, or a base or a member has no public constructor");
  static_assert(F != Fault::base,
                "quark: this model has a base class, which Boost.PFR cannot see past: drop the "
                "base, or build with QUARK_REFLECTION=native");
  static_assert(F != Fault::empty, "quark: this model has no members of its own: add a column");
  static_assert(F != Fault::no_address,
                "quark: this model has a bit-field or a reference as a member: make it a plain "
                "member, since values are read into members by address");
  static_assert(F != Fault::array,
                "quark: this model has a C array as a member, which Boost.PFR cannot count: use "
                "std::array, or build with QUARK_REFLECTION=native");
}

template <class T>
consteval std::size_t count_members() {
  constexpr Fault fault = find_count_fault<T>();
  detail::complain<T, fault>();
  if constexpr (fault == Fault::none) {
    return element_count<T> - base_count<T>;
  } else {
    return 0;
  }
}

}  // namespace quark::reflect::detail
