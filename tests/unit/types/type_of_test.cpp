// Every mapped type on its way out and in: the parameter it becomes, the cell it is read from, what
// is refused.
#include "unit/fakes/fake_engine.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

namespace {

using namespace quark;
using test::FakeCell;
using test::Value;
using namespace std::string_literals;

template <class T>
Param put(const T& value) {
  Param p;
  codec<T>::put(p, value);
  return p;
}
template <class T>
T get(const Value& value) {
  return codec<T>::get(FakeCell(value));
}
template <class T>
bool refuses(const Value& value) {
  try {
    (void)codec<T>::get(FakeCell(value));
    return false;
  } catch (const ConversionError&) {
    return true;
  }
}

template <class T>
class Integers : public testing::Test {};
using IntegerTypes = testing::Types<signed char, unsigned char, short, unsigned short, int,
                                    unsigned, long, unsigned long, long long, unsigned long long>;
TYPED_TEST_SUITE(Integers, IntegerTypes);

TYPED_TEST(Integers, B01_KeepTheirValueBothWays) {
  using T = TypeParam;
  constexpr bool natural = codec<T>::info.form == Form::u64;
  for (T value : {std::numeric_limits<T>::min(), T{0}, T{1}, std::numeric_limits<T>::max()}) {
    const Param p = put(value);
    EXPECT_EQ(p.form, codec<T>::info.form);
    EXPECT_FALSE(p.null);
    if constexpr (natural) {
      EXPECT_EQ(p.head.natural, value);
      EXPECT_EQ(get<T>(Value::of_natural(p.head.natural)), value);
    } else {
      EXPECT_EQ(p.head.integer, static_cast<std::int64_t>(value));
      EXPECT_EQ(get<T>(p.head.integer), value);
    }
  }
  if constexpr (sizeof(T) < 8) {
    const auto low = static_cast<std::int64_t>(std::numeric_limits<T>::min());
    const auto high = static_cast<std::int64_t>(std::numeric_limits<T>::max());
    for (std::int64_t bad :
         {low - 1, low, high, high + 1, std::numeric_limits<std::int64_t>::min(),
          std::numeric_limits<std::int64_t>::max(), low - 256, high + 256, std::int64_t{1} << 32})
      EXPECT_EQ(refuses<T>(bad), bad < low || bad > high) << bad;
  }
  EXPECT_TRUE(refuses<T>(Value{}));  // NULL (fault B02)
  EXPECT_TRUE(refuses<T>("1"));
  EXPECT_TRUE(refuses<T>(1.0));
}

TEST(Integers, HaveAColumnThatHoldsAllOfThem) {
  static_assert(codec<std::int8_t>::info.form == Form::i16 && codec<std::int8_t>::info.narrow);
  static_assert(codec<std::uint8_t>::info.form == Form::i16 && codec<std::uint8_t>::info.narrow);
  static_assert(codec<std::int16_t>::info.form == Form::i16 && !codec<std::int16_t>::info.narrow);
  static_assert(codec<std::uint16_t>::info.form == Form::i32 && codec<std::uint16_t>::info.narrow);
  static_assert(codec<std::uint32_t>::info.form == Form::i64 && codec<std::uint32_t>::info.narrow);
  static_assert(codec<std::uint64_t>::info.form == Form::u64);
}

TEST(Bool, B11_IsNeitherCharNorInteger) {
  static_assert(codec<bool>::info.form == Form::boolean);
  static_assert(!Mapped<char> && !Mapped<wchar_t> && !Mapped<char8_t> && !Mapped<char16_t> &&
                !Mapped<std::byte>);
  EXPECT_EQ(put(true).head.integer, 1);
  EXPECT_EQ(put(false).head.integer, 0);
  EXPECT_TRUE(get<bool>(1));
  EXPECT_FALSE(get<bool>(0));
  EXPECT_TRUE(refuses<bool>(2));
  EXPECT_TRUE(refuses<bool>(-1));
}

TEST(Floats, B09_KeepEveryDigit) {
  for (double d : {0.1, -0.0, 1e308, 5e-324, 1.0 / 3}) {
    EXPECT_EQ(put(d).head.real, d);
    EXPECT_EQ(std::signbit(get<double>(d)), std::signbit(d));
    EXPECT_EQ(get<double>(d), d);
  }
  for (float f : {0.1f, 3.4028234663852886e38f, 1e-45f, -0.0f})
    EXPECT_EQ(get<float>(put(f).head.real), f);
  EXPECT_TRUE(refuses<float>(0.1));  // lies between two floats
  EXPECT_TRUE(refuses<float>(1e39));
  EXPECT_TRUE(refuses<float>(-3.5e38));
  EXPECT_TRUE(std::isnan(get<float>(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_EQ(get<float>(std::numeric_limits<double>::infinity()),
            std::numeric_limits<float>::infinity());
}

TEST(Text, B05_KeepsZeroBytesAndEmptyOnes) {
  const std::string text = "a\0b"s;
  EXPECT_EQ(put(text).view(), text);
  EXPECT_EQ(get<std::string>(text), text);
  EXPECT_FALSE(put(""s).null);  // empty is not NULL (fault B03)
  EXPECT_NE(put(""s).head.text, nullptr);
  Param p;
  codec<std::string>::put(p, std::string_view{});
  EXPECT_NE(p.head.text, nullptr);
  EXPECT_FALSE(p.null);
  const std::vector<std::byte> bytes{std::byte{0}, std::byte{255}, std::byte{0}};
  EXPECT_EQ(put(bytes).form, Form::bytes);
  EXPECT_EQ(put(bytes).view(), "\0\xff\0"s);
  EXPECT_EQ(get<std::vector<std::byte>>(Value::of_bytes("\0\xff\0"s)), bytes);
  EXPECT_NE(put(std::vector<std::byte>{}).head.text, nullptr);
  EXPECT_TRUE(refuses<std::vector<std::byte>>("text"));
  static_assert(!Mapped<std::string_view> && !Mapped<const char*>);
}

enum class Rank : std::uint8_t { low = 1, high = 200 };
enum class Signed : int { minus = -5, zero = 0 };

TEST(Enums, B12_AreSentByValueAndReadOnlyIfTheyExist) {
  EXPECT_EQ(put(Rank::high).head.integer, 200);
  EXPECT_EQ(get<Rank>(1), Rank::low);
  EXPECT_EQ(get<Signed>(-5), Signed::minus);
  EXPECT_TRUE(refuses<Rank>(2));
  EXPECT_TRUE(refuses<Rank>(456));  // 200 when cut to a byte
  EXPECT_TRUE(refuses<Signed>(5));
  using Named = detail::named_codec<Rank>;
  Param p;
  Named::put(p, Rank::low);
  EXPECT_EQ(p.view(), "low");
  EXPECT_EQ(Named::get(FakeCell("high")), Rank::high);
  for (const char* bad : {"", "High", "low ", "200", "Rank::low"})
    EXPECT_THROW(Named::get(FakeCell(bad)), ConversionError) << bad;
  Named::put(p, static_cast<Rank>(7));
  EXPECT_EQ(p.form, Form::refused);  // the engine throws it, with the column's name
  using Maybe = detail::named_codec<std::optional<Rank>>;
  static_assert(Maybe::info.nullable && Maybe::info.form == Form::text);
  EXPECT_EQ(Maybe::get(FakeCell(Value{})), std::nullopt);
}

TEST(Optional, IsTheOnlyTypeThatTakesNull) {
  EXPECT_TRUE(put(std::optional<int>{}).null);
  EXPECT_EQ(put(std::optional<int>{}).form, Form::i32);
  EXPECT_FALSE(put(std::optional<int>{0}).null);
  EXPECT_EQ(get<std::optional<int>>(Value{}), std::nullopt);
  EXPECT_EQ(get<std::optional<int>>(0), 0);
  EXPECT_EQ(get<std::optional<std::string>>(""), "");
  EXPECT_EQ(get<std::optional<std::string>>(Value{}), std::nullopt);
  EXPECT_TRUE(refuses<std::optional<int>>(std::int64_t{1} << 40));
  static_assert(codec<std::optional<Uuid>>::info.nullable &&
                codec<std::optional<Json>>::info.nullable);
  static_assert(codec<std::optional<Decimal<10, 2>>>::info.scale == 2);
  static_assert(!Mapped<std::optional<std::optional<int>>> && !Mapped<std::optional<char>>);
}

TEST(Times, B13_AreExactToTheMicrosecond) {
  using namespace std::chrono;
  using Micro = sys_time<microseconds>;
  EXPECT_EQ(put(Micro{microseconds{-1}}).head.integer, -1);
  EXPECT_EQ(put(sys_seconds{seconds{-5}}).head.integer, -5'000'000);
  EXPECT_EQ(put(sys_days{year{1969} / 12 / 31}).head.integer, -86'400'000'000);
  EXPECT_EQ(get<Micro>(-1), Micro{microseconds{-1}});
  EXPECT_EQ(get<sys_seconds>(-5'000'000), sys_seconds{seconds{-5}});
  EXPECT_TRUE(refuses<sys_seconds>(-5'000'001));
  EXPECT_TRUE(refuses<sys_seconds>(1));
  EXPECT_EQ(put(milliseconds{-3}).head.integer, -3000);
  EXPECT_EQ(get<hours>(std::int64_t{7'200'000'000}), hours{2});
  EXPECT_TRUE(refuses<minutes>(61'000'000));
  EXPECT_EQ(put(hours{std::numeric_limits<int>::max()} * 4).form, Form::refused);
  using Narrow = duration<std::int16_t, std::ratio<1>>;
  EXPECT_TRUE(refuses<Narrow>(std::int64_t{40'000} * 1'000'000));
}

TEST(Dates, AreDaysSince1970) {
  using namespace std::chrono;
  for (int y : {-4, 0, 1, 1600, 1900, 1969, 1970, 2000, 2024, 9999, 32767})
    for (const auto& [m, d] : {std::pair{1u, 1u}, {2u, 28u}, {3u, 1u}, {12u, 31u}}) {
      const year_month_day date{year{y}, month{m}, day{d}};
      const std::int64_t days = sys_days{date}.time_since_epoch().count();
      EXPECT_EQ(put(date).head.integer, days);
      EXPECT_EQ(get<year_month_day>(days), date);
    }
  EXPECT_EQ(put(year{2024} / 2 / 29).head.integer, 19782);
  EXPECT_EQ(put(year{2023} / 2 / 29).form, Form::refused);
  EXPECT_EQ(put(year{2023} / 13 / 1).form, Form::refused);
  EXPECT_TRUE(refuses<year_month_day>(std::int64_t{12'000'000}));  // beyond the year 32767
}

TEST(Decimals, B10_TravelAsScaledIntegers) {
  using D = Decimal<30, 4>;
  const auto value = D::parse("-12345678901234567890123456.7891");
  ASSERT_TRUE(value);
  const Param p = put(*value);
  EXPECT_EQ(p.form, Form::decimal);
  EXPECT_EQ(p.scale, 4);
  EXPECT_EQ(p.precision, 30);
  EXPECT_TRUE(p.decimal() == value->scaled());
  EXPECT_EQ(get<D>(Value::of_decimal(p.decimal())), *value);
  EXPECT_TRUE((refuses<Decimal<5, 2>>(Value::of_decimal(100'000))));
  EXPECT_EQ((get<Decimal<5, 2>>(Value::of_decimal(-99'999)).scaled()), -99'999);
}

TEST(JsonAndUuid, AreCheckedWhenRead) {
  EXPECT_EQ(put(Json(R"({"a":1})")).form, Form::json);
  EXPECT_EQ(get<Json>(R"([1])").text(), "[1]");
  EXPECT_TRUE(refuses<Json>("{"));
  Uuid id;
  for (std::size_t i = 0; i < 16; ++i)
    id.bytes[i] = static_cast<std::remove_reference_t<decltype(id.bytes[0])>>(i);
  const Param p = put(id);
  EXPECT_EQ(std::memcmp(&p.head, id.bytes.data(), 8), 0);
  EXPECT_EQ(std::memcmp(&p.tail, id.bytes.data() + 8, 8), 0);
  EXPECT_EQ(get<Uuid>(Value::of_bytes("\0\1\2\3\4\5\6\7\x8\x9\xa\xb\xc\xd\xe\xf"s)), id);
  EXPECT_TRUE(refuses<Uuid>(Value::of_bytes("short")));
}

// A strong id, and types that a user maps: to a number, to text, to another mapped type.
struct PetId {
  std::int64_t value{};
};
struct Celsius {
  double degrees = 0;
  int unused = 0;
};
struct Colour {
  int red = 0, green = 0, blue = 0;
  bool operator==(const Colour&) const = default;
};

}  // namespace

template <>
struct quark::type_of<Celsius> {
  using wire = double;
  static double to_wire(const Celsius& c) { return c.degrees; }
  static Celsius from_wire(double d) {
    if (d < -273.15) throw quark::ConversionError("colder than possible");
    return {d, 0};
  }
};
template <>
struct quark::type_of<Colour> {
  using wire = std::string;
  static std::string to_wire(const Colour& c) {
    return std::to_string(c.red) + "," + std::to_string(c.green) + "," + std::to_string(c.blue);
  }
  static Colour from_wire(const std::string& text) {
    Colour c;
    if (std::sscanf(text.c_str(), "%d,%d,%d", &c.red, &c.green, &c.blue) != 3)
      throw quark::ConversionError("no colour");
    return c;
  }
};

namespace {

TEST(StrongId, IsItsMember) {
  static_assert(codec<PetId>::info.form == Form::i64 && !codec<PetId>::borrows);
  EXPECT_EQ(put(PetId{5}).head.integer, 5);
  EXPECT_EQ(get<PetId>(6).value, 6);
  EXPECT_TRUE(refuses<PetId>(Value{}));
  EXPECT_EQ(get<std::optional<PetId>>(Value{}).has_value(), false);
}

TEST(TypeOf, MapsAUsersType) {
  EXPECT_EQ(put(Celsius{1.5}).head.real, 1.5);
  EXPECT_EQ(get<Celsius>(2.5).degrees, 2.5);
  try {
    (void)get<Celsius>(-300.0);
    FAIL();
  } catch (const ConversionError& error) {
    EXPECT_STREQ(error.what(), "cell: colder than possible");
  }
}

TEST(TypeOf, KeepsAWireFormThatBorrowsAliveWhileTheStatementRuns) {
  const Colour colour{10, 20, 30};
  Param p = put(colour);
  EXPECT_EQ(p.form, Form::deferred);
  Scratch scratch;
  resolve(&p, 1, scratch);
  EXPECT_EQ(p.form, Form::text);
  EXPECT_EQ(p.view(), "10,20,30");
  EXPECT_EQ(get<Colour>("1,2,3"), (Colour{1, 2, 3}));
  EXPECT_TRUE(refuses<Colour>("red"));
  Param null = put(std::optional<Colour>{});
  resolve(&null, 1, scratch);
  EXPECT_TRUE(null.null);
  Param some = put(std::optional<Colour>{colour});
  const std::optional<Colour> kept = colour;
  codec<std::optional<Colour>>::put(some, kept);
  resolve(&some, 1, scratch);
  EXPECT_EQ(some.view(), "10,20,30");
}

}  // namespace
