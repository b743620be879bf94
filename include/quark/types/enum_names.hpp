// The enumerators of an enumeration, their names and values. No registration, no macro.
// Used by types/enums.hpp to store and check enumerations, and by schema/ for defaults.
#pragma once

#include <quark/types/enum_scan.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace quark {

/// Which values are searched for enumerators: -128 to 127, or 0 to 255 if the underlying type is
/// unsigned, cut to what the type holds. An enumerator outside is not found and thus not storable.
/// To search elsewhere:
///
///     template <> struct quark::enum_range<Status> { static constexpr int min = 100, max = 599; };
///
/// The default costs the compiler about 10 ms an enumeration. For a few far values enum_label is
/// cheaper.
template <class E>
struct enum_range {
  static constexpr int min = std::is_signed_v<std::underlying_type_t<E>> ? -128 : 0;
  static constexpr int max = std::is_signed_v<std::underlying_type_t<E>> ? 127 : 255;
};

/// One enumerator and its name, for enum_label.
template <class E>
struct EnumName {
  E value;
  std::string_view name;
};

/// Names of your own, in place of the enumerators'. The list is then the whole truth: nothing is
/// searched, an enumerator that isn't listed is not storable.
///
///     template <> struct quark::enum_label<Mood> {
///       static constexpr quark::EnumName<Mood> names[] = {{Mood::sad, "Sad"},
///                                                         {Mood::so_so, "so-so"}};
///     };
template <class E>
struct enum_label {};

namespace detail::enums {

// Clang defines the scoped enumerations of a class template only when one of their enumerators is
// asked for; before that, it has no names to print.
template <class E>
concept Defined = requires {
  E::quark_asks_for_this_name_to_have_the_enumeration_defined;
};

// An enumeration without a fixed underlying type has only the values of its enumerators' bits. We
// print the others without using them, which compilers allow or can be told to allow, up to
// clang 19.
template <class E>
concept Searchable =
#if defined(__clang__) && __clang_major__ >= 20
    requires {
  E{0};
};
#else
    true;
#endif

#if defined(__clang__)
#pragma clang diagnostic push
#if __has_warning("-Wenum-constexpr-conversion")
#pragma clang diagnostic ignored "-Wenum-constexpr-conversion"
#endif
#endif

template <class E, std::int64_t First, int... I>
consteval Chunk read_chunk(std::integer_sequence<int, I...>) {
  using Int = std::underlying_type_t<E>;
  return Reader(signature<E, __builtin_bit_cast(E, static_cast<Int>(First + I))...>())
      .read(sizeof...(I));
}

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

template <class E, std::int64_t First, std::int64_t Count>
inline constexpr Chunk chunk =
    read_chunk<E, First>(std::make_integer_sequence<int, static_cast<int>(Count)>{});

// The range that is searched, cut to the values of the underlying type.
template <class E>
struct Range {
  using Int = std::underlying_type_t<E>;
  static constexpr bool is_signed = std::is_signed_v<Int>;
  static constexpr int bits = std::is_same_v<Int, bool> ? 1 : static_cast<int>(sizeof(Int)) * 8;
  static constexpr std::int64_t lowest = is_signed ? -(std::int64_t{1} << (bits - 2)) * 2 : 0;
  // The upper half of 64 unsigned bits is beyond what can be searched.
  static constexpr std::int64_t highest =
      bits == 64 ? INT64_MAX : (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;

  static constexpr std::int64_t wanted_min = enum_range<E>::min;
  static constexpr std::int64_t wanted_max = enum_range<E>::max;
  static constexpr std::int64_t min = wanted_min > lowest ? wanted_min : lowest;
  static constexpr std::int64_t max = wanted_max < highest ? wanted_max : highest;
  static_assert(
      min <= max && wanted_max - wanted_min < 16'384,
      "quark: enum_range<E> must have min <= max and at most 16384 values; list far values in "
      "quark::enum_label<E> instead.");
  static constexpr std::size_t chunks = static_cast<std::size_t>((max - min) / chunk_size + 1);
};

// What all chunks of a range found. The last chunk may be shorter.
template <std::size_t N>
struct Found {
  const Chunk* chunks[N];
  std::size_t names = 0;
  std::size_t characters = 0;
  bool readable = true;
};

template <class E, bool, std::size_t... I>
consteval auto search(std::index_sequence<I...>) {
  using R = Range<E>;
  constexpr std::int64_t last_size = (R::max - R::min) % chunk_size + 1;
  Found<sizeof...(I)> found{
      {&chunk<E, R::min + static_cast<std::int64_t>(I) * chunk_size,
              (I + 1 < sizeof...(I) ? std::int64_t{chunk_size} : last_size)>...}};
  for (const Chunk* c : found.chunks) {
    found.names += static_cast<std::size_t>(c->count);
    found.characters += c->characters;
    found.readable = found.readable && c->readable;
  }
  return found;
}

// Only this remains in the program: signatures are kilobytes. The same type for all enumerations of
// a size.
template <std::size_t Names, std::size_t Characters>
struct Table {
  std::int64_t values[Names == 0 ? 1 : Names] = {};  // ascending
  std::uint32_t ends[Names == 0 ? 1 : Names] = {};   // of each name in `characters`
  char characters[Characters == 0 ? 1 : Characters] = {};
};

// Reads and fills tables of any size; the one piece that is there at run time.
struct View {
  const std::int64_t* values;
  const std::uint32_t* ends;
  const char* characters;
  std::size_t size;
  bool dense;  // values without a gap

  constexpr std::string_view name(std::size_t i) const {
    const std::uint32_t begin = i == 0 ? 0 : ends[i - 1];
    return {characters + begin, ends[i] - begin};
  }
  // The position of a value; `size` when it has no enumerator.
  constexpr std::size_t find(std::int64_t value) const {
    if (!dense) return search(value);
    const auto offset = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(values[0]);
    return offset < size ? static_cast<std::size_t>(offset) : size;
  }
  // Out of line: one copy for all enumerations, which inlined would be the dearest part to compile.
  [[gnu::noinline]] constexpr std::size_t search(std::int64_t value) const {
    if (size == 0) return 0;
    std::size_t low = 0;
    std::size_t high = size - 1;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (values[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return values[low] == value ? low : size;
  }
  [[gnu::noinline]] constexpr std::size_t find(std::string_view wanted) const {
    std::size_t i = 0;
    while (i < size && name(i) != wanted) ++i;
    return i;
  }
};

template <class Table>
constexpr void append(Table& table, std::size_t i, std::int64_t value, std::string_view name) {
  std::uint32_t end = i == 0 ? 0 : table.ends[i - 1];
  for (const char c : name) table.characters[end++] = c;
  table.values[i] = value;
  table.ends[i] = end;
}

template <class E>
concept Labelled = requires {
  enum_label<E>::names;
};

// The name table of E: from its labels, else from the compiler.
template <class E>
struct Names {
  static_assert(
      Searchable<E>,
      "quark: give the enumeration E a fixed underlying type (enum E : int), or list its names in "
      "quark::enum_label<E>.");
  // Defined<E> is an argument so that it is asked before anything is printed.
  static constexpr auto found = search<E, Defined<E>>(std::make_index_sequence<Range<E>::chunks>{});
  static_assert(found.readable,
                "quark: this compiler prints the enumerators of E in an unknown way; list them in "
                "quark::enum_label<E>.");
  static constexpr std::size_t count = found.names;
  static constexpr auto table = [] {
    Table<found.names, found.characters> result;
    std::size_t position = 0;
    std::int64_t first = Range<E>::min;
    for (const Chunk* c : found.chunks) {
      for (int i = 0; i < c->count; ++i)
        append(result, position++, first + c->index[i], {c->name[i], c->size[i]});
      first += chunk_size;
    }
    return result;
  }();
};

template <Labelled E>
struct Names<E> {
  static constexpr const auto& labels = enum_label<E>::names;
  static constexpr std::size_t count = std::size(enum_label<E>::names);
  static constexpr bool distinct = [] {
    for (std::size_t i = 0; i < count; ++i) {
      if (labels[i].name.empty()) return false;
      for (std::size_t j = 0; j < i; ++j) {
        if (labels[i].name == labels[j].name || labels[i].value == labels[j].value) return false;
      }
    }
    return true;
  }();
  static_assert(
      distinct,
      "quark: enum_label<E>::names must list each value once, each with a name of its own.");
  static constexpr std::size_t characters = [] {
    std::size_t sum = 0;
    for (const auto& label : labels) sum += label.name.size();
    return sum;
  }();
  static constexpr auto table = [] {
    const auto number = [](std::size_t i) { return static_cast<std::int64_t>(labels[i].value); };
    std::size_t order[count] = {};
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t at = i;
      for (; at > 0 && number(i) < number(order[at - 1]); --at) order[at] = order[at - 1];
      order[at] = i;
    }
    Table<count, characters> result;
    for (std::size_t i = 0; i < count; ++i)
      append(result, i, number(order[i]), labels[order[i]].name);
    return result;
  }();
};

template <class E>
inline constexpr View view = [] {
  constexpr const auto& table = Names<E>::table;
  constexpr std::size_t count = Names<E>::count;
  const bool dense = count > 0 && static_cast<std::uint64_t>(table.values[count - 1]) -
                                          static_cast<std::uint64_t>(table.values[0]) ==
                                      count - 1;
  return View{table.values, table.ends, table.characters, count, dense};
}();

template <class E>
consteval auto list_values() {
  std::array<E, Names<E>::count> list{};
  for (std::size_t i = 0; i < list.size(); ++i)
    list[i] = static_cast<E>(static_cast<std::underlying_type_t<E>>(view<E>.values[i]));
  return list;
}

}  // namespace detail::enums

/// All enumerators as std::array<E, N>, ascending by value, each value once; empty when there are
/// none in range.
template <class E>
requires std::is_enum_v<E>
inline constexpr auto enum_values = detail::enums::list_values<E>();

/// The enumerator's name (its label, where enum_label gives one); empty when no enumerator has this
/// value. Of several enumerators of one value the first declared gives the name. Lives as long as
/// the program; no terminating zero. Cost: an index, or a binary search where the values have gaps.
template <class E>
requires std::is_enum_v<E>
constexpr std::string_view enum_name(E value) noexcept {
  constexpr const detail::enums::View& view = detail::enums::view<E>;
  const std::size_t i = view.find(static_cast<std::int64_t>(value));
  return i < view.size ? view.name(i) : std::string_view{};
}

/// Whether an enumerator has this value. Ask it after every cast from an integer.
template <class E>
requires std::is_enum_v<E>
constexpr bool is_enumerator(E value) noexcept {
  constexpr const detail::enums::View& view = detail::enums::view<E>;
  return view.find(static_cast<std::int64_t>(value)) < view.size;
}

/// The enumerator with this name or label, compared byte by byte; false, and `out` as it was, when
/// there is none. Cost: a linear search.
template <class E>
requires std::is_enum_v<E>
constexpr bool enum_value(std::string_view name, E& out) noexcept {
  constexpr const detail::enums::View& view = detail::enums::view<E>;
  const std::size_t i = view.find(name);
  if (i == view.size) return false;
  out = static_cast<E>(static_cast<std::underlying_type_t<E>>(view.values[i]));
  return true;
}

}  // namespace quark
