// The writing terminals: create, create_batch, update, remove, upsert, and the mass update of .set(...).
#pragma once

#include <quark/exec/row_source.hpp>
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

// Create.

namespace detail {

/// Inserts or upserts by whatever statement: one function per model and engine. `run`: the columns lie side by side.
template <class T, class S>
[[gnu::noinline]] Outcome insert_object(S& session, const Statement& statement, const Slot& slot, sql::ColumnList columns,
                                        bool run, void (*rows)(typename S::Cursor&, void*), T& object) {
  using E = Entity<T>;
  Param row[E::n];
  E::put(object, row);
  Param* params = row;
  if (run) {
    params += columns.data[0];
  } else {
    // Inserted columns are in the model's order: none is overwritten before it was moved.
    Param* end = row;
    E::gather(row, columns, end);
  }
  return with_resolved<T>(params, columns.size,
                          [&] { return session.run(statement, &slot, params, columns.size, rows, &object); });
}

/// Writes the key that the engine made into the object. A member too narrow for it is refused, and the row taken back.
template <class T, class S>
[[gnu::noinline]] void take_made_key(S& session, T& object, std::int64_t key) {
  try {
    Entity<T>::set_key(object, key);
  } catch (const ConversionError&) {
    using Undo = sql::Compiled<sql::RemoveSpec<T, sql::CodePack<>, true, false>, S::engine>;
    Param param;
    codec<std::int64_t>::put(param, key);
    session.run(Undo::statement, &Undo::slot, &param, 1, nullptr, nullptr);
    throw;
  }
}

}  // namespace detail

template <class T, class S, class W, class O, unsigned F>
template <class Spec, bool KeyMade>
inline void Query<T, S, W, O, F>::insert(T& object) const {
  using E = detail::Entity<T>;
  using Constant = sql::Compiled<Spec, S::engine>;
  constexpr sql::Shape shape = Spec::shape(S::engine);
  void (*rows)(typename S::Cursor&, void*) = nullptr;
  if constexpr (shape.returning.size > 0) rows = &E::template read_back<typename S::Cursor, Spec>;
  const Outcome outcome = detail::insert_object<T>(handle_.session(), Constant::statement, Constant::slot, shape.columns,
                                                   E::is_run(shape.columns), rows, object);
  if constexpr (KeyMade) {
    // A trigger may drop the row; the last key is another row's then.
    if (outcome.affected == 0) [[unlikely]] detail::throw_not_inserted(table_of<T>.name);
    if constexpr (shape.returning.size == 0) {
      if constexpr (sizeof(typename E::Key) < sizeof(outcome.last_key)) {
        detail::take_made_key(handle_.session(), object, outcome.last_key);
      } else {
        E::set_key(object, outcome.last_key);
      }
    }
  }
}

template <class T, class S, class W, class O, unsigned F>
inline T& Query<T, S, W, O, F>::create(T& object) const {
  static_assert(W::Pack::codes.size == 0 && !W::is_dynamic, "quark: create() takes no conditions");
  using E = detail::Entity<T>;
  E::stamp(object, false);
  E::fill_defaults(object);
  if constexpr (table_of<T>.generated_key) {
    if (E::wants_key(object)) {
      insert<sql::InsertSpec<T, sql::InsertMode::without_key>, true>(object);
      return object;
    }
  }
  insert<sql::InsertSpec<T, sql::InsertMode::with_key>, false>(object);
  return object;
}
template <class T, class S, class W, class O, unsigned F>
inline T Query<T, S, W, O, F>::create(T&& object) const {
  create(object);
  return std::move(object);
}
template <class T, class S, class W, class O, unsigned F>
inline T Query<T, S, W, O, F>::create(const T& object) const {
  T copy(object);
  create(copy);
  return copy;
}

namespace detail {

/// The rows of a batch: a contiguous array is used as it is, any other range through pointers.
template <class T>
class BatchRows {
 public:
  template <class Range>
  explicit BatchRows(Range& range) {
    if constexpr (requires { { range.data() } -> std::convertible_to<T*>; range.size(); }) {
      first_ = range.data();
      size_ = range.size();
    } else {
      for (auto& element : range) pointers_.push_back(&element);
      size_ = pointers_.size();
    }
  }
  T& operator[](std::size_t i) const { return first_ != nullptr ? first_[i] : *pointers_[i]; }
  std::size_t size() const { return size_; }

 private:
  T* first_ = nullptr;
  std::vector<T*> pointers_;
  std::size_t size_ = 0;
};

/// A subset of a batch, in order: those whose key is to be made, or is given.
template <class T>
struct BatchPart {
  const BatchRows<T>& rows;
  std::vector<std::size_t> indexes;  // empty: all rows
  T& operator[](std::size_t i) const { return rows[indexes.empty() ? i : indexes[i]]; }
};

template <class T, bool WithKey>
void fill_row(const void* rows, std::size_t i, Param* out, Scratch&) {
  using E = Entity<T>;
  Param row[E::n];
  E::put((*static_cast<const BatchPart<T>*>(rows))[i], row);
  constexpr sql::ColumnList columns = sql::InsertSpec<T, WithKey ? sql::InsertMode::with_key : sql::InsertMode::without_key>::shape(Engine::sqlite).columns;
  if constexpr (E::is_run(columns)) {
    // A constant number of neighbours: the compiler copies them at once.
    for (std::size_t k = 0; k < columns.size; ++k) out[k] = row[columns.data[0] + k];
  } else {
    E::gather(row, columns, out);
  }
}

template <class T>
void set_batch_key(void* rows, std::size_t i, std::int64_t key) {
  Entity<T>::set_key((*static_cast<const BatchPart<T>*>(rows))[i], key);
}

template <class T, class S, bool WithKey>
void insert_part(S& session, const BatchPart<T>& part, std::size_t count) {
  constexpr auto rows_mode = WithKey ? sql::InsertMode::rows_with_key : sql::InsertMode::rows_without_key;
  constexpr auto one_mode = WithKey ? sql::InsertMode::with_key : sql::InsertMode::without_key;
  using Many = sql::Compiled<sql::InsertSpec<T, rows_mode>, S::engine>;
  using One = sql::Compiled<sql::InsertSpec<T, one_mode>, S::engine>;
  BatchInsert batch;
  batch.source.count = count;
  batch.source.columns = One::shape.columns.size;
  batch.source.fill = &fill_row<T, WithKey>;
  batch.source.rows = &part;
  batch.source.resolved = Entity<T>::resolved;
  if constexpr (!WithKey && table_of<T>.generated_key) batch.set_key = &set_batch_key<T>;
  batch.rows = const_cast<BatchPart<T>*>(&part);
  session.insert_rows(Many::statement, Many::slot, One::statement, One::slot, batch);
}

}  // namespace detail

template <class T, class S, class W, class O, unsigned F>
template <class Range>
inline std::uint64_t Query<T, S, W, O, F>::create_batch(Range&& range) const {
  static_assert(W::Pack::codes.size == 0 && !W::is_dynamic, "quark: create_batch() takes no conditions");
  static_assert(std::is_same_v<decltype(*range.begin()), T&>,
                "quark: create_batch(rows) takes a range of T that it can write keys into (not const, no temporaries)");
  static_assert(sql::Columns<T>::filled.size == 0,
                "quark: create_batch() can't read back generated(...) columns: use create()");
  using E = detail::Entity<T>;
  auto& session = handle_.session();
  const detail::BatchRows<T> rows(range);
  if (rows.size() == 0) return 0;
  std::size_t made = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    E::stamp(rows[i], false);
    E::fill_defaults(rows[i]);
    if (E::wants_key(rows[i])) ++made;
  }
  const detail::BatchPart<T> all{rows, {}};
  if (made == 0) {
    detail::insert_part<T, S, true>(session, all, rows.size());
  } else if constexpr (table_of<T>.generated_key) {
    if (made == rows.size()) {
      detail::insert_part<T, S, false>(session, all, rows.size());
    } else {
      // Mixed: given keys first, so that made ones can't collide with them; still all or nothing.
      detail::BatchPart<T> given{rows, {}}, wanted{rows, {}};
      for (std::size_t i = 0; i < rows.size(); ++i) (E::wants_key(rows[i]) ? wanted : given).indexes.push_back(i);
      const std::uint64_t tx = session.begin(typename S::Begin{});
      try {
        detail::insert_part<T, S, true>(session, given, given.indexes.size());
        detail::insert_part<T, S, false>(session, wanted, wanted.indexes.size());
        session.commit(tx);
      } catch (...) {
        session.abandon(tx);
        throw;
      }
    }
  }
  return rows.size();
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
  static_assert(std::is_same_v<std::remove_cvref_t<Object>, T>, "quark: update(x) takes an object of the query's model");
  detail::check_key<T>();
  check_writable();
  using E = detail::Entity<T>;
  static_assert(!E::changes_on_update || !std::is_const_v<std::remove_reference_t<Object>>,
                "quark: update(x) writes the new version or updated_at into x, so x can't be const");
  using Some = typename detail::some_columns<T, Members...>::type;
  if constexpr (!std::is_void_v<Some>)
    static_assert(detail::updatable<T, Some>(),
                  "quark: update<...>(x) can't set a key, version, created_at or generated column");
  using Spec = sql::UpdateSpec<T, typename W::Pack, Some, sql::CodePack<>, true>;
  static_assert(Spec::columns.size > 0 || table_of<T>.version != no_column, "quark: this model has no column to update");

  // The buffer holds the row, then what the row doesn't hold as the statement wants it. The usual columns (all but a
  // key in front) end the row: they are bound where they are.
  constexpr sql::ColumnList columns = Spec::columns.list();
  constexpr bool in_place = E::is_run(columns) && columns.data[0] + columns.size == E::n;
  constexpr std::size_t extra = E::n + (in_place ? 0 : columns.size) + table_of<T>.key.count + 1;
  detail::ParamBuffer<detail::buffer_size<W, extra>> buffer(detail::condition_size(where_) + extra);
  Param* const row = buffer.data();
  Param* const params = row + (in_place ? columns.data[0] : E::n);
  const auto run = [&](const T& x) -> std::uint64_t {
    E::put(x, row);
    Param* end = row + E::n;
    if constexpr (!in_place) E::gather(row, columns, end);
    where_.lay_out(end);
    if (detail::never(where_, end)) return 0;
    end += detail::condition_size(where_);
    E::gather(row, sql::ColumnList{table_of<T>.key.columns, table_of<T>.key.count}, end);
    if constexpr (table_of<T>.version != no_column) *end++ = row[table_of<T>.version];
    const auto n = static_cast<std::size_t>(end - params);
    return detail::with_resolved<T>(params, n, [&] {
      return detail::run_statement<Spec>(handle_.session(), where_, order_, params, n, nullptr, nullptr).affected;
    });
  };
  std::uint64_t affected = 0;
  if constexpr (E::changes_on_update) {
    detail::Restore<T> restore(object);
    E::stamp(object, true);
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
  if (detail::never(where_, params)) return 0;
  Param* end = params + detail::condition_size(where_);
  E::gather(row, sql::ColumnList{table_of<T>.key.columns, table_of<T>.key.count}, end);
  if constexpr (versioned) *end++ = row[table_of<T>.version];
  const auto n = static_cast<std::size_t>(end - params);
  const std::uint64_t affected = detail::with_resolved<T>(params, n, [&] {
    return detail::run_statement<Spec>(handle_.session(), where_, order_, params, n, nullptr, nullptr).affected;
  });
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
/// A mass write needs a condition, or everything(); a Filter is asked at run time.
template <class W, unsigned F>
void check_condition(const W& where) {
  static_assert(W::is_dynamic || W::Pack::codes.size > 0 || (F & on_everything) != 0,
                "quark: update() and remove() without a condition would change the whole table: say .everything() "
                "if that is meant");
  if constexpr (W::is_dynamic && (F & on_everything) == 0) {
    if (where.data.empty())
      throw_misuse("update() and remove() with an empty filter would change the whole table: say .everything() if that is meant");
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

// Upsert.

template <class T, class S, class W, class O, unsigned F>
template <class On, class Set>
inline T& Query<T, S, W, O, F>::upsert_columns(T& object) const {
  static_assert(W::Pack::codes.size == 0 && !W::is_dynamic, "quark: upsert() takes no conditions");
  static_assert(detail::is_unique_key<T>(On::list),
                "quark: upsert(x, on<...>) needs the primary key or columns that the model declares unique(...)");
  if constexpr (!std::is_void_v<Set>)
    static_assert(detail::updatable<T, Set>(),
                  "quark: upsert(x, on<...>, set<...>) can't set a key, version, created_at or generated column");
  using E = detail::Entity<T>;
  E::stamp(object, false);
  if constexpr (table_of<T>.updated_at != no_column) E::stamp(object, true);
  E::fill_defaults(object);
  if constexpr (table_of<T>.generated_key) {
    if (E::wants_key(object)) {
      insert<sql::UpsertSpec<T, On, Set, false>, false>(object);
      return object;
    }
  }
  insert<sql::UpsertSpec<T, On, Set, true>, false>(object);
  return object;
}

template <class T, class S, class W, class O, unsigned F>
template <auto... On, auto... Set>
inline T& Query<T, S, W, O, F>::upsert(T& object, OnColumns<On...>, SetColumns<Set...>) const {
  return upsert_columns<detail::members_pack<On...>, detail::members_pack<Set...>>(object);
}
template <class T, class S, class W, class O, unsigned F>
template <auto... On>
inline T& Query<T, S, W, O, F>::upsert(T& object, OnColumns<On...>) const {
  return upsert_columns<detail::members_pack<On...>, void>(object);
}
template <class T, class S, class W, class O, unsigned F>
inline T& Query<T, S, W, O, F>::upsert(T& object) const {
  detail::check_key<T>();
  return upsert_columns<detail::primary_key_pack<T>, void>(object);
}

}  // namespace quark
