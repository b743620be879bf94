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

namespace detail {

/// Whether a float holds exactly this number; NaN and infinity, too.
template <class X>
constexpr bool is_float(X value) {
  const double wide = static_cast<double>(value);
  if (wide - wide != 0.0) return true;
  if (wide > 3.4028234663852886e38 || wide < -3.4028234663852886e38) return false;  // undefined to convert
  return static_cast<double>(static_cast<float>(wide)) == wide;
}

}  // namespace detail

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
    if (!detail::is_float(wide)) [[unlikely]] cell.refuse("the number is not exactly a float");
    return static_cast<float>(wide);
  }
};

}  // namespace quark
