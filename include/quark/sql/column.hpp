// A column of a model as a type, and the codec and wire form it has there.
// The bridge between model/ (names) and types/ (wire forms): neither includes the other.
#pragma once

#include <quark/model/model.hpp>
// All families: a file that knew only some of them would see another codec for the same column than its neighbour.
#include <quark/types/array.hpp>
#include <quark/types/chrono.hpp>
#include <quark/types/decimal.hpp>
#include <quark/types/enums.hpp>
#include <quark/types/floats.hpp>
#include <quark/types/json.hpp>
#include <quark/types/optional.hpp>
#include <quark/types/text.hpp>
#include <quark/types/uuid.hpp>

namespace quark {

/// Text as a template argument, so that error messages can show it.
template <std::size_t N>
struct FixedString {
  char text[N]{};
  constexpr FixedString(const char (&source)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = source[i];
  }
  constexpr explicit FixedString(std::string_view source) {
    for (std::size_t i = 0; i < source.size(); ++i) text[i] = source[i];
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

// Never defined: their names and arguments are the message of a compile error.
template <class Model, FixedString Column, class Type>
struct no_column_type_for;  // specialise quark::type_of<Type>, or choose a mapped type

namespace detail {

template <class T, std::size_t I>
inline constexpr FixedString<table_data<T>.columns[I].member.size() + 1> column_name{
    table_data<T>.columns[I].member};

template <class T, std::size_t I>
using member_type = std::remove_cv_t<reflect::type_at<T, I>>;

template <class M, bool ByName>
struct choose_codec {
  using type = codec<M>;
};
template <class M>
struct choose_codec<M, true> {
  using type = named_codec<M>;
};

template <class Codec>
concept Usable = requires { Codec::info; };

// Stands in for the codec of a type that isn't mapped, so that its one error stays one.
template <class M>
struct no_codec {
  static constexpr TypeInfo info{};
  static constexpr bool borrows = false;
  static constexpr void put(Param&, const M&) {}
  template <class Cell>
  static M get(const Cell&);
};
template <class M, class Codec>
struct codec_or_none {
  using type = no_codec<M>;
};
template <class M, Usable Codec>
struct codec_or_none<M, Codec> {
  using type = Codec;
};

template <class T, std::size_t I>
using wanted_codec = typename choose_codec<member_type<T, I>, table_data<T>.columns[I].by_name>::type;

/// The codec of column I of T: by the member's type, or by name where the model says so.
template <class T, std::size_t I>
using column_codec = typename codec_or_none<member_type<T, I>, wanted_codec<T, I>>::type;

// The deduced result makes the compiler look inside wherever the call is named, without evaluating it.
template <class T, std::size_t I>
constexpr auto check_column_type() {
  if constexpr (!Usable<wanted_codec<T, I>>)
    (void)sizeof(no_column_type_for<T, column_name<T, I>, member_type<T, I>>);
}

template <class T, class Indexes>
struct column_infos;
template <class T, std::size_t... I>
struct column_infos<T, std::index_sequence<I...>> {
  using Checked = decltype((check_column_type<T, I>(), ...));
  static constexpr Form forms[sizeof...(I)] = {column_codec<T, I>::info.form...};
  static constexpr TypeInfo infos[sizeof...(I)] = {column_codec<T, I>::info...};
  static_assert(((table_data<T>.columns[I].size == 0 || forms[I] == Form::text || forms[I] == Form::bytes) && ...),
                "quark: size(&T::member, n) needs a member that is stored as text or bytes");
};

/// The wire forms of T's columns. One error for a member whose type is not mapped.
template <class T>
using infos_of = column_infos<T, std::make_index_sequence<reflect::count<T>>>;

/// Whether a model has a column that is an array.
template <class T>
inline constexpr bool has_array = [] {
  for (const Form form : infos_of<T>::forms)
    if (form == Form::array) return true;
  return false;
}();

}  // namespace detail
}  // namespace quark
