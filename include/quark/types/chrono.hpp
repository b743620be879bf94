// Times: sys_time down to microseconds, calendar dates, durations.
// <chrono> costs 0.6 s to include, so these codecs recognise its types by their members: whoever has such a
// member has included it already.
#pragma once

#include <quark/types/calendar.hpp>
#include <quark/types/integers.hpp>

namespace quark {
namespace detail {

template <class T>
concept DurationLike = std::is_class_v<T> && requires(const T& d) {
  typename T::rep;
  typename T::period;
  d.count();
  T::period::num;
  T::period::den;
};

// Only the system clock has to_time_t: a steady time point means nothing in a table.
template <class T>
concept SysTimeLike = std::is_class_v<T> && requires(const T& t) {
  typename T::clock;
  requires DurationLike<typename T::duration>;
  t.time_since_epoch().count();
  T::clock::to_time_t;
};

template <class T>
concept DateLike = std::is_class_v<T> && requires(const T& d) {
  { d.ok() } -> std::same_as<bool>;
  static_cast<int>(d.year());
  static_cast<unsigned>(d.month());
  static_cast<unsigned>(d.day());
};

template <DurationLike D>
constexpr std::int64_t micros_per_tick() {
  return D::period::num * INT64_C(1000000) / D::period::den;
}

// Asked in a function of its own, not in the codec: a codec with an error in it would be none, which is a second error.
template <DurationLike D>
constexpr TypeInfo time_info(Form form) {
  static_assert(Integer<typename D::rep>, "quark: a duration needs an integer rep");
  static_assert((D::period::num * INT64_C(1000000)) % D::period::den == 0,
                "quark: times are stored to the microsecond: use std::chrono::microseconds or coarser, "
                "so that nothing is lost");
  return {.form = form};
}

template <DurationLike D, class Cell>
constexpr D from_micros(std::int64_t micros, const Cell& cell) {
  constexpr std::int64_t tick = micros_per_tick<D>();
  if constexpr (tick > 1) {
    if (micros % tick != 0) cell.refuse("the time is finer than the member");
  }
  const std::int64_t ticks = micros / tick;
  if (!fits<typename D::rep>(ticks)) cell.refuse("the time does not fit the member");
  return D{static_cast<typename D::rep>(ticks)};
}

constexpr void put_integer(Param& out, std::int64_t value, Form form) {
  out.head.integer = value;
  out.form = form;
  out.null = false;
}

template <DurationLike D>
constexpr void put_micros(Param& out, const D& d, Form form) {
  std::int64_t micros = 0;
  if (!fits<std::int64_t>(d.count()) ||
      __builtin_mul_overflow(static_cast<std::int64_t>(d.count()), micros_per_tick<D>(), &micros))
    return refuse_param(out, "the time is beyond what 64-bit microseconds hold");
  put_integer(out, micros, form);
}

}  // namespace detail

template <detail::SysTimeLike T>
struct codec<T> {
  static constexpr TypeInfo info = detail::time_info<typename T::duration>(Form::timestamp);
  static constexpr bool borrows = false;
  static constexpr void put(Param& out, const T& value) {
    detail::put_micros(out, value.time_since_epoch(), Form::timestamp);
  }
  template <class Cell>
  static T get(const Cell& cell) {
    return T{detail::from_micros<typename T::duration>(cell.timestamp(), cell)};
  }
};

template <detail::DurationLike T>
struct codec<T> {
  static constexpr TypeInfo info = detail::time_info<T>(Form::time);
  static constexpr bool borrows = false;
  static constexpr void put(Param& out, const T& value) {
    detail::put_micros(out, value, Form::time);
  }
  template <class Cell>
  static T get(const Cell& cell) {
    return detail::from_micros<T>(cell.time(), cell);
  }
};

template <detail::DateLike T>
struct codec<T> {
  static constexpr TypeInfo info{.form = Form::date};
  static constexpr bool borrows = false;
  static constexpr void put(Param& out, const T& value) {
    if (!value.ok()) return refuse_param(out, "the date does not exist");
    detail::put_integer(out,
                        detail::days_from_civil(static_cast<int>(value.year()),
                                                static_cast<unsigned>(value.month()),
                                                static_cast<unsigned>(value.day())),
                        Form::date);
  }
  template <class Cell>
  static T get(const Cell& cell) {
    const detail::Civil c = detail::civil_from_days(cell.date());
    using Year = decltype(std::declval<const T&>().year());
    using Month = decltype(std::declval<const T&>().month());
    using Day = decltype(std::declval<const T&>().day());
    if (c.year < -32767 || c.year > 32767) cell.refuse("the date does not fit the member");
    return T{Year{c.year}, Month{c.month}, Day{c.day}};
  }
};

}  // namespace quark
