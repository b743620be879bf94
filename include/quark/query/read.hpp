// The reading terminals of a query: list, first, one, find, exists, count, aggregates, pluck, each.
// Each names a constant statement, lays the values out and points at a row function: the rest is exec/ and the engine.
#pragma once

#include <quark/query/query.hpp>
#include <quark/query/read_call.hpp>
#include <quark/types/decimal.hpp>

namespace quark {
namespace detail {

/// The parameters of one call: in place for constant shapes, on the heap for a long run-time filter.
template <std::size_t N>
class ParamBuffer {
 public:
  explicit ParamBuffer(std::size_t) {}
  Param* data() { return params_; }

 private:
  Param params_[N == 0 ? 1 : N];
};
inline constexpr std::size_t dynamic_size = ~std::size_t{0};
template <>
class ParamBuffer<dynamic_size> {
 public:
  explicit ParamBuffer(std::size_t n) : params_(n) {}
  Param* data() { return params_.data(); }

 private:
  std::vector<Param> params_;
};

/// How many parameters a condition has: a constant, or for run-time ones asked.
template <class W>
[[gnu::always_inline]] constexpr std::size_t condition_size(const W& where) {
  if constexpr (W::is_dynamic) {
    return where.data.count();
  } else {
    return W::count;
  }
}
template <class W, std::size_t Extra>
inline constexpr std::size_t buffer_size = [] {
  if constexpr (W::is_dynamic) {
    return dynamic_size;
  } else {
    return W::count + Extra;
  }
}();

template <class W>
sql::Codes condition_codes(const W& where) {
  if constexpr (W::is_dynamic) {
    return where.data.codes();
  } else {
    return W::Pack::codes;
  }
}

/// Runs the statement of Spec: the constant one, or for run-time parts one whose text is made now.
template <class Spec, class S, class W, class O>
[[gnu::always_inline]] inline Outcome run_statement(S& session, const W& where, const O& order, const Param* params,
                                                    std::size_t count, void (*rows)(typename S::Cursor&, void*),
                                                    void* context) {
  if constexpr (W::is_dynamic || O::is_dynamic) {
    const Engine engine = engine_of(session);
    sql::Shape shape = Spec::shape(engine);
    shape.where = condition_codes(where);
    if constexpr (O::is_dynamic) shape.order = {order.codes.data(), order.codes.size()};
    sql::check_shape(dialect_of(engine), shape, infos_of<typename Spec::model>::infos);
    const std::string text = sql::to_text(dialect_of(engine), shape);
    Statement statement;
    statement.text = text;
    statement.table = shape.table->name;
    statement.operation = Spec::operation;
    statement.kind = Spec::kind;
    statement.streams = sql::streams<Spec>();
    statement.reads_assigned = engine == Engine::mysql && sql::reads_assigned(shape);
    statement.shape = &shape;
    statement.param_column = &sql::param_column;
    statement.unique_name = &sql::unique_name;
    statement.decimals = sql::decimals_of<typename Spec::model>;
    return session.run(statement, nullptr, params, count, rows, context);
  } else {
    using Constant = sql::Compiled<Spec, S::engine>;
    return session.run(Constant::statement, &Constant::slot, params, count, rows, context);
  }
}

/// Whether an empty `in` has decided the condition already: then nothing is sent (fault B19).
template <class W>
[[gnu::always_inline]] inline bool never(const W& where, const Param* params) {
  if constexpr (W::has_arrays) {
    const sql::Codes codes = condition_codes(where);
    return codes.size > 0 && sql::decide(codes, params) == sql::Decided::always_false;
  } else {
    return false;
  }
}

template <class T, std::size_t I, class K>
[[gnu::always_inline]] inline void put_key_part(Param& out, const K& part) {
  constexpr std::size_t column = table_of<T>.key.columns[I];
  if constexpr (ColumnTarget<T, column>::template takes<const K&>()) {
    ColumnTarget<T, column>::put(out, part);
  } else {
    refuse_comparison<sql::Field<T, column>, K>();
  }
}
/// The parameters of a key, typed by its columns.
template <class T, class... K>
[[gnu::always_inline]] inline void put_key(Param* out, const K&... key) {
  static_assert(table_of<T>.key.count > 0,
                "quark: this model has no primary key: name a member `id` or say quark::key(&T::member)");
  static_assert(table_of<T>.key.count == 0 || sizeof...(K) == table_of<T>.key.count,
                "quark: this call takes the primary key: as many values as it has columns, in their order");
  [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    (put_key_part<T, I>(out[I], key), ...);
  }(std::index_sequence_for<K...>());
}
template <class T>
inline constexpr bool key_needs_scratch = [] {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return (((ColumnTarget<T, table_of<T>.key.columns[I]>::flags & needs_resolve) != 0) || ...);
  }(std::make_index_sequence<table_of<T>.key.count>());
}();

/// Runs `run` with the key's user types resolved.
template <class T, class Run>
void with_resolved_key(Param* key, Run&& run) {
  Scratch scratch;
  if constexpr (key_needs_scratch<T>) resolve(key, table_of<T>.key.count, scratch);
  run();
}

// The result of sum: integers exact in 64 bits, decimals in their own scale, the rest as double.
template <class M>
struct sum_type {
  using type = double;
};
template <Integer M>
struct sum_type<M> {
  using type = std::int64_t;
};
template <int P, int S>
struct sum_type<Decimal<P, S>> {
  using type = Decimal<(P <= 18 ? 18 : 38), S>;
};

}  // namespace detail

template <class T, class S, class W, class O, unsigned F>
template <sql::ReadBits Bits>
struct Query<T, S, W, O, F>::Reading {
  static constexpr bool limited = (F & has_limit) != 0;
  static constexpr bool skipped = (F & has_offset) != 0;
  static constexpr bool is_dynamic = W::is_dynamic || O::is_dynamic;
  static constexpr sql::ReadBits bits = [] {
    sql::ReadBits b = Bits;
    b.limit = limited ? sql::Limit::param : b.limit;
    b.offset = skipped;
    b.distinct = (F & is_distinct) != 0;
    return b;
  }();
  // first() and one() read no further than they have to.
  static constexpr std::uint64_t most =
      Bits.limit == sql::Limit::one ? 1 : Bits.limit == sql::Limit::two ? 2 : ~std::uint64_t{0} >> 1;
  using Spec = sql::ReadSpec<T, typename W::Pack, typename O::Pack, bits>;

  [[gnu::always_inline]] static constexpr std::uint64_t limit(const Query& q) {
    return q.limit_ < most ? q.limit_ : most;
  }
  [[gnu::always_inline]] static detail::ReadCall call(const Query& q) {
    return detail::read_call<sql::Compiled<Spec, S::engine>>(
        q.where_, nullptr, 0, limited ? limit(q) : detail::no_number,
        skipped ? q.offset_ : detail::no_number);
  }
};

template <class T, class S, class W, class O, unsigned F>
template <sql::ReadBits Bits>
[[gnu::always_inline]] inline void Query<T, S, W, O, F>::read(void (*rows)(typename S::Cursor&, void*),
                                                              void* context) const {
  using R = Reading<Bits>;
  if constexpr (R::is_dynamic) {
    detail::ParamBuffer<detail::buffer_size<W, 2>> buffer(detail::condition_size(where_) + 2);
    Param* const params = buffer.data();
    std::size_t n = detail::condition_size(where_);
    where_.lay_out(params);
    if (detail::never(where_, params)) return;
    const auto number = [&](std::uint64_t value) {
      codec<std::int64_t>::put(params[n++], static_cast<std::int64_t>(value));
    };
    if constexpr (R::limited) number(R::limit(*this));
    if constexpr (R::skipped) number(offset_);
    detail::run_statement<typename R::Spec>(handle_.session(), where_, order_, params, n, rows, context);
  } else {
    detail::run_read(handle_.session(), R::call(*this), rows, context);
  }
}

template <class T, class S, class W, class O, unsigned F>
inline std::vector<T> Query<T, S, W, O, F>::list() const {
  using R = Reading<sql::ReadBits{}>;
  if constexpr (R::is_dynamic) {
    std::vector<T> out;
    if constexpr (R::limited) out.reserve(limit_ < 1024 ? static_cast<std::size_t>(limit_) : 1024);
    read<sql::ReadBits{}>(&Rows<T, typename S::Cursor>::list, &out);
    return out;
  } else {
    return detail::read_list<T, R::limited>(handle_, R::call(*this));
  }
}

template <class T, class S, class W, class O, unsigned F>
inline std::optional<T> Query<T, S, W, O, F>::first() const {
  using R = Reading<sql::ReadBits{.limit = sql::Limit::one}>;
  if constexpr (R::is_dynamic) {
    std::optional<T> out;
    read<sql::ReadBits{.limit = sql::Limit::one}>(&Rows<T, typename S::Cursor>::first, &out);
    return out;
  } else {
    return detail::read_first<T, S>(handle_, R::call(*this));
  }
}

template <class T, class S, class W, class O, unsigned F>
inline T Query<T, S, W, O, F>::one() const {
  OneRow<T> out;
  read<sql::ReadBits{.limit = sql::Limit::two}>(&detail::read_one<T, typename S::Cursor>, &out);
  if (!out.row) detail::throw_not_found(table_of<T>.name, "one");
  if (out.more) detail::throw_not_one(table_of<T>.name);
  return *std::move(out.row);
}

template <class T, class S, class W, class O, unsigned F>
template <class... K>
inline std::optional<T> Query<T, S, W, O, F>::find(const K&... key) const {
  static_assert(F == plain, "quark: find() takes a key and conditions, but no limit, offset or distinct");
  using Spec = sql::ReadSpec<T, typename W::Pack, typename O::Pack, sql::ReadBits{.by_key = true}>;
  constexpr std::uint32_t keys = table_of<T>.key.count;
  if constexpr (W::is_dynamic || O::is_dynamic) {
    detail::ParamBuffer<detail::buffer_size<W, keys>> buffer(detail::condition_size(where_) + keys);
    Param* const params = buffer.data();
    const std::size_t n = detail::condition_size(where_);
    where_.lay_out(params);
    detail::put_key<T>(params + n, key...);
    std::optional<T> out;
    if (detail::never(where_, params)) return out;
    detail::with_resolved_key<T>(params + n, [&] {
      detail::run_statement<Spec>(handle_.session(), where_, order_, params, n + keys,
                                  &Rows<T, typename S::Cursor>::first, &out);
    });
    return out;
  } else {
    Param params[keys == 0 ? 1 : keys];
    detail::put_key<T>(params, key...);
    const auto call = detail::read_call<sql::Compiled<Spec, S::engine>>(where_, params, keys, detail::no_number,
                                                                        detail::no_number);
    if constexpr (detail::key_needs_scratch<T>) {
      Scratch scratch;
      resolve(params, keys, scratch);
      return detail::read_first<T, S>(handle_, call);
    } else {
      return detail::read_first<T, S>(handle_, call);
    }
  }
}

template <class T, class S, class W, class O, unsigned F>
template <class... K>
inline T Query<T, S, W, O, F>::get(const K&... key) const {
  auto out = find(key...);
  if (!out) detail::throw_not_found(table_of<T>.name, "get");
  return *std::move(out);
}

template <class T, class S, class W, class O, unsigned F>
inline bool Query<T, S, W, O, F>::exists() const {
  bool out = false;
  read<sql::ReadBits{.verb = sql::Verb::exists}>(&detail::read_exists<typename S::Cursor>, &out);
  return out;
}

template <class T, class S, class W, class O, unsigned F>
inline std::int64_t Query<T, S, W, O, F>::count() const {
  std::int64_t out = 0;
  read<sql::ReadBits{.verb = sql::Verb::count}>(&detail::read_count<typename S::Cursor>, &out);
  return out;
}

template <class T, class S, class W, class O, unsigned F>
template <auto Member>
inline auto Query<T, S, W, O, F>::sum() const {
  constexpr std::size_t i = detail::index_of_member<Member>();
  using M = detail::bare<detail::member_type<T, i>>;
  static_assert(detail::has_sum<typename sql::Field<T, i>::kind>, "quark: sum needs a column of numbers");
  static_assert(!sql::is_text_decimal(S::engine, detail::infos_of<T>::infos[i]),
                "quark: SQLite keeps a Decimal of more than 18 digits as text, which has no sum");
  using Sum = typename detail::sum_type<M>::type;
  std::optional<Sum> out;
  read<sql::ReadBits{.verb = sql::Verb::aggregate, .aggregate = sql::Aggregate::sum, .column = i}>(
      &detail::read_value<Sum, codec<Sum>, typename S::Cursor>, &out);
  return out;
}

template <class T, class S, class W, class O, unsigned F>
template <auto Member>
inline std::optional<double> Query<T, S, W, O, F>::avg() const {
  constexpr std::size_t i = detail::index_of_member<Member>();
  static_assert(detail::has_arithmetic<typename sql::Field<T, i>::kind>,
                "quark: avg needs a column of integers or floats");
  std::optional<double> out;
  read<sql::ReadBits{.verb = sql::Verb::aggregate, .aggregate = sql::Aggregate::avg, .column = i}>(
      &detail::read_value<double, codec<double>, typename S::Cursor>, &out);
  return out;
}

template <class T, class S, class W, class O, unsigned F>
template <sql::Aggregate A, std::size_t I>
inline auto Query<T, S, W, O, F>::extreme() const {
  using M = detail::bare<detail::member_type<T, I>>;
  using Codec = typename detail::choose_codec<M, detail::table_data<T>.columns[I].by_name>::type;
  static_assert(detail::has_operator<sql::Field<T, I>>(sql::Op::lt), "quark: this column's type has no order");
  static_assert(!sql::is_text_decimal(S::engine, detail::infos_of<T>::infos[I]),
                "quark: SQLite keeps a Decimal of more than 18 digits as text, which has no order");
  std::optional<M> out;
  read<sql::ReadBits{.verb = sql::Verb::aggregate, .aggregate = A, .column = I}>(
      &detail::read_value<M, Codec, typename S::Cursor>, &out);
  return out;
}

template <class T, class S, class W, class O, unsigned F>
template <auto Member>
inline auto Query<T, S, W, O, F>::min() const {
  return extreme<sql::Aggregate::min, detail::index_of_member<Member>()>();
}

template <class T, class S, class W, class O, unsigned F>
template <auto Member>
inline auto Query<T, S, W, O, F>::max() const {
  return extreme<sql::Aggregate::max, detail::index_of_member<Member>()>();
}

template <class T, class S, class W, class O, unsigned F>
template <auto Member>
inline auto Query<T, S, W, O, F>::pluck() const {
  constexpr std::size_t i = detail::index_of_member<Member>();
  using M = detail::member_type<T, i>;
  std::vector<M> out;
  read<sql::ReadBits{.column = i}>(&detail::read_column<M, detail::column_codec<T, i>, typename S::Cursor>, &out);
  return out;
}

template <class T, class S, class W, class O, unsigned F>
template <class Fn>
inline void Query<T, S, W, O, F>::each(Fn&& fn) const {
  using Function = std::remove_reference_t<Fn>;
  static_assert(std::is_invocable_v<Function&, T&> || std::is_invocable_v<Function&, T&&>,
                "quark: each(fn) calls fn(T&), fn(const T&) or fn(T)");
  detail::EachCall<Function> call{std::addressof(fn)};
  read<sql::ReadBits{.streams = true}>(&detail::read_each<T, Function, typename S::Cursor>, &call);
}

}  // namespace quark
