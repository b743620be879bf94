// The mass update: For<T>(db).where(...).set(field<&T::a> = 1, field<&T::b> = field<&T::b> + 1).update()
// Versions are counted up and updated_at is stamped, as they are for single objects.
#pragma once

#include <quark/query/write.hpp>

namespace quark {
namespace detail {

/// now() as the column's parameter.
template <class T>
void put_stamp(Param& out) {
  constexpr std::size_t i = table_of<T>.updated_at;
  using M = member_type<T, i>;
  M now{};
  Entity<T>::set_now(now);
  column_codec<T, i>::put(out, now);
}

template <class T, unsigned N, unsigned G, sql::Code... A>
[[gnu::always_inline]] constexpr StaticWhere<T, N, G, A...> as_sets(const sql::Assignment<T, N, G, A...>& a) {
  return own_values<T, N, G, A...>(a.values);
}
template <class T, unsigned N, unsigned G, sql::Code... A, unsigned M, unsigned H, sql::Code... B>
[[gnu::always_inline]] constexpr auto add_set(const StaticWhere<T, N, G, A...>& sets,
                                              const sql::Assignment<T, M, H, B...>& more) {
  return own_values<T, N + M, G | H, A..., B...>(join_values(laid_out(sets), more.values));
}

template <class Sets>
[[gnu::always_inline]] constexpr const Sets& fold_sets(const Sets& sets) {
  return sets;
}
template <class Sets, class First, class... More>
[[gnu::always_inline]] constexpr auto fold_sets(const Sets& sets, const First& first, const More&... more) {
  return fold_sets(add_set(sets, first), more...);
}

// One column set twice is an error of some engines and a surprise on the others.
constexpr bool sets_twice(sql::Codes codes) {
  for (std::size_t i = 0; i < codes.size; ++i)
    for (std::size_t k = i + 1; k < codes.size; ++k)
      if (sql::node_of(codes.data[i]) == sql::Node::assign && codes.data[i] == codes.data[k]) return true;
  return false;
}

}  // namespace detail

/// A mass update that waits for its update().
template <class T, class S, class W, class Sets, unsigned F>
class [[nodiscard("quark: a mass update does nothing before its update() is called")]] MassUpdate {
 public:
  using model = T;
  constexpr MassUpdate(Handle<S> handle, W where, Sets sets)
      : handle_(handle), where_(std::move(where)), sets_(std::move(sets)) {}

  /// Changes the rows that meet the condition and returns how many did; zero is no error. Without a condition say
  /// everything() before.
  std::uint64_t update() const {
    detail::check_condition<W, F>(where_);
    using Spec = sql::UpdateSpec<T, typename W::Pack, void, typename Sets::Pack, false>;
    constexpr std::size_t extra = Sets::count + 1;
    detail::ParamBuffer<detail::buffer_size<W, extra>> buffer(detail::condition_size(where_) + extra);
    Param* const params = buffer.data();
    Param* end = params;
    if constexpr (Spec::columns.size > 0) detail::put_stamp<T>(*end++);
    sets_.lay_out(end);
    end += Sets::count;
    where_.lay_out(end);
    if (detail::never(where_, end)) return 0;
    end += detail::condition_size(where_);
    return detail::run_statement<Spec>(handle_.session(), where_, StaticOrder<>{}, params,
                                       static_cast<std::size_t>(end - params), nullptr, nullptr)
        .affected;
  }

  // For this library's own files.
  const W& condition() const { return where_; }

 private:
  Handle<S> handle_;
  W where_;
  Sets sets_;
};

template <class T, class S, class W, class O, unsigned F>
template <class... A>
[[gnu::always_inline]] constexpr auto Query<T, S, W, O, F>::set(A&&... assignments) const {
  check_writable();
  static_assert(sizeof...(A) > 0, "quark: set() needs assignments, such as field<&T::age> = 3");
  static_assert((std::is_same_v<typename std::remove_cvref_t<A>::model, T> && ...),
                "quark: this assignment is about another model than the query");
  static_assert(!((std::is_lvalue_reference_v<A> && (std::remove_cvref_t<A>::flags & borrows_values) != 0) || ...),
                "quark: this kept assignment borrows text that may be gone: write it inside set(...)");
  const auto sets = [](const auto& first, const auto&... more) {
    return detail::fold_sets(detail::as_sets(first), more...);
  }(assignments...);
  using Sets = std::remove_cvref_t<decltype(sets)>;
  static_assert(!detail::sets_twice(Sets::Pack::codes), "quark: set() names a column twice");
  return MassUpdate<T, S, W, Sets, F>(handle_, where_, sets);
}

}  // namespace quark
