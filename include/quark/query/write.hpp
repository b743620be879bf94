// update() and remove(): by key, or by a condition. create() and upsert() are in insert.hpp,
// create_batch() in batch.hpp, the mass update of .set(...) in update.hpp.
#pragma once

#include <quark/query/read.hpp>

namespace quark {
namespace detail {

template <class T>
constexpr void check_key() {
  static_assert(table_of<T>.key.count > 0,
                "quark: this model has no primary key: name a member `id` or say quark::key(&T::member)");
}

template <auto... Members>
using members_pack = sql::IndexPack<static_cast<std::uint16_t>(index_of_member<Members>())...>;

template <class T, class Indexes>
struct key_pack;
template <class T, std::size_t... I>
struct key_pack<T, std::index_sequence<I...>> {
  using type = sql::IndexPack<table_of<T>.key.columns[I]...>;
};
template <class T>
using primary_key_pack = typename key_pack<T, std::make_index_sequence<table_of<T>.key.count>>::type;

/// Whether these columns are the primary key or a declared unique index, in any order.
template <class T>
consteval bool is_unique_key(sql::ColumnList list) {
  const auto same = [&](const meta::ColumnSet& set) {
    if (set.count != list.size) return false;
    for (std::uint16_t i = 0; i < set.count; ++i) {
      bool found = false;
      for (std::uint16_t k = 0; k < list.size; ++k) found = found || list.data[k] == set.columns[i];
      if (!found) return false;
    }
    return true;
  };
  constexpr const meta::Table& table = table_of<T>;
  if (same(table.key)) return true;
  for (std::uint16_t i = 0; i < table.index_count; ++i)
    if (table.indexes[i].unique && same(table.indexes[i].columns)) return true;
  return false;
}

/// Resolves user types that need storage, only for models that have them.
template <class T, class Run>
[[gnu::always_inline]] inline auto with_resolved(Param* params, std::size_t count, Run&& run) {
  if constexpr (Entity<T>::resolved) {
    return run();
  } else {
    Scratch scratch;
    resolve(params, count, scratch);
    return run();
  }
}

/// Puts updated_at back when the write fails: an object changes only when its row has.
template <class T>
class Restore {
  static constexpr bool stamped = table_of<T>.updated_at != no_column;
  static auto& stamp_of(T& object) { return Entity<T>::template member<table_of<T>.updated_at>(object); }

 public:
  explicit Restore(T& object) : object_(object), old_(stamp_of(object)) {}
  Restore(const Restore&) = delete;
  Restore& operator=(const Restore&) = delete;
  ~Restore() {
    if (!kept_) stamp_of(object_) = old_;
  }
  void keep() { kept_ = true; }

 private:
  T& object_;
  member_type<T, stamped ? table_of<T>.updated_at : 0> old_;
  bool kept_ = false;
};
template <class T>
  requires(table_of<T>.updated_at == no_column)
class Restore<T> {
 public:
  explicit Restore(T&) {}
  void keep() {}
};

}  // namespace detail

template <class T, class S, class W, class O, unsigned F>
constexpr void Query<T, S, W, O, F>::check_writable() {
  static_assert((F & (has_limit | has_offset | is_distinct)) == 0 && O::Pack::codes.size == 0 && !O::is_dynamic,
                "quark: a write takes conditions, but no order, limit, offset or distinct");
}

// Update by key.

namespace detail {
template <class T, class Some>
consteval bool updatable() {
  for (std::uint16_t i = 0; i < Some::list.size; ++i) {
    bool found = false;
    for (std::uint16_t k = 0; k < sql::Columns<T>::updated.size; ++k)
      found = found || sql::Columns<T>::updated.data[k] == Some::list.data[i];
    if (!found) return false;
  }
  return true;
}
template <class T, auto... Members>
struct some_columns {
  using type = members_pack<Members...>;
};
template <class T>
struct some_columns<T> {
  using type = void;
};
}  // namespace detail

template <class T, class S, class W, class O, unsigned F>
template <auto... Members, class Object>
inline std::uint64_t Query<T, S, W, O, F>::update(Object&& object) const {
  static_assert(std::is_same_v<std::remove_cvref_t<Object>, T>,
                "quark: update(x) takes an object of the query's model");
  detail::check_key<T>();
  check_writable();
  using E = detail::Entity<T>;
  constexpr bool writes_back = E::changes_on_update && !std::is_const_v<std::remove_reference_t<Object>>;
  static_assert(!E::changes_on_update || writes_back,
                "quark: update(x) writes the new version or updated_at into x, so x can't be const");
  using Some = typename detail::some_columns<T, Members...>::type;
  if constexpr (!std::is_void_v<Some>)
    static_assert(detail::updatable<T, Some>(),
                  "quark: update<...>(x) can't set a key, version, created_at or generated column");
  using Spec = sql::UpdateSpec<T, typename W::Pack, Some, sql::CodePack<>, true>;
  static_assert(Spec::columns.size > 0 || table_of<T>.version != no_column,
                "quark: this model has no column to update");

  // The buffer holds the row, then what the row doesn't hold as the statement wants it. The usual columns (all but a
  // key in front) end the row: they are bound where they are.
  constexpr sql::ColumnList columns = Spec::columns.list();
  constexpr bool in_place = detail::is_adjacent(columns) && columns.data[0] + columns.size == E::n;
  constexpr std::size_t extra = E::n + (in_place ? 0 : columns.size) + table_of<T>.key.count + 1;
  detail::ParamBuffer<detail::buffer_size<W, extra>> buffer(detail::condition_size(where_) + extra);
  Param* const row = buffer.data();
  Param* const params = row + (in_place ? columns.data[0] : E::n);
  const auto run = [&](const T& x) -> std::uint64_t {
    E::put(x, row);
    Param* end = row + E::n;
    if constexpr (!in_place) detail::gather(row, columns, end);
    where_.lay_out(end);
    if (detail::never(where_, end)) return 0;
    end += detail::condition_size(where_);
    detail::gather(row, sql::ColumnList{table_of<T>.key.columns, table_of<T>.key.count}, end);
    if constexpr (table_of<T>.version != no_column) *end++ = row[table_of<T>.version];
    const auto n = static_cast<std::size_t>(end - params);
    return detail::with_resolved<T>(params, n, [&] {
      return detail::run_statement<Spec>(handle_.session(), where_, order_, params, n, nullptr, nullptr).affected;
    });
  };
  std::uint64_t affected = 0;
  if constexpr (writes_back) {
    E::check_version(object);
    detail::Restore<T> restore(object);
    E::stamp_update(object);
    affected = run(object);
    if (affected > 0) {
      restore.keep();
      E::count_version_up(object);
    }
  } else {
    affected = run(object);
  }
  if constexpr (table_of<T>.version != no_column) {
    if (affected == 0) detail::throw_stale(table_of<T>.name);
  }
  return affected;
}

// Remove.

template <class T, class S, class W, class O, unsigned F>
inline std::uint64_t Query<T, S, W, O, F>::remove(const T& object) const {
  detail::check_key<T>();
  check_writable();
  using E = detail::Entity<T>;
  constexpr bool versioned = table_of<T>.version != no_column;
  using Spec = sql::RemoveSpec<T, typename W::Pack, true, versioned>;
  constexpr std::size_t extra = table_of<T>.key.count + 1;
  detail::ParamBuffer<detail::buffer_size<W, extra>> buffer(detail::condition_size(where_) + extra);
  Param* const params = buffer.data();
  Param row[E::n];
  E::put(object, row);
  where_.lay_out(params);
  std::uint64_t affected = 0;
  if (!detail::never(where_, params)) {
    Param* end = params + detail::condition_size(where_);
    detail::gather(row, sql::ColumnList{table_of<T>.key.columns, table_of<T>.key.count}, end);
    if constexpr (versioned) *end++ = row[table_of<T>.version];
    const auto n = static_cast<std::size_t>(end - params);
    affected = detail::with_resolved<T>(params, n, [&] {
      return detail::run_statement<Spec>(handle_.session(), where_, order_, params, n, nullptr, nullptr).affected;
    });
  }
  if constexpr (versioned) {
    if (affected == 0) detail::throw_stale(table_of<T>.name);
  }
  return affected;
}

template <class T, class S, class W, class O, unsigned F>
template <class... K>
inline std::uint64_t Query<T, S, W, O, F>::remove_by_key(const K&... key) const {
  check_writable();
  using Spec = sql::RemoveSpec<T, typename W::Pack, true, false>;
  constexpr std::size_t keys = table_of<T>.key.count;
  detail::ParamBuffer<detail::buffer_size<W, keys>> buffer(detail::condition_size(where_) + keys);
  Param* const params = buffer.data();
  where_.lay_out(params);
  if (detail::never(where_, params)) return 0;
  const std::size_t n = detail::condition_size(where_);
  detail::put_key<T>(params + n, key...);
  return detail::with_resolved<T>(params + n, keys, [&] {
    return detail::run_statement<Spec>(handle_.session(), where_, order_, params, n + keys, nullptr, nullptr).affected;
  });
}

namespace detail {
/// Calls `fn` with the session of the engine that was chosen at run time, unless that has no place for such a model.
template <class T, class S, class F>
void on_chosen(S& session, F&& fn) {
  session.pick([&fn]<class N>(N& native) {
    if constexpr (has_array<T> && N::engine != Engine::postgres) {
      throw_unsupported(table_of<T>.name, "only PostgreSQL has arrays");
    } else {
      fn(native);
    }
  });
}
/// A query without clauses on a session: what a write becomes there.
template <class T, class S>
auto query_on(S& session) {
  return EmptyQuery<S, T>(Handle<S>(session));
}

/// A mass write needs a condition, or everything(); a Filter is asked at run time.
template <class W, unsigned F>
void check_condition(const W& where) {
  static_assert(W::is_dynamic || W::Pack::codes.size > 0 || (F & on_everything) != 0,
                "quark: update() and remove() without a condition would change the whole table: say .everything() "
                "if that is meant");
  if constexpr (W::is_dynamic && (F & on_everything) == 0) {
    if (where.data.empty())
      throw_misuse(
          "update() and remove() with an empty filter would change the whole table: say "
          ".everything() if that is meant");
  }
}
}  // namespace detail

template <class T, class S, class W, class O, unsigned F>
inline std::uint64_t Query<T, S, W, O, F>::remove() const {
  check_writable();
  detail::check_condition<W, F>(where_);
  using Spec = sql::RemoveSpec<T, typename W::Pack, false, false>;
  const std::size_t n = detail::condition_size(where_);
  detail::ParamBuffer<detail::buffer_size<W, 0>> buffer(n);
  where_.lay_out(buffer.data());
  if (detail::never(where_, buffer.data())) return 0;
  return detail::run_statement<Spec>(handle_.session(), where_, order_, buffer.data(), n, nullptr, nullptr).affected;
}

}  // namespace quark
