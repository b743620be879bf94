// Values where the connector has ways of its own: text that it sends as bytes, types that it sends as text, buffers of a
// fixed size, integers whose sign it forgets.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace {

using namespace under_test;
using namespace std::chrono;
using quark::field;
using quark::For;

struct Long {
  std::int64_t id{};
  std::string text{};
  std::vector<std::byte> bytes{};
  std::optional<quark::Json> json{};
  static consteval auto orm() { return quark::model(quark::table("longs")); }
};

std::string letters(std::size_t size) {
  std::string out(size, '\0');
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<char>(i % 7 == 0 ? 0 : 'a' + i % 26);
  return out;
}

// The connector sends text beyond 256 KiB in pieces, as bytes.
TEST(B06, NothingIsCutWhateverItsLength) {
  auto db = fresh();
  quark::create_table<Long>(db);
  constexpr std::size_t edge = 256 * 1024;
  std::int64_t id = 0;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{64}, edge - 1, edge, edge + 1, 2 * edge,
                                 2 * edge + 1, std::size_t{3'000'000}}) {
    Long out{.id = ++id, .text = letters(size)};
    for (std::size_t i = 0; i < size; ++i) out.bytes.push_back(static_cast<std::byte>(i * 31 + i / 256));
    out.json = quark::Json("{\"a\":\"" + std::string(size, 'x') + "\"}");
    For<Long>(db).create(out);
    const std::string where = " from longs where id = " + std::to_string(id);
    EXPECT_EQ(raw_cell(db, "select octet_length(text)" + where), std::to_string(size));
    EXPECT_EQ(raw_cell(db, "select octet_length(bytes)" + where), std::to_string(size));
    const Long back = For<Long>(db).get(id);
    EXPECT_TRUE(back.text == out.text) << size;
    EXPECT_TRUE(back.bytes == out.bytes) << size;
    EXPECT_TRUE(back.json->text() == out.json->text()) << size;
    // Compared as text, whatever its length on the way.
    EXPECT_EQ(For<Long>(db).where(field<&Long::text> == out.text).count(), 1) << size;
    EXPECT_EQ(For<Long>(db).update(out), 1u);
  }
  // One statement takes short, long and short again.
  Long one = For<Long>(db).get(1);
  const auto longs = For<Long>(db);
  for (const std::size_t size : {std::size_t{5}, 3 * edge, std::size_t{5}}) {
    one.text = letters(size);
    longs.update(one);
    EXPECT_TRUE(longs.get(1).text == one.text) << size;
    std::vector<std::string> list{one.text, "other"};
    EXPECT_EQ(longs.where(field<&Long::text>.in(list)).count(), 1);
  }
}

// What the connector sends as bytes would be compared byte by byte.
TEST(Collation, OfATableOfOnesOwnDecidesWhateverTheLength) {
  auto db = fresh();
  raw(db, "create table longs (id bigint auto_increment primary key, text longtext collate utf8mb4_general_ci, "
          "bytes longblob, json longtext)");
  for (const std::size_t size : {std::size_t{10}, std::size_t{300 * 1024}}) {
    For<Long>(db).create(Long{.text = std::string(size, 'a')});
    EXPECT_EQ(For<Long>(db).where(field<&Long::text> == std::string(size, 'A')).count(), 1) << size;
  }
}

TEST(B07, TextThatIsNoUtf8IsRefusedWhateverItsLength) {
  auto db = fresh();
  quark::create_table<Long>(db);
  for (const std::size_t size : {std::size_t{10}, std::size_t{300 * 1024}}) {
    Long bad{.text = std::string(size, 'a') + "\xff"};
    EXPECT_THROW(For<Long>(db).create(bad), quark::ConversionError) << size;
  }
  EXPECT_EQ(For<Long>(db).count(), 0);
  Long bytes{.bytes = {std::byte{0xff}, std::byte{0}, std::byte{0xfe}}};
  For<Long>(db).create(bytes);
  EXPECT_EQ(raw_cell(db, "select hex(bytes) from longs"), "FF00FE");
  EXPECT_EQ(For<Long>(db).where(field<&Long::bytes> == bytes.bytes).count(), 1);
}

struct Number {
  std::int64_t id{};
  std::uint64_t natural{};
  std::int64_t integer{};
};

// Once a place was unsigned the connector leaves it so.
TEST(B01, UnsignedAndSignedDontMix) {
  auto db = fresh();
  quark::create_table<Number>(db);
  const auto numbers = For<Number>(db);
  numbers.create(Number{1, 18446744073709551615u, -9223372036854775807 - 1});
  numbers.create(Number{2, 0, -1});
  EXPECT_EQ(raw_row(db, "select * from numbers where id = 1"), "1|18446744073709551615|-9223372036854775808");
  EXPECT_EQ(numbers.get(1).natural, 18446744073709551615u);
  EXPECT_EQ(numbers.where(field<&Number::natural> > 9223372036854775807u).count(), 1);
  EXPECT_EQ(numbers.where(field<&Number::integer> == -1).count(), 1);
}

struct Moment {
  std::int64_t id{};
  sys_time<microseconds> at{};
  year_month_day day{};
  microseconds lasts{};
};

TEST(B13, FractionsAndFarYearsAreKept) {
  auto db = fresh();
  quark::create_table<Moment>(db);
  const auto moments = For<Moment>(db);
  const year_month_day first{year{1}, January, 1d}, last{year{9999}, December, 31d}, early{year{987}, March, 4d};
  const microseconds most = hours{838} + minutes{59} + seconds{59} + microseconds{999999};
  std::int64_t id = 0;
  for (const auto& [day, lasts] : {std::pair{first, -most}, {last, most}, {early, microseconds{-1}}, {early, microseconds{0}}}) {
    const Moment out{++id, sys_days(day) + microseconds{1}, day, lasts};
    moments.create(out);
    const Moment back = moments.get(id);
    EXPECT_EQ(back.at, out.at);
    EXPECT_EQ(back.day, out.day);
    EXPECT_EQ(back.lasts, out.lasts);
    EXPECT_EQ(moments.where(field<&Moment::at> == out.at && field<&Moment::day> == day && field<&Moment::lasts> == lasts &&
                            field<&Moment::id> == id)
                  .count(),
              1);
  }
  EXPECT_EQ(raw_row(db, "select at, day, lasts from moments where id = 1"),
            "0001-01-01 00:00:00.000001|0001-01-01|-838:59:59.999999");
  EXPECT_EQ(raw_row(db, "select at, day, lasts from moments where id = 3"),
            "0987-03-04 00:00:00.000001|0987-03-04|-00:00:00.000001");
  Moment beyond{.id = 9, .day = first, .lasts = most + microseconds{1}};
  EXPECT_EQ(error_of<quark::ConversionError>([&] { moments.create(beyond); }).column(), "lasts");
}

TEST(B14, ZeroDatesAreRefused) {
  auto db = fresh();
  quark::create_table<Moment>(db);
  raw(db, "set sql_mode = 'ALLOW_INVALID_DATES'");
  raw(db, "insert into moments values (1, '0000-00-00', '2024-01-01', 0), (2, '2024-01-01', '0000-00-00', 0), "
          "(3, '2024-01-01', '2023-02-31', 0)");
  const auto moments = For<Moment>(db);
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)moments.find(1); }).column(), "at");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)moments.find(2); }).column(), "day");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)moments.find(3); }).column(), "day");
}

struct Price {
  std::int64_t id{};
  quark::Decimal<30, 10> amount{};
  static consteval auto orm() { return quark::model(quark::table("prices")); }
};

// As text it would be compared in floating point, where these are equal.
TEST(B09, DecimalsAreComparedExactly) {
  auto db = fresh();
  quark::create_table<Price>(db);
  const auto prices = For<Price>(db);
  const auto amount = [](const char* text) { return quark::Decimal<30, 10>::parse(text).value(); };
  prices.create(Price{1, amount("12345678901234567890.0000000001")});
  prices.create(Price{2, amount("12345678901234567890.0000000002")});
  EXPECT_EQ(prices.where(field<&Price::amount> == amount("12345678901234567890.0000000001")).one().id, 1);
  EXPECT_EQ(prices.where(field<&Price::amount> > amount("12345678901234567890.0000000001")).one().id, 2);
  EXPECT_EQ(raw_cell(db, "select amount from prices where id = 2"), "12345678901234567890.0000000002");
  EXPECT_EQ(prices.sum<&Price::amount>()->to_string(), "24691357802469135780.0000000003");
  const auto first = prices.where(field<&Price::id> == 1);
  EXPECT_EQ(first.set(field<&Price::amount> = field<&Price::amount> + amount("0.0000000004")).update(), 1u);
  EXPECT_EQ(raw_cell(db, "select amount from prices where id = 1"), "12345678901234567890.0000000005");
}

struct Foreign {
  std::int64_t id{};
  quark::Decimal<38, 10> long_decimal{};
  std::vector<std::byte> bits{};
  double single{};
  int year{};
  std::string set{};
  quark::Uuid uuid{};
  sys_time<microseconds> stamp{};
  static consteval auto orm() { return quark::model(quark::table("foreigns")); }
};

TEST(Columns, OfAnotherProgramAreReadAsTheyAreOrRefused) {
  auto db = fresh();
  raw(db, "create table foreigns (id bigint primary key, long_decimal decimal(65,30), bits bit(10), single float, "
          "year year, `set` set('a','b'), uuid uuid, stamp timestamp(6))");
  raw(db, "insert into foreigns values (1, 1, b'1100000001', 0.1, 2024, 'a,b', "
          "'00112233-4455-6677-8899-aabbccddeeff', '2024-05-06 07:08:09.123456')");
  // The connector has 64 bytes for a decimal, and this column up to 67.
  const auto error = error_of<quark::ConversionError>([&] { (void)For<Foreign>(db).list(); });
  EXPECT_EQ(error.column(), "long_decimal");
  raw(db, "alter table foreigns modify long_decimal decimal(38,10)");
  const Foreign back = For<Foreign>(db).get(1);
  EXPECT_EQ(back.bits, (std::vector{std::byte{3}, std::byte{1}}));
  EXPECT_EQ(back.single, static_cast<double>(0.1f));
  EXPECT_EQ(back.year, 2024);
  EXPECT_EQ(back.set, "a,b");
  EXPECT_EQ(back.uuid.to_string(), "00112233-4455-6677-8899-aabbccddeeff");
  EXPECT_EQ(back.stamp, sys_days(2024y / May / 6) + 7h + 8min + 9s + 123456us) << "in UTC";
}

struct Narrow {
  std::int64_t id{};
  double real{};
  sys_time<microseconds> at{};
  std::string text{};
  std::vector<std::byte> bytes{};
  quark::Decimal<10, 4> price{};
  static consteval auto orm() { return quark::model(quark::table("narrows")); }
};

TEST(Columns, OfAnotherProgramMayNotChangeAValueSilently) {
  auto db = fresh();
  raw(db, "create table narrows (id bigint primary key, `real` float, at datetime(3), text char(5), bytes binary(2), "
          "price decimal(10,2))");
  const Narrow right{1, 0.5, sys_time<microseconds>(milliseconds{1}), "abc", {std::byte{1}, std::byte{2}},
                     quark::Decimal<10, 4>::parse("1.2500").value()};
  const auto all = For<Narrow>(db);
  Narrow first = right;
  all.create(first);
  const auto refused = [&](auto change, std::string_view column) {
    Narrow bad = right;
    change(bad);
    EXPECT_EQ(error_of<quark::ConversionError>([&] { all.update(bad); }).column(), column);
    bad.id = 2;
    EXPECT_EQ(error_of<quark::ConversionError>([&] { all.create(bad); }).column(), column);
  };
  refused([](Narrow& n) { n.real = 0.1; }, "real");
  refused([](Narrow& n) { n.at += microseconds{1}; }, "at");
  refused([](Narrow& n) { n.text = "ab "; }, "text");
  refused([](Narrow& n) { n.bytes.pop_back(); }, "bytes");
  refused([](Narrow& n) { n.price = quark::Decimal<10, 4>::parse("1.2345").value(); }, "price");
  EXPECT_EQ(all.count(), 1);
  EXPECT_EQ(all.update(right), 1u);
}

struct Plain {
  std::int64_t id{};
  std::string name{};
};

TEST(Keys, OfATableThatMakesNoneAreToldSo) {
  auto db = fresh();
  raw(db, "create table plains (id bigint primary key, name text)");
  Plain plain{.name = "x"};
  EXPECT_THROW(For<Plain>(db).create(plain), quark::Misuse);
  EXPECT_EQ(raw_cell(db, "select count(*) from plains"), "0");
  raw(db, "drop table plains");
  raw(db, "create table plains (id bigint unsigned auto_increment primary key, name text) auto_increment = 9223372036854775808");
  EXPECT_THROW(For<Plain>(db).create(plain), quark::ConversionError);
  EXPECT_EQ(plain.id, 0);
}

TEST(Values, LargerThanAPacketAreRefusedAndTheConnectionIsTold) {
  auto db = fresh();
  quark::create_table<Long>(db);
  const std::size_t packet = std::stoul(raw_cell(db, "select @@max_allowed_packet"));
  Long out{.text = std::string(packet + 1, 'x')};
  EXPECT_THROW(For<Long>(db).create(out), quark::Error);
  if (db.is_lost()) return;
  EXPECT_EQ(For<Long>(db).count(), 0);
}

}  // namespace
