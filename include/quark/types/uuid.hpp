// How quark::Uuid travels: 16 bytes.
#pragma once

#include <quark/types/type_of.hpp>
#include <quark/types/uuid_value.hpp>

namespace quark {

template <>
struct codec<Uuid> {
  static constexpr TypeInfo info{.form = Form::uuid};
  static constexpr bool borrows = false;
  static void put(Param& out, const Uuid& value) {
    // Both halves of the parameter, in memory order: engines read them back as 16 bytes.
    __builtin_memcpy(&out.head, value.bytes.data(), 8);
    __builtin_memcpy(&out.tail, value.bytes.data() + 8, 8);
    out.form = Form::uuid;
    out.null = false;
  }
  template <class Cell>
  static Uuid get(const Cell& cell) {
    return cell.uuid();
  }
};

}  // namespace quark
