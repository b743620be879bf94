// Integers, booleans and floating point: what is stored, both ends of every range, and what is
// refused.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <locale>
#include <string>

namespace {

using namespace under_test;
using quark::asc;
using quark::field;
using quark::For;

struct Width {
  std::int64_t id{};
  std::int8_t i8{};
  std::int16_t i16{};
  std::int32_t i32{};
  std::int64_t i64{};
  std::uint8_t u8{};
  std::uint16_t u16{};
  std::uint32_t u32{};
  std::uint64_t u64{};
  friend bool operator==(const Width&, const Width&) = default;
};

TEST(B01, EveryWidthIsStoredAsItsNumberAtBothEnds) {
  auto db = fresh();
  quark::create_table<Width>(db);
  const std::uint64_t top = Can::hold_all_of_u64 ? UINT64_MAX : std::uint64_t{INT64_MAX};
  const Width low{1, INT8_MIN, INT16_MIN, INT32_MIN, INT64_MIN, 0, 0, 0, 0};
  const Width high{2,         INT8_MAX,   INT16_MAX,  INT32_MAX, INT64_MAX,
                   UINT8_MAX, UINT16_MAX, UINT32_MAX, top};
  const Width middle{3, 65, -1, 3, -1, 65, 37670, 3000000000u, 1};
  For<Width>(db).create(low);
  std::vector<Width> batch{high, middle};
  For<Width>(db).create_batch(batch);
  const std::string columns = "select i8, i16, i32, i64, u8, u16, u32, u64 from widths where id = ";
  EXPECT_EQ(raw_row(db, columns + "1"), "-128|-32768|-2147483648|-9223372036854775808|0|0|0|0");
  EXPECT_EQ(raw_row(db, columns + "2"),
            "127|32767|2147483647|9223372036854775807|255|65535|4294967295|" + std::to_string(top));
  EXPECT_EQ(raw_row(db, columns + "3"), "65|-1|3|-1|65|37670|3000000000|1");
  for (int again = 0; again < 2; ++again)
    EXPECT_EQ(For<Width>(db).order_by(asc<&Width::id>).list(),
              (std::vector<Width>{low, high, middle}));
  EXPECT_EQ(For<Width>(db).where(field<&Width::u32> == 3000000000u).one().id, 3);
  EXPECT_EQ(For<Width>(db).where(field<&Width::i8> == std::int8_t{-128}).one().id, 1);
  EXPECT_EQ(For<Width>(db).where(field<&Width::i64> == INT64_MIN).one().id, 1);
  EXPECT_EQ(For<Width>(db).where(field<&Width::u64> == top).one().id, 2);
  EXPECT_EQ(For<Width>(db).update(Width{3, INT8_MIN, 0, 0, INT64_MAX, 0, 0, 0, top}), 1u);
  EXPECT_EQ(raw_row(db, columns + "3"),
            "-128|0|0|9223372036854775807|0|0|0|" + std::to_string(top));
}

TEST(B01, ANumberThatDoesNotFitTheMemberIsRefusedOnReading) {
  auto db = fresh();
  raw(db,
      "create table widths (id bigint, i8 bigint, i16 bigint, i32 bigint, i64 bigint, "
      "u8 bigint, u16 bigint, u32 bigint, u64 bigint)");
  const char* const columns[] = {"i8", "i16", "i32", "u8", "u16", "u32", "u64"};
  const char* const bad[][2] = {
      {"128", "-129"}, {"32768", "-32769"},  {"2147483648", "-2147483649"}, {"256", "-1"},
      {"65536", "-1"}, {"4294967296", "-1"}, {"-1", "-9223372036854775808"}};
  for (std::size_t i = 0; i < 7; ++i) {
    for (const char* value : bad[i]) {
      raw(db, "delete from widths");
      raw(db, "insert into widths values (1, 0, 0, 0, 0, 0, 0, 0, 0)");
      EXPECT_EQ(For<Width>(db).list().size(), 1u);
      raw(db, std::string("update widths set ") + columns[i] + " = " + value);
      const auto error = error_of<quark::ConversionError>([&] { (void)For<Width>(db).list(); });
      EXPECT_EQ(error.column(), columns[i]) << value;
      EXPECT_EQ(error.table(), "widths");
    }
  }
  EXPECT_EQ(For<Width>(db).count(), 1);
}

TEST(B01, ArithmeticThatLeavesTheMembersRangeIsRefused) {
  auto db = fresh();
  quark::create_table<Width>(db);
  const Width row{1, 100, 30000, 2000000000, INT64_MAX, 250, 65000, 4000000000u, 1};
  For<Width>(db).create(row);
  const auto all = For<Width>(db).everything();
  const auto refused = [&](auto&& change) {
    const auto error = error_of<quark::Error>(change);
    EXPECT_TRUE(error.kind() == quark::ErrorKind::check || error.kind() == quark::ErrorKind::conversion)
        << error.what();
    EXPECT_EQ(For<Width>(db).list(), std::vector{row});
  };
  refused([&] { all.set(field<& Width::i8> = field<&Width::i8> + 28).update(); });
  refused([&] { all.set(field<& Width::i8> = field<&Width::i8> - 229).update(); });
  refused([&] { all.set(field<& Width::i16> = field<&Width::i16> * 2).update(); });
  refused([&] { all.set(field<& Width::i32> = field<&Width::i32> * 2).update(); });
  refused([&] { all.set(field<& Width::i64> = field<&Width::i64> + 1).update(); });
  refused([&] { all.set(field<& Width::u8> = field<&Width::u8> + 10).update(); });
  refused([&] { all.set(field<& Width::u8> = field<&Width::u8> - 251).update(); });
  refused([&] { all.set(field<& Width::u16> = field<&Width::i32>).update(); });
  refused([&] { all.set(field<& Width::u32> = field<&Width::u32> * 2).update(); });
  refused([&] { all.set(field<& Width::u64> = field<&Width::u64> - 2).update(); });
  EXPECT_EQ(all.set(field<& Width::u8> = field<&Width::u8> + 5, field<& Width::i8> = field<&Width::i8> + 27)
                .update(),
            1u);
  EXPECT_EQ(For<Width>(db).get(1).u8, 255);
}

struct Switch {
  std::int64_t id{};
  bool turned{};
  std::optional<bool> maybe{};
};

TEST(B11, ABoolIsTrueFalseOrRefused) {
  auto db = fresh();
  quark::create_table<Switch>(db);
  const auto all = For<Switch>(db).order_by(asc<&Switch::id>);
  For<Switch>(db).create(Switch{1, true, false});
  For<Switch>(db).create(Switch{2, false, std::nullopt});
  For<Switch>(db).create(Switch{3, true, true});
  EXPECT_EQ(raw_cell(db, "select count(*) from switches where turned"), "2");
  EXPECT_EQ(raw_cell(db, "select count(*) from switches where maybe is null"), "1");
  EXPECT_EQ(all.pluck<&Switch::turned>(), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(all.list()[0].maybe, false);
  EXPECT_EQ(For<Switch>(db).where(field<&Switch::turned> == true).count(), 2);
  EXPECT_EQ(For<Switch>(db).where(!field<&Switch::turned>).one().id, 2);
  EXPECT_EQ(For<Switch>(db).where(field<&Switch::turned> && field<&Switch::maybe> == true).one().id,
            3);
}

TEST(B11, AnotherNumberInABoolIsRefused) {
  auto db = fresh();
  raw(db, "create table switches (id bigint, turned int, maybe int)");
  raw(db, "insert into switches values (1, 2, null)");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)For<Switch>(db).list(); }).column(),
            "turned");
  raw(db, "update switches set turned = 1, maybe = -1");
  // Where columns have types, the first one is wrong whatever its values are.
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)For<Switch>(db).list(); }).column(),
            Can::type_each_cell ? "maybe" : "turned");
}

struct Real {
  std::int64_t id{};
  double d{};
  float f{};
  std::optional<double> o{};
};

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST(B09, FiniteNumbersComeBackBitForBit) {
  auto db = fresh();
  quark::create_table<Real>(db);
  const double doubles[] = {0.0,
                            0.1,
                            1e23,
                            5e-324,
                            2.2250738585072014e-308,
                            DBL_MAX,
                            -DBL_MAX,
                            -6.91725742568953e120,
                            1.0 / 3,
                            1e15 + 0.5,
                            9007199254740993.0,
                            9223372036854775808.0,
                            123456789012345680.0,
                            3.0};
  const float floats[] = {0.1f, 16777215.f, FLT_MIN, FLT_MAX, -FLT_MAX, FLT_TRUE_MIN, 1.f / 3,
                          2.f,  0.f,        1e10f,   1.5f,    7.f,      3e38f,        -1.f};
  std::vector<Real> batch;
  for (std::size_t i = 0; i < std::size(doubles); ++i) {
    const auto id = static_cast<std::int64_t>(i) + 1;
    For<Real>(db).create(Real{id, doubles[i], floats[i], doubles[i]});
    batch.push_back(Real{id + 100, doubles[i], floats[i], doubles[i]});
  }
  For<Real>(db).create_batch(batch);
  for (std::size_t i = 0; i < std::size(doubles); ++i) {
    for (const std::int64_t offset : {1, 101}) {
      const Real real = For<Real>(db).get(static_cast<std::int64_t>(i) + offset);
      EXPECT_TRUE(same_bits(real.d, doubles[i])) << doubles[i];
      EXPECT_TRUE(same_bits(real.f, floats[i])) << floats[i];
      EXPECT_TRUE(same_bits(real.o.value(), doubles[i])) << doubles[i];
    }
    EXPECT_EQ(For<Real>(db).where(field<&Real::d> == doubles[i]).count(), 2) << doubles[i];
    EXPECT_GE(For<Real>(db).where(field<&Real::f> == floats[i]).count(), 2) << floats[i];
  }
}

TEST(B09, AFloatColumnIsSetToFloatsOnly) {
  auto db = fresh();
  quark::create_table<Real>(db);
  For<Real>(db).create(Real{1, 0.1, 1.5f, 0.1});
  const auto all = For<Real>(db).everything();
  for (const double bad : {0.1, 1e39, -1e39, 16777217.0}) {
    const auto error = error_of<quark::ConversionError>([&] { all.set(field<& Real::f> = bad).update(); });
    EXPECT_EQ(error.column(), "f") << bad;
  }
  EXPECT_THROW(all.set(field<& Real::f> = 16777217).update(), quark::ConversionError);
  EXPECT_EQ(For<Real>(db).get(1).f, 1.5f);
  EXPECT_EQ(all.set(field<& Real::f> = 0.1f).update(), 1u);
  EXPECT_EQ(For<Real>(db).get(1).f, 0.1f);
  EXPECT_EQ(all.set(field<& Real::f> = 0.5, field<& Real::d> = field<&Real::f>).update(), 1u);
  EXPECT_EQ(For<Real>(db).get(1).f, 0.5f);
  EXPECT_EQ(For<Real>(db).get(1).d, static_cast<double>(0.1f));
  EXPECT_EQ(all.set(field<& Real::f> = -7).update(), 1u);
  EXPECT_EQ(For<Real>(db).get(1).f, -7.f);
  // A condition may ask for any number.
  EXPECT_EQ(For<Real>(db).where(field<&Real::f> < 0.1).count(), 1);
}

TEST(B09, InfinityIsKeptOrRefused) {
  auto db = fresh();
  quark::create_table<Real>(db);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double d : {infinity, -infinity}) {
    if (Can::hold_infinity) {
      Real real{0, d, static_cast<float>(d), d};
      For<Real>(db).create(real);
      const Real back = For<Real>(db).get(real.id);
      EXPECT_EQ(back.d, d);
      EXPECT_EQ(back.f, static_cast<float>(d));
      EXPECT_EQ(back.o, d);
    } else {
      EXPECT_THROW(For<Real>(db).create(Real{0, d, 0.f, {}}), quark::ConversionError);
    }
  }
}

TEST(B09, NaNIsKeptOrRefusedAndNeverNull) {
  auto db = fresh();
  quark::create_table<Real>(db);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto reals = For<Real>(db);
  if (Can::hold_nan) {
    Real real{0, nan, std::nanf(""), nan};
    reals.create(real);
    EXPECT_TRUE(std::isnan(reals.get(real.id).d));
    return;
  }
  reals.create(Real{1, 1, 1, 1});
  EXPECT_EQ(error_of<quark::ConversionError>([&] {
              reals.create(Real{0, nan, 0, {}});
            }).column(),
            "d");
  EXPECT_EQ(error_of<quark::ConversionError>([&] {
              reals.create(Real{0, 0, std::nanf(""), {}});
            }).column(),
            "f");
  EXPECT_EQ(error_of<quark::ConversionError>([&] {
              reals.create(Real{0, 0, 0, nan});
            }).column(),
            "o");
  EXPECT_EQ(error_of<quark::ConversionError>([&] {
              reals.update(Real{1, 0, 0, nan});
            }).column(),
            "o");
  EXPECT_EQ(error_of<quark::ConversionError>([&] {
              reals.everything().set(field<& Real::o> = nan).update();
            }).column(),
            "o");
  EXPECT_EQ(error_of<quark::ConversionError>([&] {
              (void)reals.where(field<&Real::d> < nan).count();
            }).column(),
            "d");
  std::vector<Real> batch{{0, 1, 1, {}}, {0, 1, 1, nan}};
  EXPECT_EQ(error_of<quark::ConversionError>([&] { reals.create_batch(batch); }).column(), "o");
  const std::vector<double> values{1, nan};
  EXPECT_THROW((void)reals.where(field<&Real::d>.in(values)).count(), quark::ConversionError);
  EXPECT_EQ(raw_cell(db, "select count(*) from reals"), "1");
  EXPECT_EQ(raw_cell(db, "select count(*) from reals where o = 1"), "1");
}

// A comma for the point and groups of three, for every stream of the process.
struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

struct Geo {
  std::int64_t id{};
  double lat{};
  float f{};
  double plain{};
  static consteval auto orm() { return quark::model(quark::default_value(&Geo::plain, 1.5)); }
};

/// `text` is the table's definition in the "C" locale.
void expect_plain_numbers(const std::string& text) {
  auto db = fresh();
  EXPECT_EQ(quark::create_table_sql<Geo>(under_test::engine)[0], text);
  quark::create_table<Geo>(db);
  For<Geo>(db).create(Geo{1234567, 45.02564, 0.25f, 1000000.5});
  const Geo back = For<Geo>(db).get(1234567);
  EXPECT_EQ(back.lat, 45.02564);
  EXPECT_EQ(back.f, 0.25f);
  EXPECT_EQ(back.plain, 1000000.5);
  EXPECT_EQ(For<Geo>(db).where(field<&Geo::lat> > 0.5).limit(1000).count(), 1);
  quark::Filter<Geo> f = field<&Geo::plain> > 1000000.25;
  EXPECT_EQ(For<Geo>(db).where(f).limit(1234567).list().size(), 1u);
  EXPECT_EQ(raw_cell(db, "select count(*) from geos where lat = 45.02564 and f = 0.25 and id = 1234567"),
            "1");
  raw(db, "insert into geos (id, lat, f) values (1, 1, 1)");
  EXPECT_EQ(For<Geo>(db).get(1).plain, 1.5);
}

TEST(B08, TheLocaleOfCxxChangesNothing) {
  const std::string text = quark::create_table_sql<Geo>(under_test::engine)[0];
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  expect_plain_numbers(text);
  std::locale::global(before);
}

/// A locale of C with a decimal comma: one that is installed, or one that localedef makes.
bool set_comma_locale() {
  const auto set = [](const char* name) {
    return std::setlocale(LC_ALL, name) != nullptr && *std::localeconv()->decimal_point == ',';
  };
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"})
    if (set(name)) return true;
  std::string folder = (std::filesystem::temp_directory_path() / "quark-locale-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return false;
  const std::string command =
      "localedef -i de_DE -f UTF-8 '" + folder + "/de_DE.UTF-8' >/dev/null 2>&1";
  if (std::system(command.c_str()) == 0) setenv("LOCPATH", folder.c_str(), 1);
  const bool done = set("de_DE.UTF-8");
  unsetenv("LOCPATH");
  std::filesystem::remove_all(folder);
  return done;
}

TEST(B08, TheLocaleOfCChangesNothing) {
  const std::string text = quark::create_table_sql<Geo>(under_test::engine)[0];
  if (!set_comma_locale()) GTEST_SKIP() << "no locale with a decimal comma, and no localedef to make one";
  expect_plain_numbers(text);
  std::setlocale(LC_ALL, "C");
}

}  // namespace
