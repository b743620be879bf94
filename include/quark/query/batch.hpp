// create_batch(): many objects in one statement where the engine can, all of them or none.
#pragma once

#include <quark/exec/row_source.hpp>
#include <quark/query/write.hpp>

#include <vector>

namespace quark {
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

/// Takes stamps and defaults back unless keep() is called: objects change only when their rows have.
template <class T>
class BatchUndo {
 public:
  explicit BatchUndo(const BatchRows<T>& rows) : rows_(rows) {
    if constexpr (Entity<T>::fills) filled_.reserve(rows.size());
  }
  BatchUndo(const BatchUndo&) = delete;
  BatchUndo& operator=(const BatchUndo&) = delete;
  ~BatchUndo() {
    for (std::size_t i = 0; i < filled_.size(); ++i) Entity<T>::take_back(rows_[i], filled_[i]);
  }
  void fill_new(std::size_t i) {
    if constexpr (Entity<T>::fills) filled_.push_back(Entity<T>::fill_new(rows_[i]));
  }
  void keep() { filled_.clear(); }

 private:
  const BatchRows<T>& rows_;
  std::vector<std::uint64_t> filled_;  // what fill_new() says of each row
};

template <class T, bool WithKey>
void fill_row(const void* rows, std::size_t i, Param* out, Scratch&) {
  using E = Entity<T>;
  Param row[E::n];
  E::put((*static_cast<const BatchPart<T>*>(rows))[i], row);
  constexpr sql::InsertMode mode = WithKey ? sql::InsertMode::with_key : sql::InsertMode::without_key;
  constexpr sql::ColumnList columns = sql::InsertSpec<T, mode>::shape(Engine::sqlite).columns;
  if constexpr (is_adjacent(columns)) {
    // A constant number of neighbours: the compiler copies them at once.
    for (std::size_t k = 0; k < columns.size; ++k) out[k] = row[columns.data[0] + k];
  } else {
    gather(row, columns, out);
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
  batch.key_may_not_fit = Entity<T>::key_may_not_fit;
  session.insert_rows(Many::statement, Many::slot, One::statement, One::slot, batch);
}

/// All rows of a batch: one function per model and engine, whatever range they came in.
template <class T, class S>
std::uint64_t insert_rows(S& session, const BatchRows<T>& rows) {
  using E = Entity<T>;
  if (rows.size() == 0) return 0;
  std::size_t made = 0;
  BatchUndo<T> undo(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    undo.fill_new(i);
    if (E::wants_key(rows[i])) ++made;
  }
  const BatchPart<T> all{rows, {}};
  if (made == 0) {
    insert_part<T, S, true>(session, all, rows.size());
  } else if constexpr (table_of<T>.generated_key) {
    if (made == rows.size()) {
      insert_part<T, S, false>(session, all, rows.size());
    } else {
      // Mixed: given keys first, so that made ones can't collide with them; still all or nothing.
      BatchPart<T> given{rows, {}}, wanted{rows, {}};
      for (std::size_t i = 0; i < rows.size(); ++i) (E::wants_key(rows[i]) ? wanted : given).indexes.push_back(i);
      const std::uint64_t tx = session.begin(typename S::Begin{});
      try {
        insert_part<T, S, true>(session, given, given.indexes.size());
        insert_part<T, S, false>(session, wanted, wanted.indexes.size());
        session.commit(tx);
      } catch (...) {
        session.abandon(tx);
        for (const std::size_t i : wanted.indexes) E::clear_key(rows[i]);
        throw;
      }
    }
  }
  undo.keep();
  return rows.size();
}

}  // namespace detail

template <class T, class S, class W, class O, unsigned F>
template <class Range>
inline std::uint64_t Query<T, S, W, O, F>::create_batch(Range&& range) const {
  static_assert(W::Pack::codes.size == 0 && !W::is_dynamic, "quark: create_batch() takes no conditions");
  check_writable();
  constexpr bool writable = std::is_same_v<decltype(*range.begin()), T&>;
  static_assert(writable,
                "quark: create_batch(rows) takes a range of T that it can write keys into (not const, no temporaries)");
  static_assert(sql::Columns<T>::filled.size == 0,
                "quark: create_batch() can't read back generated(...) columns: use create()");
  if constexpr (writable && is_any<S>) {
    const detail::BatchRows<T> rows(range);
    detail::on_chosen<T>(handle_.session(), [&rows](auto& native) { detail::insert_rows(native, rows); });
    return rows.size();
  } else if constexpr (writable) {
    return detail::insert_rows(handle_.session(), detail::BatchRows<T>(range));
  } else {
    return 0;
  }
}

}  // namespace quark
