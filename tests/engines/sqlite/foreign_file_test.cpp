// Databases that other programs made: decimals as SQLite's own numbers, times as its datetime() writes them.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace {

using namespace under_test;
using namespace std::chrono;
using quark::asc;
using quark::field;
using quark::For;
using quark::sqlite::Decimals;
using quark::sqlite::Times;
using Money = quark::Decimal<10, 2>;

struct Bill {
  std::int64_t id{};
  Money total{};
  std::optional<Money> paid{};
  static consteval auto orm() { return quark::model(quark::table("Bill")); }
};

/// The call must throw an E whose message has `part` in it.
template <class E, class F>
void expect_error(F&& call, std::string_view part) {
  const quark::Error error = error_of<E>(std::forward<F>(call));
  EXPECT_NE(std::string_view(error.what()).find(part), std::string_view::npos) << error.what();
}

constexpr const char* foreign_table = "create table Bill (id integer primary key, total numeric(10,2) not null, paid decimal)";

Db numbers() { return quark::sqlite::open({.decimals = Decimals::number}); }

TEST(SqliteForeignFile, B10_DecimalsThatAreNumbers) {
  auto db = numbers();
  db.execute(foreign_table);
  db.execute("insert into Bill values (1, 0.99, '25.86'), (2, 2, null), (3, -99999999.99, 1e3), (4, 0.1, 0)");
  EXPECT_EQ(raw_row(db, "select group_concat(typeof(total)), group_concat(typeof(paid)) from Bill"),
            "real,integer,real,real|real,null,integer,integer");
  const auto bills = For<Bill>(db);
  const auto all = bills.order_by(asc<&Bill::id>).list();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].total, Money::of("0.99"));
  EXPECT_EQ(all[0].paid, Money::of("25.86"));
  EXPECT_EQ(all[1].total, Money(2));
  EXPECT_EQ(all[1].paid, std::nullopt);
  EXPECT_EQ(all[2].total, Money::of("-99999999.99"));
  EXPECT_EQ(all[2].paid, Money(1000));
  EXPECT_EQ(all[3].paid, Money(0));

  // What is compared is what is stored.
  EXPECT_EQ(bills.where(field<&Bill::total> == Money::of("0.99")).count(), 1u);
  EXPECT_EQ(bills.where(field<&Bill::total> == Money(2)).count(), 1u);
  EXPECT_EQ(bills.where(field<&Bill::total> > Money::of("0.10")).count(), 2u);
  EXPECT_EQ(bills.where(field<&Bill::total>.between(Money::of("0.10"), Money::of("0.99"))).count(), 2u);
  const std::vector<Money> some{Money::of("0.10"), Money(2), Money(3)};
  EXPECT_EQ(bills.where(field<&Bill::total>.in(some)).count(), 2u);
  EXPECT_EQ(bills.min<&Bill::total>(), Money::of("-99999999.99"));
  EXPECT_EQ(bills.order_by(asc<&Bill::total>).pluck<&Bill::id>(), (std::vector<std::int64_t>{3, 4, 1, 2}));
}

TEST(SqliteForeignFile, B10_DecimalsAreWrittenAsNumbers) {
  auto db = numbers();
  db.execute(foreign_table);
  const auto bills = For<Bill>(db);
  // Every amount of up to four digits, and some at the ends: back as they went in, alone and in a batch.
  std::vector<Bill> all;
  for (int cents = -10'000; cents <= 10'000; ++cents) all.push_back({.total = *Money::from_scaled(cents)});
  for (const Money end : {Money::min(), Money::max(), Money::of("12345678.91")}) all.push_back({.total = end});
  bills.create_batch(all);
  Bill one{.total = Money::of("7.77"), .paid = Money(5)};
  bills.create(one);
  const auto read = bills.order_by(asc<&Bill::id>).list();
  ASSERT_EQ(read.size(), all.size() + 1);
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(read[i].total, all[i].total);
  EXPECT_EQ(read.back().paid, Money(5));
  EXPECT_EQ(raw_row(db, "select total, paid from Bill where id = " + std::to_string(one.id)), "7.77|5");
  EXPECT_EQ(raw_cell(db, "select count(distinct total) from Bill"), std::to_string(all.size()));
  EXPECT_EQ(bills.where(field<&Bill::id> == one.id).set(field<&Bill::total> = Money::of("8.80")).update(), 1u);
  EXPECT_EQ(raw_cell(db, "select total from Bill where id = " + std::to_string(one.id)), "8.8");
}

TEST(SqliteForeignFile, B10_NumbersThatAreNoSuchDecimalAreRefused) {
  auto db = numbers();
  db.execute(foreign_table);
  const auto bills = For<Bill>(db);
  for (const char* value : {"0.1 + 0.2", "0.999", "100000000", "1e300", "9e999", "'many'", "x'31'"}) {
    db.execute("delete from Bill");
    db.execute("insert into Bill values (1, " + std::string(value) + ", null)");
    EXPECT_THROW(bills.list(), quark::ConversionError) << value;
  }
}

struct Long {
  std::int64_t id{};
  quark::Decimal<18, 2> a{};
  quark::Decimal<30, 20> b{};
};

TEST(SqliteForeignFile, B10_DigitsThatADoubleDoesNotHoldAreRefused) {
  auto db = numbers();
  quark::create_table<Long>(db);
  const auto longs = For<Long>(db);
  Long held{.a = quark::Decimal<18, 2>::of("1234567890123.45"), .b = quark::Decimal<30, 20>::of("0.00000012345678901234")};
  longs.create(held);
  EXPECT_EQ(longs.get(held.id).a, held.a);
  EXPECT_EQ(longs.get(held.id).b, held.b);
  EXPECT_THROW(longs.create(Long{.a = quark::Decimal<18, 2>::of("1234567890123456.78")}), quark::ConversionError);
  EXPECT_THROW(longs.create(Long{.b = quark::Decimal<30, 20>::of("1.00000000000000000001")}), quark::ConversionError);
  EXPECT_EQ(longs.count(), 1u);
}

TEST(SqliteForeignFile, B10_SumsInFloatingPointAreRefused) {
  auto db = numbers();
  db.execute(foreign_table);
  db.execute("insert into Bill values (1, 0.1, 0.2)");
  const auto bills = For<Bill>(db);
  expect_error<quark::Unsupported>([&] { bills.sum<&Bill::total>(); }, "floating point");
  expect_error<quark::Unsupported>(
      [&] { bills.everything().set(field<&Bill::total> = field<&Bill::total> + Money::of("0.20")).update(); },
      "floating point");
  expect_error<quark::Unsupported>([&] { bills.where(field<&Bill::total> - Money(1) > Money(2)).count(); },
                                   "floating point");
  quark::Filter<Bill> filter;
  filter &= field<&Bill::total> + Money(1) > Money(2);
  expect_error<quark::Unsupported>([&] { bills.where(filter).count(); }, "floating point");
  EXPECT_EQ(raw_cell(db, "select total from Bill"), "0.1");
  EXPECT_EQ(bills.get(1).paid, Money::of("0.20"));
}

// 2 in a NUMERIC column would be read as 0.02 by a connection that takes it for a number of hundredths, and 200 in
// one of ours as 200.00 by the other kind.
TEST(SqliteForeignFile, B10_TheOtherFormOfDecimalsIsRefused) {
  auto scaled = fresh();
  scaled.execute(foreign_table);
  scaled.execute("insert into Bill values (1, 2, null)");
  scaled.execute("create view Bills as select * from Bill");
  EXPECT_THROW(For<Bill>(scaled).list(), quark::Misuse);
  EXPECT_THROW(For<Bill>(scaled).count(), quark::Misuse);
  EXPECT_THROW(For<Bill>(scaled).create(Bill{}), quark::Misuse);
  std::vector<Bill> batch(2);
  EXPECT_THROW(For<Bill>(scaled).create_batch(batch), quark::Misuse);
  EXPECT_EQ(raw_cell(scaled, "select count(*) from Bill"), "1");
  scaled.execute("alter table Bill rename to Old");
  scaled.execute("create view Bill as select id, total, paid from Old");
  EXPECT_THROW(For<Bill>(scaled).list(), quark::Misuse);

  auto number = numbers();
  for (const char* type : {"integer", "text"}) {
    number.execute("drop table if exists Bill");
    number.execute("create table Bill (id integer primary key, total " + std::string(type) + " not null, paid numeric)");
    expect_error<quark::Misuse>([&] { For<Bill>(number).list(); }, "Decimals::scaled");
  }
}

TEST(SqliteForeignFile, TablesWithDecimalsThatAreNumbers) {
  auto db = numbers();
  quark::create_table<Bill>(db);
  Bill bill{.total = Money::of("0.30"), .paid = Money(2)};
  For<Bill>(db).create(bill);
  EXPECT_EQ(raw_row(db, "select total, typeof(total), paid, typeof(paid) from Bill"), "0.3|real|2.0|real");
  EXPECT_EQ(For<Bill>(db).get(bill.id).paid, Money(2));
  EXPECT_THROW(raw(db, "update Bill set total = 100000000"), RawError);
  EXPECT_THROW(raw(db, "update Bill set total = 'x'"), RawError);
}

struct Event {
  std::int64_t id{};
  sys_time<microseconds> at{};
  static consteval auto orm() { return quark::model(quark::table("Event")); }
};

TEST(SqliteForeignFile, B13_TimesAsDatetimeWritesThem) {
  auto db = quark::sqlite::open({.times = Times::datetime});
  db.execute("create table Event (id integer primary key, at datetime not null)");
  db.execute("insert into Event values (1, datetime('2021-01-01'))");
  const auto events = For<Event>(db);
  const sys_time<microseconds> day = sys_days{year{2021} / 1 / 1};
  EXPECT_EQ(events.get(1).at, day);
  EXPECT_EQ(events.where(field<&Event::at> == day).count(), 1u);
  EXPECT_EQ(events.where(field<&Event::at> <= day).count(), 1u);

  std::vector<Event> more;
  for (const auto offset : {microseconds{-1}, microseconds{1}, microseconds{500'000}, microseconds{500'001}, microseconds{999'999}, microseconds{-86'400'000'000 * 365 * 60}})
    more.push_back({.at = day + offset});
  events.create_batch(more);
  EXPECT_EQ(raw_row(db, "select group_concat(at) from (select at from Event order by at)"),
            "1961-01-16 00:00:00,2020-12-31 23:59:59.999999,2021-01-01 00:00:00,2021-01-01 00:00:00.000001,2021-01-01 "
            "00:00:00.500,2021-01-01 00:00:00.500001,2021-01-01 00:00:00.999999");
  for (const Event& event : more) EXPECT_EQ(events.where(field<&Event::at> == event.at).one().id, event.id);
  EXPECT_EQ(events.where(field<&Event::at> < day).count(), 2u);
}

}  // namespace
