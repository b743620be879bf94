// table_of<T>: a struct and its description become the constant records of model/table.hpp.
// Every mistake in a description ends here, in one static_assert of one line.
#pragma once

#include <quark/model/describe.hpp>
#include <quark/model/naming.hpp>

namespace quark {
namespace detail {

template <class T>
concept DescribedOutside = requires { describe<T>::orm(); };
template <class T>
concept DescribedInside = requires { T::orm(); };
template <class T>
concept DescribedByAdl = requires { quark_model(of<T>{}); };

template <class T>
consteval auto description() {
  if constexpr (DescribedOutside<T>) {
    return describe<T>::orm();
  } else if constexpr (DescribedInside<T>) {
    return T::orm();
  } else if constexpr (DescribedByAdl<T>) {
    return quark_model(of<T>{});
  } else {
    return Description<0>{};
  }
}

/// What is wrong with a description; `none` when nothing is.
enum class Fault : std::uint8_t {
  none, other_model, two_tables, two_keys, two_versions, two_stamps, bad_name, same_name, soft_delete,
  key_repeats, two_said, default_too_large,
};

template <std::size_t N, std::size_t D>
struct TableData {
  meta::Column columns[N]{};
  meta::Reference references[D == 0 ? 1 : D]{};
  meta::Index indexes[D == 0 ? 1 : D]{};
  meta::Check checks[D == 0 ? 1 : D]{};
  meta::ColumnSet key{};
  std::string_view name{};
  bool explicit_key = false;
  bool explicit_name = false;
  std::uint16_t reference_count = 0, index_count = 0, check_count = 0;
  std::uint16_t version = no_column, created_at = no_column, updated_at = no_column;
  Fault fault = Fault::none;
};

constexpr bool good_name(std::string_view name) {
  if (name.empty()) return false;
  for (char c : name)
    if (c == '\0') return false;
  return true;
}

template <std::size_t N, std::size_t D>
consteval void apply(TableData<N, D>& data, const Option& o, const char* model) {
  const auto fail = [&](Fault f) {
    if (data.fault == Fault::none) data.fault = f;
  };
  if (o.columns.count > 0 && o.model != model) return fail(Fault::other_model);
  for (std::uint16_t i = 0; i < o.columns.count; ++i) {
    if (o.columns.columns[i] >= N) return fail(Fault::other_model);
    for (std::uint16_t j = 0; j < i; ++j)
      if (o.columns.columns[i] == o.columns.columns[j]) return fail(Fault::key_repeats);
  }
  const std::uint16_t first = o.columns.count > 0 ? o.columns.columns[0] : no_column;
  const auto set_once = [&](std::uint16_t& place, Fault twice) {
    if (place != no_column) return fail(twice);
    place = first;
  };
  switch (o.kind) {
    case OptionKind::table:
      if (!data.name.empty()) return fail(Fault::two_tables);
      if (!good_name(o.text)) return fail(Fault::bad_name);
      data.name = o.text;
      data.explicit_name = true;
      break;
    case OptionKind::key:
      if (data.explicit_key) return fail(Fault::two_keys);
      data.explicit_key = true;
      data.key = o.columns;
      break;
    case OptionKind::rename:
      if (!good_name(o.text)) return fail(Fault::bad_name);
      if (data.columns[first].name != data.columns[first].member) return fail(Fault::two_said);
      data.columns[first].name = o.text;
      break;
    case OptionKind::unique:
      if (o.columns.count == 1 && o.text.empty()) data.columns[first].unique = true;
      data.indexes[data.index_count++] = {o.columns, o.text, true};
      break;
    case OptionKind::index: data.indexes[data.index_count++] = {o.columns, o.text, false}; break;
    case OptionKind::references: data.references[data.reference_count++] = o.reference; break;
    case OptionKind::generated: data.columns[first].generated = true; break;
    case OptionKind::version: set_once(data.version, Fault::two_versions); break;
    case OptionKind::created_at: set_once(data.created_at, Fault::two_stamps); break;
    case OptionKind::updated_at: set_once(data.updated_at, Fault::two_stamps); break;
    case OptionKind::deleted_at: fail(Fault::soft_delete); break;
    case OptionKind::default_value:
      if (o.number != 0) return fail(Fault::default_too_large);
      if (data.columns[first].default_value.kind != meta::Literal::Kind::none) return fail(Fault::two_said);
      data.columns[first].default_value = o.literal;
      break;
    case OptionKind::check:
      if (!good_name(o.text) || !good_name(o.more)) return fail(Fault::bad_name);
      data.checks[data.check_count++] = {o.text, o.more};
      break;
    case OptionKind::size:
      if (data.columns[first].size != 0) return fail(Fault::two_said);
      data.columns[first].size = o.number;
      break;
    case OptionKind::type:
      if (!good_name(o.text)) return fail(Fault::bad_name);
      if (!data.columns[first].type.empty()) return fail(Fault::two_said);
      data.columns[first].type = o.text;
      break;
    case OptionKind::by_name: data.columns[first].by_name = true; break;
  }
}

template <class T>
consteval auto build_table() {
  constexpr std::size_t n = reflect::count<T>;
  constexpr auto said = description<T>();
  TableData<n, decltype(said)::count> data;
  constexpr auto names = reflect::names<T>();
  for (std::size_t i = 0; i < n; ++i) {
    data.columns[i].name = names[i];
    data.columns[i].member = names[i];
  }
  for (std::size_t i = 0; i < decltype(said)::count; ++i)
    apply(data, said.options[i], &model_tag<T>);
  if (data.name.empty()) data.name = naming::table_name<T>.view();
  if (!data.explicit_key) {
    for (std::size_t i = 0; i < n; ++i)
      if (data.columns[i].member == "id") {
        data.key.columns[0] = static_cast<std::uint16_t>(i);
        data.key.count = 1;
      }
  }
  for (std::uint16_t k = 0; k < data.key.count; ++k) data.columns[data.key.columns[k]].key = true;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (data.columns[i].name == data.columns[j].name && data.fault == Fault::none)
        data.fault = Fault::same_name;
  return data;
}

template <class T>
inline constexpr auto table_data = build_table<T>();

// A strong id over an integer is an integer key too.
template <class M>
consteval bool is_integer_key() {
  if constexpr (std::is_integral_v<M>) {
    return !std::is_same_v<M, bool>;
  } else if constexpr (std::is_class_v<M> && std::is_aggregate_v<M>) {
    if constexpr (reflect::count<M> == 1) return is_integer_key<reflect::type_at<M, 0>>();
  }
  return false;
}

template <class T>
consteval bool has_generated_key() {
  constexpr auto& data = table_data<T>;
  if constexpr (data.key.count == 1) {
    constexpr std::size_t k = data.key.columns[0];
    if constexpr (is_integer_key<reflect::type_at<T, k>>())
      return data.columns[k].member == "id" || data.columns[k].generated;
  }
  return false;
}

template <class T>
consteval bool generates_part_of_key() {
  for (std::uint16_t k = 0; k < table_data<T>.key.count; ++k)
    if (table_data<T>.columns[table_data<T>.key.columns[k]].generated && table_data<T>.key.count > 1) return true;
  return false;
}

// A key that may be missing names no row; SQLite would take NULL for "make one".
template <class T, std::size_t... K>
consteval bool has_optional_key(std::index_sequence<K...>) {
  constexpr auto& data = table_data<T>;
  return (!std::is_same_v<typename value_of<reflect::type_at<T, data.key.columns[K]>>::type,
                          reflect::type_at<T, data.key.columns[K]>> ||
          ...);
}

template <class T>
consteval bool generates_other_key() {
  constexpr auto& data = table_data<T>;
  return data.key.count == 1 && data.columns[data.key.columns[0]].generated && !has_generated_key<T>();
}

template <class T>
consteval meta::Table make_table() {
  reflect::check_model_shape<T>();
  constexpr auto& data = table_data<T>;
  static_assert(data.fault != Fault::other_model,
                "quark: the description names a member of another struct than the one it describes");
  static_assert(data.fault != Fault::two_tables, "quark: the description gives two table names");
  static_assert(data.fault != Fault::two_keys,
                "quark: the description gives two keys; a composite key is key(&T::a, &T::b)");
  static_assert(data.fault != Fault::two_versions, "quark: a model has at most one version(...)");
  static_assert(data.fault != Fault::two_stamps,
                "quark: a model has at most one created_at(...) and one updated_at(...)");
  static_assert(data.fault != Fault::bad_name,
                "quark: a name in the description is empty or contains a zero byte");
  static_assert(data.fault != Fault::same_name, "quark: two members of the model have one column name");
  static_assert(data.fault != Fault::key_repeats, "quark: a key, index or reference names a member twice");
  static_assert(data.fault != Fault::two_said,
                "quark: the description says one thing (rename, size, type or default_value) twice of a member");
  static_assert(data.fault != Fault::default_too_large,
                "quark: default_value(&T::member, v): the member can't hold that number exactly, or it isn't finite");
  static_assert(data.fault != Fault::soft_delete,
                "quark: deleted_at(...) is not implemented yet: a model can't ask for soft delete");
  static_assert(!naming::is_template_instance<T>() || data.explicit_name,
                "quark: a class template needs its table's name: say quark::table(\"name\") in the model");
  static_assert(!generates_part_of_key<T>(), "quark: a column of a composite key can't be generated");
  static_assert(!has_optional_key<T>(std::make_index_sequence<data.key.count>()),
                "quark: a key can't be a std::optional");
  static_assert(!generates_other_key<T>(),
                "quark: only an integer key can be generated(...): make others yourself, as by Uuid::time_ordered()");
  return meta::Table{.name = data.name,
               .columns = data.columns,
               .count = static_cast<std::uint16_t>(reflect::count<T>),
               .key = data.key,
               .generated_key = has_generated_key<T>(),
               .version = data.version,
               .created_at = data.created_at,
               .updated_at = data.updated_at,
               .references = data.references,
               .reference_count = data.reference_count,
               .indexes = data.indexes,
               .index_count = data.index_count,
               .checks = data.checks,
               .check_count = data.check_count};
}

}  // namespace detail

/// The table of model T, a constant.
template <class T>
inline constexpr meta::Table table_of = detail::make_table<T>();

namespace detail {

template <auto... Members>
meta::ReferenceTarget reference_target() {
  // All members are of one model: the first one tells it.
  return [](auto... tags) {
    using First = typename decltype([](auto first, auto...) { return first; }(tags...))::model;
    static_assert((std::is_same_v<First, typename decltype(tags)::model> && ...),
                  "quark: references<...> names members of two structs");
    meta::ReferenceTarget out;
    out.table = &table_of<First>;
    static constexpr std::uint16_t indexes[] = {
        [] {
          constexpr auto index = reflect::index_of(Members);
          return static_cast<std::uint16_t>(index);
        }()...};
    for (std::uint16_t index : indexes) out.columns.columns[out.columns.count++] = index;
    return out;
  }(member_of<Members>{}...);
}

}  // namespace detail
}  // namespace quark
