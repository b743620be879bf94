// create() and upsert(): one object becomes one row, and what the database made of it comes back.
#pragma once

#include <quark/exec/transaction.hpp>
#include <quark/query/undo.hpp>
#include <quark/query/write.hpp>

namespace quark {
namespace detail {

/// A SELECT of the columns that an INSERT or upsert returns.
struct ReadAgain {
  const Statement* statement = nullptr;
  const Slot* slot = nullptr;
  sql::ColumnList by{};  // its parameters
};

/// Whether a session of this kind may be with a server that has no RETURNING; then it says so.
template <class S>
inline constexpr bool may_leave_unread = requires(const S& session) { session.returns_rows(); };

/// An INSERT or upsert as insert_row() needs it: a constant per statement, so that the code is one
/// function per model.
template <class S>
struct InsertCall {
  const Statement& statement;
  const Slot& slot;
  sql::ColumnList columns;
  bool adjacent;   // the columns lie side by side in a row of parameters
  bool tells_key;  // the engine makes the key and tells it without RETURNING
  bool upserts;
  bool guarded;  // a value that comes back may be refused: a transaction, so that the row isn't written then
  void (*rows)(typename S::Cursor&, void*);  // reads RETURNING columns; null: there are none
  ReadAgain again;  // by key, after a trigger wrote; none where no column is one that a trigger could fill
  ReadAgain found;  // by the columns of an upsert's conflict, where there is no RETURNING
};

template <class T, class S, class Spec, bool MakesKey>
consteval InsertCall<S> make_insert_call() {
  using Constant = sql::Compiled<Spec, S::engine>;
  constexpr auto& shape = Constant::shape;
  InsertCall<S> call{.statement = Constant::statement,
                     .slot = Constant::slot,
                     .columns = shape.columns,
                     .adjacent = is_adjacent(shape.columns),
                     .tells_key = MakesKey && shape.returning.size == 0,
                     .upserts = shape.verb == sql::Verb::upsert,
                     .guarded = false,
                     .rows = nullptr,
                     .again = {},
                     .found = {}};
  if constexpr (shape.returning.size > 0) {
    call.guarded = ReadBack<T>::may_fail(S::engine, shape.returning);
    call.rows = &Entity<T>::template read_back<typename S::Cursor, Spec>;
  }
  constexpr bool unread = may_leave_unread<S> && shape.returning.size > 0;
  if constexpr ((sql::Columns<T>::filled.size > 0 || unread) && table_of<T>.key.count > 0) {
    using Again = sql::Compiled<sql::ReadAgainSpec<Spec>, S::engine>;
    call.again = {&Again::statement, &Again::slot, {table_of<T>.key.columns, table_of<T>.key.count}};
  }
  if constexpr (unread && shape.verb == sql::Verb::upsert) {
    using Found = sql::Compiled<sql::ReadAgainSpec<Spec, true>, S::engine>;
    call.found = {&Found::statement, &Found::slot, shape.conflict};
  }
  return call;
}
template <class T, class S, class Spec, bool MakesKey>
inline constexpr InsertCall<S> insert_call = make_insert_call<T, S, Spec, MakesKey>();

/// Writes the key that the engine made into the object. A member too narrow for it is refused, and the row taken back.
template <class T, class S>
[[gnu::noinline]] void take_narrow_key(S& session, T& object, std::int64_t key) {
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

/// Sends an INSERT or upsert and reads back what it returns.
template <class T, class S>
[[gnu::always_inline]] inline Outcome insert_row(S& session, const InsertCall<S>& call, T& object) {
  using E = Entity<T>;
  Param row[E::n];
  E::put(object, row);
  Param* params = row;
  if (call.adjacent) {
    params += call.columns.data[0];
  } else {
    // Inserted columns are in the model's order: none is overwritten before it was moved.
    Param* end = row;
    gather(row, call.columns, end);
  }
  Outcome outcome;
  if constexpr (E::resolved) {
    outcome = session.run(call.statement, &call.slot, params, call.columns.size, call.rows, &object);
  } else {
    Scratch scratch;
    resolve(params, call.columns.size, scratch);
    outcome = session.run(call.statement, &call.slot, params, call.columns.size, call.rows, &object);
  }
  // A trigger may drop the row; the last key is another row's then.
  if (outcome.affected == 0 || (call.rows != nullptr && outcome.rows == 0 && !outcome.unread)) [[unlikely]]
    throw_not_inserted(table_of<T>.name);
  if constexpr (table_of<T>.generated_key) {
    if (call.tells_key) {
      if constexpr (E::key_may_not_fit) {
        take_narrow_key(session, object, outcome.last_key);
      } else {
        E::set_key(object, outcome.last_key);
      }
    }
  }
  return outcome;
}

/// Reads the columns that the database fills by a statement of their own: RETURNING doesn't see what a trigger wrote
/// after it, and some servers have none.
template <class T, class S>
[[gnu::noinline]] void read_again(S& session, const InsertCall<S>& call, const ReadAgain& again, T& object) {
  using E = Entity<T>;
  Param row[E::n];
  E::put(object, row);
  Param by[E::n];
  Param* end = by;
  gather(row, again.by, end);
  with_resolved<T>(by, again.by.size, [&] {
    const Outcome outcome = session.run(*again.statement, again.slot, by, again.by.size, call.rows, &object);
    if (outcome.rows == 0) throw_not_inserted(table_of<T>.name);
  });
}

/// Inserts or upserts where the server has no RETURNING: in a transaction, so that what is read belongs to the row.
template <class T, class S>
[[gnu::noinline]] void insert_and_read(S& session, const InsertCall<S>& call, T& object) {
  using E = Entity<T>;
  Param row[E::n];
  E::put(object, row);
  // NULL meets nothing, nor does a key that is only being made: such a row is new.
  bool can_meet = call.found.statement != nullptr;
  for (std::uint16_t i = 0; i < call.found.by.size; ++i) {
    const std::uint16_t column = call.found.by.data[i];
    const bool made = table_of<T>[column].key && !call.statement.made_key.empty();
    can_meet = can_meet && !row[column].null && !made;
  }
  const ReadAgain& again = can_meet ? call.found : call.again;
  if (again.statement == nullptr) throw_unread(table_of<T>.name);
  Transaction<S> whole(session, typename S::Begin{});
  const Outcome outcome = insert_row(session, call, object);
  if constexpr (table_of<T>.generated_key) {
    if (!can_meet && !call.statement.made_key.empty()) E::set_key(object, outcome.last_key);
  }
  read_again(session, call, again, object);
  whole.commit();
}

/// Inserts or upserts by whatever statement: one function per model and engine.
template <class T, class S>
[[gnu::noinline]] void insert_or_undo(S& session, const InsertCall<S>& call, T& object) {
  using E = Entity<T>;
  ObjectUndo<T> undo(object, call.rows != nullptr || (E::has_stamps && call.upserts));
  undo.fill_new();
  if (call.upserts) E::stamp_update(object);
  if constexpr (may_leave_unread<S>) {
    if (call.rows != nullptr && !session.returns_rows()) {
      insert_and_read(session, call, object);
      return undo.keep();
    }
  }
  if constexpr (ReadBack<T>::may_fail(S::engine, ReadBack<T>::columns.list())) {
    if (call.guarded) {
      Transaction<S> whole(session, typename S::Begin{});
      const Outcome outcome = insert_row(session, call, object);
      if constexpr (sql::Columns<T>::filled.size > 0 && table_of<T>.key.count > 0) {
        if (outcome.triggered) read_again(session, call, call.again, object);
      }
      whole.commit();
      return undo.keep();
    }
  }
  insert_row(session, call, object);
  undo.keep();
}

/// The same for a create() that writes nothing into the object but a key, which the engine tells when the row is there:
/// no failure can leave the object changed.
template <class T, class S>
[[gnu::noinline]] void insert_plainly(S& session, const InsertCall<S>& call, T& object) {
  insert_row(session, call, object);
}

}  // namespace detail

template <class T, class S, class W, class O, unsigned F>
inline T& Query<T, S, W, O, F>::create(T& object) const {
  static_assert(W::Pack::codes.size == 0 && !W::is_dynamic, "quark: create() takes no conditions");
  check_writable();
  if constexpr (is_any<S>) {
    detail::on_chosen<T>(handle_.session(),
                         [&object](auto& native) { detail::query_on<T>(native).create(object); });
  } else {
    using E = detail::Entity<T>;
    const auto* call = &detail::insert_call<T, S, sql::InsertSpec<T, sql::InsertMode::with_key>, false>;
    if constexpr (table_of<T>.generated_key) {
      if (E::wants_key(object))
        call = &detail::insert_call<T, S, sql::InsertSpec<T, sql::InsertMode::without_key>, true>;
    }
    if constexpr (E::fills || sql::Columns<T>::returning(S::engine, true).size > 0) {
      detail::insert_or_undo(handle_.session(), *call, object);
    } else {
      detail::insert_plainly(handle_.session(), *call, object);
    }
  }
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

// Upsert.

template <class T, class S, class W, class O, unsigned F>
template <class On, class Set>
inline T& Query<T, S, W, O, F>::upsert_columns(T& object) const {
  static_assert(W::Pack::codes.size == 0 && !W::is_dynamic, "quark: upsert() takes no conditions");
  check_writable();
  static_assert(detail::is_unique_key<T>(On::list),
                "quark: upsert(x, on<...>) needs the primary key or columns that the model declares unique(...)");
  if constexpr (!std::is_void_v<Set>)
    static_assert(detail::updatable<T, Set>(),
                  "quark: upsert(x, on<...>, set<...>) can't set a key, version, created_at or generated column");
  if constexpr (is_any<S>) {
    detail::on_chosen<T>(handle_.session(), [&object](auto& native) {
      detail::query_on<T>(native).template upsert_columns<On, Set>(object);
    });
  } else {
    using E = detail::Entity<T>;
    const auto* call = &detail::insert_call<T, S, sql::UpsertSpec<T, On, Set, true>, false>;
    if constexpr (table_of<T>.generated_key) {
      if (E::wants_key(object)) call = &detail::insert_call<T, S, sql::UpsertSpec<T, On, Set, false>, false>;
    }
    detail::insert_or_undo(handle_.session(), *call, object);
  }
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
