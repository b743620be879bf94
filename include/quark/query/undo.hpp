// An object changes only when its row has: what create() and upsert() write into it before the row is certain goes back
// to what it was when they fail. Used by query/insert.hpp.
#pragma once

#include <quark/query/entity.hpp>

#include <optional>

namespace quark::detail {

/// One member as it was.
template <class T, std::size_t I>
struct KeptMember {
  member_type<T, I> value;
};

template <class T, std::size_t... I>
class KeptMembers : KeptMember<T, I>... {
  using E = Entity<T>;
  // What the database fills isn't sent: it needs no copy.
  template <std::size_t K>
  static member_type<T, K> take(T& object) {
    if constexpr (sql::Columns<T>::filled_by_database(K)) {
      return std::move(E::template member<K>(object));
    } else {
      return E::template member<K>(object);
    }
  }

 public:
  explicit KeptMembers([[maybe_unused]] T& object) : KeptMember<T, I>{take<I>(object)}... {}
  void put_back([[maybe_unused]] T& object) {
    ((E::template member<I>(object) = std::move(KeptMember<T, I>::value)), ...);
  }
};

/// The columns that a statement may read back into the object, and updated_at.
template <class T>
struct ReadBack {
  static constexpr auto columns = sql::Columns<T>::choose([](std::size_t i) {
    return table_of<T>[i].key || sql::Columns<T>::filled_by_database(i) || i == table_of<T>.version ||
           i == table_of<T>.created_at || i == table_of<T>.updated_at;
  });

  /// Whether reading a column can fail although the row was written: a value that the member doesn't take. A made key
  /// is an integer, and in most cases as wide as its column where columns have a width.
  static consteval bool may_fail(Engine engine, std::size_t i) {
    const TypeInfo& info = infos_of<T>::infos[i];
    const bool wide = !info.narrow && (engine != Engine::sqlite || info.form == Form::i64);
    return !(table_of<T>[i].key && table_of<T>.generated_key && wide);
  }
  static consteval bool may_fail(Engine engine, sql::ColumnList list) {
    for (std::uint16_t i = 0; i < list.size; ++i)
      if (may_fail(engine, list.data[i])) return true;
    return false;
  }

 private:
  template <class Indexes>
  struct Pack;
  template <std::size_t... K>
  struct Pack<std::index_sequence<K...>> {
    using type = KeptMembers<T, columns.data[K]...>;
  };

 public:
  using Kept = typename Pack<std::make_index_sequence<columns.size>>::type;
};

/// Puts the object back unless keep() is called.
template <class T>
class ObjectUndo {
 public:
  /// `reads_back`: the statement writes into the object, so that its members are saved.
  ObjectUndo(T& object, bool reads_back) : object_(object) {
    if (reads_back) kept_.emplace(object);
  }
  ObjectUndo(const ObjectUndo&) = delete;
  ObjectUndo& operator=(const ObjectUndo&) = delete;
  ~ObjectUndo() {
    if (done_) return;
    if constexpr (Entity<T>::fills) Entity<T>::take_back(object_, filled_);
    if (kept_) kept_->put_back(object_);
  }
  void fill_new() {
    if constexpr (Entity<T>::fills) filled_ = Entity<T>::fill_new(object_);
  }
  void keep() { done_ = true; }

 private:
  T& object_;
  std::optional<typename ReadBack<T>::Kept> kept_;
  std::uint64_t filled_ = 0;
  bool done_ = false;
};

}  // namespace quark::detail
