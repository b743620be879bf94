// What writing an object needs: its parameters, its key, stamps, versions and what comes back from the database.
// One function per model each; query/write.hpp puts them together.
#pragma once

#include <quark/exec/error.hpp>
#include <quark/sql/compile.hpp>
#include <quark/sql/values.hpp>
#include <quark/types/chrono.hpp>

namespace quark::detail {

/// Picks some columns of a row of parameters, in the order given.
inline void gather(const Param* row, sql::ColumnList columns, Param*& out) {
  for (std::uint16_t i = 0; i < columns.size; ++i) *out++ = row[columns.data[i]];
}

/// Whether the columns lie side by side in a row: then they can be used where they are.
constexpr bool is_adjacent(sql::ColumnList columns) {
  for (std::uint16_t i = 0; i < columns.size; ++i)
    if (columns.data[i] != columns.data[0] + i) return false;
  return columns.size > 0;
}

template <class T>
struct Entity {
  static constexpr std::size_t n = reflect::count<T>;
  static constexpr const meta::Table& table = table_of<T>;
  using Row = Param[n];

  /// All columns as parameters; those the statement needs are picked by gather().
  [[gnu::noinline]] static void put(const T& object, Param* row) {
    put_members(object, row, std::make_index_sequence<n>());
  }

  /// Whether every parameter is final: no member's wire form needs storage.
  static constexpr bool resolved = []<std::size_t... I>(std::index_sequence<I...>) {
    return (!is_deferred<column_codec<T, I>> && ...);
  }(std::make_index_sequence<n>());

  /// Member I of an object.
  template <std::size_t I, class O>
  [[gnu::always_inline]] static auto& member(O& object) {
    return reflect::visit(
        object, [](auto&... m) __attribute__((always_inline)) -> auto& { return nth<I>(m...); });
  }

  static constexpr std::size_t key_index = table.key.count > 0 ? table.key.columns[0] : 0;
  using Key = member_type<T, key_index>;

  /// Whether the database has to make the key: it is generated, and still has its default value.
  [[gnu::always_inline]] static bool wants_key(T& object) {
    if constexpr (table.generated_key) {
      return member<key_index>(object) == Key{};
    } else {
      return false;
    }
  }

  /// Writes a made key into the object. Throws ConversionError when the member is too narrow for it.
  [[gnu::always_inline]] static void set_key(T& object, std::int64_t value) {
    if constexpr (table.generated_key) set_integer(member<key_index>(object), value);
  }

  /// Whether the key's member takes less than the 64 bits of a key that SQLite makes.
  static constexpr bool key_may_not_fit =
      infos_of<T>::infos[key_index].form != Form::i64 || infos_of<T>::infos[key_index].narrow;

  /// The present moment, as the member's type holds it.
  template <class M>
  static void set_now(M& m) {
    if constexpr (unwrap_optional<M>::is_optional) {
      set_now(m.emplace());
    } else {
      static_assert(
          SysTimeLike<M>,
          "quark: created_at and updated_at need a std::chrono::sys_time, or an optional of one");
      using Clock = typename M::clock;
      using Tick = typename Clock::duration::period;
      // The clock's ticks to microseconds, then to the member's: both divisions round to the past.
      const std::int64_t ticks = Clock::now().time_since_epoch().count();
      const std::int64_t micros = Tick::den >= 1000000 * Tick::num ? ticks / (Tick::den / Tick::num / 1000000)
                                                                   : ticks * Tick::num * (1000000 / Tick::den);
      m = M{typename M::duration{micros / micros_per_tick<typename M::duration>()}};
    }
  }

  /// updated_at of a row that exists, whatever it holds.
  static void stamp_update(T& object) {
    if constexpr (table.updated_at != no_column) set_now(member<table.updated_at>(object));
  }

  static constexpr bool has_defaults = [] {
    for (std::size_t i = 0; i < n; ++i)
      if (table[i].default_value.kind != meta::Literal::Kind::none) return true;
    return false;
  }();

  static constexpr bool has_stamps = table.created_at != no_column || table.updated_at != no_column;
  static constexpr bool fills = has_stamps || has_defaults;

  /// Gives a new object what its row will have: stamps that are not set, and the defaults of empty optionals (fault
  /// B23). Returns a bit for each column that was filled.
  static std::uint64_t fill_new(T& object) {
    std::uint64_t filled = 0;
    if constexpr (table.created_at != no_column) filled |= stamp_new<table.created_at>(object);
    if constexpr (table.updated_at != no_column) filled |= stamp_new<table.updated_at>(object);
    if constexpr (has_defaults) filled |= fill_defaults(object, std::make_index_sequence<n>());
    return filled;
  }
  /// Empties what fill_new() has filled.
  static void take_back(T& object, std::uint64_t filled) {
    if constexpr (fills) take_back(object, filled, std::make_index_sequence<n>());
  }
  /// The key as it was before the database made one.
  static void clear_key(T& object) {
    if constexpr (table.generated_key) member<key_index>(object) = Key{};
  }

  static constexpr bool changes_on_update = table.version != no_column || table.updated_at != no_column;

  /// Asked before the row counts up: an object must be able to hold what its row has afterwards.
  static void check_version(const T& object) {
    if constexpr (table.version != no_column) {
      if (member<table.version>(object) == std::numeric_limits<member_type<T, table.version>>::max()) [[unlikely]]
        throw_out_of_range(table.name, table[table.version].name);
    }
  }
  static void count_version_up(T& object) {
    if constexpr (table.version != no_column) ++member<table.version>(object);
  }

  /// Reads the RETURNING columns of an insert or upsert back into the object.
  template <class Cursor, class Spec>
  static void read_back(Cursor& cursor, void* context) {
    constexpr sql::ColumnList columns = Spec::shape(Cursor::engine).returning;
    if (cursor.step())
      read_columns<columns>(cursor, *static_cast<T*>(context), std::make_index_sequence<columns.size>());
  }

 private:
  template <std::size_t I, class First, class... Rest>
  [[gnu::always_inline]] static constexpr auto& nth(First& first, Rest&... rest) {
    if constexpr (I == 0) {
      return first;
    } else {
      return nth<I - 1>(rest...);
    }
  }

  template <std::size_t... I>
  [[gnu::always_inline]] static void put_members(const T& object, Param* row, std::index_sequence<I...>) {
    reflect::visit(
        object, [row](const auto&... m)
                    __attribute__((always_inline)) { (column_codec<T, I>::put(row[I], m), ...); });
  }

  template <class M>
  [[gnu::always_inline]] static void set_integer(M& m, std::int64_t value) {
    if constexpr (std::is_integral_v<M>) {
      if (!fits<M>(value)) throw_out_of_range(table.name, table[key_index].name);
      m = static_cast<M>(value);
    } else {
      reflect::visit(m, [value](auto& inner) { set_integer(inner, value); });
    }
  }

  static constexpr std::uint64_t bit(std::size_t column) { return std::uint64_t{1} << column; }
  static_assert(n <= 64);  // a bit per column

  template <std::size_t I>
  static std::uint64_t stamp_new(T& object) {
    auto& m = member<I>(object);
    if (m != std::remove_cvref_t<decltype(m)>{}) return 0;
    set_now(m);
    return bit(I);
  }

  template <std::size_t... I>
  static void take_back(T& object, std::uint64_t filled, std::index_sequence<I...>) {
    const auto one = [&]<std::size_t K>() {
      constexpr bool has_default = table[K].default_value.kind != meta::Literal::Kind::none &&
                                   unwrap_optional<member_type<T, K>>::is_optional;
      if constexpr (has_default || K == table.created_at || K == table.updated_at) {
        if ((filled & bit(K)) != 0) member<K>(object) = member_type<T, K>{};
      }
    };
    (one.template operator()<I>(), ...);
  }

  template <std::size_t... I>
  static std::uint64_t fill_defaults(T& object, std::index_sequence<I...>) {
    return (fill_default<I>(object) | ...);
  }
  template <std::size_t I>
  static std::uint64_t fill_default(T& object) {
    using M = member_type<T, I>;
    constexpr meta::Literal literal = table_data<T>.columns[I].default_value;
    if constexpr (literal.kind != meta::Literal::Kind::none && unwrap_optional<M>::is_optional) {
      auto& m = member<I>(object);
      if (m) return 0;
      using V = bare<M>;
      if constexpr (literal.kind == meta::Literal::Kind::text) {
        m.emplace(literal.text);
      } else if constexpr (literal.kind == meta::Literal::Kind::real) {
        m.emplace(static_cast<V>(literal.real));
      } else {
        m.emplace(static_cast<V>(literal.integer));
      }
      return bit(I);
    } else {
      return 0;
    }
  }

  template <sql::ColumnList Columns, class Cursor, std::size_t... K>
  static void read_columns(Cursor& cursor, T& object, std::index_sequence<K...>) {
    ((member<Columns.data[K]>(object) = column_codec<T, Columns.data[K]>::get(cursor.cell(K))), ...);
  }
};

}  // namespace quark::detail
