// The names of a model's members, read off the text the compiler prints for their addresses.
// Included by model/fields.hpp. All members of a model are printed by one function, because an
// instantiation per member is what makes others' names slow to compile.
#pragma once

#include <quark/model/fields_access.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace quark::reflect {

/// The names of a model's members in their order. The views live as long as the program.
template <std::size_t N>
struct name_list {
  std::string_view items[N == 0 ? 1 : N];

  constexpr std::string_view operator[](std::size_t i) const { return items[i]; }
  static constexpr std::size_t size() { return N; }
  constexpr const std::string_view* begin() const { return items; }
  constexpr const std::string_view* end() const { return items + N; }
};

namespace detail {

// An object of the model that exists only for the compiler: its members have addresses, which have
// names. It is never defined, so it may be named in consteval functions only: elsewhere, even in a
// discarded constant, some compiler asks the linker for it.
template <class T>
struct holder {
  T value;
};

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif

template <class T>
extern const holder<T> fake;

template <std::size_t N>
struct address_list {
  const void* items[N == 0 ? 1 : N];
};

struct TakeAddresses {
  template <class... M>
  constexpr address_list<sizeof...(M)> operator()(const M&... member) const {
    return {{__builtin_addressof(member)...}};
  }
};

// Which members a pointer to a member of type M can name: with [[no_unique_address]] an empty
// member shares its address with another member, of another type. Not said by null addresses: with
// -fsanitize=null g++ does not take a comparison with null for a constant.
template <std::size_t N>
struct candidate_list {
  const void* items[N == 0 ? 1 : N];
  bool fits[N == 0 ? 1 : N];
};

template <class M>
struct TakeCandidates {
  template <class Member>
  static constexpr bool fits =
      std::is_empty_v<M> ? std::is_same_v<M, Member> : !std::is_empty_v<Member>;

  template <class... Members>
  constexpr candidate_list<sizeof...(Members)> operator()(Members&... member) const {
    return {{__builtin_addressof(member)...}, {fits<Members>...}};
  }
};

template <class T>
consteval address_list<count<T>> addresses() {
  return reflect::visit(fake<T>.value, TakeAddresses{});
}

// A class, not a bare pointer: clang 16 refuses a subobject's address as a bare argument.
struct member_place {
  const void* at;
};

struct printed_text {
  const char* data;
  std::size_t size;
};

template <member_place... Places>
consteval printed_text print_places() {
  return {__PRETTY_FUNCTION__, sizeof(__PRETTY_FUNCTION__) - 1};
}

// What is printed, up to the argument list that differs:
//   g++    {member_place{((const void*)(& fake<T>.holder<T>::value.T::id))}, member_place{...}}]
//   clang  <member_place{&fake.value.id}, member_place{&fake.value.name}>]
// The text from `member_place{` to the name is the same for all members; its length is read off the
// last one, from the end, where no text of the user's stands but the name.
#ifdef __clang__
inline constexpr char before_name = '.';
inline constexpr char after_name = '}';
inline constexpr std::size_t tail_size = sizeof("}>]") - 1;
inline constexpr std::size_t gap_size = sizeof("}, ") - 1;
#else
inline constexpr char before_name = ':';
inline constexpr char after_name = ')';
inline constexpr std::size_t tail_size = sizeof("))}}]") - 1;
inline constexpr std::size_t gap_size = sizeof("))}, ") - 1;
#endif

consteval bool starts_entry(const char* text) {
  constexpr char mark[] = "member_place{";
  for (std::size_t i = 0; i + 1 < sizeof(mark); ++i) {
    if (text[i] != mark[i]) return false;
  }
  return true;
}

consteval std::size_t find_first_entry(printed_text text) {
  std::size_t i = 0;
  while (!starts_entry(text.data + i)) ++i;
  return i;
}
// The same for all models, as is all that stands before it.
inline constexpr std::size_t first_entry = find_first_entry(print_places<member_place{nullptr}>());

// Reads N names that stand `prefix` characters after the start of their entries. That was right if
// the last of them stands where the last name does.
template <std::size_t N>
consteval bool read_entries(printed_text text, std::size_t prefix, std::size_t last_name,
                            name_list<N>& names) {
  std::size_t begin = first_entry + prefix;
  for (std::size_t i = 0; i + 1 < N; ++i) {
    std::size_t end = begin;
    while (end < last_name && text.data[end] != after_name) ++end;
    names.items[i] = std::string_view(text.data + begin, end - begin);
    begin = end + gap_size + prefix;
    if (begin > last_name) return false;
  }
  names.items[N - 1] = std::string_view(text.data + last_name, text.size - tail_size - last_name);
  return begin == last_name;
}

template <std::size_t N>
consteval name_list<N> split_names(printed_text text) {
  name_list<N> names{};
  std::size_t last_name = text.size - tail_size;
  while (text.data[last_name - 1] != before_name) --last_name;
  // A template argument of the model's may look like an entry: then the numbers do not add up.
  std::size_t last_entry = N == 1 ? first_entry : last_name - 1;
  while (text.data[last_entry] != 'm' || !starts_entry(text.data + last_entry) ||
         !read_entries<N>(text, last_name - last_entry, last_name, names)) {
    --last_entry;
  }
  return names;
}

template <class T, std::size_t... I>
consteval name_list<sizeof...(I)> read_names(std::index_sequence<I...>) {
  if constexpr (sizeof...(I) == 0) {
    return {};
  } else if constexpr (reads_names) {
    constexpr auto read = detail::backend_names<T>();
    static_assert(read.size() == sizeof...(I),
                  "quark: Boost.PFR counts the members of this model differently: build with "
                  "-DQUARK_REFLECTION=native and report it");
    return {{read[I]...}};
  } else {
    constexpr address_list<sizeof...(I)> places = detail::addresses<T>();
    return detail::split_names<sizeof...(I)>(
        detail::print_places<member_place{places.items[I]}...>());
  }
}

}  // namespace detail

/// The names of T's members as the source spells them, in their order. Cost: one instantiation.
template <class T>
consteval name_list<count<T>> names() {
  return detail::read_names<std::remove_cv_t<T>>(std::make_index_sequence<count<T>>{});
}

/// The number of the member that a pointer names: index_of(&User::age) is 3. Gives count<T> if the
/// pointer is to a member function.
template <class T, class M>
consteval std::size_t index_of(M T::*member) {
  if constexpr (std::is_function_v<M>) {
    return count<T>;
  } else {
    // Empty types aside, all types share one search.
    using Candidates = detail::TakeCandidates<std::conditional_t<std::is_empty_v<M>, M, int>>;
    // Not const, so that the members show their declared types.
    const auto places = reflect::visit(const_cast<T&>(detail::fake<T>.value), Candidates{});
    const void* wanted = __builtin_addressof(detail::fake<T>.value.*member);
    std::size_t i = 0;
    while (i < count<T> && !(places.fits[i] && places.items[i] == wanted)) ++i;
    return i;
  }
}

/// The same for a model named beforehand, index_of<User>(&User::age): refuses, with a readable
/// line, a pointer to another struct's member, such as one that User inherits.
template <class T, class Other, class M>
requires(!std::is_same_v<T, Other>) consteval std::size_t index_of(M Other::*) {
  static_assert(std::is_same_v<T, Other>,
                "quark: this pointer names a member of another struct (inherited members belong to "
                "the base): name a member of the model itself");
  return 0;
}

#ifdef __clang__
#pragma clang diagnostic pop
#endif

}  // namespace quark::reflect
