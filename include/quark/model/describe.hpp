// What a user may say about a struct, at compile time: quark::model(table("people"), key(&Person::code), ...).
// Each option is one flat record, so that a description costs the compiler next to nothing. Read by model/model.hpp.
#pragma once

#include <quark/model/fields.hpp>
#include <quark/model/table.hpp>

#include <type_traits>

namespace quark {

/// Specialise it to describe a struct that you don't own:
///     template <> struct quark::describe<lib::Person> {
///       static consteval auto orm() { return quark::model(quark::table("people")); }
///     };
template <class T>
struct describe;

/// The argument of the function quark_model(of<T>) by which ADL finds a description beside the struct.
template <class T>
struct of {};

namespace detail {

template <class T>
inline constexpr char model_tag = 0;

enum class OptionKind : std::uint8_t {
  table, key, rename, unique, index, references, generated, version, created_at, updated_at,
  deleted_at, default_value, check, size, type, by_name,
};

template <auto Member>
struct member_of;
template <class T, class M, M T::*Member>
struct member_of<Member> {
  using model = T;
  using type = M;
};

// Defined in model/model.hpp, where table_of<T> is known.
template <auto... Members>
meta::ReferenceTarget reference_target();

// Whether a member of type M can hold a key of type Key: the same type, or an optional of it.
template <class Key, class M>
inline constexpr bool refers_to = std::is_same_v<Key, M>;
template <class Key, class M>
  requires(requires { typename M::value_type; requires std::is_same_v<typename M::value_type, Key>; })
inline constexpr bool refers_to<Key, M> = true;

}  // namespace detail

/// One thing said about a model. Made by the functions below.
struct Option {
  detail::OptionKind kind{};
  const char* model = nullptr;  // &model_tag<T>, null when it names no member
  meta::ColumnSet columns{};
  std::string_view text{};
  std::string_view more{};
  meta::Literal literal{};
  std::uint32_t number = 0;
  meta::Reference reference{};

  /// For references: what deleting the referred row does. Default: the engine's, which refuses.
  consteval Option on_delete(ReferenceAction action) const {
    Option copy = *this;
    copy.reference.on_delete = action;
    return copy;
  }
  /// For references: what changing the referred key does.
  consteval Option on_update(ReferenceAction action) const {
    Option copy = *this;
    copy.reference.on_update = action;
    return copy;
  }
  /// For index and unique: a name instead of the one made from table and columns.
  consteval Option named(std::string_view name) const {
    Option copy = *this;
    copy.text = name;
    return copy;
  }
};

/// What model(...) gives: the options, in the order given.
template <std::size_t N>
struct Description {
  Option options[N == 0 ? 1 : N]{};
  static constexpr std::size_t count = N;
};

namespace detail {

template <class T, class... M>
consteval Option member_option(OptionKind kind, M T::*... members) {
  static_assert(sizeof...(M) <= max_key_columns, "quark: a key, index or reference has at most 8 columns");
  Option option;
  option.kind = kind;
  option.model = &model_tag<T>;
  ((option.columns.columns[option.columns.count++] =
        static_cast<std::uint16_t>(reflect::index_of(members))),
   ...);
  return option;
}

template <class M>
struct value_of {
  using type = M;
};
template <class M>
  requires(requires(M& m) { m.has_value(); typename M::value_type; })
struct value_of<M> {
  using type = typename M::value_type;
};

// A std::chrono::sys_time, known by its members, so that <chrono> stays out: only its clock has to_time_t.
template <class M>
consteval void check_moment() {
  static_assert(requires { value_of<M>::type::clock::to_time_t; },
                "quark: created_at and updated_at need a std::chrono::sys_time, or an optional of one");
}

// Whether a V can be the default of a member of type M at all. Text for a text member only: a decimal, date or uuid has
// another literal on each engine.
template <class M, class V>
inline constexpr bool can_default =
    std::is_same_v<M, bool> || std::is_same_v<V, bool> || std::is_enum_v<M> ? std::is_same_v<M, V>
    : std::is_integral_v<M>                                                 ? std::is_integral_v<V>
    : std::is_floating_point_v<M> ? std::is_arithmetic_v<V>
                                  : std::is_convertible_v<V, std::string_view> && std::is_convertible_v<const char*, M>;

// Whether the floating type T has a finite value that is exactly this number.
template <class T, class V>
consteval bool is_exactly(V value) {
  if constexpr (std::is_integral_v<V>) {
    // No more binary digits than the mantissa has.
    auto digits = static_cast<std::uint64_t>(value);
    if (value < V{}) digits = 0 - digits;
    while (digits != 0 && digits % 2 == 0) digits /= 2;
    return digits <= std::uint64_t{1} << (sizeof(T) == 4 ? 24 : 53);
  } else {
    // Asked first, because a conversion from beyond the range is undefined. The largest values, without <limits>.
    constexpr double most = sizeof(T) == 4 || sizeof(V) == 4 ? 3.4028234663852886e38 : 1.7976931348623157e308;
    return value <= most && value >= -most && static_cast<V>(static_cast<T>(value)) == value;
  }
}

// Whether `value` is one that a member of type M can hold, and an engine's literal can say.
template <class M, class V>
consteval bool holds(V value) {
  if constexpr (std::is_integral_v<M> && std::is_integral_v<V>) {
    const M narrowed = static_cast<M>(value);
    return static_cast<V>(narrowed) == value && (narrowed < M{}) == (value < V{});
  } else if constexpr (std::is_floating_point_v<M>) {
    return is_exactly<M>(value) && (std::is_integral_v<V> || is_exactly<double>(value));
  }
  return true;
}

template <class M>
consteval meta::Literal literal_of(M value) {
  meta::Literal out;
  if constexpr (std::is_same_v<M, bool>) {
    out.kind = meta::Literal::Kind::boolean;
    out.integer = value ? 1 : 0;
  } else if constexpr (std::is_enum_v<M>) {
    return literal_of(static_cast<std::underlying_type_t<M>>(value));
  } else if constexpr (std::is_integral_v<M>) {
    out.integer = static_cast<std::int64_t>(value);
    out.kind = value > M{} && out.integer < 0 ? meta::Literal::Kind::natural : meta::Literal::Kind::integer;
  } else if constexpr (std::is_floating_point_v<M>) {
    out.kind = meta::Literal::Kind::real;
    out.real = static_cast<double>(value);
  } else {
    out.kind = meta::Literal::Kind::text;
    out.text = value;
  }
  return out;
}

}  // namespace detail

/// The description of a model; options in any order.
template <class... Options>
consteval auto model(Options... options) {
  static_assert((std::is_same_v<Options, Option> && ...),
                "quark: model(...) takes options such as table(\"name\") and key(&T::member)");
  if constexpr ((std::is_same_v<Options, Option> && ...)) {
    return Description<sizeof...(Options)>{{options...}};
  } else {
    return Description<0>{};
  }
}

/// The table's name.
consteval Option table(std::string_view name) {
  Option option;
  option.kind = detail::OptionKind::table;
  option.text = name;
  return option;
}

/// The primary key, of one member or several. A single integer member called `id` is made by the database;
/// for another one say generated(&T::member) too. Anything else you supply yourself.
template <class T, class... M>
consteval Option key(M T::*... members) {
  static_assert(sizeof...(M) > 0, "quark: key(...) needs at least one member");
  return detail::member_option(detail::OptionKind::key, members...);
}

/// Another column name than the member's.
template <class T, class M>
consteval Option rename(M T::*member, std::string_view column) {
  Option option = detail::member_option(detail::OptionKind::rename, member);
  option.text = column;
  return option;
}

/// A unique constraint over one member or several.
template <class T, class... M>
consteval Option unique(M T::*... members) {
  static_assert(sizeof...(M) > 0, "quark: unique(...) needs at least one member");
  return detail::member_option(detail::OptionKind::unique, members...);
}

/// An index over one member or several.
template <class T, class... M>
consteval Option index(M T::*... members) {
  static_assert(sizeof...(M) > 0, "quark: index(...) needs at least one member");
  return detail::member_option(detail::OptionKind::index, members...);
}

/// A foreign key: references<&User::id>(&Post::user_id), also of several columns. The types must be the same;
/// the referring member may be an optional of it.
template <auto... Targets, class T, class... M>
consteval Option references(M T::*... members) {
  static_assert(sizeof...(Targets) == sizeof...(M) && sizeof...(M) > 0,
                "quark: references<&Other::key...>(&T::member...) needs as many members as targets");
  if constexpr (sizeof...(Targets) == sizeof...(M)) {
    static_assert((detail::refers_to<typename detail::member_of<Targets>::type, M> && ...),
                  "quark: references<&Other::key>(&T::member): the member must have the key's type, or be an "
                  "optional of it");
  }
  Option option = detail::member_option(detail::OptionKind::references, members...);
  option.reference.columns = option.columns;
  option.reference.target = &detail::reference_target<Targets...>;
  return option;
}

/// The database fills this column: an integer key, or a column with a trigger or expression of its own.
/// It is never sent; create() reads it back.
template <class T, class M>
consteval Option generated(M T::*member) {
  return detail::member_option(detail::OptionKind::generated, member);
}

/// An integer that counts the changes of a row; update() and remove() refuse a stale one (quark::StaleEntity).
template <class T, class M>
consteval Option version(M T::*member) {
  static_assert(std::is_integral_v<M> && !std::is_same_v<M, bool>,
                "quark: version(&T::member) needs an integer member");
  return detail::member_option(detail::OptionKind::version, member);
}

/// Stamped by create() when it still has its default value.
template <class T, class M>
consteval Option created_at(M T::*member) {
  detail::check_moment<M>();
  return detail::member_option(detail::OptionKind::created_at, member);
}

/// Stamped by create() and by every update.
template <class T, class M>
consteval Option updated_at(M T::*member) {
  detail::check_moment<M>();
  return detail::member_option(detail::OptionKind::updated_at, member);
}

/// Soft delete. Not in this version: a model that says it does not compile.
template <class T, class M>
consteval Option deleted_at(M T::*member) {
  return detail::member_option(detail::OptionKind::deleted_at, member);
}

/// The column's DEFAULT in the table; an optional member that is empty gets it on create() as well.
template <class T, class M, class V>
consteval Option default_value(M T::*member, V value) {
  Option option = detail::member_option(detail::OptionKind::default_value, member);
  using Value = typename detail::value_of<M>::type;
  static_assert(detail::can_default<Value, V>,
                "quark: default_value(&T::member, v) takes a number, a bool, an enumerator or "
                "text, of the member's type");
  if constexpr (detail::can_default<Value, V>) {
    option.literal = detail::literal_of(value);
    option.number = detail::holds<Value>(value) ? 0 : 1;  // reported with the description's other faults
  }
  return option;
}

/// A check constraint with a name; the condition is SQL text and goes into the table definition as it is.
consteval Option check(std::string_view name, std::string_view condition) {
  Option option;
  option.kind = detail::OptionKind::check;
  option.text = name;
  option.more = condition;
  return option;
}

/// The largest number of characters (text) or bytes of a column.
template <class T, class M>
consteval Option size(M T::*member, std::uint32_t largest) {
  static_assert(!std::is_arithmetic_v<typename detail::value_of<M>::type>,
                "quark: size(&T::member, n) needs a member of text or bytes");
  Option option = detail::member_option(detail::OptionKind::size, member);
  option.number = largest;
  return option;
}

/// The column type in table definitions, as the engine spells it: type(&T::m, "jsonb").
template <class T, class M>
consteval Option type(M T::*member, std::string_view column_type) {
  Option option = detail::member_option(detail::OptionKind::type, member);
  option.text = column_type;
  return option;
}

/// An enumeration that is stored as its enumerator's name.
template <class T, class M>
consteval Option by_name(M T::*member) {
  static_assert(std::is_enum_v<typename detail::value_of<M>::type>, "quark: by_name(&T::member) needs an enumeration");
  return detail::member_option(detail::OptionKind::by_name, member);
}

}  // namespace quark
