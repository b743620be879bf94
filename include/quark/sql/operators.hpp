// The operators on columns and expressions: comparison, logic, arithmetic. Each makes a type; nothing runs but the
// copying of values. A comparison that makes no sense is one readable error.
#pragma once

#include <quark/sql/values.hpp>

#include <optional>

namespace quark {
namespace detail {

template <class K1, class K2>
inline constexpr bool kinds_compare = std::is_same_v<K1, K2>;
template <>
inline constexpr bool kinds_compare<sql::kinds::Integer, sql::kinds::Real> = true;
template <>
inline constexpr bool kinds_compare<sql::kinds::Real, sql::kinds::Integer> = true;
// By the codec, which is one per type: an enumeration stored by name doesn't compare with the same one stored by value.
template <class T, std::size_t I, class U, std::size_t J>
inline constexpr bool kinds_compare<sql::kinds::LikeColumn<T, I>, sql::kinds::LikeColumn<U, J>> =
    std::is_same_v<typename ColumnTarget<T, I>::Codec, typename ColumnTarget<U, J>::Codec>;

// JSON has no equality that engines agree on; names of enumerators have no order, and that of arrays is nobody's wish.
template <class X>
consteval bool has_operator(sql::Op op) {
  if constexpr (requires { X::index; }) {
    using T = typename X::model;
    constexpr Form form = column_codec<T, X::index>::info.form;
    constexpr bool unordered = table_data<T>.columns[X::index].by_name || form == Form::array;
    return form != Form::json && !(unordered && op >= sql::Op::lt && op <= sql::Op::ge);
  }
  return true;
}

template <class T>
using Nothing = sql::Expr<T, sql::kinds::Condition, 0, owns_all, sql::code(sql::Node::truth)>;

/// l op r, where r is another operand or a value.
template <sql::Op O, class L, class R>
[[gnu::always_inline]] constexpr auto compare(L&& l, R&& r) {
  using A = std::remove_cvref_t<L>;
  using B = std::remove_cvref_t<R>;
  using T = typename A::model;
  check_not_kept<L>();
  static_assert(has_operator<A>(O), "quark: this column's type has no such comparison");
  if constexpr (sql::Operand<B>) {
    check_not_kept<R>();
    static_assert(kinds_compare<typename A::kind, typename B::kind>,
                  "quark: these two expressions have different types, so they can't be compared");
    return combine<sql::kinds::Condition, sql::code(sql::Node::binary, O)>(as_expr(l), as_expr(r));
  } else if constexpr (std::is_same_v<B, std::nullopt_t>) {
    static_assert(O == sql::Op::eq || O == sql::Op::ne,
                  "quark: NULL has no order; use == std::nullopt or != std::nullopt");
    return wrap<sql::kinds::Condition, sql::code(sql::Node::is_null, O == sql::Op::ne)>(as_expr(l));
  } else if constexpr (unwrap_optional<B>::is_optional) {
    // An empty optional means NULL, so the comparison must be one that NULL takes part in (fault B21).
    static_assert(O == sql::Op::eq || O == sql::Op::ne, "quark: an optional value has no order: compare with *value");
    using Inner = bare<B>;
    using Target = target<A>;
    if constexpr (Target::template takes<const Inner&>()) {
      constexpr sql::Op op = O == sql::Op::eq ? sql::Op::same : sql::Op::not_same;
      sql::Expr<T, sql::kinds::Condition, 1, Target::flags, sql::code(sql::Node::value, 0, Target::column)> value{};
      if (r) {
        Target::put(value.values.params[0], *r);
      } else {
        Target::put_null(value.values.params[0]);
      }
      return combine<sql::kinds::Condition, sql::code(sql::Node::binary, op)>(as_expr(l), value);
    } else {
      refuse_comparison<A, B>();
      return Nothing<T>{};
    }
  } else if constexpr (target<A>::template takes<R>()) {
    // A type of the user's may have a value that is NULL.
    constexpr bool maybe_null = target<A>::nullable;
    constexpr sql::Op op = !maybe_null        ? O
                           : O == sql::Op::eq ? sql::Op::same
                           : O == sql::Op::ne ? sql::Op::not_same
                                              : O;
    return combine<sql::kinds::Condition, sql::code(sql::Node::binary, op)>(
        as_expr(l), value_expr<T, target<A>>(static_cast<R&&>(r)));
  } else {
    refuse_comparison<A, B>();
    return Nothing<T>{};
  }
}

template <class K1, class K2>
using arithmetic_kind = std::conditional_t<std::is_same_v<K1, sql::kinds::Real> || std::is_same_v<K2, sql::kinds::Real>,
                                           sql::kinds::Real, K1>;

template <class K>
inline constexpr bool has_arithmetic = one_of<K, sql::kinds::Integer, sql::kinds::Real>;
template <class K>
inline constexpr bool has_sum = has_arithmetic<K>;
template <class T, std::size_t I>
inline constexpr bool has_sum<sql::kinds::LikeColumn<T, I>> = column_codec<T, I>::info.form == Form::decimal;

/// A number's or text's expression for arithmetic: values there are as wide as their kind, not as the column.
template <class Kind, class Model, class X>
[[gnu::always_inline]] constexpr auto arithmetic_operand(X&& x) {
  if constexpr (sql::Operand<X>) {
    check_not_kept<X>();
    return as_expr(x);
  } else {
    using V = std::remove_cvref_t<X>;
    using K = std::conditional_t<std::is_same_v<Kind, sql::kinds::Integer> && std::is_floating_point_v<V>,
                                 sql::kinds::Real, Kind>;
    using Target = target<sql::Expr<Model, K, 0, owns_all>>;
    static_assert(Target::template takes<X>(), "quark: a value of that type can't be part of this arithmetic");
    auto value = value_expr<Model, Target>(static_cast<X&&>(x));
    return sql::Expr<Model, K, 1, Target::flags, sql::code(sql::Node::value, 0, Target::column)>{value.values};
  }
}

template <sql::Op O, class L, class R>
[[gnu::always_inline]] constexpr auto arithmetic(L&& l, R&& r) {
  using Model = typename std::conditional_t<sql::Operand<L>, std::remove_cvref_t<L>, std::remove_cvref_t<R>>::model;
  using Kind = typename std::conditional_t<sql::Operand<L>, std::remove_cvref_t<L>, std::remove_cvref_t<R>>::kind;
  const auto a = arithmetic_operand<Kind, Model>(static_cast<L&&>(l));
  const auto b = arithmetic_operand<Kind, Model>(static_cast<R&&>(r));
  using K1 = typename std::remove_cvref_t<decltype(a)>::kind;
  using K2 = typename std::remove_cvref_t<decltype(b)>::kind;
  static_assert(kinds_compare<K1, K2>, "quark: these two expressions have different types, so they can't be combined");
  if constexpr (std::is_same_v<K1, sql::kinds::Text>) {
    static_assert(O == sql::Op::add, "quark: text has no arithmetic but +, which joins");
    return combine<sql::kinds::Text, sql::code(sql::Node::binary, sql::Op::concat)>(a, b);
  } else {
    static_assert(O == sql::Op::add || O == sql::Op::subtract ? has_sum<K1> : has_arithmetic<K1>,
                  "quark: this column's type has no such arithmetic");
    constexpr bool integers = std::is_same_v<K1, sql::kinds::Integer> && std::is_same_v<K2, sql::kinds::Integer>;
    static_assert(O != sql::Op::modulo || integers, "quark: % needs integers");
    constexpr sql::Op op = O == sql::Op::divide && integers ? sql::Op::divide_integers : O;
    return combine<arithmetic_kind<K1, K2>, sql::code(sql::Node::binary, op)>(a, b);
  }
}

template <sql::Op O, class L, class R>
[[gnu::always_inline]] constexpr auto logic(L&& l, R&& r) {
  check_not_kept<L>();
  check_not_kept<R>();
  return combine<sql::kinds::Condition, sql::code(sql::Node::binary, O)>(as_expr(l), as_expr(r));
}

}  // namespace detail

// In the namespace of the operands, so that they are found beside them.
namespace sql {

// Comparison. The value may stand on either side.
template <Operand L, class R>
[[gnu::always_inline]] constexpr auto operator==(L&& l, R&& r) {
  return detail::compare<Op::eq>(static_cast<L&&>(l), static_cast<R&&>(r));
}
template <Operand L, class R>
[[gnu::always_inline]] constexpr auto operator!=(L&& l, R&& r) {
  return detail::compare<Op::ne>(static_cast<L&&>(l), static_cast<R&&>(r));
}
template <Operand L, class R>
[[gnu::always_inline]] constexpr auto operator<(L&& l, R&& r) {
  return detail::compare<Op::lt>(static_cast<L&&>(l), static_cast<R&&>(r));
}
template <Operand L, class R>
[[gnu::always_inline]] constexpr auto operator<=(L&& l, R&& r) {
  return detail::compare<Op::le>(static_cast<L&&>(l), static_cast<R&&>(r));
}
template <Operand L, class R>
[[gnu::always_inline]] constexpr auto operator>(L&& l, R&& r) {
  return detail::compare<Op::gt>(static_cast<L&&>(l), static_cast<R&&>(r));
}
template <Operand L, class R>
[[gnu::always_inline]] constexpr auto operator>=(L&& l, R&& r) {
  return detail::compare<Op::ge>(static_cast<L&&>(l), static_cast<R&&>(r));
}
template <class L, Operand R>
  requires(!Operand<L>)
[[gnu::always_inline]] constexpr auto operator==(L&& l, R&& r) {
  return detail::compare<Op::eq>(static_cast<R&&>(r), static_cast<L&&>(l));
}
template <class L, Operand R>
  requires(!Operand<L>)
[[gnu::always_inline]] constexpr auto operator!=(L&& l, R&& r) {
  return detail::compare<Op::ne>(static_cast<R&&>(r), static_cast<L&&>(l));
}
template <class L, Operand R>
  requires(!Operand<L>)
[[gnu::always_inline]] constexpr auto operator<(L&& l, R&& r) {
  return detail::compare<Op::gt>(static_cast<R&&>(r), static_cast<L&&>(l));
}
template <class L, Operand R>
  requires(!Operand<L>)
[[gnu::always_inline]] constexpr auto operator<=(L&& l, R&& r) {
  return detail::compare<Op::ge>(static_cast<R&&>(r), static_cast<L&&>(l));
}
template <class L, Operand R>
  requires(!Operand<L>)
[[gnu::always_inline]] constexpr auto operator>(L&& l, R&& r) {
  return detail::compare<Op::lt>(static_cast<R&&>(r), static_cast<L&&>(l));
}
template <class L, Operand R>
  requires(!Operand<L>)
[[gnu::always_inline]] constexpr auto operator>=(L&& l, R&& r) {
  return detail::compare<Op::le>(static_cast<R&&>(r), static_cast<L&&>(l));
}

// Logic.
template <ConditionExpr L, ConditionExpr R>
[[gnu::always_inline]] constexpr auto operator&&(L&& l, R&& r) {
  return detail::logic<Op::logic_and>(static_cast<L&&>(l), static_cast<R&&>(r));
}
template <ConditionExpr L, ConditionExpr R>
[[gnu::always_inline]] constexpr auto operator||(L&& l, R&& r) {
  return detail::logic<Op::logic_or>(static_cast<L&&>(l), static_cast<R&&>(r));
}
template <ConditionExpr E>
[[gnu::always_inline]] constexpr auto operator!(E&& e) {
  detail::check_not_kept<E>();
  return detail::wrap<kinds::Condition, code(Node::negation)>(detail::as_expr(e));
}

}  // namespace sql
namespace detail {
template <class Condition>
constexpr Condition refuse_bool(const Condition& condition) {
  static_assert(sizeof(Condition) == 0,
                "quark: a condition can't be joined with a bool: use quark::Filter<T> for what is decided at run time");
  return condition;
}
}  // namespace detail
namespace sql {

template <ConditionExpr L>
constexpr auto operator&&(L&& l, bool) {
  return detail::refuse_bool(l);
}
template <ConditionExpr L>
constexpr auto operator||(L&& l, bool) {
  return detail::refuse_bool(l);
}
template <ConditionExpr R>
constexpr auto operator&&(bool, R&& r) {
  return detail::refuse_bool(r);
}
template <ConditionExpr R>
constexpr auto operator||(bool, R&& r) {
  return detail::refuse_bool(r);
}

// Arithmetic; + on text joins it.
template <class L, class R>
  requires(Operand<L> || Operand<R>)
[[gnu::always_inline]] constexpr auto operator+(L&& l, R&& r) {
  return detail::arithmetic<Op::add>(static_cast<L&&>(l), static_cast<R&&>(r));
}
template <class L, class R>
  requires(Operand<L> || Operand<R>)
[[gnu::always_inline]] constexpr auto operator-(L&& l, R&& r) {
  return detail::arithmetic<Op::subtract>(static_cast<L&&>(l), static_cast<R&&>(r));
}
template <class L, class R>
  requires(Operand<L> || Operand<R>)
[[gnu::always_inline]] constexpr auto operator*(L&& l, R&& r) {
  return detail::arithmetic<Op::multiply>(static_cast<L&&>(l), static_cast<R&&>(r));
}
template <class L, class R>
  requires(Operand<L> || Operand<R>)
[[gnu::always_inline]] constexpr auto operator/(L&& l, R&& r) {
  return detail::arithmetic<Op::divide>(static_cast<L&&>(l), static_cast<R&&>(r));
}
template <class L, class R>
  requires(Operand<L> || Operand<R>)
[[gnu::always_inline]] constexpr auto operator%(L&& l, R&& r) {
  return detail::arithmetic<Op::modulo>(static_cast<L&&>(l), static_cast<R&&>(r));
}
template <Operand E>
[[gnu::always_inline]] constexpr auto operator-(E&& e) {
  using Kind = typename std::remove_cvref_t<E>::kind;
  detail::check_not_kept<E>();
  static_assert(detail::has_arithmetic<Kind>, "quark: this column's type has no such arithmetic");
  return detail::wrap<Kind, code(Node::minus)>(detail::as_expr(e));
}

}  // namespace sql
}  // namespace quark
