// How a C++ value becomes the parameter of a condition or assignment: typed by the column beside it, checked.
// Used by sql/operators.hpp and sql/predicates.hpp.
#pragma once

#include <quark/exec/error.hpp>
#include <quark/sql/expression.hpp>
#include <quark/types/floats.hpp>
#include <quark/types/text.hpp>

namespace quark {

// Never defined: the message of a comparison that makes no sense.
template <class Model, FixedString Column, class ColumnType, class Value>
struct cannot_compare;
template <class Model, FixedString Column, class ColumnType, class Value>
struct cannot_assign;

namespace detail {

template <class X, class M>
concept ConvertsTo = std::is_convertible_v<X, M> && !std::is_arithmetic_v<std::remove_cvref_t<X>> &&
                     !std::is_arithmetic_v<M> && requires(X&& x) { M{static_cast<X&&>(x)}; };

template <class X>
concept TextLike = std::is_convertible_v<X, std::string_view> &&
                   !std::is_same_v<std::remove_cvref_t<X>, std::nullptr_t>;

/// Values that go beside column I of T.
template <class T, std::size_t I>
struct ColumnTarget {
  using M = bare<member_type<T, I>>;
  // Of the bare type: a value beside a nullable column is not an optional.
  using Codec = typename choose_codec<M, table_data<T>.columns[I].by_name>::type;
  static constexpr std::size_t column = I;
  static constexpr bool nullable = Codec::info.nullable;
  // A mapped type of the user's whose wire form needs storage is converted when the statement runs.
  static constexpr unsigned flags =
      (Codec::borrows ? borrows_values : owns_all) | (is_deferred<Codec> ? needs_resolve : owns_all);

  template <class X>
  static consteval bool takes() {
    using V = std::remove_cvref_t<X>;
    if constexpr (std::is_same_v<V, M>) {
      return true;
    } else if constexpr (Integer<M>) {
      return Integer<V>;
    } else if constexpr (std::is_floating_point_v<M>) {
      return one_of<V, float, double> || (Integer<V> && sizeof(V) <= 4);
    } else if constexpr (std::is_same_v<M, std::string>) {
      return TextLike<X>;
    } else if constexpr (std::is_same_v<M, bool> || std::is_enum_v<M>) {
      return false;
    } else if constexpr (detail::one_of<V, bool, char>) {
      return false;
    } else {
      return Integer<V> ? std::is_convertible_v<X, M> && !Codec::borrows
                        : ConvertsTo<X, M> && !Codec::borrows;
    }
  }

  template <class X>
  [[gnu::always_inline]] static constexpr void put(Param& out, X&& x) {
    using V = std::remove_cvref_t<X>;
    if constexpr (Integer<M> && Integer<V>) {
      if (!fits<M>(x)) [[unlikely]]
        throw_out_of_range(table_data<T>.name, table_data<T>.columns[I].name);
      Codec::put(out, static_cast<M>(x));
    } else if constexpr (std::is_floating_point_v<M>) {
      codec<double>::put(out, static_cast<double>(x));
    } else if constexpr (std::is_same_v<V, M> || std::is_same_v<M, std::string>) {
      Codec::put(out, x);
    } else {
      Codec::put(out, M(static_cast<X&&>(x)));
    }
  }
  static constexpr void put_null(Param& out) { detail::put_null(out, Codec::info); }
};

/// Values that go beside an expression that is no column: arithmetic, text.
template <class Kind>
struct KindTarget {
  static constexpr std::size_t column = 0xffff;
  static constexpr bool nullable = false;
  static constexpr bool text = std::is_same_v<Kind, sql::kinds::Text>;
  static constexpr bool real = std::is_same_v<Kind, sql::kinds::Real>;
  static constexpr bool boolean =
      std::is_same_v<Kind, sql::kinds::Boolean> || std::is_same_v<Kind, sql::kinds::Condition>;
  static constexpr unsigned flags = text ? borrows_values : owns_all;
  using M = std::conditional_t<text, std::string,
                               std::conditional_t<real, double, std::conditional_t<boolean, bool, std::int64_t>>>;
  template <class X>
  static consteval bool takes() {
    using V = std::remove_cvref_t<X>;
    if constexpr (text) return TextLike<X>;
    if constexpr (real) return one_of<V, float, double> || (Integer<V> && sizeof(V) <= 4);
    if constexpr (boolean) return std::is_same_v<V, bool>;
    return Integer<V>;
  }
  template <class X>
  [[gnu::always_inline]] static constexpr void put(Param& out, X&& x) {
    if constexpr (Integer<std::remove_cvref_t<X>> && !real) {
      if (!fits<std::int64_t>(x)) throw_out_of_range("an expression", "a value");
    }
    if constexpr (text) {
      codec<M>::put(out, x);
    } else {
      codec<M>::put(out, static_cast<M>(x));
    }
  }
  static constexpr void put_null(Param& out) { detail::put_null(out, codec<M>::info); }
};

template <class X>
struct target_of;
template <class T, std::size_t I>
struct target_of<sql::Field<T, I>> {
  using type = ColumnTarget<T, I>;
};
template <class T, class K, unsigned N, unsigned F, sql::Code... C>
struct target_of<sql::Expr<T, K, N, F, C...>> {
  using type = KindTarget<K>;
};
template <class T, class M, std::size_t I, unsigned N, unsigned F, sql::Code... C>
struct target_of<sql::Expr<T, sql::kinds::LikeColumn<M, I>, N, F, C...>> {
  using type = ColumnTarget<M, I>;
};
/// What decides how values beside operand X are typed.
template <class X>
using target = typename target_of<std::remove_cvref_t<X>>::type;

/// One value as an expression.
template <class Model, class Target, class X>
[[gnu::always_inline]] constexpr auto value_expr(X&& x) {
  sql::Expr<Model, sql::kinds::Condition, 1, Target::flags, sql::code(sql::Node::value, 0, Target::column)> out{};
  Target::put(out.values.params[0], static_cast<X&&>(x));
  return out;
}

/// The error of a value that doesn't go beside L: made by calling it, which is no constant evaluation, so that it stays
/// one error.
template <class L, class X>
constexpr void refuse_comparison() {
  if constexpr (requires { L::index; }) {
    using T = typename L::model;
    (void)sizeof(cannot_compare<T, column_name<T, L::index>, member_type<T, L::index>, X>);
  } else {
    static_assert(sizeof(X) == 0, "quark: this expression can't be compared with a value of that type");
  }
}

}  // namespace detail
}  // namespace quark
