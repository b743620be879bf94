// Expressions as types: a pack of integers (the shape) and a flat array of parameters (the values).
// Built by the operators in sql/operators.hpp; rendered by sql/render_expression.hpp.
#pragma once

#include <quark/sql/code.hpp>
#include <quark/sql/column.hpp>

namespace quark {

/// What an expression's values need.
enum ExpressionFlags : unsigned {
  owns_all = 0,
  borrows_values = 1,  // points into the caller's values: good for one full expression only
  needs_resolve = 2,   // patterns, arrays, deferred values
};

namespace sql {

/// The values of an expression, in the order of their placeholders.
template <unsigned N>
struct Values {
  static constexpr unsigned count = N;
  Param params[N];
};
template <>
struct Values<0> {
  static constexpr unsigned count = 0;
};

/// What kind of value an expression has. Small own types: std types as template arguments would
/// make the compiler search namespace std for every operator.
namespace kinds {
struct Condition {};
struct Boolean {};
struct Integer {};
struct Real {};
struct Text {};
template <class Model, std::size_t I>
struct LikeColumn {};  // any other type: that of a column
}  // namespace kinds

/// An expression over the columns of Model. N values; C... is the shape in prefix order.
template <class Model, class Kind, unsigned N, unsigned Flags, Code... C>
struct Expr {
  using model = Model;
  using kind = Kind;
  static constexpr unsigned flags = Flags;
  Values<N> values;
};

}  // namespace sql
namespace detail {

template <class M>
struct plain_kind {
  using type = void;
};
template <class M>
  requires std::is_floating_point_v<M>
struct plain_kind<M> {
  using type = sql::kinds::Real;
};
template <class M>
  requires Integer<M>
struct plain_kind<M> {
  using type = sql::kinds::Integer;
};
template <>
struct plain_kind<bool> {
  using type = sql::kinds::Boolean;
};
template <>
struct plain_kind<std::string> {
  using type = sql::kinds::Text;
};

template <class T, std::size_t I>
struct column_kind {
  using plain = typename plain_kind<bare<member_type<T, I>>>::type;
  using type = std::conditional_t<std::is_void_v<plain>, sql::kinds::LikeColumn<T, I>, plain>;
};

}  // namespace detail
namespace sql {

/// A column's new value in an UPDATE: field<&T::a> = v.
template <class Model, unsigned N, unsigned Flags, Code... C>
struct Assignment {
  using model = Model;
  static constexpr unsigned flags = Flags;
  Values<N> values;
};

/// Column I of Model. Written field<&Model::member>.
template <class Model, std::size_t I>
struct Field {
  using model = Model;
  using kind = typename detail::column_kind<Model, I>::type;
  static constexpr std::size_t index = I;
  static constexpr unsigned flags = owns_all;

  constexpr Field() = default;
  constexpr Field(const Field&) = default;

  /// The column's new value in `.set(...)`: a value, or an expression over the same model.
  template <class R>
  constexpr auto operator=(R&& value) const;
  constexpr auto operator=(const Field& other) const;

  /// LIKE with the pattern as given: % and _ are wildcards, '!' escapes.
  template <class S>
  constexpr auto like(S&& pattern) const;
  /// NOT LIKE.
  template <class S>
  constexpr auto not_like(S&& pattern) const;
  /// Whether the text contains `part`; wildcards in it are ordinary characters. Capitals: by the
  /// engine's rule for LIKE (SQLite ignores case for A-Z only).
  template <class S>
  constexpr auto contains(S&& part) const;
  /// Whether the text begins with `part`, likewise.
  template <class S>
  constexpr auto starts_with(S&& part) const;
  /// Whether the text ends with `part`, likewise.
  template <class S>
  constexpr auto ends_with(S&& part) const;
  /// IN: one range of values, or the values themselves. An empty range matches nothing.
  template <class... V>
  constexpr auto in(V&&... values) const;
  /// NOT IN. An empty range matches everything, NULL too.
  template <class... V>
  constexpr auto not_in(V&&... values) const;
  /// low <= column AND column <= high.
  template <class A, class B>
  constexpr auto between(A&& low, B&& high) const;
  /// NOT BETWEEN.
  template <class A, class B>
  constexpr auto not_between(A&& low, B&& high) const;
  /// Whether there is no value; the same as == std::nullopt.
  constexpr auto is_null() const;
  /// Whether there is a value.
  constexpr auto is_not_null() const;
};

}  // namespace sql
namespace detail {

template <auto Member>
consteval std::size_t index_of_member() {
  using T = typename member_of<Member>::model;
  constexpr std::size_t i = reflect::index_of(Member);
  static_assert(i < reflect::count<T>, "quark: field<&T::member> needs a data member of the model itself");
  return i;
}

/// Fields and expressions, seen alike: model, kind, number of values, flags.
template <class X>
struct operand {
  static constexpr bool is = false;
};
template <class T, std::size_t I>
struct operand<sql::Field<T, I>> {
  static constexpr bool is = true;
  static constexpr unsigned count = 0;
};
template <class T, class K, unsigned N, unsigned F, sql::Code... C>
struct operand<sql::Expr<T, K, N, F, C...>> {
  static constexpr bool is = true;
  static constexpr unsigned count = N;
};

// A field is an expression of one node.
template <class T, std::size_t I>
[[gnu::always_inline]] constexpr auto as_expr(const sql::Field<T, I>&) {
  return sql::Expr<T, typename sql::Field<T, I>::kind, 0, owns_all, sql::code(sql::Node::column, 0, I)>{};
}
template <class T, class K, unsigned N, unsigned F, sql::Code... C>
[[gnu::always_inline]] constexpr const sql::Expr<T, K, N, F, C...>& as_expr(
    const sql::Expr<T, K, N, F, C...>& e) {
  return e;
}

template <unsigned N, unsigned M, std::size_t... I, std::size_t... J>
[[gnu::always_inline]] constexpr sql::Values<N + M> join_values(const sql::Values<N>& l, const sql::Values<M>& r,
                                                           std::index_sequence<I...>,
                                                           std::index_sequence<J...>) {
  return {{l.params[I]..., r.params[J]...}};
}

template <unsigned N, unsigned M>
[[gnu::always_inline]] constexpr sql::Values<N + M> join_values(const sql::Values<N>& l, const sql::Values<M>& r) {
  if constexpr (N == 0) {
    return r;
  } else if constexpr (M == 0) {
    return l;
  } else {
    return join_values(l, r, std::make_index_sequence<N>(), std::make_index_sequence<M>());
  }
}

/// Head(l, r) over two expressions.
template <class Kind, sql::Code Head, class T, class K1, unsigned N1, unsigned F1, sql::Code... A, class T2,
          class K2, unsigned N2, unsigned F2, sql::Code... B>
[[gnu::always_inline]] constexpr auto combine(const sql::Expr<T, K1, N1, F1, A...>& l,
                                              const sql::Expr<T2, K2, N2, F2, B...>& r) {
  static_assert(std::is_same_v<T, T2>, "quark: this expression mixes columns of two models");
  return sql::Expr<T, Kind, N1 + N2, F1 | F2, Head, A..., B...>{join_values(l.values, r.values)};
}

/// Head(e) over one expression.
template <class Kind, sql::Code Head, class T, class K, unsigned N, unsigned F, sql::Code... A>
[[gnu::always_inline]] constexpr auto wrap(const sql::Expr<T, K, N, F, A...>& e) {
  return sql::Expr<T, Kind, N, F, Head, A...>{e.values};
}

// An expression that borrows text is good inside one full expression only; a named one may outlive the text.
template <class X>
[[gnu::always_inline]] constexpr void check_not_kept() {
  using E = std::remove_cvref_t<X>;
  static_assert(!(std::is_lvalue_reference_v<X> && (E::flags & borrows_values) != 0),
                "quark: this kept condition borrows text that may be gone: keep it as quark::Filter<T>, "
                "which owns its values");
}

}  // namespace detail
namespace sql {

template <class X>
concept Operand = detail::operand<std::remove_cvref_t<X>>::is;

/// A condition of type bool over Model.
template <class X>
concept ConditionExpr = Operand<X> && (std::is_same_v<typename std::remove_cvref_t<X>::kind, kinds::Condition> ||
                                       std::is_same_v<typename std::remove_cvref_t<X>::kind, kinds::Boolean>);

}  // namespace sql

/// A column: field<&User::age>. A value beside it must be of the column's kind, else it doesn't
/// compile; one that doesn't fit the column (300 beside a std::uint8_t) throws ConversionError
/// where the expression is made.
template <auto Member>
inline constexpr sql::Field<typename detail::member_of<Member>::model, detail::index_of_member<Member>()> field{};

}  // namespace quark
