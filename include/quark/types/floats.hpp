// float and double. NaN and infinity are the engines' business: what one can't hold it refuses.
#pragma once

#include <quark/types/type_of.hpp>

namespace quark {

template <>
struct codec<double> {
  static constexpr TypeInfo info{.form = Form::f64};
  static constexpr bool borrows = false;
  static constexpr void put(Param& out, double value) {
    out.head.real = value;
    out.form = Form::f64;
    out.null = false;
  }
  template <class Cell>
  static double get(const Cell& cell) {
    return cell.real();
  }
};

template <>
struct codec<float> {
  static constexpr TypeInfo info{.form = Form::f32};
  static constexpr bool borrows = false;
  static constexpr void put(Param& out, float value) {
    out.head.real = static_cast<double>(value);
    out.form = Form::f32;
    out.null = false;
  }
  template <class Cell>
  static float get(const Cell& cell) {
    const double wide = cell.real();
    // A finite double beyond float's range is undefined to convert; one between two floats would change.
    if (wide - wide == 0.0 && (wide > 3.4028234663852886e38 || wide < -3.4028234663852886e38))
      cell.refuse("the number does not fit a float");
    const float value = static_cast<float>(wide);
    if (wide == wide && static_cast<double>(value) != wide)
      cell.refuse("the number is not exactly a float");
    return value;
  }
};

}  // namespace quark
