// The SQL text of a query, for reading, logging and tests: a constant where the shape is one.
#pragma once

#include <quark/query/batch.hpp>
#include <quark/query/insert.hpp>
#include <quark/query/update.hpp>

namespace quark {
namespace detail {

template <Ask A, class T, class W, class O, unsigned F>
struct spec_of {
  static constexpr sql::ReadBits bits = [] {
    sql::ReadBits b;
    b.verb = A == Ask::count ? sql::Verb::count : A == Ask::exists ? sql::Verb::exists : sql::Verb::select;
    b.limit = (F & has_limit) != 0 ? sql::Limit::param
              : A == Ask::first    ? sql::Limit::one
              : A == Ask::one      ? sql::Limit::two
                                   : sql::Limit::none;
    b.offset = (F & has_offset) != 0;
    b.distinct = (F & is_distinct) != 0;
    b.by_key = A == Ask::find;
    return b;
  }();
  using type = sql::ReadSpec<T, typename W::Pack, typename O::Pack, bits>;
};
template <class T, class W, class O, unsigned F>
struct spec_of<Ask::create, T, W, O, F> {
  using type = sql::InsertSpec<T, table_of<T>.generated_key ? sql::InsertMode::without_key : sql::InsertMode::with_key>;
};
template <class T, class W, class O, unsigned F>
struct spec_of<Ask::upsert, T, W, O, F> {
  using type = sql::UpsertSpec<T, primary_key_pack<T>, void, true>;
};
template <class T, class W, class O, unsigned F>
struct spec_of<Ask::update, T, W, O, F> {
  using type = sql::UpdateSpec<T, typename W::Pack, void, sql::CodePack<>, true>;
};
template <class T, class W, class O, unsigned F>
struct spec_of<Ask::remove, T, W, O, F> {
  static constexpr bool whole = !W::is_dynamic && W::Pack::codes.size == 0 && (F & on_everything) == 0;
  using type = sql::RemoveSpec<T, typename W::Pack, whole, whole && table_of<T>.version != no_column>;
};

}  // namespace detail

/// The text that a terminal of this query sends to an engine: sql_text<Engine::postgres, Ask::count>(query).
/// Ask::update and Ask::create are those of one object; Ask::remove is remove() with a condition and remove(x) without.
/// With a Filter or by<T>() a std::string, else a constant.
template <Engine E, Ask A = Ask::list, class T, class S, class W, class O, unsigned F>
constexpr auto sql_text(const Query<T, S, W, O, F>& query) {
  using Spec = typename detail::spec_of<A, T, W, O, F>::type;
  if constexpr (W::is_dynamic || O::is_dynamic) {
    sql::Shape shape = Spec::shape(E);
    shape.where = detail::condition_codes(query.condition());
    if constexpr (O::is_dynamic) shape.order = {query.order().codes.data(), query.order().codes.size()};
    return sql::to_text(dialect_of(E), shape);
  } else {
    return sql::Compiled<Spec, E>::statement.text;
  }
}

/// The text of a mass update.
template <Engine E, class T, class S, class W, class Sets, unsigned F>
constexpr auto sql_text(const MassUpdate<T, S, W, Sets, F>& update) {
  using Spec = sql::UpdateSpec<T, typename W::Pack, void, typename Sets::Pack, false>;
  if constexpr (W::is_dynamic) {
    sql::Shape shape = Spec::shape(E);
    shape.where = detail::condition_codes(update.condition());
    return sql::to_text(dialect_of(E), shape);
  } else {
    return sql::Compiled<Spec, E>::statement.text;
  }
}

/// The text of an upsert: upsert_text<Engine::sqlite, User>(on<&User::email>, set<&User::name>).
template <Engine E, class T, auto... On, auto... Set>
constexpr std::string_view upsert_text(OnColumns<On...>, SetColumns<Set...>) {
  return sql::Compiled<sql::UpsertSpec<T, detail::members_pack<On...>, detail::members_pack<Set...>,
                                       !table_of<T>.generated_key>,
                       E>::statement.text;
}

}  // namespace quark
