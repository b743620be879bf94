// Says in one line why a struct cannot be a model.
// Included by model/fields.hpp; the table description in model/ is the first to call it.
#pragma once

#include <quark/model/arity.hpp>
#include <quark/model/fields_access.hpp>
#include <quark/model/fields_names.hpp>

#include <cstddef>
#include <type_traits>

namespace quark::reflect {
namespace detail {

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif

template <int>
struct Constant;

// Each member can be taken by address. The object is never defined, so that the copy which a
// bit-field needs, and the look through a reference, have no value at compile time. Not asked
// through the backend: Boost.PFR takes the members by references that a bit-field ends with an
// error.
template <class T>
consteval int take_addresses() {
  (void)arity<count<T>>::apply(fake<T>.value, TakeAddresses{});
  return 0;
}
template <class T>
concept addressable = requires {
  typename Constant<detail::take_addresses<T>()>;
};

#ifdef __clang__
#pragma clang diagnostic pop
#endif

template <class T>
consteval Fault find_fault() {
  constexpr Fault fault = find_count_fault<T>();
  if constexpr (fault != Fault::none) {
    return fault;
  } else if constexpr (base_count<T> != 0 && !accepts_bases) {
    return Fault::base;
  } else if constexpr (count<T> == 0) {
    return Fault::empty;
  } else if constexpr (!addressable<T>) {
    return Fault::no_address;
  } else if constexpr (!accepts_arrays && detail::has_c_array(types<T>{})) {
    return Fault::array;
  } else {
    return Fault::none;
  }
}

}  // namespace detail

/// T can be a model. Says nothing if it cannot: for code that has to stay inert after a complaint.
template <class T>
inline constexpr bool has_model_shape =
    detail::find_fault<std::remove_cv_t<T>>() == detail::Fault::none;

/// Stops with one readable line if T cannot be a model; the line names T in what follows it.
template <class T>
consteval void check_model_shape() {
  detail::complain<std::remove_cv_t<T>, detail::find_fault<std::remove_cv_t<T>>()>();
}

}  // namespace quark::reflect
