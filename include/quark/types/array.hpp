// Arrays as columns: std::vector<T> of any mapped T, or of std::optional<T> where elements may be
// NULL. Only PostgreSQL has them; elsewhere they don't compile. std::vector<std::byte> is bytes
// (types/text.hpp), on every engine.
#pragma once

#include <quark/types/optional.hpp>

#include <new>
#include <vector>

namespace quark {
namespace detail {

// An array of arrays is none of PostgreSQL's types: its dimensions belong to the value.
template <class E>
inline constexpr bool is_element = false;
template <class E>
  requires Mapped<E>
inline constexpr bool is_element<E> = codec<E>::info.form != Form::array;

constexpr TypeInfo array_of(TypeInfo element) {
  element.element = element.form;
  element.form = Form::array;
  element.nullable = false;
  return element;
}

// The elements' parameters need a place: it is made when the statement runs.
template <class E>
void put_elements(const void* object, Scratch& scratch, Param& out) {
  const auto& values = *static_cast<const std::vector<E>*>(object);
  auto* const items = static_cast<Param*>(scratch.allocate(values.size() * sizeof(Param) + 1));
  std::size_t count = 0;
  if constexpr (std::is_same_v<E, bool>) {
    for (const bool value : values) codec<E>::put(*new (items + count++) Param, value);  // a vector of bits
  } else {
    for (const E& value : values) codec<E>::put(*new (items + count++) Param, value);
  }
  resolve(items, count, scratch);
  out.head.items = items;
  out.tail.size = count;
  out.form = Form::array;
  out.whole = true;
  out.null = false;
}

}  // namespace detail

template <class E>
  requires(detail::is_element<E> && !detail::HasWire<std::vector<E>>)
struct codec<std::vector<E>> {
  static constexpr TypeInfo info = detail::array_of(codec<E>::info);
  static constexpr bool borrows = true;  // the elements, and what they borrow
  static constexpr bool deferred = true;

  static void put(Param& out, const std::vector<E>& value) {
    out.head.object = &value;
    out.tail.defer = &detail::put_elements<E>;
    out.form = Form::deferred;
    out.null = false;
  }
  template <class Cell>
  static std::vector<E> get(const Cell& cell) {
    std::vector<E> out;
    // An engine without arrays has said so where the statement was made.
    if constexpr (requires { cell.array(); }) {
      auto elements = cell.array();
      out.reserve(elements.size());
      while (elements.step()) out.push_back(codec<E>::get(elements.element()));
    } else if constexpr (requires { cell.refuse(std::string_view()); }) {
      cell.refuse("arrays are not read through this bridge");
    }
    return out;
  }
};

}  // namespace quark
