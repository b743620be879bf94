// Text and bytes: lengths are explicit everywhere, so that a zero byte is a byte like any other.
// std::string_view is a parameter only: as a member it would outlive what it points at.
#pragma once

#include <quark/types/type_of.hpp>

#include <cstddef>
#include <vector>

namespace quark {
namespace detail {

constexpr void put_text(Param& out, std::string_view value, Form form) {
  // Engines take a null pointer for NULL, and an empty view may hold one.
  out.head.text = value.data() != nullptr ? value.data() : "";
  out.tail.size = value.size();
  out.form = form;
  out.null = false;
}

}  // namespace detail

template <>
struct codec<std::string> {
  static constexpr TypeInfo info{.form = Form::text};
  static constexpr bool borrows = true;
  static constexpr void put(Param& out, std::string_view value) {
    detail::put_text(out, value, Form::text);
  }
  template <class Cell>
  static std::string get(const Cell& cell) {
    const std::string_view text = cell.text();
    return std::string(text.data(), text.size());
  }
};

template <>
struct codec<std::vector<std::byte>> {
  static constexpr TypeInfo info{.form = Form::bytes};
  static constexpr bool borrows = true;
  static void put(Param& out, const std::vector<std::byte>& value) {
    detail::put_text(out, {reinterpret_cast<const char*>(value.data()), value.size()}, Form::bytes);
  }
  template <class Cell>
  static std::vector<std::byte> get(const Cell& cell) {
    const ByteView bytes = cell.bytes();
    return std::vector<std::byte>(bytes.data, bytes.data + bytes.size);
  }
};

}  // namespace quark
