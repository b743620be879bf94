// Values on PostgreSQL's wire: what the server itself prints of them, its infinities and limits, its own types.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"
#include "support/random_seed.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

namespace {

using namespace under_test;
using namespace std::chrono;
using quark::asc;
using quark::field;
using quark::For;

struct Amount {
  std::int64_t id{};
  quark::Decimal<38, 10> wide{};
  quark::Decimal<9, 4> small{};
  quark::Decimal<38, 0> whole{};
};

// The server's text of a numeric is the oracle, both ways.
TEST(PostgresValues, DecimalsAreWhatTheServerPrints) {
  SCOPED_TRACE(seed_text());
  std::mt19937_64 random(random_seed());
  auto db = fresh();
  quark::create_table<Amount>(db);
  const auto digits = [&](int most) {
    __int128 value = 0;
    const int count = static_cast<int>(random() % static_cast<unsigned>(most + 1));
    for (int i = 0; i < count; ++i) value = value * 10 + static_cast<int>(random() % 3 == 0 ? 0 : random() % 10);
    return random() % 2 == 0 ? value : -value;
  };
  std::vector<Amount> all(400);
  for (Amount& a : all) {
    a.wide = *quark::Decimal<38, 10>::from_scaled(digits(38));
    a.small = *quark::Decimal<9, 4>::from_scaled(digits(9));
    a.whole = *quark::Decimal<38, 0>::from_scaled(digits(38));
  }
  all[0].wide = quark::Decimal<38, 10>::max();
  all[1].wide = quark::Decimal<38, 10>::min();
  all[2].whole = quark::Decimal<38, 0>::max();
  all[3].wide = quark::Decimal<38, 10>::of("0.0000000001");
  all[4].wide = quark::Decimal<38, 10>::of("10000");
  all[5].wide = quark::Decimal<38, 10>::of("0.0001");
  For<Amount>(db).create_batch(all);
  const auto back = For<Amount>(db).order_by(asc<&Amount::id>).list();
  const auto printed = raw(db, "select wide, small, whole from amounts order by id");
  ASSERT_EQ(back.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].wide.to_string(), printed[i][0]);
    EXPECT_EQ(all[i].small.to_string(), printed[i][1]);
    EXPECT_EQ(all[i].whole.to_string(), printed[i][2]);
    EXPECT_EQ(back[i].wide, all[i].wide);
    EXPECT_EQ(back[i].small, all[i].small);
    EXPECT_EQ(back[i].whole, all[i].whole);
    EXPECT_EQ(For<Amount>(db).where(field<&Amount::wide> == all[i].wide).find(all[i].id)->wide, all[i].wide);
  }
}

struct Loose {
  std::int64_t id{};
  quark::Decimal<6, 2> n{};
};

TEST(PostgresValues, ANumericThatDoesNotFitIsRefused) {
  auto db = fresh();
  raw(db, "create table looses (id bigint primary key, n numeric)");
  const auto read = [&](const char* value) {
    raw(db, "delete from looses");
    raw(db, std::string("insert into looses values (1, ") + value + ")");
    return For<Loose>(db).get(1).n.to_string();
  };
  EXPECT_EQ(read("1e3"), "1000.00");
  EXPECT_EQ(read("-9999.99"), "-9999.99");
  EXPECT_EQ(read("1.500000"), "1.50");
  EXPECT_EQ(read("0"), "0.00");
  for (const char* value : {"0.001", "10000", "1e38", "1e100", "1e-100", "'NaN'", "'Infinity'", "'-Infinity'"}) {
    const auto error = error_of<quark::ConversionError>([&] { (void)read(value); });
    EXPECT_EQ(error.column(), "n") << value;
    EXPECT_EQ(error.table(), "looses");
  }
}

struct Moment {
  std::int64_t id{};
  sys_time<microseconds> at{};
  std::optional<sys_time<microseconds>> local{};
  std::optional<year_month_day> day{};
  std::optional<microseconds> took{};
  std::optional<microseconds> clock{};
  static consteval auto orm() {
    return quark::model(quark::type(&Moment::local, "timestamp"), quark::type(&Moment::clock, "time"));
  }
};

TEST(PostgresValues, TimesAreWhatTheServerPrints) {
  auto db = fresh();
  quark::create_table<Moment>(db);
  raw(db, "set timezone = 'Asia/Kathmandu'");
  const auto at = sys_days{year{2024} / 2 / 29} + hours{1} + microseconds{5};
  Moment m{.at = at, .local = at, .day = year{1969} / 12 / 31, .took = -hours{30} - microseconds{1},
           .clock = hours{23} + microseconds{1}};
  For<Moment>(db).create(m);
  raw(db, "set timezone = 'UTC'");
  EXPECT_EQ(raw_row(db, "select at, local, day, took, clock from moments"),
            "2024-02-29 01:00:00.000005+00|2024-02-29 01:00:00.000005|1969-12-31|-30:00:00.000001|23:00:00.000001");
  raw(db, "set timezone = 'Asia/Kathmandu'");
  const Moment back = For<Moment>(db).where(field<&Moment::at> == at && field<&Moment::local> == at &&
                                            field<&Moment::day> == year{1969} / 12 / 31 &&
                                            field<&Moment::clock> < hours{24}).one();
  EXPECT_EQ(back.at, m.at);
  EXPECT_EQ(back.local, m.local);
  EXPECT_EQ(back.day, m.day);
  EXPECT_EQ(back.took, m.took);
  EXPECT_EQ(back.clock, m.clock);
}

TEST(PostgresValues, InfinitiesAndMonthsAreRefused) {
  auto db = fresh();
  quark::create_table<Moment>(db);
  const auto refused = [&](std::string column, std::string value) {
    raw(db, "delete from moments");
    raw(db, "insert into moments (id, at) values (1, now())");
    raw(db, "update moments set " + column + " = '" + value + "'");
    EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)For<Moment>(db).list(); }).column(), column) << value;
  };
  for (const char* value : {"infinity", "-infinity", "294247-06-01"}) refused("at", value);
  refused("day", "infinity");
  refused("day", "-infinity");
  refused("took", "1 month");
  raw(db, "update moments set took = '1 day 1 second'");
  EXPECT_EQ(For<Moment>(db).one().took, hours{24} + seconds{1});
}

TEST(PostgresValues, TimesOutsideItsRangeAreRefused) {
  auto db = fresh();
  quark::create_table<Moment>(db);
  using Time = sys_time<microseconds>;
  For<Moment>(db).create(Moment{.id = 1, .at = Time::max()});
  EXPECT_EQ(For<Moment>(db).one().at, Time::max());
  For<Moment>(db).remove_by_key(1);
  for (const Time at : {Time::min(), Time::min() + microseconds{1}, Time{sys_days{year{-4800} / 1 / 1}}}) {
    EXPECT_EQ(error_of<quark::ConversionError>([&] { For<Moment>(db).create(Moment{.at = at}); }).column(), "at");
  }
  EXPECT_EQ(error_of<quark::ConversionError>([&] { For<Moment>(db).create(Moment{.clock = -seconds{1}}); }).column(),
            "clock");
  EXPECT_EQ(raw_cell(db, "select count(*) from moments"), "0");
}

struct Host {
  std::int64_t id{};
  std::string address{};
  std::optional<std::string> mood{};
  std::optional<std::string> code{};
  static consteval auto orm() {
    return quark::model(quark::type(&Host::address, "inet"), quark::type(&Host::mood, "mood"),
                        quark::type(&Host::code, "postcode"));
  }
};

TEST(PostgresValues, TypesOfTheDatabase) {
  auto db = fresh();
  raw(db, "create type mood as enum ('sad', 'glad')");
  raw(db, "create domain postcode as varchar(10) check (value <> 'bad')");
  quark::create_table<Host>(db);
  std::vector<Host> hosts{{.address = "10.1.2.3", .mood = "glad", .code = "12345"},
                          {.address = "fe80::1/64", .code = "x"},
                          {.address = "192.168.0.0/16"}};
  For<Host>(db).create_batch(hosts);
  For<Host>(db).create(Host{.address = "::1", .mood = "sad"});
  const auto back = For<Host>(db).order_by(asc<&Host::id>).list();
  ASSERT_EQ(back.size(), 4u);
  EXPECT_EQ(back[0].address, "10.1.2.3");
  EXPECT_EQ(back[1].address, "fe80::1/64");
  EXPECT_EQ(back[2].address, "192.168.0.0/16");
  EXPECT_EQ(back[3].address, "::1");
  EXPECT_EQ(back[0].mood, "glad");
  EXPECT_EQ(back[0].code, "12345");
  EXPECT_EQ(For<Host>(db).where(field<&Host::mood> == "glad").count(), 1);
  EXPECT_EQ(For<Host>(db).where(field<&Host::code>.in(std::vector<std::string>{"12345", "x"})).count(), 2);
  EXPECT_THROW(For<Host>(db).create(Host{.address = "no address"}), quark::ConversionError);
  EXPECT_THROW(For<Host>(db).create(Host{.address = "::1", .mood = "angry"}), quark::ConversionError);
  EXPECT_THROW(For<Host>(db).create(Host{.address = "::1", .code = "bad"}), quark::CheckViolation);
  EXPECT_THROW(For<Host>(db).create(Host{.address = "::1", .code = "longer than ten"}), quark::ConversionError);
  EXPECT_EQ(For<Host>(db).count(), 4);
}

TEST(PostgresValues, AZeroByteInTextIsRefusedBeforeItIsSent) {
  auto db = fresh();
  quark::create_table<User>(db);
  db.transaction([&](auto& tx) {
    const auto error = error_of<quark::ConversionError>(
        [&] { For<User>(tx).create(User{.name = std::string("a\0b", 3)}); });
    EXPECT_EQ(error.column(), "name");
    For<User>(tx).create(User{.name = "after"});  // the transaction goes on
  });
  EXPECT_EQ(raw_cell(db, "select name from users"), "after");
  // Text that is no UTF-8 is refused by the server.
  EXPECT_EQ(error_of<quark::ConversionError>([&] { For<User>(db).create(User{.name = "\xff"}); }).sqlstate(), "22021");
}

struct Score {
  std::int64_t id{};
  std::int16_t small{};
  float real{};
  std::uint64_t large{};
};

// A parameter is wider than its column where it must be: comparing never fails, and uses the index.
TEST(PostgresValues, ComparingWithNumbersThatNoRowCanHave) {
  auto db = fresh();
  raw(db, "create table scores (id bigint primary key, small smallint, real real, large bigint)");
  raw(db, "insert into scores values (1, 7, 0.1, 9)");
  EXPECT_EQ(For<Score>(db).where(field<&Score::small> == std::int16_t{7}).count(), 1);
  EXPECT_EQ(For<Score>(db).where(field<&Score::real> == 0.1f).count(), 1);
  EXPECT_EQ(For<Score>(db).where(field<&Score::large> < std::uint64_t{10}).count(), 1);
  EXPECT_EQ(For<Score>(db).sum<&Score::small>(), 7);
  raw(db, "insert into scores select i, 1, 1, 1 from generate_series(2, 3) i");
  raw(db, "update scores set large = 9223372036854775807");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)For<Score>(db).sum<&Score::large>(); }).sqlstate(), "22003");
}

}  // namespace
