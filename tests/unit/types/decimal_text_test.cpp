// Decimal as text and as a type: what is read and printed, what converts, what is refused.
#include <quark/exec/error.hpp>
#include <quark/types/decimal_value.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <locale>
#include <string>
#include <type_traits>
#include <unordered_set>

namespace {

using quark::Decimal;
using quark::Rounding;

// ---- Text ----

TEST(Decimal, ReadsPlainNumbers) {
  using D = Decimal<10, 4>;
  EXPECT_EQ(D("12.5").to_string(), "12.5000");
  EXPECT_EQ(D("+12.5").to_string(), "12.5000");
  EXPECT_EQ(D("-12.5000").to_string(), "-12.5000");
  EXPECT_EQ(D("0012").to_string(), "12.0000");
  EXPECT_EQ(D(".5").to_string(), "0.5000");
  EXPECT_EQ(D("5.").to_string(), "5.0000");
  EXPECT_EQ(D("-.0001").to_string(), "-0.0001");
  EXPECT_EQ((Decimal<3, 0>("-12").to_string()), "-12");
  EXPECT_EQ((Decimal<3, 0>("12.000").to_string()), "12");
}

TEST(Decimal, HasNoNegativeZero) {
  EXPECT_EQ((Decimal<4, 2>("-0").to_string()), "0.00");
  EXPECT_EQ((Decimal<4, 2>("-0.000").to_string()), "0.00");
  EXPECT_EQ((Decimal<4, 2>("-.00") * -1).to_string(), "0.00");
  EXPECT_EQ((-Decimal<4, 2>{}).to_string(), "0.00");
}

TEST(Decimal, RefusesOtherTexts) {
  using D = Decimal<10, 4>;
  for (const char* text :
       {"",      "-",     "+",      ".",    "-.",  "+.",  "1.2.3", "1,5",      "1 000",
        "1'000", "1_000", " 1",     "1 ",   "\t1", "1\n", "--1",   "+-1",      "1-",
        "1e3",   "1E3",   "1.5e-1", "0x10", "NaN", "nan", "inf",   "Infinity", "-infinity",
        "$1",    "1$",    "(1)",    "½",    "١",   "1.5f"}) {
    EXPECT_FALSE(D::parse(text)) << text;
    EXPECT_THROW(D{std::string_view(text)}, quark::ConversionError) << text;
  }
  EXPECT_FALSE(D::parse(std::string_view("1\0", 2)));
  EXPECT_FALSE(D::parse(std::string_view("\0", 1)));
  EXPECT_FALSE(D::parse(std::string_view{}));
}

TEST(Decimal, RefusesMorePlacesThanTheColumnHas) {
  using D = Decimal<10, 4>;
  EXPECT_FALSE(D::parse("1.00001"));
  EXPECT_FALSE(D::parse("0.00005"));
  EXPECT_FALSE(D::parse("1.000000000000000000000000000000000000000000000000001"));
  EXPECT_EQ(D::parse("1.000000000000000000000000000000000000000000000000000"), D(1));
}

TEST(Decimal, RefusesMoreDigitsThanTheColumnHas) {
  using D = Decimal<10, 4>;
  EXPECT_EQ(D::parse("999999.9999"), D::max());
  EXPECT_FALSE(D::parse("1000000"));
  EXPECT_FALSE(D::parse("1000000.0000"));
  EXPECT_FALSE(D::parse("-1000000"));
  // 2^128 and 2^64 would be zero if they wrapped.
  EXPECT_FALSE((Decimal<38, 0>::parse("340282366920938463463374607431768211456")));
  EXPECT_FALSE((Decimal<18, 0>::parse("18446744073709551616")));
}

TEST(FormatScaled, WritesEveryInt128) {
  char text[quark::max_decimal_text + 1];
  const auto formatted = [&](quark::Int128 value, int scale) {
    text[quark::max_decimal_text] = '#';
    const std::size_t size = quark::format_scaled(value, scale, text);
    EXPECT_LE(size, quark::max_decimal_text);
    EXPECT_EQ(text[quark::max_decimal_text], '#');
    return std::string(text, size);
  };
  const quark::Int128 most = (((quark::Int128{1} << 126) - 1) << 1) + 1;
  const quark::Int128 least = -most - 1;
  EXPECT_EQ(formatted(most, 0), "170141183460469231731687303715884105727");
  EXPECT_EQ(formatted(least, 0), "-170141183460469231731687303715884105728");
  EXPECT_EQ(formatted(least, 38), "-1.70141183460469231731687303715884105728");
  EXPECT_EQ(formatted(least, 19), "-17014118346046923173.1687303715884105728");
  EXPECT_EQ(formatted(-1, 38), "-0.00000000000000000000000000000000000001");
  EXPECT_EQ(formatted(0, 0), "0");
  EXPECT_EQ(formatted(0, 38), "0.00000000000000000000000000000000000000");
  EXPECT_EQ(formatted(quark::Int128{UINT64_MAX}, 0), "18446744073709551615");
  EXPECT_EQ(formatted(quark::Int128{UINT64_MAX} + 1, 0), "18446744073709551616");
  EXPECT_EQ(formatted(quark::Int128{10'000'000'000'000'000'000u} * 10, 19),
            "10.0000000000000000000");
}

TEST(ParseScaled, LeavesTheResultAloneWhenItRefuses) {
  quark::Int128 out = 77;
  EXPECT_FALSE(quark::parse_scaled("1.234", 10, 2, out));
  EXPECT_FALSE(quark::parse_scaled("12x", 10, 2, out));
  EXPECT_TRUE(out == 77);
  EXPECT_TRUE(quark::parse_scaled("-1.2", 10, 2, out));
  EXPECT_TRUE(out == -120);
}

// ---- What the types say ----

using Money = Decimal<20, 4>;

static_assert(sizeof(Decimal<18, 4>) == 8 && sizeof(Decimal<19, 4>) == 16);
static_assert(std::is_trivially_copyable_v<Money> && std::is_trivially_copyable_v<Decimal<10, 2>>);
static_assert(std::is_convertible_v<int, Money> && std::is_nothrow_constructible_v<Money, int>);
static_assert(!std::is_nothrow_constructible_v<Money, std::int64_t>);
static_assert(std::is_nothrow_constructible_v<Decimal<24, 4>, std::uint64_t>);
static_assert(!std::is_convertible_v<std::string_view, Money> &&
              !std::is_convertible_v<const char*, Money>);
static_assert(!std::is_constructible_v<Money, bool> && !std::is_constructible_v<Money, char> &&
              !std::is_constructible_v<Money, wchar_t> && !std::is_constructible_v<Money, char8_t>);
static_assert(!std::is_constructible_v<double, Money>);
// A narrower shape widens by itself, a wider one doesn't narrow.
static_assert(std::is_convertible_v<Decimal<10, 2>, Money>);
static_assert(!std::is_constructible_v<Decimal<10, 2>, Money>);
static_assert(!std::is_constructible_v<Decimal<20, 5>, Money>);  // fewer digits before the point

static_assert(Money::of("11.29").scaled() == 112'900);
static_assert(Money::of("11.29") + 1 == Money::of("12.29"));
static_assert(Money::of("0.1") + Money::of("0.2") == Money::of("0.3"));
static_assert(Decimal<10, 2>::of("1.50") + Money::of("0.0001") == Money::of("1.5001"));
static_assert(Decimal<5, 2>::of("1.50") == Decimal<5, 1>::of("1.5") && Decimal<5, 2>::of("2") > 1);
static_assert(Decimal<5, 2>::of("1.25").rescale<4, 1>(Rounding::half_even) ==
              Decimal<4, 1>::of("1.2"));
static_assert(Decimal<4, 2>{} == 0 && Decimal<4, 2>{} == Decimal<38, 38>{});
static_assert(Decimal<4, 2>::max() < 1'000'000'000'000 && Decimal<38, 0>::max() > UINT64_MAX);

TEST(Decimal, CompoundAssignment) {
  Money sum = 1;
  sum += Money("0.5");
  sum *= 3;
  sum -= 2;
  EXPECT_EQ(sum.to_string(), "2.5000");
}

TEST(Decimal, DividesByIntegersIntoItsOwnType) {
  EXPECT_EQ(quark::divide(Money(10), 3, Rounding::down).to_string(), "3.3333");
  EXPECT_EQ(quark::divide(Money(-10), 3u, Rounding::half_up).to_string(), "-3.3333");
  EXPECT_EQ(quark::divide(Money(2), 3, Rounding::half_even).to_string(), "0.6667");
  EXPECT_EQ(quark::divide(Money(1), 8, Rounding::refuse).to_string(), "0.1250");
  EXPECT_EQ((quark::divide<Decimal<6, 2>>(Money(2), UINT64_MAX, Rounding::half_up).to_string()),
            "0.00");
  EXPECT_THROW(quark::divide(Money(1), 3, Rounding::refuse), quark::ConversionError);
  EXPECT_THROW(quark::divide(Money(1), 0, Rounding::down), quark::ConversionError);
  EXPECT_THROW(quark::divide(Money(0), Money(0), Rounding::down), quark::ConversionError);
}

TEST(Decimal, WhatLeaves256BitsOnTheWayIsRefusedToo) {
  using Whole = Decimal<38, 0>;
  using Tiny = Decimal<38, 38>;
  // i * 10^76 / (10^38 - 1), and i * 10^76 before anything is dropped.
  for (int i = 1; i <= 3'000; ++i) {
    EXPECT_THROW(quark::divide<Tiny>(Whole(i), Tiny::max(), Rounding::down), quark::ConversionError)
        << i;
    EXPECT_THROW(quark::multiply<Tiny>(Whole(i), Whole(1), Rounding::down), quark::ConversionError)
        << i;
  }
  EXPECT_THROW(quark::multiply<Tiny>(Whole::max(), Whole::max(), Rounding::down),
               quark::ConversionError);
  EXPECT_EQ(quark::divide<Tiny>(Whole(0), Tiny::max(), Rounding::down), 0);
  EXPECT_EQ(quark::multiply<Whole>(Tiny::max(), Tiny::max(), Rounding::half_up), 1);
}

TEST(Decimal, HashesTellNeighboursApart) {
  std::unordered_set<std::size_t> hashes;
  for (int i = -500; i < 500; ++i) hashes.insert(std::hash<Money>{}(*Money::from_scaled(i)));
  EXPECT_EQ(hashes.size(), 1000u);
}

TEST(Decimal, ToDoubleIsNear) {
  EXPECT_DOUBLE_EQ(Money("11.29").to_double(), 11.29);
  EXPECT_DOUBLE_EQ((Decimal<38, 38>::max().to_double()), 1.0);
  EXPECT_DOUBLE_EQ((Decimal<38, 0>::min().to_double()), -1e38);
}

// B01: an integer is stored as itself or refused, whatever its width and sign.
TEST(Decimal, B01_IntegersKeepTheirValueOrAreRefused) {
  EXPECT_EQ((Decimal<20, 0>(18'446'744'073'709'551'615u).to_string()), "18446744073709551615");
  EXPECT_EQ((Decimal<20, 0>(INT64_MIN).to_string()), "-9223372036854775808");
  EXPECT_EQ((Decimal<10, 0>(3'000'000'000u).to_string()), "3000000000");
  EXPECT_EQ((Decimal<5, 0>(std::uint16_t{37670}).to_string()), "37670");
  EXPECT_EQ((Decimal<3, 0>(std::int8_t{-128}).to_string()), "-128");
  EXPECT_THROW((Decimal<19, 0>(18'446'744'073'709'551'615u)), quark::ConversionError);
  EXPECT_THROW((Decimal<18, 0>(INT64_MIN)), quark::ConversionError);
  EXPECT_THROW((Decimal<4, 2>(100)), quark::ConversionError);
  EXPECT_THROW((Decimal<4, 2>(-100)), quark::ConversionError);
  EXPECT_THROW((Decimal<2, 2>(1)), quark::ConversionError);
  EXPECT_EQ((Decimal<4, 2>(-99).to_string()), "-99.00");
  EXPECT_EQ((Decimal<2, 2>(0).to_string()), "0.00");
}

// B09: floating point loses digits, so it is no way in.
static_assert(!std::is_constructible_v<Money, double> && !std::is_constructible_v<Money, float> &&
              !std::is_constructible_v<Money, long double>);
template <class T>
concept ComparesWithDouble = requires(T value) {
  value == 0.5;
};
template <class T>
concept CalculatesWithDouble = requires(T value) {
  value + 0.5;
}
|| requires(T value) { value * 0.5; };
static_assert(!ComparesWithDouble<Money> && !CalculatesWithDouble<Money>);

// B10: 11.29 was stored as 11.2899, and seventeen digits came back as another integer.
TEST(Decimal, B10_MoneyKeepsEveryDigit) {
  EXPECT_EQ(Money("11.29").to_string(), "11.2900");
  EXPECT_EQ(Money("-0.0001").to_string(), "-0.0001");
  EXPECT_EQ(Money("1234567890123456.7891").to_string(), "1234567890123456.7891");
  EXPECT_EQ((Money("0.1") + Money("0.2")).to_string(), "0.3000");
  EXPECT_FALSE(Money::parse("11.28999"));
  EXPECT_FALSE(Money::parse("12345678901234567.1"));
}

struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Decimal, B08_TheProcessLocaleChangesNothing) {
  const std::locale old = std::locale::global(std::locale(std::locale(), new Comma));
  const std::string text = Money("1234567.25").to_string();
  const bool comma = Money::parse("1234567,25").has_value();
  const bool grouped = Money::parse("1.234.567").has_value();
  std::locale::global(old);
  EXPECT_EQ(text, "1234567.2500");
  EXPECT_FALSE(comma);
  EXPECT_FALSE(grouped);
}

}  // namespace
