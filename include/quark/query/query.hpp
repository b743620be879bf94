// quark::For<T>(db): the clauses. An immutable value whose type is the statement's shape; each
// clause returns a new one. Terminals are declared here and defined by subject in read.hpp and
// write.hpp.
#pragma once

#include <quark/exec/handle.hpp>
#include <quark/query/entity.hpp>
#include <quark/query/filter.hpp>
#include <quark/query/rows.hpp>

namespace quark {

/// A database that is none: for looking at SQL text. For<User>(no_database).where(...)
struct NoDatabase {
  struct Cursor;
};
/// The object of NoDatabase to pass.
inline constexpr NoDatabase no_database{};
template <>
class Handle<NoDatabase> {
 public:
  using session_type = NoDatabase;
};

/// The condition of a query: constant codes, owned values.
template <class T, unsigned N, unsigned F, sql::Code... C>
struct StaticWhere {
  using Pack = sql::CodePack<C...>;
  static constexpr bool is_dynamic = false;
  static constexpr unsigned count = N;
  static constexpr bool has_arrays = (F & needs_resolve) != 0;
  sql::Values<N> values;
  TextStore store;
  constexpr void lay_out(Param* out) const {
    if constexpr (N > 0) store.lay_out(values.params, N, out);
  }
};
template <class T, unsigned N, sql::Code... C>
struct StaticWhere<T, N, owns_all, C...> {
  using Pack = sql::CodePack<C...>;
  static constexpr bool is_dynamic = false;
  static constexpr unsigned count = N;
  static constexpr bool has_arrays = false;
  sql::Values<N> values;
  [[gnu::always_inline]] constexpr void lay_out(Param* out) const {
    if constexpr (N > 0) {
      for (unsigned i = 0; i < N; ++i) out[i] = values.params[i];
    }
  }
};

/// A condition that is known at run time only.
template <class T>
struct DynamicWhere {
  using Pack = sql::CodePack<>;
  static constexpr bool is_dynamic = true;
  static constexpr bool has_arrays = true;
  detail::FilterData data;
  void lay_out(Param* out) const { data.lay_out(out); }
};

template <sql::Code... C>
struct StaticOrder {
  using Pack = sql::CodePack<C...>;
  static constexpr bool is_dynamic = false;
};
struct DynamicOrder {
  using Pack = sql::CodePack<>;
  static constexpr bool is_dynamic = true;
  std::vector<sql::Code> codes;
};

/// Which parts a query has besides condition and order.
enum QueryFlags : unsigned { plain = 0, has_limit = 1, has_offset = 2, is_distinct = 4, on_everything = 8 };

/// The columns of an upsert: `on<&T::email>` names the unique key, `set<&T::name, ...>` what an
/// existing row takes.
template <auto... Members>
struct OnColumns {};
/// Names the unique key by which an upsert looks for the row: `on<&T::email>`.
template <auto... Members>
inline constexpr OnColumns<Members...> on{};
template <auto... Members>
struct SetColumns {};
/// Names what an existing row takes from an upsert: `set<&T::name, ...>`; `set<>` is nothing.
template <auto... Members>
inline constexpr SetColumns<Members...> set{};
/// The same under names that stand beside `using namespace std`, where set<...> is ambiguous.
template <auto... Members>
inline constexpr OnColumns<Members...> on_conflict{};
template <auto... Members>
inline constexpr SetColumns<Members...> do_update{};

/// Which terminal of a query, for sql_text.
enum class Ask : std::uint8_t { list, first, one, find, count, exists, update, remove, create, upsert };

namespace detail {

template <class T, unsigned N, unsigned F, sql::Code... A>
[[gnu::always_inline]] constexpr auto own_values(const sql::Values<N>& values) {
  StaticWhere<T, N, F, A...> out{};
  out.values = values;
  if constexpr ((F & needs_resolve) != 0) {
    // Text is made of the type alone, so a query may be a constant expression; it is never run there.
    if (!__builtin_is_constant_evaluated()) out.store.own_resolved(out.values.params, N);
  } else if constexpr (F != owns_all) {
    out.store.own(out.values.params, N);
  }
  return out;
}

// The values of a kept condition, as a new expression may borrow them.
template <class T, unsigned N, unsigned F, sql::Code... A>
[[gnu::always_inline]] constexpr sql::Values<N> laid_out(const StaticWhere<T, N, F, A...>& where) {
  sql::Values<N> out{};
  if constexpr (N > 0) where.lay_out(out.params);
  return out;
}

/// where AND condition.
template <class T, unsigned N, unsigned F, sql::Code... A, class K, unsigned M, unsigned G, sql::Code... B>
[[gnu::always_inline]] constexpr auto add_condition(const StaticWhere<T, N, F, A...>& where,
                                                    const sql::Expr<T, K, M, G, B...>& condition) {
  if constexpr (sizeof...(A) == 0) {
    return own_values<T, M, G, B...>(condition.values);
  } else {
    return own_values<T, N + M, F | G, sql::code(sql::Node::binary, sql::Op::logic_and), A..., B...>(
        join_values(laid_out(where), condition.values));
  }
}
template <class T, unsigned N, unsigned F, sql::Code... A>
DynamicWhere<T> add_condition(const StaticWhere<T, N, F, A...>& where, const Filter<T>& filter) {
  const sql::Values<N> values = laid_out(where);
  const Param* params = nullptr;
  if constexpr (N > 0) params = values.params;
  FilterData data(sql::CodePack<A...>::codes, params, N);
  data.join(sql::Op::logic_and, filter.data());
  return {std::move(data)};
}
template <class T, class C>
DynamicWhere<T> add_condition(const DynamicWhere<T>& where, const C& condition) {
  FilterData data = where.data;
  data.join(sql::Op::logic_and, Filter<T>(condition).data());
  return {std::move(data)};
}

template <sql::Code... A, class T, sql::Code... B>
[[gnu::always_inline]] constexpr auto add_order(const StaticOrder<A...>&, const sql::OrderTerms<T, B...>&) {
  return StaticOrder<A..., B...>{};
}
template <sql::Code... A, class T>
DynamicOrder add_order(const StaticOrder<A...>&, const RuntimeOrder<T>& order) {
  return {concatenate(sql::CodePack<A...>::codes, order.codes())};
}
template <class T, sql::Code... B>
DynamicOrder add_order(const DynamicOrder& order, const sql::OrderTerms<T, B...>&) {
  return {concatenate({order.codes.data(), order.codes.size()}, sql::CodePack<B...>::codes)};
}
template <class T>
DynamicOrder add_order(const DynamicOrder& order, const RuntimeOrder<T>& more) {
  return {concatenate({order.codes.data(), order.codes.size()}, more.codes())};
}

template <class T>
inline constexpr bool is_filter = false;
template <class T>
inline constexpr bool is_filter<Filter<T>> = true;

template <class I>
[[gnu::always_inline]] constexpr std::uint64_t checked_size(I n) {
  static_assert(Integer<I>, "quark: limit and offset take an integer");
  if constexpr (std::is_signed_v<I>) {
    if (n < 0) throw_misuse("a limit or offset can't be negative");
  }
  // Engines count in 64 signed bits; no table has more rows.
  constexpr std::uint64_t most = ~std::uint64_t{0} >> 1;
  const auto size = static_cast<std::uint64_t>(n);
  return size < most ? size : most;
}

}  // namespace detail

template <class T, class S, class W, class Sets, unsigned F>
class MassUpdate;

/// A query over model T on a session S. Made by For<T>(db). Copyable; owns its values; refers to
/// the connection.
template <class T, class S, class W, class O, unsigned F>
class [[nodiscard("quark: a query does nothing before a terminal such as list() or remove() is called")]] Query {
 public:
  using model = T;

  // Casts rather than std::move, and inlined always: without optimisation each would be one more function per query.
  template <class FromW = W, class FromO = O>
  [[gnu::always_inline]] constexpr explicit Query(Handle<S> handle, FromW&& where = {}, FromO&& order = {},
                                                  std::uint64_t limit = 0, std::uint64_t offset = 0)
      : handle_(handle),
        where_(static_cast<FromW&&>(where)),
        order_(static_cast<FromO&&>(order)),
        limit_(limit),
        offset_(offset) {}
  // Clauses.

  /// Adds a condition; several are ANDed. Takes an expression (field<&T::age> >= 18) or a
  /// Filter<T>, and copies its values, so that the query can be kept: text up to 64 bytes in place,
  /// more on the heap.
  template <class C>
  [[gnu::always_inline]] constexpr auto where(C&& condition) const {
    using Condition = std::remove_cvref_t<C>;
    static_assert(detail::is_filter<Condition> || sql::ConditionExpr<Condition>,
                  "quark: where() takes a condition, such as field<&T::age> >= 18");
    static_assert(std::is_same_v<typename Condition::model, T>,
                  "quark: this condition is about another model than the query");
    if constexpr (!std::is_same_v<typename Condition::model, T>) {
      return *this;
    } else if constexpr (detail::is_filter<Condition>) {
      return with(detail::add_condition(where_, condition), order_);
    } else {
      detail::check_not_kept<C>();
      return with(detail::add_condition(where_, detail::as_expr(condition)), order_);
    }
  }
  /// Adds terms to ORDER BY: asc<&T::m>, desc<&T::m>, by<T>(name, direction). Earlier terms weigh
  /// more.
  template <class First, class... More>
  [[gnu::always_inline]] constexpr auto order_by(const First& first, const More&... more) const& {
    return Query(*this).order_by(first, more...);
  }
  // A query that is made in one expression hands its values on from clause to clause.
  template <class First, class... More>
  [[gnu::always_inline]] constexpr auto order_by(const First& first, const More&... more) && {
    static_assert(std::is_same_v<typename First::model, T>, "quark: this order is about another model than the query");
    if constexpr (sizeof...(More) == 0) {
      return with(static_cast<W&&>(where_), detail::add_order(order_, first));
    } else {
      return with(static_cast<W&&>(where_), detail::add_order(order_, first)).order_by(more...);
    }
  }
  /// At most `n` rows, an integer >= 0; 0 gives none. Throws Misuse when n < 0. A later limit
  /// replaces an earlier one.
  template <class I>
  [[gnu::always_inline]] constexpr auto limit(I n) const& {
    return Query(*this).limit(n);
  }
  template <class I>
  [[gnu::always_inline]] constexpr auto limit(I n) && {
    return Query<T, S, W, O, F | has_limit>(handle_, static_cast<W&&>(where_), static_cast<O&&>(order_),
                                            detail::checked_size(n), offset_);
  }
  /// Leaves out the first `n` rows, an integer >= 0. Throws Misuse when n < 0.
  template <class I>
  [[gnu::always_inline]] constexpr auto offset(I n) const& {
    return Query(*this).offset(n);
  }
  template <class I>
  [[gnu::always_inline]] constexpr auto offset(I n) && {
    return Query<T, S, W, O, F | has_offset>(handle_, static_cast<W&&>(where_), static_cast<O&&>(order_), limit_,
                                             detail::checked_size(n));
  }
  /// Equal rows once: equal in all columns, or in the one of pluck().
  [[gnu::always_inline]] constexpr auto distinct() const {
    return Query<T, S, W, O, F | is_distinct>(handle_, where_, order_, limit_, offset_);
  }
  /// Says on purpose that update() and remove() mean all rows.
  [[gnu::always_inline]] constexpr auto everything() const {
    return Query<T, S, W, O, F | on_everything>(handle_, where_, order_, limit_, offset_);
  }
  /// New values for the rows of a mass update: .set(field<&T::a> = 1, ...).update()
  template <class... A>
  [[gnu::always_inline]] constexpr auto set(A&&... assignments) const;

  // Reading. All throw what the engine reports, and ConversionError (with table, column and row)
  // for a value that doesn't fit its member. One statement each, prepared once per connection; with
  // a Filter or by<T>() its text is made per call.

  /// All rows; no hidden limit. Each is read straight into its place.
  std::vector<T> list() const;
  /// The first row in the query's order, or nullopt.
  std::optional<T> first() const;
  /// The only row. Throws NotFound when there is none or more than one. Reads at most two.
  T one() const;
  /// The row with this key, which must also meet the conditions; or nullopt. A composite key's
  /// parts in order. Throws ConversionError when a part doesn't fit its column.
  template <class... K>
  std::optional<T> find(const K&... key) const;
  /// The same; throws NotFound when there is none.
  template <class... K>
  T get(const K&... key) const;
  /// Whether there is a row.
  bool exists() const;
  /// How many rows.
  std::int64_t count() const;
  /// The sum of a column: nullopt when there is no value; integers exact (an overflow is an error).
  template <auto Member>
  auto sum() const;
  /// The average of a column of integers or floats, as double; nullopt when there is no value.
  template <auto Member>
  std::optional<double> avg() const;
  /// The smallest value of a column, as an optional of the member's type: nullopt when there is no
  /// value.
  template <auto Member>
  auto min() const;
  /// The largest value of a column, likewise.
  template <auto Member>
  auto max() const;
  /// One column of all rows: a std::vector of the member's type.
  template <auto Member>
  auto pluck() const;
  /// Calls fn(row) for each row while reading, without holding more than one; `fn` takes T&, const
  /// T& or T. Stops when fn returns false (of type bool). Throws what fn throws; the connection
  /// stays usable, also inside fn.
  template <class Fn>
  void each(Fn&& fn) const;

  // Writing. All throw the class of the constraint that is violated (UniqueViolation, ...), and
  // ConversionError for a value that the column can't hold; nothing is written then.

  /// Inserts; writes a made key, stamps and generated columns into the object. Returns the object,
  /// or a copy of what was no lvalue.
  T& create(T& object) const;
  T create(T&& object) const;
  T create(const T& object) const;
  /// Inserts all or none, in one statement where the engine can; keys are written back to their
  /// objects. Takes any range whose elements are lvalues of T; a contiguous one is read in place.
  /// Returns how many.
  template <class Range>
  std::uint64_t create_batch(Range&& rows) const;
  /// Writes all columns of the row with the object's key. Returns 0 when there is none; with a
  /// version, throws StaleEntity instead. A named selection writes just these, zero values
  /// included: update<&T::a, &T::b>(x).
  template <auto... Members, class Object>
  std::uint64_t update(Object&& object) const;
  /// Deletes the row with the object's key (and version: StaleEntity). Returns 0 or 1.
  std::uint64_t remove(const T& object) const;
  /// Deletes the row with this key; no version is checked.
  template <class... K>
  std::uint64_t remove_by_key(const K&... key) const;
  /// Deletes the rows that meet the condition; without one say everything().
  std::uint64_t remove() const;
  /// Inserts, or updates the row that has the same unique key. `on` names it (default: the primary
  /// key), `set` what the existing row takes (default: everything but keys and created_at). The
  /// row's key and version come back.
  template <auto... On, auto... Set>
  T& upsert(T& object, OnColumns<On...>, SetColumns<Set...>) const;
  template <auto... On>
  T& upsert(T& object, OnColumns<On...>) const;
  T& upsert(T& object) const;

  // For this library's own files.
  const W& condition() const { return where_; }
  const O& order() const { return order_; }
  const Handle<S>& handle() const { return handle_; }

 private:
  template <class NewW, class NewO>
  [[gnu::always_inline]] constexpr auto with(NewW&& where, NewO&& order) const {
    return Query<T, S, std::remove_cvref_t<NewW>, std::remove_cvref_t<NewO>, F>(
        handle_, static_cast<NewW&&>(where), static_cast<NewO&&>(order), limit_, offset_);
  }
  template <sql::ReadBits B>
  struct Reading;
  template <sql::ReadBits B>
  void read(void (*rows)(typename S::Cursor&, void*), void* context) const;
  template <sql::Aggregate A, std::size_t I>
  auto extreme() const;
  template <class On, class Set>
  T& upsert_columns(T& object) const;
  static constexpr void check_writable();

  Handle<S> handle_;
  [[no_unique_address]] W where_;
  [[no_unique_address]] O order_;
  std::uint64_t limit_;
  std::uint64_t offset_;
};

namespace detail {
template <class S, class T>
using EmptyQuery = Query<T, S, StaticWhere<T, 0, owns_all>, StaticOrder<>, plain>;
}  // namespace detail

/// The way in: quark::For<User>(db), where db is a connection or a transaction; the connection must
/// outlive the query. A query on a transaction throws Misuse after its end. Costs nothing: two
/// pointers.
template <class T, class Db>
[[gnu::always_inline]] inline auto For(Db& db) {
  static_assert(detail::Database<Db>, "quark: For<T>(db) takes a connection or a transaction");
  if constexpr (detail::Database<Db>) {
    auto handle = detail::handle_of(db);
    return detail::EmptyQuery<typename decltype(handle)::session_type, T>(handle);
  } else {
    return detail::EmptyQuery<NoDatabase, T>(Handle<NoDatabase>{});
  }
}
/// A query that is only looked at: For<User>(no_database), for sql_text.
template <class T>
constexpr auto For(const NoDatabase&) {
  return detail::EmptyQuery<NoDatabase, T>(Handle<NoDatabase>{});
}

}  // namespace quark
