// The named predicates of a column: in, between, like and its helpers, is_null; and the assignment in .set(...).
#pragma once

#include <quark/sql/operators.hpp>

#include <vector>

namespace quark {
namespace detail {

template <class X>
concept RangeOf = !TextLike<X> && (std::is_array_v<std::remove_reference_t<X>> || requires(X& x) {
  x.begin() != x.end();
  *x.begin();
});

template <class Range>
constexpr auto first_of(Range& range) {
  if constexpr (std::is_array_v<Range>) {
    return &range[0];
  } else {
    return range.begin();
  }
}
template <class Range>
using element_of = decltype(*first_of(std::declval<Range&>()));

// What an element is taken as: itself, or the value that it stands for (those of a std::vector<bool> are proxies).
template <class Target, class Range>
struct item_of {
  using type = element_of<Range>;
};
template <class Target, class Range>
  requires(!Target::template takes<element_of<Range>>() && requires {
    requires std::is_convertible_v<element_of<Range>, typename Range::value_type>;
  })
struct item_of<Target, Range> {
  using type = typename Range::value_type;
};

/// The parameters of an `in` over a range, made when the statement runs.
template <class Target, class Range>
void put_items(const void* object, Scratch& scratch, Param& out) {
  auto& range = *static_cast<Range*>(const_cast<void*>(object));
  std::vector<Param> items;
  using Item = typename item_of<Target, Range>::type;
  for (auto&& element : range) {
    Param item;
    Target::put(item, static_cast<Item>(element));
    resolve(&item, 1, scratch);
    if constexpr ((Target::flags & borrows_values) != 0 && !std::is_lvalue_reference_v<Item>) {
      if (!item.null) item.head.text = scratch.keep(item.view()).data();
    }
    items.push_back(item);
  }
  auto* kept = static_cast<Param*>(scratch.allocate(items.size() * sizeof(Param) + 1));
  for (std::size_t i = 0; i < items.size(); ++i) new (kept + i) Param(items[i]);
  out.head.items = kept;
  out.tail.size = items.size();
  out.form = Form::array;
  out.null = false;
}

template <bool Not, class F, class... V>
[[gnu::always_inline]] constexpr auto in(const F& f, V&&... values) {
  using T = typename F::model;
  using Target = target<F>;
  static_assert(has_operator<F>(sql::Op::eq), "quark: this column's type has no such comparison");
  static_assert(sizeof...(V) > 0, "quark: in() needs a range or values");
  if constexpr (requires { F::index; })
    static_assert(column_codec<T, F::index>::info.form != Form::array,
                  "quark: in() doesn't take arrays: join comparisons by ||");
  if constexpr (sizeof...(V) == 1 && (RangeOf<V> && ...)) {
    using Range = std::remove_reference_t<decltype((values, ...))>;
    using Item = typename item_of<Target, Range>::type;
    if constexpr (!Target::template takes<Item>()) {
      refuse_comparison<F, std::remove_cvref_t<Item>>();
      return Nothing<T>{};
    } else {
      sql::Expr<T, sql::kinds::Condition, 1, borrows_values | needs_resolve,
                sql::code(sql::Node::value, 0, Target::column)>
          array{};
      Param& p = array.values.params[0];
      p.head.object = static_cast<const void*>(std::addressof((values, ...)));
      p.tail.defer = &put_items<Target, Range>;
      p.form = Form::deferred;
      return combine<sql::kinds::Condition, sql::code(sql::Node::in_array, Not)>(as_expr(f), array);
    }
  } else if constexpr ((Target::template takes<V>() && ...)) {
    sql::Expr<T, sql::kinds::Condition, sizeof...(V), Target::flags,
         ((void)sizeof(V), sql::code(sql::Node::value, 0, Target::column))...>
        list{};
    unsigned i = 0;
    (Target::put(list.values.params[i++], static_cast<V&&>(values)), ...);
    return combine<sql::kinds::Condition, sql::code(sql::Node::in_list, Not, sizeof...(V))>(as_expr(f), list);
  } else {
    static_assert((Target::template takes<V>() && ...),
                  "quark: in(...) takes values of the column's type, or one range of them");
    return Nothing<T>{};
  }
}

template <bool Not, class F, class A, class B>
[[gnu::always_inline]] constexpr auto between(const F& f, A&& low, B&& high) {
  using T = typename F::model;
  using Target = target<F>;
  static_assert(has_operator<F>(sql::Op::lt), "quark: this column's type has no such comparison");
  static_assert(Target::template takes<A>() && Target::template takes<B>(),
                "quark: between(low, high) takes values of the column's type");
  sql::Expr<T, sql::kinds::Condition, 2, Target::flags, sql::code(sql::Node::value, 0, Target::column),
       sql::code(sql::Node::value, 0, Target::column)>
      bounds{};
  Target::put(bounds.values.params[0], static_cast<A&&>(low));
  Target::put(bounds.values.params[1], static_cast<B&&>(high));
  return combine<sql::kinds::Condition, sql::code(sql::Node::between, Not)>(as_expr(f), bounds);
}

template <bool Not, class F, class S>
[[gnu::always_inline]] constexpr auto like(const F& f, S&& text, Form form) {
  using T = typename F::model;
  static_assert(std::is_same_v<typename F::kind, sql::kinds::Text>,
                "quark: like, contains, starts_with and ends_with need a text column");
  static_assert(TextLike<S>, "quark: like, contains, starts_with and ends_with take text");
  sql::Expr<T, sql::kinds::Condition, 1, borrows_values | needs_resolve,
            sql::code(sql::Node::value, 0, F::index)>
      pattern{};
  put_text(pattern.values.params[0], text, form);
  // SQLite's LIKE takes a zero byte for the pattern's end, and would match what it must not (fault B05).
  if (pattern.values.params[0].view().find('\0') != std::string_view::npos) [[unlikely]]
    throw_out_of_range(table_data<T>.name, table_data<T>.columns[F::index].name);
  return combine<sql::kinds::Condition, sql::code(sql::Node::like, Not)>(as_expr(f), pattern);
}

}  // namespace detail

template <class Model, std::size_t I>
template <class S>
[[gnu::always_inline]] constexpr auto sql::Field<Model, I>::like(S&& pattern) const {
  return detail::like<false>(*this, pattern, Form::text);
}
template <class Model, std::size_t I>
template <class S>
[[gnu::always_inline]] constexpr auto sql::Field<Model, I>::not_like(S&& pattern) const {
  return detail::like<true>(*this, pattern, Form::text);
}
template <class Model, std::size_t I>
template <class S>
[[gnu::always_inline]] constexpr auto sql::Field<Model, I>::contains(S&& part) const {
  return detail::like<false>(*this, part, Form::contains);
}
template <class Model, std::size_t I>
template <class S>
[[gnu::always_inline]] constexpr auto sql::Field<Model, I>::starts_with(S&& part) const {
  return detail::like<false>(*this, part, Form::starts_with);
}
template <class Model, std::size_t I>
template <class S>
[[gnu::always_inline]] constexpr auto sql::Field<Model, I>::ends_with(S&& part) const {
  return detail::like<false>(*this, part, Form::ends_with);
}
template <class Model, std::size_t I>
template <class... V>
[[gnu::always_inline]] constexpr auto sql::Field<Model, I>::in(V&&... values) const {
  return detail::in<false>(*this, static_cast<V&&>(values)...);
}
template <class Model, std::size_t I>
template <class... V>
[[gnu::always_inline]] constexpr auto sql::Field<Model, I>::not_in(V&&... values) const {
  return detail::in<true>(*this, static_cast<V&&>(values)...);
}
template <class Model, std::size_t I>
template <class A, class B>
[[gnu::always_inline]] constexpr auto sql::Field<Model, I>::between(A&& low, B&& high) const {
  return detail::between<false>(*this, static_cast<A&&>(low), static_cast<B&&>(high));
}
template <class Model, std::size_t I>
template <class A, class B>
[[gnu::always_inline]] constexpr auto sql::Field<Model, I>::not_between(A&& low, B&& high) const {
  return detail::between<true>(*this, static_cast<A&&>(low), static_cast<B&&>(high));
}
template <class Model, std::size_t I>
[[gnu::always_inline]] constexpr auto sql::Field<Model, I>::is_null() const {
  return detail::wrap<sql::kinds::Condition, sql::code(sql::Node::is_null, 0)>(detail::as_expr(*this));
}
template <class Model, std::size_t I>
[[gnu::always_inline]] constexpr auto sql::Field<Model, I>::is_not_null() const {
  return detail::wrap<sql::kinds::Condition, sql::code(sql::Node::is_null, 1)>(detail::as_expr(*this));
}

namespace detail {

template <class Model, unsigned N, unsigned F, std::size_t I, class K, sql::Code... C>
[[gnu::always_inline]] constexpr auto assign(const sql::Expr<Model, K, N, F, C...>& e) {
  return sql::Assignment<Model, N, F, sql::code(sql::Node::assign, 0, I), C...>{e.values};
}

// An expression of real numbers may be compared with an integer, but an integer column can't hold what it makes.
template <class To, class From>
inline constexpr bool kinds_assign = kinds_compare<To, From>;
template <>
inline constexpr bool kinds_assign<sql::kinds::Integer, sql::kinds::Real> = false;

template <class X>
inline constexpr bool is_float_column = false;
template <class T, std::size_t I>
inline constexpr bool is_float_column<sql::Field<T, I>> = std::is_same_v<bare<member_type<T, I>>, float>;

/// One value that a column takes. Beside a float column a condition may have any number; a float
/// that is stored must be one.
template <class T, std::size_t I, class X>
[[gnu::always_inline]] constexpr void put_assigned(Param& out, X&& x) {
  using Target = ColumnTarget<T, I>;
  using V = std::remove_cvref_t<X>;
  if constexpr (std::is_same_v<typename Target::M, float> && !std::is_same_v<V, float>) {
    if (!is_float(x)) [[unlikely]] throw_out_of_range(table_data<T>.name, table_data<T>.columns[I].name);
  }
  Target::put(out, static_cast<X&&>(x));
}

template <class F, class R>
[[gnu::always_inline]] constexpr auto assign_value(const F&, R&& r) {
  using T = typename F::model;
  using V = std::remove_cvref_t<R>;
  using Target = ColumnTarget<T, F::index>;
  constexpr bool nullable = unwrap_optional<member_type<T, F::index>>::is_optional;
  static_assert(!table_data<T>.columns[F::index].generated, "quark: a generated column can't be set");
  constexpr sql::Code value = sql::code(sql::Node::value, 0, F::index);
  if constexpr (sql::Operand<V>) {
    check_not_kept<R>();
    static_assert(kinds_assign<typename F::kind, typename V::kind>,
                  "quark: the expression has another type than the column it is assigned to");
    static_assert(!std::is_same_v<typename Target::M, float> || is_float_column<V>,
                  "quark: engines calculate in double precision, which a float column can't hold: make it a double, or "
                  "assign a value");
    const auto& e = as_expr(r);
    return []<class K, unsigned N, unsigned G, sql::Code... C>(const sql::Expr<T, K, N, G, C...>& x) {
      return sql::Assignment<T, N, G, sql::code(sql::Node::assign, 0, F::index), C...>{x.values};
    }(e);
  } else if constexpr (std::is_same_v<V, std::nullopt_t> || unwrap_optional<V>::is_optional) {
    static_assert(nullable, "quark: only a column whose member is a std::optional can be set to NULL");
    sql::Assignment<T, 1, Target::flags, sql::code(sql::Node::assign, 0, F::index), value> out{};
    if constexpr (unwrap_optional<V>::is_optional) {
      static_assert(Target::template takes<const bare<V>&>(),
                    "quark: the value has another type than the column it is assigned to");
      if (r) {
        put_assigned<T, F::index>(out.values.params[0], *r);
        return out;
      }
    }
    Target::put_null(out.values.params[0]);
    return out;
  } else if constexpr (Target::template takes<R>()) {
    sql::Assignment<T, 1, Target::flags, sql::code(sql::Node::assign, 0, F::index), value> out{};
    put_assigned<T, F::index>(out.values.params[0], static_cast<R&&>(r));
    return out;
  } else {
    static_assert(sizeof(cannot_assign<T, column_name<T, F::index>, member_type<T, F::index>, V>) > 0);
    return sql::Assignment<T, 0, owns_all>{};
  }
}

}  // namespace detail

template <class Model, std::size_t I>
template <class R>
[[gnu::always_inline]] constexpr auto sql::Field<Model, I>::operator=(R&& value) const {
  return detail::assign_value(*this, static_cast<R&&>(value));
}
template <class Model, std::size_t I>
[[gnu::always_inline]] constexpr auto sql::Field<Model, I>::operator=(const Field& other) const {
  return detail::assign_value(*this, other);
}

namespace sql {

/// One term of ORDER BY. Written asc<&T::m> or desc<&T::m>.
template <class Model, Code... C>
struct OrderTerms {
  using model = Model;
};

}  // namespace sql

namespace detail {

template <auto Member>
consteval std::size_t index_to_order_by() {
  constexpr std::size_t i = index_of_member<Member>();
  static_assert(has_operator<sql::Field<typename member_of<Member>::model, i>>(sql::Op::lt),
                "quark: this column's type has no order");
  return i;
}

template <auto Member, bool Descending>
using order_terms = sql::OrderTerms<typename member_of<Member>::model, sql::code(sql::Node::term, Descending),
                                    sql::code(sql::Node::column, 0, index_to_order_by<Member>())>;

}  // namespace detail

/// Ascending by a column: order_by(asc<&User::name>). Where NULL stands is the engine's rule
/// (SQLite: first). A column that has no < has no order either: JSON, names of enumerators.
template <auto Member>
inline constexpr detail::order_terms<Member, false> asc{};
/// Descending by a column.
template <auto Member>
inline constexpr detail::order_terms<Member, true> desc{};

}  // namespace quark
