// How quark::Decimal travels: its scaled integer, never through floating point.
#pragma once

#include <quark/types/decimal_value.hpp>
#include <quark/types/type_of.hpp>

namespace quark {

template <int P, int S>
struct codec<Decimal<P, S>> {
  static constexpr TypeInfo info{
      .form = Form::decimal, .precision = P, .scale = S};
  static constexpr bool borrows = false;
  static constexpr void put(Param& out, const Decimal<P, S>& value) {
    const Int128 scaled = value.scaled();
    out.head.natural = static_cast<std::uint64_t>(scaled);
    out.tail.high = static_cast<std::int64_t>(scaled >> 64);
    out.form = Form::decimal;
    out.scale = S;
    out.precision = P;
    out.null = false;
  }
  template <class Cell>
  static Decimal<P, S> get(const Cell& cell) {
    const auto value = Decimal<P, S>::from_scaled(cell.decimal(P, S));
    if (!value) cell.refuse("the number has more digits than the member");
    return *value;
  }
};

}  // namespace quark
