// copy_in(): any number of rows by PostgreSQL's COPY, read from a range one at a time. All of them or none.
#pragma once

#include <quark/exec/row_source.hpp>
#include <quark/query/write.hpp>

#include <optional>

namespace quark {
namespace detail {

/// COPY "table" ("a", "b") FROM STDIN in binary.
std::string copy_text(const meta::Table& table, sql::ColumnList columns);
[[noreturn, gnu::cold]] void throw_mixed_keys(std::string_view table);

/// A range on its way into a COPY. The first row decides whether the database makes the keys.
template <class T, class Range>
class CopyRows {
  using E = Entity<T>;
  using Iterator = decltype(std::declval<Range&>().begin());
  using Element = decltype(*std::declval<Iterator&>());
  static constexpr bool held = E::fills || !std::is_lvalue_reference_v<Element>;

 public:
  explicit CopyRows(Range& range) : at_(range.begin()), range_(range) {}
  bool empty() const { return at_ == range_.end(); }
  /// Looks at the row at hand.
  bool wants_key() {
    hold();
    return wants_key(row());
  }

  template <bool WithKey>
  static bool next(void* rows, Param* out, Scratch&) {
    auto& self = *static_cast<CopyRows*>(rows);
    if (self.started_) {
      ++self.at_;
      self.is_held_ = false;
    }
    self.started_ = true;
    if (self.empty()) return false;
    self.hold();
    const T& row = self.row();
    if (wants_key(row) == WithKey) throw_mixed_keys(table_of<T>.name);
    Param params[E::n];
    E::put(row, params);
    gather(params, sql::InsertSpec<T, mode<WithKey>>::shape(Engine::postgres).columns, out);
    return true;
  }

  template <bool WithKey>
  static constexpr sql::InsertMode mode = WithKey ? sql::InsertMode::with_key : sql::InsertMode::without_key;

 private:
  static bool wants_key(const T& row) { return E::wants_key(const_cast<T&>(row)); }  // it only looks
  // Stamps and defaults go into a copy: the objects may be constants, or made as they are asked for.
  void hold() {
    if constexpr (held) {
      if (is_held_) return;
      row_.emplace(*at_);
      if constexpr (E::fills) E::fill_new(*row_);
      is_held_ = true;
    }
  }
  const T& row() const {
    if constexpr (held) {
      return *row_;
    } else {
      return *at_;
    }
  }

  Iterator at_;
  Range& range_;
  std::optional<T> row_;
  bool is_held_ = false, started_ = false;
};

template <class T, bool WithKey, class S, class Rows>
std::uint64_t copy_rows(S& session, Rows& rows, void (*progress)(void*, std::uint64_t), void* context) {
  using One = sql::Compiled<sql::InsertSpec<T, Rows::template mode<WithKey>>, Engine::postgres>;
  RowStream stream;
  stream.columns = One::shape.columns.size;
  stream.next = &Rows::template next<WithKey>;
  stream.rows = &rows;
  stream.progress = progress;
  stream.progress_context = context;
  return session.copy_rows(copy_text(table_of<T>, One::shape.columns), One::statement, stream);
}

struct NoProgress {
  void operator()(std::uint64_t) const {}
};

template <class T, class S, class Range, class Progress>
std::uint64_t copy_range(S& session, Range& range, Progress& progress) {
  CopyRows<T, Range> rows(range);
  if (rows.empty()) return 0;
  const auto call = [](void* context, std::uint64_t count) { (*static_cast<Progress*>(context))(count); };
  if constexpr (table_of<T>.generated_key) {
    if (rows.wants_key()) return copy_rows<T, false>(session, rows, call, &progress);
  }
  return copy_rows<T, true>(session, rows, call, &progress);
}

template <class T, class S, class Range, class Progress>
std::uint64_t copy_range_on_chosen(S& session, Range& range, Progress& progress) {
  return session.pick([&]<class N>(N& native) -> std::uint64_t {
    if constexpr (N::engine == Engine::postgres) {
      return copy_range<T>(native, range, progress);
    } else {
      throw_unsupported(table_of<T>.name, "only PostgreSQL has COPY: create_batch() writes many rows on every engine");
    }
  });
}

}  // namespace detail

/// Writes all rows of a range of objects by COPY in binary, or none of them; returns how many. The
/// fastest way to many rows, and only PostgreSQL has it. `db`: a connection, lease, transaction or
/// pool. The range is read once, one row at a time, and need not be in memory (a view, a
/// generator); what is on its way are 64 KiB. `progress(rows)` is called now and then with the
/// number of rows so far. Differs from create_batch in that the objects stay as they are: made
/// keys, stamps and defaults go into the table and are not read back. The first row decides whether
/// the database makes the keys; one that is otherwise throws Misuse. Throws ConversionError for a
/// value that its column can't hold, Unsupported for a column whose type has no binary form here,
/// what the range throws, and what the server reports. Cost: four round trips, one less in a
/// transaction that is open.
template <class Db, class Range, class Progress = detail::NoProgress>
std::uint64_t copy_in(Db& db, Range&& rows, Progress&& progress = {}) {
  using T = std::remove_cvref_t<decltype(*rows.begin())>;
  using Session = std::remove_reference_t<decltype(db.handle().session())>;
  if constexpr (is_any<Session>) {
    return detail::copy_range_on_chosen<T>(db.handle().session(), rows, progress);
  } else {
    constexpr bool copies = Session::engine == Engine::postgres;
    static_assert(copies, "quark: only PostgreSQL has COPY: create_batch() writes many rows on every engine");
    if constexpr (copies) {
      return detail::copy_range<T>(db.handle().session(), rows, progress);
    } else {
      return 0;
    }
  }
}

}  // namespace quark
