// How one C++ type travels: type_of<T> is the user's word, codec<T> what the library reads.
// Included by every family in types/; a family is a partial specialisation of codec with a concept.
#pragma once

#include <quark/model/fields.hpp>
#include <quark/types/cell.hpp>
#include <quark/types/scratch.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace quark {

/// The customisation point: how a type of yours is stored. Specialise it with three members:
///
///     template <> struct quark::type_of<Colour> {
///       using wire = std::string;                            // any type that Quark already maps
///       static std::string to_wire(const Colour& c);         // must not lose anything
///       static Colour from_wire(const std::string& text);    // throws quark::ConversionError to refuse
///     };
///
/// It then works everywhere a built-in type does: members, optional members, conditions, keys.
template <class T>
struct type_of;

/// The library's side of a type. A mapped type has:
/// @code
///   static constexpr TypeInfo info;                    // its wire form
///   static constexpr bool borrows;                     // the parameter points into the value
///   static constexpr bool deferred;                    // and is made when the statement runs; may be missing: false
///   static void put(Param& out, const T& value);
///   template <class Cell> static T get(const Cell&);   // throws ConversionError through the cell
/// @endcode
template <class T>
struct codec {
  static constexpr bool missing = true;
};

/// Whether T can be a column.
template <class T>
concept Mapped = requires { codec<T>::info; };

namespace detail {

template <class T>
struct unwrap_optional {
  using type = T;
  static constexpr bool is_optional = false;
};
/// T without std::optional.
template <class T>
using bare = typename unwrap_optional<T>::type;

template <class T>
concept HasWire = requires { typename type_of<T>::wire; };

// A wire value that borrows dies before the statement runs: its bytes move into the scratch.
template <class T>
void defer_wire(const void* value, Scratch& scratch, Param& out) {
  using Wire = typename type_of<T>::wire;
  const Wire wire = type_of<T>::to_wire(*static_cast<const T*>(value));
  codec<Wire>::put(out, wire);
  resolve(&out, 1, scratch);
  if (out.null) return;  // the wire form is an optional
  const std::string_view kept = scratch.keep(out.view());
  out.head.text = kept.data();
}

/// Whether a codec's parameters are made when the statement runs, by resolve(): it says so, or is
/// made of one that does.
template <class Codec>
inline constexpr bool is_deferred = false;
template <class Codec>
  requires(requires { Codec::deferred; })
inline constexpr bool is_deferred<Codec> = Codec::deferred;

}  // namespace detail

namespace detail {

// Asked in a function of its own: a codec with an error in it would be none, which is a second error.
template <class Wire>
constexpr TypeInfo wire_info() {
  static_assert(Mapped<Wire>, "quark: type_of<T>::wire must be a type that Quark maps itself");
  if constexpr (Mapped<Wire>) return codec<Wire>::info;
  return {};
}
template <class Wire>
constexpr bool wire_borrows() {
  if constexpr (Mapped<Wire>) return codec<Wire>::borrows;
  return false;
}

}  // namespace detail

template <detail::HasWire T>
struct codec<T> {
  using Wire = typename type_of<T>::wire;
  static constexpr TypeInfo info = detail::wire_info<Wire>();
  static constexpr bool borrows = detail::wire_borrows<Wire>();
  static constexpr bool deferred = borrows;

  static void put(Param& out, const T& value) {
    if constexpr (deferred) {
      out.head.object = &value;
      out.tail.defer = &detail::defer_wire<T>;
      out.form = Form::deferred;
      out.null = false;
    } else if constexpr (Mapped<Wire>) {
      codec<Wire>::put(out, type_of<T>::to_wire(value));
    }
  }
  template <class Cell>
  static T get(const Cell& cell) {
    if constexpr (Mapped<Wire>) {
      auto wire = codec<Wire>::get(cell);
      // The user's refusal knows neither table nor column: the cell adds them.
      return cell.guard([&] { return type_of<T>::from_wire(std::move(wire)); });
    } else {
      return T{};
    }
  }
};

namespace detail {

// A strong id: an aggregate of one mapped member. Checked last, after every named type.
template <class T>
concept StrongId = std::is_class_v<T> && std::is_aggregate_v<T> && !HasWire<T> &&
                   reflect::count<T> == 1 && Mapped<reflect::type_at<T, 0>>;

template <class Member>
struct strong_member {
  template <class T>
  static constexpr const Member& of(const T& value) {
    return reflect::visit(value, [](const Member& m) -> const Member& { return m; });
  }
};

}  // namespace detail

template <detail::StrongId T>
struct codec<T> {
  using Member = reflect::type_at<T, 0>;
  static constexpr TypeInfo info = codec<Member>::info;
  static constexpr bool borrows = codec<Member>::borrows;
  static constexpr bool deferred = detail::is_deferred<codec<Member>>;
  static void put(Param& out, const T& value) {
    codec<Member>::put(out, detail::strong_member<Member>::of(value));
  }
  template <class Cell>
  static T get(const Cell& cell) {
    return T{codec<Member>::get(cell)};
  }
};

}  // namespace quark
