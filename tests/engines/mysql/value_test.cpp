// Values as MySQL stores them: long ones, unsigned ones, dates and times at their limits, text and its collation.
#include "engines/mysql/server.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace {

using namespace under_test;
using namespace std::chrono;
using quark::field;
using quark::For;

struct Page {
  std::int64_t id{};
  std::string text{};
  std::vector<std::byte> bytes{};
  std::optional<std::string> more{};
  friend bool operator==(const Page&, const Page&) = default;
};

std::string letters(std::size_t size) {
  std::string out(size, 'x');
  for (std::size_t i = 0; i < size; i += 7) out[i] = static_cast<char>('a' + i % 26);
  if (size >= 5) out.replace(size - 5, 5, "<END>");
  return out;
}

TEST(B06, NothingIsCutWhateverItsLength) {
  auto db = fresh();
  quark::create_table<Page>(db);
  std::vector<Page> pages;
  for (const std::size_t size : {0u, 1u, 63u, 64u, 65u, 255u, 256u, 4095u, 4096u, 4097u, 8192u, 65535u, 65536u, 1000000u}) {
    Page page{.text = letters(size)};
    for (std::size_t i = 0; i < size; ++i) page.bytes.push_back(static_cast<std::byte>(i * 31));
    if (size % 2 == 0) page.more = letters(size / 2);
    For<Page>(db).create(page);
    pages.push_back(page);
  }
  for (int again = 0; again < 2; ++again) {
    EXPECT_TRUE(For<Page>(db).order_by(quark::asc<&Page::id>).list() == pages);
    for (std::size_t i = pages.size(); i-- > 0;) EXPECT_TRUE(For<Page>(db).get(pages[i].id) == pages[i]) << i;
    std::size_t n = 0;
    For<Page>(db).order_by(quark::asc<&Page::id>).each([&](const Page& page) {
      // The connection is busy with long rows: the rest of them must survive this.
      EXPECT_TRUE(page == pages[n]) << n;
      EXPECT_EQ(For<Page>(db).count(), static_cast<std::int64_t>(pages.size()));
      ++n;
    });
    EXPECT_EQ(n, pages.size());
  }
  for (const Page& page : pages)
    EXPECT_EQ(For<Page>(db).where(field<&Page::text> == page.text && field<&Page::bytes> == page.bytes).count(), 1);
  std::vector<Page> copies = pages;
  for (Page& page : copies) page.id = 0;
  For<Page>(db).create_batch(copies);
  for (const Page& page : copies) EXPECT_TRUE(For<Page>(db).get(page.id) == page);
}

struct Meter {
  std::int64_t id{};
  std::uint64_t total{};
  std::int64_t low{};
  std::optional<std::uint64_t> maybe{};
};

TEST(B01, UnsignedIsUnsignedBothWays) {
  auto db = fresh();
  quark::create_table<Meter>(db);
  const auto meters = For<Meter>(db);
  meters.create(Meter{1, UINT64_MAX, INT64_MIN, UINT64_MAX - 1});
  meters.create(Meter{2, 9223372036854775808u, -1, {}});
  EXPECT_EQ(raw_row(db, "select total, low, maybe from meters where id = 1"),
            "18446744073709551615|-9223372036854775808|18446744073709551614");
  EXPECT_EQ(meters.get(1).total, UINT64_MAX);
  EXPECT_EQ(meters.get(2).total, 9223372036854775808u);
  EXPECT_EQ(meters.where(field<&Meter::total> == UINT64_MAX).one().id, 1);
  EXPECT_EQ(meters.where(field<&Meter::total> > std::uint64_t{INT64_MAX}).count(), 2);
  const std::vector<std::uint64_t> list{UINT64_MAX, 7};
  EXPECT_EQ(meters.where(field<&Meter::total>.in(list)).one().id, 1);
}

TEST(B01, ASignedColumnOfAnotherProgramIsChecked) {
  auto db = fresh();
  raw(db, "create table meters (id bigint, total bigint, low bigint unsigned, maybe bigint unsigned)");
  raw(db, "insert into meters values (1, 5, 5, null), (2, -5, 5, null), (3, 5, 18446744073709551615, null)");
  EXPECT_EQ(For<Meter>(db).where(field<&Meter::id> == 1).one().total, 5u);
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)For<Meter>(db).where(field<&Meter::id> == 2).one(); }).column(),
            "total");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)For<Meter>(db).where(field<&Meter::id> == 3).one(); }).column(),
            "low");
}

struct Moment {
  std::int64_t id{};
  std::optional<sys_time<microseconds>> at{};
  std::optional<year_month_day> day{};
  std::optional<microseconds> span{};
};

TEST(B14, ZeroDatesAreRefusedAndNeverRead) {
  auto db = fresh();
  quark::create_table<Moment>(db);
  EXPECT_THROW(db.execute("insert into moments (id, day) values (1, '0000-00-00')"), quark::ConversionError);
  EXPECT_THROW(db.execute("insert into moments (id, day) values (1, '2024-00-01')"), quark::ConversionError);
  raw(db, "set sql_mode = ''");
  raw(db, "insert into moments (id, day) values (1, '0000-00-00')");
  raw(db, "insert into moments (id, at) values (2, '0000-00-00 00:00:00')");
  raw(db, "insert into moments (id, day) values (3, '2024-00-01')");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)For<Moment>(db).get(1); }).column(), "day");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)For<Moment>(db).get(2); }).column(), "at");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)For<Moment>(db).get(3); }).column(), "day");
}

TEST(B13, TimesEndWhereMySQLsDo) {
  auto db = fresh();
  quark::create_table<Moment>(db);
  const auto moments = For<Moment>(db);
  constexpr microseconds most = hours{838} + minutes{59} + seconds{59} + microseconds{999999};
  moments.create(Moment{1, {}, {}, most});
  moments.create(Moment{2, {}, {}, -most});
  moments.create(Moment{3, {}, {}, -microseconds{1}});
  moments.create(Moment{4, {}, {}, hours{24}});
  EXPECT_EQ(raw_cell(db, "select span from moments where id = 1"), "838:59:59.999999");
  EXPECT_EQ(raw_cell(db, "select span from moments where id = 2"), "-838:59:59.999999");
  EXPECT_EQ(raw_cell(db, "select span from moments where id = 4"), "24:00:00.000000");
  for (const auto& [id, span] : {std::pair{1, most}, {2, -most}, {3, -microseconds{1}}, {4, microseconds{hours{24}}}}) {
    EXPECT_EQ(moments.get(id).span, span);
    EXPECT_EQ(moments.where(field<&Moment::span> == span).one().id, id);
    const std::vector<microseconds> list{span, microseconds{77}};
    EXPECT_EQ(moments.where(field<&Moment::span>.in(list)).one().id, id);
  }
  EXPECT_THROW(moments.create(Moment{5, {}, {}, most + microseconds{1}}), quark::ConversionError);
  EXPECT_THROW(moments.create(Moment{5, {}, {}, -most - microseconds{1}}), quark::ConversionError);
  // Years 1 to 9999.
  const sys_days first = year{1} / 1 / 1, last = year{9999} / 12 / 31;
  moments.create(Moment{6, first, year_month_day{first}, {}});
  moments.create(Moment{7, last + hours{23}, year_month_day{last}, {}});
  EXPECT_EQ(raw_row(db, "select at, day from moments where id = 6"), "0001-01-01 00:00:00.000000|0001-01-01");
  EXPECT_EQ(moments.get(6).at, sys_time<microseconds>(first));
  EXPECT_EQ(moments.get(7).at, sys_time<microseconds>(last + hours{23}));
  EXPECT_THROW(moments.create(Moment{8, first - days{1}, {}, {}}), quark::ConversionError);
  EXPECT_THROW(moments.create(Moment{8, {}, year{10000} / 1 / 1, {}}), quark::ConversionError);
  EXPECT_THROW(moments.create(Moment{8, {}, year{0} / 2 / 29, {}}), quark::ConversionError);
  EXPECT_EQ(moments.count(), 6);
}

struct Word {
  std::int64_t id{};
  std::string text{};
  static consteval auto orm() { return quark::model(quark::unique(&Word::text)); }
};

TEST(Collation, TextIsEqualWhenItsCharactersAre) {
  auto db = fresh();
  quark::create_table<Word>(db);
  const auto words = For<Word>(db);
  const std::vector<std::string> all{"a", "A", "\xC3\xA4", "a ", "a\t", "", " "};
  for (const std::string& text : all) words.create(Word{0, text});
  for (const std::string& text : all) {
    EXPECT_EQ(words.where(field<&Word::text> == text).count(), 1) << text;
    EXPECT_EQ(words.where(field<&Word::text>.in(std::vector{text, std::string("none")})).count(), 1) << text;
    EXPECT_THROW(words.create(Word{0, text}), quark::UniqueViolation);
  }
  EXPECT_EQ(words.where(field<&Word::text>.in(all)).count(), 7);
}

TEST(Collation, OfATableOfOnesOwnDecidesInAListToo) {
  auto db = fresh();
  for (const std::string collation : {"utf8mb4_general_ci", "utf8mb4_unicode_ci", "utf8mb4_bin", "latin1_swedish_ci"}) {
    raw(db, "create table words (id bigint, text varchar(20) character set " +
                collation.substr(0, collation.find('_')) + " collate " + collation + ")");
    raw(db, "insert into words values (1, 'Ab')");
    const auto words = For<Word>(db);
    const std::vector<std::string> list{"aB", "c"};
    EXPECT_EQ(words.where(field<&Word::text>.in(list)).count(), words.where(field<&Word::text> == "aB").count())
        << collation;
    EXPECT_EQ(words.where(field<&Word::text>.not_in(list)).count(), words.where(field<&Word::text> != "aB").count());
    raw(db, "drop table words");
  }
}

struct Listed {
  std::int64_t id{};
  std::string text{};
  std::vector<std::byte> bytes{};
  quark::Uuid uuid{};
  double real{};
  quark::Decimal<38, 10> amount{};
  bool flag{};
};

TEST(B20, EveryKindOfValueRidesInAList) {
  auto db = fresh();
  quark::create_table<Listed>(db);
  const auto listed = For<Listed>(db);
  const std::vector<std::string> texts{std::string("\0\"\\/\n\x01\x7f", 7), "\xF0\x9F\x98\x80", "'", "null", "\"quoted\"",
                                       "%_!", ""};
  const std::vector<double> reals{0.1, 1e23, 5e-324, 1.7976931348623157e308, -6.91725742568953e120, 0.0, 1e-7};
  std::vector<Listed> rows;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Listed row{.text = texts[i], .uuid = quark::Uuid::random(), .real = reals[i], .flag = i % 2 == 0};
    for (std::size_t k = 0; k < i; ++k) row.bytes.push_back(static_cast<std::byte>(k * 127));
    row.amount = quark::Decimal<38, 10>("1234567890123456789012345678.000000000" + std::to_string(i));
    rows.push_back(row);
  }
  listed.create_batch(rows);
  for (const Listed& row : rows) {
    EXPECT_EQ(listed.where(field<&Listed::text>.in(std::vector{row.text})).one().id, row.id);
    EXPECT_EQ(listed.where(field<&Listed::bytes>.in(std::vector<std::vector<std::byte>>{row.bytes})).one().id, row.id);
    EXPECT_EQ(listed.where(field<&Listed::uuid>.in(std::vector{row.uuid})).one().id, row.id);
    EXPECT_EQ(listed.where(field<&Listed::real>.in(std::vector{row.real})).one().id, row.id);
    EXPECT_EQ(listed.where(field<&Listed::amount>.in(std::vector{row.amount})).one().id, row.id);
    EXPECT_EQ(listed.where(field<&Listed::amount> == row.amount).one().id, row.id) << "compared as doubles";
    EXPECT_EQ(listed.where(field<&Listed::text>.not_in(std::vector{row.text})).count(), 6);
  }
}

TEST(B19, AnEmptyListAmongOtherConditionsSpoilsNothingLater) {
  // MariaDB 10.11: a statement that ran with an empty list answers NOT IN wrong when it runs again.
  auto db = fresh();
  quark::create_table<Meter>(db);
  for (int i = 1; i <= 60; ++i)
    For<Meter>(db).create(Meter{i, 1, i, i % 3 == 0 ? std::nullopt : std::optional<std::uint64_t>(i % 5)});
  raw(db, "analyze table meters");
  for (int round = 0; round < 3; ++round) {
    for (const std::vector<std::uint64_t>& list : {std::vector<std::uint64_t>{}, {2}, {}, {2, 3}, {7}}) {
      std::int64_t expected = 0;
      for (int i = 1; i <= 60; ++i) {
        const bool listed = std::find(list.begin(), list.end(), static_cast<std::uint64_t>(i % 5)) != list.end();
        if (list.empty() || (i % 3 != 0 && !listed)) ++expected;
      }
      quark::Filter<Meter> filter = field<&Meter::maybe>.not_in(list);
      EXPECT_EQ(For<Meter>(db).where(filter || field<&Meter::low> < 0).count(), expected);
      EXPECT_EQ(For<Meter>(db).where(field<&Meter::maybe>.not_in(list) || field<&Meter::low> < 0).count(), expected);
    }
  }
}

TEST(Strictness, WhatDoesNotFitIsRefusedByTheServerToo) {
  auto db = fresh();
  raw(db, "set global sql_mode = @@global.sql_mode");
  raw(db, "create table words (id bigint, text varchar(3))");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { For<Word>(db).create(Word{1, "four"}); }).column(), "text");
  EXPECT_THROW(db.execute("insert into words values ('x', 'a')"), quark::ConversionError);
  EXPECT_THROW(db.execute("insert into words values (9223372036854775808, 'a')"), quark::ConversionError);
  EXPECT_EQ(raw_cell(db, "select count(*) from words"), "0");
  EXPECT_EQ(raw_cell(db, "select @@time_zone"), "+00:00");
}

struct Average {
  std::int64_t id{};
  int n{};
  std::int64_t large{};
};

TEST(Aggregates, AnAverageOfIntegersKeepsItsDigits) {
  auto db = fresh();
  quark::create_table<Average>(db);
  for (const int n : {1, 1, 2}) For<Average>(db).create(Average{0, n, INT64_MAX / 4});
  EXPECT_EQ((For<Average>(db).avg<&Average::n>()), 4.0 / 3);
  EXPECT_EQ((For<Average>(db).sum<&Average::large>()), INT64_MAX / 4 * 3);
  For<Average>(db).create(Average{0, 1, INT64_MAX / 4 * 2});
  EXPECT_THROW((void)(For<Average>(db).sum<&Average::large>()), quark::ConversionError);
}

struct Swap {
  std::int64_t id{};
  int a{}, b{};
};

TEST(Update, ColumnsThatAreSetFromEachOtherSwap) {
  auto db = fresh();
  quark::create_table<Swap>(db);
  For<Swap>(db).create(Swap{1, 1, 2});
  For<Swap>(db).everything().set(field<& Swap::a> = field<&Swap::b>, field<& Swap::b> = field<&Swap::a>).update();
  EXPECT_EQ(raw_row(db, "select a, b from swaps"), "2|1");
  EXPECT_EQ(For<Swap>(db).where(field<&Swap::id>.in(std::vector<std::int64_t>{1, 2}))
                .set(field<& Swap::a> = field<&Swap::b>, field<& Swap::b> = field<&Swap::a>).update(), 1u);
  EXPECT_EQ(raw_row(db, "select a, b from swaps"), "1|2");
  // What is as it should be was found all the same.
  EXPECT_EQ(For<Swap>(db).update(Swap{1, 1, 2}), 1u);
}

TEST(Update, AServerThatAssignsFromLeftToRightIsNotAskedWhatWouldComeOutWrong) {
  auto options = under_test::fresh_options();
  options.simultaneous_assignment = false;
  auto db = quark::mysql::open(options);
  quark::create_table<Swap>(db);
  For<Swap>(db).create(Swap{1, 1, 2});
  const auto rows = For<Swap>(db).everything();
  const auto some = For<Swap>(db).where(quark::Filter<Swap>(field<&Swap::id> == 1));
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW(rows.set(field<& Swap::a> = field<&Swap::b>, field<& Swap::b> = field<&Swap::a>).update(),
                 quark::Unsupported);
    EXPECT_THROW(some.set(field<& Swap::a> = 7, field<& Swap::b> = field<&Swap::b> + field<&Swap::a>).update(),
                 quark::Unsupported);
  }
  EXPECT_EQ(raw_row(db, "select a, b from swaps"), "1|2");
  // The other way round each sees the old values.
  EXPECT_EQ(rows.set(field<& Swap::b> = field<&Swap::a>, field<& Swap::a> = field<&Swap::a> + 5).update(), 1u);
  EXPECT_EQ(raw_row(db, "select a, b from swaps"), "6|1");
}

struct Changed {
  std::int64_t id{};
  double real{};
  quark::Decimal<20, 6> amount{};
  sys_time<microseconds> at{};
  std::string text{};
  std::optional<quark::Uuid> uuid{};
};

TEST(Columns, OfAnotherProgramMayNotChangeAValueSilently) {
  auto db = fresh();
  raw(db, "create table changeds (id bigint auto_increment primary key, real_ float, amount decimal(10,2), at datetime, "
          "text varchar(3), uuid char(36))");
  raw(db, "alter table changeds rename column real_ to `real`");
  const auto rows = For<Changed>(db);
  const Changed good{.real = 0.5, .amount = quark::Decimal<20, 6>("1.25"), .at = sys_days{year{2024} / 2 / 29}, .text = "abc"};
  Changed stored = good;
  rows.create(stored);
  EXPECT_EQ(rows.get(stored.id).at, good.at);
  const auto refused = [&](auto change, std::string_view column) {
    Changed bad = good;
    change(bad);
    EXPECT_EQ(error_of<quark::ConversionError>([&] { rows.create(bad); }).column(), column);
    std::vector<Changed> batch{good, bad};
    EXPECT_EQ(error_of<quark::ConversionError>([&] { rows.create_batch(batch); }).column(), column);
    bad.id = stored.id;
    EXPECT_EQ(error_of<quark::ConversionError>([&] { rows.update(bad); }).column(), column);
  };
  refused([](Changed& c) { c.real = 0.1; }, "real");
  refused([](Changed& c) { c.amount = quark::Decimal<20, 6>("1.255"); }, "amount");
  refused([](Changed& c) { c.at += microseconds{1}; }, "at");
  refused([](Changed& c) { c.text = "abc "; }, "text");
  refused([](Changed& c) { c.uuid = quark::Uuid::random(); }, "uuid");
  EXPECT_EQ(rows.count(), 1);
  // A condition may ask for any value.
  EXPECT_EQ(rows.where(field<&Changed::at> == good.at + microseconds{1}).set(field<& Changed::text> = "x").update(), 0u);
  raw(db, "update changeds set uuid = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'");
  EXPECT_EQ(rows.get(stored.id).uuid, quark::Uuid::of("6ba7b810-9dad-11d1-80b4-00c04fd430c8"));
  raw(db, "alter table changeds modify uuid uuid");
  EXPECT_EQ(rows.get(stored.id).uuid, quark::Uuid::of("6ba7b810-9dad-11d1-80b4-00c04fd430c8"));
  Changed with_uuid = rows.get(stored.id);
  with_uuid.uuid = quark::Uuid::of("0190163d-8694-739b-aea5-966c26f8ad90");
  auto again = quark::mysql::open([&] {
    auto options = server();
    options.database = raw_cell(db, "select database()");
    return options;
  }());
  For<Changed>(again).update(with_uuid);
  EXPECT_EQ(raw_cell(db, "select uuid from changeds"), "0190163d-8694-739b-aea5-966c26f8ad90");
}

template <class V>
struct Odd {
  std::int64_t id{};
  V v{};
  static consteval auto orm() { return quark::model(quark::table("odds")); }
};

// What MySQL would store as another value without an error, strict mode or not.
template <class V>
void expect_column(const char* type, const std::vector<V>& kept, const std::vector<V>& refused) {
  SCOPED_TRACE(type);
  auto db = fresh();  // a connection looks at a table once per statement
  raw(db, std::string("create table odds (id bigint auto_increment primary key, v ") + type + ")");
  const auto odds = For<Odd<V>>(db);
  for (const V& value : kept) EXPECT_NO_THROW(odds.create(Odd<V>{0, value}));
  for (const V& value : refused) {
    EXPECT_EQ(error_of<quark::ConversionError>([&] { odds.create(Odd<V>{0, value}); }).column(), "v");
    std::vector<Odd<V>> batch(2, Odd<V>{0, value});
    EXPECT_THROW(odds.create_batch(batch), quark::ConversionError);
  }
  EXPECT_EQ(raw_cell(db, "select count(*) from odds"), std::to_string(kept.size()));
}

TEST(OwnTables, ColumnsThatWouldChangeAValueRefuseIt) {
  using Time = sys_time<microseconds>;
  using Bytes = std::vector<std::byte>;
  const Time midnight = sys_days{year{2024} / 2 / 29}, noon = midnight + hours{12};
  for (const char* type : {"int", "bigint", "tinyint"}) {
    expect_column<double>(type, {2.0, -3.0}, {1.5, 0.1});
    expect_column<quark::Decimal<10, 2>>(type, {quark::Decimal<10, 2>::of("2")}, {quark::Decimal<10, 2>::of("1.5")});
  }
  expect_column<double>("double", {1.239}, {});
  expect_column<double>("double(10,2)", {}, {1.239});
  expect_column<std::int64_t>("double", {1LL << 53, -7}, {(1LL << 53) + 1, INT64_MIN});
  expect_column<std::int64_t>("float", {1 << 24}, {(1 << 24) + 1});
  expect_column<quark::Decimal<10, 2>>("float", {}, {quark::Decimal<10, 2>::of("1.5")});
  expect_column<Time>("date", {midnight}, {noon});
  expect_column<Time>("time(6)", {}, {noon});
  expect_column<Bytes>("binary(4)", {Bytes(4, std::byte{1})}, {Bytes(1, std::byte{1}), Bytes{}});
  expect_column<Bytes>("varbinary(4)", {Bytes(1, std::byte{1}), Bytes{}}, {});
  const std::string long_text = std::string(250, 'x') + std::string(10, ' ');
  expect_column<std::string>("tinytext", {"a ", std::string(255, ' ')}, {long_text});
  expect_column<std::string>("varchar(255)", {"a "}, {long_text});
}

}  // namespace
