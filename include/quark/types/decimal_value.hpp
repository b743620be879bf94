// Exact decimal numbers of a fixed scale: money, quantities, rates. A value type with no database
// in it. Included by whoever has such a member; types/decimal.hpp says how it travels.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace quark {

// The same alias as in types/cell.hpp; __extension__ keeps -Wpedantic quiet.
__extension__ typedef __int128 Int128;

/// What happens to places that the result has no room for. There is no default: the caller says it.
enum class Rounding : std::uint8_t {
  half_even,  // to the nearest, a tie to the even last digit (banker's rounding)
  half_up,    // to the nearest, a tie away from zero, as SQL's ROUND does
  down,       // towards zero: the places are cut off
  refuse,     // throws ConversionError unless all of them are zeros
};

/// Room that format_scaled() needs: a sign, 39 digits, a leading zero, the point.
inline constexpr std::size_t max_decimal_text = 42;

/// Writes `value` / 10^`scale` with exactly `scale` places (0..38), no exponent, never "-0".
/// `out` has max_decimal_text bytes; no terminating zero. Returns the number of characters.
std::size_t format_scaled(Int128 value, int scale, char* out) noexcept;

namespace detail {

__extension__ typedef unsigned __int128 UInt128;

// The one exit for values that don't fit; throws quark::ConversionError.
[[noreturn, gnu::cold]] void throw_conversion(const char* what);

// 10^n for n in 0..38.
constexpr Int128 power_of_ten(int n) noexcept {
  Int128 power = 1;
  for (; n > 0; --n) power *= 10;
  return power;
}

constexpr UInt128 magnitude(Int128 value) noexcept {
  return value < 0 ? UInt128{0} - static_cast<UInt128>(value) : static_cast<UInt128>(value);
}

// |value| * 10^places, or false where that leaves 128 bits. Unsigned throughout: no overflow to ask
// about, and no call of __muloti4, which clang wants for signed 128-bit products and libgcc doesn't
// have.
constexpr bool raise(UInt128 value, int places, UInt128& out) noexcept {
  for (; places > 0; --places) {
    if (value > ~UInt128{0} / 10) return false;
    value *= 10;
  }
  out = value;
  return true;
}

// a / 10^scale_a against b / 10^scale_b, without losing a digit.
constexpr std::strong_ordering compare_scaled(Int128 a, int scale_a, Int128 b,
                                              int scale_b) noexcept {
  if (scale_a == scale_b || (a < 0) != (b < 0)) return a <=> b;
  UInt128 big_a = magnitude(a);
  UInt128 big_b = magnitude(b);
  const auto up = a < 0 ? std::strong_ordering::less : std::strong_ordering::greater;
  const auto down = a < 0 ? std::strong_ordering::greater : std::strong_ordering::less;
  // What doesn't fit 128 bits after raising is the larger one in size.
  if (scale_a < scale_b && !raise(big_a, scale_b - scale_a, big_a)) return up;
  if (scale_b < scale_a && !raise(big_b, scale_a - scale_b, big_b)) return down;
  return big_a == big_b ? std::strong_ordering::equal : big_a > big_b ? up : down;
}

// `value` / `divisor` (> 0); false when Rounding::refuse meets a remainder.
constexpr bool divide_rounded(Int128 value, Int128 divisor, Rounding rounding,
                              Int128& out) noexcept {
  out = value / divisor;
  const UInt128 rest = magnitude(value % divisor);
  if (rest == 0) return true;
  if (rounding == Rounding::refuse) return false;
  if (rounding == Rounding::down) return true;
  const UInt128 missing = static_cast<UInt128>(divisor) - rest;
  const bool tie_goes_away = rounding == Rounding::half_up || (out % 2) != 0;
  if (rest > missing || (rest == missing && tie_goes_away)) out += value < 0 ? -1 : 1;
  return true;
}

// Products and quotients through 256 bits, in src: a * b / 10^(scale of a and b - scale), a / b
// likewise. Throw when the result has more than `precision` digits, or is inexact and must not be;
// also for b = 0.
Int128 multiply_scaled(Int128 a, Int128 b, int drop, int precision, Rounding rounding);
Int128 divide_scaled(Int128 a, Int128 b, int lift, int precision, Rounding rounding);

std::string decimal_text(Int128 value, int scale);

// bool and characters are not numbers.
template <class I>
concept CountingInteger = std::is_integral_v<I> && sizeof(I) <= 8 && !std::is_same_v<I, bool> &&
                          !std::is_same_v<I, char> && !std::is_same_v<I, wchar_t> &&
                          !std::is_same_v<I, char8_t> && !std::is_same_v<I, char16_t> &&
                          !std::is_same_v<I, char32_t>;

// The most decimal digits that a value of type I has.
template <CountingInteger I>
inline constexpr int most_digits = sizeof(I) == 1   ? 3
                                   : sizeof(I) == 2 ? 5
                                   : sizeof(I) == 4 ? 10
                                                    : (std::is_signed_v<I> ? 19 : 20);

}  // namespace detail

/// Reads `[+-]digits[.digits]` into an integer scaled by 10^`scale`. One side of the point may be
/// empty. False, and `out` as it was: anything else (blanks, exponents, NaN), more than `scale`
/// places unless the rest are zeros, more than `precision` digits in all. Nothing is ever rounded.
constexpr bool parse_scaled(std::string_view text, int precision, int scale, Int128& out) noexcept {
  std::size_t i = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) i = 1;
  detail::UInt128 value = 0;
  int significant = 0;
  int places = 0;
  bool point = false;
  bool any_digit = false;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '.') {
      if (point) return false;
      point = true;
      continue;
    }
    if (c < '0' || c > '9') return false;
    any_digit = true;
    if (point && places == scale) {
      if (c != '0') return false;
      continue;
    }
    if (point) ++places;
    if (value != 0 || c != '0') {
      if (++significant > precision) return false;
      value = value * 10 + static_cast<unsigned>(c - '0');
    }
  }
  if (!any_digit) return false;
  if (value != 0) {
    if (significant + (scale - places) > precision) return false;
    for (; places < scale; ++places) value *= 10;
  }
  out = negative ? -static_cast<Int128>(value) : static_cast<Int128>(value);
  return true;
}

/// A number of at most P digits, S of them after the point: SQL's DECIMAL(P, S), P up to 38.
///
/// Every operation is exact or throws ConversionError; the only rounding is the one that is asked
/// for by name. There is no way in from floating point. Costs an int64_t up to P = 18, else 16
/// bytes; nothing allocates but text.
template <int P, int S>
class Decimal {
  static_assert(P >= 1 && P <= 38,
                "quark: Decimal<P, S> holds P = 1 to 38 digits; store longer numbers as text.");
  static_assert(S >= 0 && S <= P, "quark: Decimal<P, S> has S = 0 to P places after the point.");

 public:
  using Storage = std::conditional_t<(P <= 18), std::int64_t, Int128>;
  static constexpr int precision = P;
  static constexpr int scale = S;

  /// Zero.
  constexpr Decimal() noexcept = default;

  /// The whole number `value`. Throws when it has more than P - S digits, which is a compile error
  /// in a constant and impossible where the type of `value` is narrow enough.
  template <detail::CountingInteger I>
  constexpr Decimal(I value) noexcept(detail::most_digits<I> <= P - S) {
    if constexpr (detail::most_digits < I >> P - S) {
      if (detail::magnitude(value) >= detail::magnitude(detail::power_of_ten(P - S)))
        detail::throw_conversion("the integer has more digits than the Decimal type holds");
    }
    scaled_ = static_cast<Storage>(value * detail::power_of_ten(S));
  }

  /// Deleted: 11.29 is no double, so a double can't say which decimal is meant. Write of("11.29").
  /// Deleted for bool and characters too: they are not numbers.
  template <class T>
  requires(std::is_arithmetic_v<T> && !detail::CountingInteger<T>) Decimal(T)
  = delete;

  /// A narrower Decimal: no digit can be lost, so this needs no rounding and never throws.
  template <int P2, int S2>
  requires(S2 <= S && P2 - S2 <= P - S &&
           !(P2 == P && S2 == S)) constexpr Decimal(Decimal<P2, S2> other) noexcept
      : scaled_(static_cast<Storage>(other.scaled() * detail::power_of_ten(S - S2))) {}

  /// As parse(), but throws ConversionError.
  explicit constexpr Decimal(std::string_view text) {
    Int128 value = 0;
    if (!parse_scaled(text, P, S, value))
      detail::throw_conversion("the text is not a number of this Decimal type");
    scaled_ = static_cast<Storage>(value);
  }

  /// Reads "-12.50"; the grammar is that of parse_scaled(). nullopt for anything that isn't exactly
  /// held.
  static constexpr std::optional<Decimal> parse(std::string_view text) noexcept {
    Int128 value = 0;
    if (!parse_scaled(text, P, S, value)) return std::nullopt;
    return from_raw(value);
  }

  /// A literal, checked by the compiler: `Decimal<20, 4>::of("11.29")`.
  static consteval Decimal of(std::string_view text) { return Decimal(text); }

  /// The value `scaled` / 10^S; nullopt when it has more than P digits.
  static constexpr std::optional<Decimal> from_scaled(Int128 scaled) noexcept {
    if (!in_range(scaled)) return std::nullopt;
    return from_raw(scaled);
  }

  /// The value times 10^S.
  constexpr Storage scaled() const noexcept { return scaled_; }

  static constexpr Decimal max() noexcept { return from_raw(limit - 1); }
  static constexpr Decimal min() noexcept { return from_raw(1 - limit); }

  /// Always exactly S places, no "-0": two values are equal when their texts are.
  std::string to_string() const { return detail::decimal_text(scaled_, S); }

  /// A double near the value, for charts and logs. Inexact: don't compute or compare with it.
  constexpr double to_double() const noexcept {
    return static_cast<double>(scaled_) / static_cast<double>(detail::power_of_ten(S));
  }

  /// The same number in another shape. Throws when it has too many digits for it, or when places
  /// are lost under Rounding::refuse.
  template <int P2, int S2>
  constexpr Decimal<P2, S2> rescale(Rounding rounding) const {
    Int128 value = scaled_;
    bool fits = true;
    if constexpr (S2 >= S) {
      detail::UInt128 size = 0;
      fits = detail::raise(detail::magnitude(value), S2 - S, size) &&
             size < detail::magnitude(detail::power_of_ten(P2));
      value = value < 0 ? -static_cast<Int128>(size) : static_cast<Int128>(size);
    } else if (!detail::divide_rounded(value, detail::power_of_ten(S - S2), rounding, value)) {
      detail::throw_conversion(
          "the Decimal has more places than the target, and rounding is refused");
    }
    const auto result = Decimal<P2, S2>::from_scaled(value);
    if (!fits || !result)
      detail::throw_conversion("the Decimal has more digits than the target holds");
    return *result;
  }

  constexpr Decimal operator-() const noexcept { return from_raw(-scaled_); }
  constexpr Decimal operator+() const noexcept { return *this; }

  /// Sums stay in the type and throw when they outgrow it. A narrower operand is widened; for any
  /// other mix say what you want with rescale().
  friend constexpr Decimal operator+(Decimal a, Decimal b) {
    Storage sum = 0;
    return checked(sum, __builtin_add_overflow(a.scaled_, b.scaled_, &sum));
  }
  friend constexpr Decimal operator-(Decimal a, Decimal b) { return a + -b; }

  /// Times a whole number: exact, throws when the product outgrows the type.
  template <detail::CountingInteger I>
  friend constexpr Decimal operator*(Decimal a, I n) {
    const auto size_a = detail::magnitude(a.scaled_);
    const auto size_n = detail::magnitude(n);
    // Both below 2^64: the product fits 128 bits. Else ask by a division, which is slow but rare.
    const bool overflow =
        (size_a >> 64) != 0 && size_n != 0 && size_a > detail::magnitude(limit) / size_n;
    const auto size = overflow ? 0 : size_a * size_n;
    if (overflow || size >= detail::magnitude(limit)) throw_too_large();
    const auto product = static_cast<Int128>(size);
    return from_raw((a.scaled_ < 0) != (n < 0) ? -product : product);
  }
  template <detail::CountingInteger I>
  friend constexpr Decimal operator*(I n, Decimal a) {
    return a * n;
  }

  constexpr Decimal& operator+=(Decimal other) { return *this = *this + other; }
  constexpr Decimal& operator-=(Decimal other) { return *this = *this - other; }
  template <detail::CountingInteger I>
  constexpr Decimal& operator*=(I n) {
    return *this = *this * n;
  }

 private:
  template <int, int>
  friend class Decimal;

  static constexpr Int128 limit = detail::power_of_ten(P);

  static constexpr bool in_range(Int128 scaled) noexcept {
    return scaled < limit && scaled > -limit;
  }
  static constexpr Decimal from_raw(Int128 scaled) noexcept {
    Decimal result;
    result.scaled_ = static_cast<Storage>(scaled);
    return result;
  }
  static constexpr Decimal checked(const Storage& scaled, bool overflow) {
    if (overflow || !in_range(scaled)) throw_too_large();
    return from_raw(scaled);
  }
  [[noreturn]] static void throw_too_large() {
    detail::throw_conversion("the result has more digits than the Decimal type holds");
  }

  Storage scaled_ = 0;
};

// Comparisons are by value, across shapes and with integers: 1.50 == 1.5, 2.00 > 1. They never
// throw.

template <int P1, int S1, int P2, int S2>
constexpr std::strong_ordering operator<=>(Decimal<P1, S1> a, Decimal<P2, S2> b) noexcept {
  return detail::compare_scaled(a.scaled(), S1, b.scaled(), S2);
}
template <int P1, int S1, int P2, int S2>
constexpr bool operator==(Decimal<P1, S1> a, Decimal<P2, S2> b) noexcept {
  return (a <=> b) == 0;
}
template <int P, int S, detail::CountingInteger I>
constexpr std::strong_ordering operator<=>(Decimal<P, S> a, I b) noexcept {
  return detail::compare_scaled(a.scaled(), S, b, 0);
}
template <int P, int S, detail::CountingInteger I>
constexpr bool operator==(Decimal<P, S> a, I b) noexcept {
  return (a <=> b) == 0;
}

/// The exact product, in the type that holds every such product.
template <int P1, int S1, int P2, int S2>
constexpr Decimal<(P1 + P2 <= 38 ? P1 + P2 : 38), (P1 + P2 <= 38 ? S1 + S2 : 0)> operator*(
    Decimal<P1, S1> a, Decimal<P2, S2> b) {
  static_assert(
      P1 + P2 <= 38,
      "quark: the exact product of these Decimals can have more than 38 digits; say what you want: "
      "quark::multiply<Decimal<P, S>>(a, b, rounding).");
  if constexpr (P1 + P2 <= 38) {
    return *Decimal<P1 + P2, S1 + S2>::from_scaled(Int128{a.scaled()} * b.scaled());
  } else {
    return {};
  }
}

/// a * b in the Decimal type `Result`, rounded as told. Throws when it has more digits than
/// `Result` holds.
template <class Result, int P1, int S1, int P2, int S2>
Result multiply(Decimal<P1, S1> a, Decimal<P2, S2> b, Rounding rounding) {
  return *Result::from_scaled(detail::multiply_scaled(
      a.scaled(), b.scaled(), S1 + S2 - Result::scale, Result::precision, rounding));
}

/// a / b in the Decimal type `Result` (by default that of `a`), rounded as told.
/// Throws for b = 0, and when the result has more digits than `Result` holds.
template <class Result = void, int P1, int S1, int P2, int S2>
auto divide(Decimal<P1, S1> a, Decimal<P2, S2> b, Rounding rounding) {
  using R = std::conditional_t<std::is_void_v<Result>, Decimal<P1, S1>, Result>;
  return *R::from_scaled(
      detail::divide_scaled(a.scaled(), b.scaled(), R::scale + S2 - S1, R::precision, rounding));
}
template <class Result = void, int P, int S, detail::CountingInteger I>
auto divide(Decimal<P, S> a, I b, Rounding rounding) {
  return divide<Result>(a, Decimal<20, 0>(b), rounding);
}

}  // namespace quark

template <int P, int S>
struct std::hash<quark::Decimal<P, S>> {
  std::size_t operator()(const quark::Decimal<P, S>& value) const noexcept {
    const quark::Int128 scaled = value.scaled();
    const auto low = static_cast<std::uint64_t>(scaled);
    const auto high = static_cast<std::uint64_t>(scaled >> 64);
    return std::hash<std::uint64_t>{}(low ^ (high * 0x9E3779B97F4A7C15u));
  }
};
