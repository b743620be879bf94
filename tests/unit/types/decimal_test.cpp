// Decimal against an oracle that knows only digit strings, as one calculates on paper.
#include <quark/exec/error.hpp>
#include <quark/types/decimal_value.hpp>

#include "support/random_seed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <type_traits>

namespace {

using quark::Decimal;
using quark::Rounding;

constexpr Rounding all_roundings[] = {Rounding::half_even, Rounding::half_up, Rounding::down,
                                      Rounding::refuse};

// ---- The oracle: a sign and decimal digits ----

struct Paper {
  bool negative = false;
  std::string digits = "0";  // no leading zeros

  bool zero() const { return digits == "0"; }
  bool odd() const { return (digits.back() - '0') % 2 == 1; }
};

Paper paper(bool negative, std::string digits) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty()) return {};
  return {negative, std::move(digits)};
}
Paper paper(std::string text) {
  const bool negative = !text.empty() && text[0] == '-';
  text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c < '0' || c > '9'; }),
             text.end());
  return paper(negative, text);
}
Paper shifted(Paper a, int places) {
  return paper(a.negative, a.digits + std::string(static_cast<std::size_t>(places), '0'));
}
Paper opposite(Paper a) { return paper(!a.negative, a.digits); }

int compare_sizes(const Paper& a, const Paper& b) {
  if (a.digits.size() != b.digits.size()) return a.digits.size() < b.digits.size() ? -1 : 1;
  return a.digits.compare(b.digits) < 0 ? -1 : a.digits == b.digits ? 0 : 1;
}
int compare(const Paper& a, const Paper& b) {
  if (a.negative != b.negative) return a.negative ? -1 : 1;
  return a.negative ? -compare_sizes(a, b) : compare_sizes(a, b);
}

Paper sum(const Paper& a, const Paper& b) {
  const bool alike = a.negative == b.negative;
  const Paper& large = compare_sizes(a, b) >= 0 ? a : b;
  const Paper& small = &large == &a ? b : a;
  std::string result = "0" + large.digits;
  int carry = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    char& digit = result[result.size() - 1 - i];
    const int other = i < small.digits.size() ? small.digits[small.digits.size() - 1 - i] - '0' : 0;
    int value = digit - '0' + (alike ? other : -other) + carry;
    carry = value > 9 ? 1 : value < 0 ? -1 : 0;
    value -= carry * 10;
    digit = static_cast<char>('0' + value);
  }
  return paper(large.negative, result);
}

Paper product(const Paper& a, const Paper& b) {
  Paper result;
  for (const char digit : b.digits) {
    result = shifted(result, 1);
    for (int i = 0; i < digit - '0'; ++i) result = sum(result, {false, a.digits});
  }
  return paper(a.negative != b.negative, result.digits);
}

// Long division; nullopt where Rounding::refuse meets a remainder.
std::optional<Paper> quotient(const Paper& a, const Paper& b, Rounding rounding) {
  Paper rest;
  std::string digits;
  const Paper size{false, b.digits};
  for (const char digit : a.digits) {
    rest = paper(false, rest.digits + digit);
    char next = '0';
    for (; compare_sizes(rest, size) >= 0; ++next) rest = sum(rest, opposite(size));
    digits += next;
  }
  Paper result = paper(false, digits);
  if (!rest.zero()) {
    if (rounding == Rounding::refuse) return std::nullopt;
    const int half = compare_sizes(sum(rest, rest), size);
    const bool away = rounding == Rounding::half_up     ? half >= 0
                      : rounding == Rounding::half_even ? half > 0 || (half == 0 && result.odd())
                                                        : false;
    if (away) result = sum(result, {false, "1"});
  }
  return paper(a.negative != b.negative, result.digits);
}

std::string text_of(const Paper& scaled, int scale) {
  std::string text = scaled.digits;
  const auto places = static_cast<std::size_t>(scale);
  if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
  if (places > 0) text.insert(text.size() - places, ".");
  return (scaled.negative ? "-" : "") + text;
}
template <class D>
Paper scaled_of(const D& value) {
  return paper(value.to_string());
}

// The text of what `calculate` answers, or that it throws.
template <class Calculate>
std::string attempt(Calculate calculate) {
  try {
    return calculate().to_string();
  } catch (const quark::ConversionError&) {
    return "throws";
  }
}

// `actual` must be `expected`, or nothing at all if that is too long or doesn't exist.
void expect_text(const std::optional<Paper>& expected, int precision, int scale,
                 const std::string& actual, const std::string& what) {
  const bool fits = expected && (expected->zero() ||
                                 expected->digits.size() <= static_cast<std::size_t>(precision));
  ASSERT_EQ(actual, fits ? text_of(*expected, scale) : "throws") << what;
}
template <class Calculate>
void expect_result(const std::optional<Paper>& expected, Calculate calculate,
                   const std::string& what) {
  using D = decltype(calculate());
  expect_text(expected, D::precision, D::scale, attempt(calculate), what);
}

// ---- Random values: all lengths, many nines, fives and zeros ----

using Random = std::mt19937_64;

template <class D>
D random_decimal(Random& random) {
  const auto length = random() % (D::precision + 1);
  const auto kind = random() % 4;
  std::string digits;
  for (std::size_t i = 0; i < length; ++i) {
    const char any = static_cast<char>('0' + random() % 10);
    digits += kind == 0 ? '9' : kind == 1 ? "0059"[random() % 4] : any;
  }
  const auto value = D::parse(text_of(paper(random() % 2 == 0, digits), D::scale));
  if (!value) throw std::logic_error("the oracle's text was refused");
  return *value;
}

template <class D>
class EveryShape : public testing::Test {};
// Both storages with their ends, with and without places; 19 is the first with 16 bytes.
using Shapes = testing::Types<Decimal<1, 1>, Decimal<18, 0>, Decimal<18, 4>, Decimal<19, 19>,
                              Decimal<20, 4>, Decimal<38, 0>, Decimal<38, 38>>;
TYPED_TEST_SUITE(EveryShape, Shapes);

TYPED_TEST(EveryShape, TextComesBackAndIsEqualExactlyWhenTheValuesAre) {
  SCOPED_TRACE(under_test::seed_text());
  Random random(under_test::random_seed());
  for (int i = 0; i < 1'500; ++i) {
    const auto a = random_decimal<TypeParam>(random);
    const auto b = random_decimal<TypeParam>(random);
    const std::string text = a.to_string();
    ASSERT_EQ(TypeParam::parse(text), a);
    ASSERT_EQ(TypeParam(text), a);
    ASSERT_EQ(TypeParam::from_scaled(a.scaled()), a);
    ASSERT_EQ(a == b, text == b.to_string());
    ASSERT_EQ(text_of(paper(text), TypeParam::scale), text);
    const int order = compare(scaled_of(a), scaled_of(b));
    ASSERT_EQ(a < b, order < 0) << a.to_string() << " " << b.to_string();
    ASSERT_EQ(a > b, order > 0) << a.to_string() << " " << b.to_string();
    ASSERT_TRUE(a != b || std::hash<TypeParam>{}(a) == std::hash<TypeParam>{}(b));
  }
}

TYPED_TEST(EveryShape, SumsDifferencesAndMultiplesAreExactOrThrow) {
  SCOPED_TRACE(under_test::seed_text());
  Random random(under_test::random_seed());
  for (int i = 0; i < 1'000; ++i) {
    const auto a = random_decimal<TypeParam>(random);
    const auto b = random_decimal<TypeParam>(random);
    const std::string what = a.to_string() + " and " + b.to_string();
    expect_result(
        sum(scaled_of(a), scaled_of(b)), [&] { return a + b; }, what);
    expect_result(
        sum(scaled_of(a), opposite(scaled_of(b))), [&] { return a - b; }, what);
    expect_result(
        opposite(scaled_of(a)), [&] { return -a; }, what);
    const auto n = static_cast<std::int64_t>(random()) >> (random() % 64);
    const auto u = random() >> (random() % 64);
    const std::string by = a.to_string() + " by " + std::to_string(n) + " or " + std::to_string(u);
    expect_result(
        product(scaled_of(a), paper(std::to_string(n))), [&] { return a * n; }, by);
    expect_result(
        product(scaled_of(a), paper(std::to_string(n))), [&] { return n * a; }, by);
    expect_result(
        product(scaled_of(a), paper(std::to_string(u))), [&] { return a * u; }, by);
  }
}

TYPED_TEST(EveryShape, TheEndsOfItsRange) {
  const std::string nines(static_cast<std::size_t>(TypeParam::precision), '9');
  EXPECT_EQ(TypeParam::max().to_string(), text_of(paper(nines), TypeParam::scale));
  EXPECT_EQ(TypeParam::min().to_string(), text_of(paper("-" + nines), TypeParam::scale));
  const auto least = TypeParam::from_scaled(1);
  ASSERT_TRUE(least);
  EXPECT_THROW(TypeParam::max() + *least, quark::ConversionError);
  EXPECT_THROW(TypeParam::min() - *least, quark::ConversionError);
  EXPECT_THROW(TypeParam::max() + TypeParam::max(), quark::ConversionError);
  EXPECT_THROW(TypeParam::min() + TypeParam::min(), quark::ConversionError);
  EXPECT_THROW(TypeParam::max() * 2, quark::ConversionError);
  EXPECT_EQ(TypeParam::max() * 1, TypeParam::max());
  EXPECT_EQ(TypeParam::max() * -1, TypeParam::min());
  EXPECT_EQ(-TypeParam::min(), TypeParam::max());
  EXPECT_EQ(TypeParam::max() + TypeParam::min(), 0);

  const quark::Int128 beyond = quark::Int128{TypeParam::max().scaled()} + 1;
  EXPECT_FALSE(TypeParam::from_scaled(beyond));
  EXPECT_FALSE(TypeParam::from_scaled(-beyond));
  const quark::Int128 huge =
      ~(quark::Int128{1} << 126) | (quark::Int128{1} << 126);  // all bits: -1
  EXPECT_EQ(TypeParam::from_scaled(huge), -*least);
  EXPECT_FALSE(TypeParam::from_scaled((((quark::Int128{1} << 126) - 1) << 1) + 1));
  EXPECT_FALSE(TypeParam::from_scaled(-(((quark::Int128{1} << 126) - 1) << 1) - 2));
  if (TypeParam::scale == 0) {
    EXPECT_FALSE(TypeParam::parse("1" + nines));
    EXPECT_TRUE(TypeParam::parse("000000000000000000000000000000000000000000000000" + nines));
  } else {
    EXPECT_FALSE(TypeParam::parse("1" + TypeParam::max().to_string()));
    EXPECT_FALSE(TypeParam::parse(TypeParam::max().to_string() + "1"));
    EXPECT_TRUE(TypeParam::parse("0000" + TypeParam::max().to_string() +
                                 "000000000000000000000000000000000000000000000000"));
  }
}

template <class From, class To>
void check_rescale(Random& random) {
  for (int i = 0; i < 400; ++i) {
    const auto value = random_decimal<From>(random);
    for (const Rounding rounding : all_roundings) {
      std::optional<Paper> expected;
      if constexpr (To::scale >= From::scale) {
        expected = shifted(scaled_of(value), To::scale - From::scale);
      } else {
        expected =
            quotient(scaled_of(value), shifted({false, "1"}, From::scale - To::scale), rounding);
      }
      expect_result(
          expected, [&] { return value.template rescale<To::precision, To::scale>(rounding); },
          value.to_string() + " rounding " + std::to_string(static_cast<int>(rounding)));
    }
  }
}

TYPED_TEST(EveryShape, RescalesToEveryOtherShape) {
  SCOPED_TRACE(under_test::seed_text());
  Random random(under_test::random_seed());
  check_rescale<TypeParam, Decimal<1, 0>>(random);
  check_rescale<TypeParam, Decimal<18, 9>>(random);
  check_rescale<TypeParam, Decimal<20, 4>>(random);
  check_rescale<TypeParam, Decimal<38, 20>>(random);
  check_rescale<TypeParam, Decimal<38, 38>>(random);
}

template <class A, class B, class Result>
void check_products(Random& random) {
  for (int i = 0; i < 60; ++i) {
    const auto a = random_decimal<A>(random);
    const auto b = random_decimal<B>(random);
    const std::string what = a.to_string() + " and " + b.to_string();
    for (const Rounding rounding : all_roundings) {
      const Paper exact = product(scaled_of(a), scaled_of(b));
      constexpr int drop = A::scale + B::scale - Result::scale;
      const auto expected =
          drop >= 0 ? quotient(exact, shifted({false, "1"}, std::max(drop, 0)), rounding)
                    : std::optional(shifted(exact, std::max(-drop, 0)));
      expect_result(
          expected, [&] { return quark::multiply<Result>(a, b, rounding); }, what + " multiplied");

      constexpr int lift = Result::scale + B::scale - A::scale;
      std::optional<Paper> ratio;
      if (!scaled_of(b).zero())
        ratio = quotient(shifted(scaled_of(a), std::max(lift, 0)),
                         shifted(scaled_of(b), std::max(-lift, 0)), rounding);
      expect_result(
          ratio, [&] { return quark::divide<Result>(a, b, rounding); }, what + " divided");
    }
  }
}

TYPED_TEST(EveryShape, RoundedProductsAndQuotients) {
  SCOPED_TRACE(under_test::seed_text());
  Random random(under_test::random_seed());
  check_products<TypeParam, TypeParam, TypeParam>(random);
  check_products<TypeParam, Decimal<38, 38>, Decimal<38, 38>>(random);
  check_products<Decimal<38, 38>, TypeParam, Decimal<38, 0>>(random);
  check_products<TypeParam, Decimal<5, 2>, Decimal<38, 20>>(random);
}

template <class A, class B>
void check_across(Random& random) {
  for (int i = 0; i < 1'000; ++i) {
    const auto a = random_decimal<A>(random);
    const auto b = random_decimal<B>(random);
    const int order = compare(shifted(scaled_of(a), B::scale), shifted(scaled_of(b), A::scale));
    ASSERT_EQ(a < b, order < 0) << a.to_string() << " " << b.to_string();
    ASSERT_EQ(b<a, order> 0) << a.to_string() << " " << b.to_string();
    ASSERT_EQ(a == b, order == 0) << a.to_string() << " " << b.to_string();
    // The same number in both shapes, where it fits.
    const auto same = B::parse(a.to_string());
    ASSERT_TRUE(!same || a == *same) << a.to_string();
    if constexpr (A::precision + B::precision <= 38) {
      const auto exact = a * b;
      static_assert(
          std::is_same_v<decltype(exact),
                         const Decimal<A::precision + B::precision, A::scale + B::scale>>);
      ASSERT_EQ(exact.to_string(),
                text_of(product(scaled_of(a), scaled_of(b)), A::scale + B::scale));
    }
  }
}

TYPED_TEST(EveryShape, ComparesAndMultipliesAcrossShapesAndWithIntegers) {
  SCOPED_TRACE(under_test::seed_text());
  Random random(under_test::random_seed());
  check_across<TypeParam, Decimal<6, 3>>(random);
  check_across<TypeParam, Decimal<20, 4>>(random);
  check_across<TypeParam, Decimal<38, 0>>(random);
  check_across<TypeParam, Decimal<38, 38>>(random);
  for (int i = 0; i < 1'000; ++i) {
    const auto a = random_decimal<TypeParam>(random);
    const auto n = static_cast<std::int64_t>(random()) >> (random() % 64);
    const auto u = random() >> (random() % 64);
    const int by_n = compare(scaled_of(a), shifted(paper(std::to_string(n)), TypeParam::scale));
    const int by_u = compare(scaled_of(a), shifted(paper(std::to_string(u)), TypeParam::scale));
    ASSERT_EQ(a < n, by_n < 0) << a.to_string() << " " << n;
    ASSERT_EQ(n<a, by_n> 0) << a.to_string() << " " << n;
    ASSERT_EQ(a == n, by_n == 0) << a.to_string() << " " << n;
    ASSERT_EQ(a >= u, by_u >= 0) << a.to_string() << " " << u;
    ASSERT_EQ(a != u, by_u != 0) << a.to_string() << " " << u;
  }
}

// ---- A whole small world: every pair, every rounding ----

// n / d by counting: the candidate that is nearest, by whole numbers only.
std::optional<int> small_quotient(int n, int d, Rounding rounding) {
  if (d == 0) return std::nullopt;
  std::optional<int> best;
  for (const int q : {n / d - 1, n / d, n / d + 1}) {
    const int miss = std::abs(n - q * d);  // in units of 1/d
    if (miss == 0) return q;
    const bool towards_zero =
        std::abs(q * d) < std::abs(n) && (q == 0 || (q < 0) == ((n < 0) != (d < 0)));
    const bool tie = 2 * miss == std::abs(d);
    if (rounding == Rounding::down && towards_zero && miss < std::abs(d)) best = q;
    if (rounding == Rounding::half_up && (2 * miss < std::abs(d) || (tie && !towards_zero)))
      best = q;
    if (rounding == Rounding::half_even && (2 * miss < std::abs(d) || (tie && q % 2 == 0)))
      best = q;
  }
  return best;
}

template <class Calculate>
bool gives(const std::optional<int>& expected, int limit, Calculate calculate) {
  const bool fits = expected && std::abs(*expected) <= limit;
  try {
    return calculate().scaled() == expected && fits;
  } catch (const quark::ConversionError&) {
    return !fits;
  }
}

TEST(Decimal, EveryPairOfTwoDigitNumbers) {
  using D = Decimal<2, 1>;
  for (int i = -99; i <= 99; ++i) {
    const D a = *D::from_scaled(i);
    ASSERT_EQ(a.to_string(), text_of(paper(std::to_string(i)), 1));
    for (const Rounding rounding : all_roundings) {
      ASSERT_TRUE(gives(small_quotient(i, 10, rounding), 99, [&] {
        return a.rescale<2, 0>(rounding);
      })) << i;
    }
    for (int j = -99; j <= 99; ++j) {
      const D b = *D::from_scaled(j);
      bool right = (a <=> b) == (i <=> j) && (a == b) == (i == j) && (a * b).scaled() == i * j;
      right = right && gives(i + j, 99, [&] { return a + b; });
      right = right && gives(i - j, 99, [&] { return a - b; });
      right = right && gives(i * j, 99, [&] { return a * j; });
      for (const Rounding rounding : all_roundings) {
        right = right && gives(small_quotient(i * j, 10, rounding), 99,
                               [&] { return quark::multiply<D>(a, b, rounding); });
        right = right && gives(small_quotient(i * 10, j, rounding), 99,
                               [&] { return quark::divide(a, b, rounding); });
      }
      ASSERT_TRUE(right) << a.to_string() << " and " << b.to_string();
    }
  }
}

TEST(Decimal, TiesGoWhereTheRoundingSays) {
  const auto rounded = [](const char* text, Rounding rounding) {
    return Decimal<6, 3>(text).rescale<5, 2>(rounding).to_string();
  };
  EXPECT_EQ(rounded("0.125", Rounding::half_even), "0.12");
  EXPECT_EQ(rounded("0.135", Rounding::half_even), "0.14");
  EXPECT_EQ(rounded("-0.125", Rounding::half_even), "-0.12");
  EXPECT_EQ(rounded("0.125", Rounding::half_up), "0.13");
  EXPECT_EQ(rounded("-0.125", Rounding::half_up), "-0.13");
  EXPECT_EQ(rounded("-0.005", Rounding::half_even), "0.00");
  EXPECT_EQ(rounded("-0.009", Rounding::down), "0.00");
  EXPECT_EQ(rounded("0.129", Rounding::down), "0.12");
  EXPECT_EQ(rounded("0.120", Rounding::refuse), "0.12");
  EXPECT_THROW(rounded("0.121", Rounding::refuse), quark::ConversionError);
  EXPECT_THROW(
      (Decimal<3, 3>("0.995").rescale<2, 2>(Rounding::half_up).rescale<1, 1>(Rounding::half_up)),
      quark::ConversionError);
}

}  // namespace
