// The one loop per model that turns cells into objects. Out of line and per (model, engine):
// queries only point at it. Where the engine is chosen at run time, each function hands over to
// that of the engine: one switch per statement, none per value.
#pragma once

#include <quark/exec/error.hpp>
#include <quark/sql/column.hpp>
#include <quark/sql/dialect.hpp>

#include <optional>
#include <vector>

namespace quark {

/// What a model's rows become. Explicit instantiation of Rows<User, sqlite::Cursor> in one file spares the others.
template <class T, class Cursor>
struct Rows {
  /// Makes a T of the current row, in place: no default construction, no move. Out of line and once per model: it is by
  /// far the largest piece of code that a model brings.
  [[gnu::noinline]] static T make(Cursor& cursor) {
    return make_of(cursor, std::make_index_sequence<reflect::count<T>>());
  }
  /// Converts to such a T, for emplace functions.
  struct Maker {
    Cursor& cursor;
    operator T() const { return make(cursor); }
  };
  // Not a lambda: one type per model instead of one per use.
  [[gnu::noinline]] static void list(Cursor& cursor, void* out) {
    if constexpr (is_any<Cursor>) {
      cursor.pick([out]<class C>(C& native) { Rows<T, C>::list(native, out); });
    } else {
      auto& rows = *static_cast<std::vector<T>*>(out);
      rows.clear();  // a middleware may run the statement again
      if constexpr (requires { cursor.waiting_rows(); }) rows.reserve(cursor.waiting_rows());
      while (cursor.step()) rows.emplace_back(Maker{cursor});
    }
  }
  /// Reads at most one row.
  [[gnu::noinline]] static void first(Cursor& cursor, void* out) {
    if constexpr (is_any<Cursor>) {
      cursor.pick([out]<class C>(C& native) { Rows<T, C>::first(native, out); });
    } else {
      auto& row = *static_cast<std::optional<T>*>(out);
      row.reset();
      if (cursor.step()) row.emplace(Maker{cursor});
    }
  }

 private:
  template <std::size_t... I>
  [[gnu::always_inline]] static T make_of(Cursor& cursor, std::index_sequence<I...>) {
    if constexpr (reflect::is_plain<T>) {
      return T{detail::column_codec<T, I>::get(cursor.cell(I))...};
    } else {
      return reflect::construct<T>(
          [&cursor]<std::size_t N>() { return detail::column_codec<T, N>::get(cursor.cell(N)); });
    }
  }
};

/// Row number `more` of one(): whether there was a second one.
template <class T>
struct OneRow {
  std::optional<T> row;
  bool more = false;
};

namespace detail {

template <class T, class Cursor>
void read_one(Cursor& cursor, void* out) {
  if constexpr (is_any<Cursor>) {
    cursor.pick([out](auto& native) { read_one<T>(native, out); });
  } else {
    auto& one = *static_cast<OneRow<T>*>(out);
    Rows<T, Cursor>::first(cursor, &one.row);
    one.more = one.row && cursor.step();
  }
}

/// One column into a vector; by the codec of the column.
template <class M, class Codec, class Cursor>
void read_column(Cursor& cursor, void* out) {
  if constexpr (is_any<Cursor>) {
    cursor.pick([out](auto& native) { read_column<M, Codec>(native, out); });
  } else {
    auto& rows = *static_cast<std::vector<M>*>(out);
    rows.clear();
    while (cursor.step()) rows.push_back(Codec::get(cursor.cell(0)));
  }
}

/// One value; NULL is nullopt.
template <class M, class Codec, class Cursor>
void read_value(Cursor& cursor, void* out) {
  if constexpr (is_any<Cursor>) {
    cursor.pick([out](auto& native) { read_value<M, Codec>(native, out); });
  } else {
    auto& value = *static_cast<std::optional<M>*>(out);
    value.reset();
    if (cursor.step() && !cursor.cell(0).is_null()) value.emplace(Codec::get(cursor.cell(0)));
  }
}

template <class Cursor>
void read_count(Cursor& cursor, void* out) {
  if constexpr (is_any<Cursor>) {
    cursor.pick([out](auto& native) { read_count(native, out); });
  } else {
    auto& count = *static_cast<std::int64_t*>(out);
    count = cursor.step() ? cursor.cell(0).integer() : 0;
  }
}

template <class Cursor>
void read_exists(Cursor& cursor, void* out) {
  if constexpr (is_any<Cursor>) {
    cursor.pick([out](auto& native) { read_exists(native, out); });
  } else {
    *static_cast<bool*>(out) = cursor.step() && cursor.cell(0).boolean();
  }
}

/// The function of each(), and whether it has seen a row.
template <class F>
struct EachCall {
  F* function;
  bool delivered = false;
};

/// Calls a function per row until it returns false.
template <class T, class F, class Cursor>
void read_each(Cursor& cursor, void* context) {
  if constexpr (is_any<Cursor>) {
    cursor.pick([context](auto& native) { read_each<T, F>(native, context); });
  } else {
    auto& call = *static_cast<EachCall<F>*>(context);
    auto& f = *call.function;
    // Rows that were handed out can't be taken back.
    if (call.delivered) throw_misuse("a middleware can't run an each() again that has handed out rows");
    while (cursor.step()) {
      call.delivered = true;
      T row = Rows<T, Cursor>::make(cursor);
      if constexpr (std::is_invocable_v<F&, T&>) {
        if constexpr (std::is_same_v<std::invoke_result_t<F&, T&>, bool>) {
          if (!f(row)) return;
        } else {
          f(row);
        }
      } else {
        if constexpr (std::is_same_v<std::invoke_result_t<F&, T&&>, bool>) {
          if (!f(std::move(row))) return;
        } else {
          f(std::move(row));
        }
      }
    }
  }
}

}  // namespace detail
}  // namespace quark
