// Values are the same whatever the caller has set on the connection, and what was set stays.
#include "server.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

namespace {

using namespace under_test;
using namespace std::chrono;
using quark::asc;
using quark::field;
using quark::For;

struct Everything {
  std::int64_t id{};
  bool yes{};
  std::int16_t small{};
  double real{};
  float single{};
  quark::Decimal<20, 6> amount{};
  std::string text{};
  std::vector<std::byte> bytes{};
  sys_time<microseconds> at{};
  year_month_day day{};
  microseconds took{};
  quark::Uuid uuid{};
  quark::Json json{};
  std::optional<int> nothing{};
  friend bool operator==(const Everything&, const Everything&) = default;
};

Everything sample() {
  Everything e{.id = 1, .yes = true, .small = -7};
  e.real = 0.1 + 0.2;
  e.single = 1.0F / 3;
  e.amount = *quark::Decimal<20, 6>::parse("-12345678901234.567891");
  e.text = "\\x41 '\"\\ \xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa6 $1 ;";
  for (int i = 0; i < 256; ++i) e.bytes.push_back(static_cast<std::byte>(i));
  e.at = sys_days{2024y / 2 / 29} + 23h + 59min + 58s + 123456us;
  e.day = 1y / 3 / 1;
  e.took = -(26h + 3min + 1us);
  e.uuid = *quark::Uuid::parse("01234567-89ab-cdef-0123-456789abcdef");
  e.json = quark::Json(R"({"a": [1.50, null]})");
  return e;
}

constexpr const char* stored =
    "select concat_ws('|', yes, small, real = 0.1::float8 + 0.2::float8, single = (1 / 3.0)::float4, amount, "
    "encode(convert_to(text, 'UTF8'), 'hex'), md5(bytes), octet_length(bytes), "
    "extract(epoch from at), day - date '0001-03-01', extract(epoch from took), uuid, json, nothing is null) "
    "from everythings";

std::string expected() {
  return "t|-7|t|t|-12345678901234.567891|5c783431202722 5c20c3a4e282acf09f90a6202431203b|"
         "e2c865db4162bed963bfaa9ef6ac18f0|256|1709251198.123456|0|-93780.000001|"
         "01234567-89ab-cdef-0123-456789abcdef|";
}

struct Setting {
  const char* name;
  const char* value;
};

TEST(PqxxSettings, ValuesDoNotDependOnThem) {
  Service service;
  {
    pqxx::nontransaction tx(service.connection);
    quark::create_table<Everything>(tx);
  }
  std::string plain;
  {
    pqxx::nontransaction tx(service.connection);
    For<Everything>(tx).create(sample());
    plain = cell(tx, stored);
    For<Everything>(tx).everything().remove();
  }
  std::string begin = expected();
  begin.erase(begin.find(' '), 1);
  EXPECT_EQ(plain.substr(0, begin.size()), begin);

  const std::vector<std::vector<Setting>> rounds = {
      {{"datestyle", "SQL, DMY"}, {"intervalstyle", "sql_standard"}, {"timezone", "Asia/Kolkata"}},
      {{"datestyle", "German"}, {"intervalstyle", "postgres_verbose"}, {"timezone", "America/New_York"}},
      {{"datestyle", "Postgres, MDY"}, {"intervalstyle", "iso_8601"}, {"bytea_output", "escape"}},
      {{"datestyle", "ISO, YMD"}, {"extra_float_digits", "-15"}, {"bytea_output", "escape"}},
      {{"extra_float_digits", "0"}, {"timezone", "-14"}, {"standard_conforming_strings", "off"}},
      {{"lc_numeric", "C"}, {"extra_float_digits", "3"}, {"xmloption", "document"}},
  };
  for (const auto& round : rounds) {
    SCOPED_TRACE(round[0].value);
    pqxx::connection other(service.url());
    service.enter(other);
    pqxx::work tx(other);
    for (const auto& setting : round)
      tx.exec(std::string("select set_config('") + setting.name + "', '" + setting.value + "', false)");
    std::vector<std::string> shown;
    for (const auto& setting : round) shown.push_back(cell(tx, std::string("show ") + setting.name));

    const Everything one = sample();
    std::vector<Everything> batch{one, one};
    batch[0].id = 2;
    batch[1].id = 3;
    For<Everything>(tx).create(one);
    For<Everything>(tx).create_batch(batch);
    const auto read = For<Everything>(tx).order_by(asc<&Everything::id>).list();
    ASSERT_EQ(read.size(), 3u);
    EXPECT_EQ(read[0], one);
    EXPECT_EQ(read[1], batch[0]);
    EXPECT_EQ(read[2], batch[1]);
    EXPECT_EQ(For<Everything>(tx).where(field<&Everything::at> == one.at && field<&Everything::day> == one.day &&
                                        field<&Everything::real> == one.real && field<&Everything::took> == one.took)
                  .count(),
              3);
    std::size_t seen = 0;
    For<Everything>(tx).each([&](const Everything& e) {
      EXPECT_EQ(e.bytes, one.bytes);
      EXPECT_EQ(e.real, one.real);
      ++seen;
    });
    EXPECT_EQ(seen, 3u);
    for (std::size_t i = 0; i < round.size(); ++i)
      EXPECT_EQ(cell(tx, std::string("show ") + round[i].name), shown[i]);
    tx.commit();
    // What is stored is the same, as a session with the defaults shows it.
    pqxx::nontransaction fresh(service.connection);
    EXPECT_EQ(cell(fresh, std::string("select count(distinct (yes, small, real, single, amount, text, bytes, at, day, "
                                      "took, uuid)) from everythings")),
              "1");
    EXPECT_EQ(cell(fresh, std::string(stored) + " where id = 3").substr(0, begin.size()), begin);
    fresh.exec("delete from everythings");
  }
}

TEST(PqxxSettings, ExtremesOfFloatsAndTimes) {
  struct Extreme {
    std::int64_t id{};
    double real{};
    float single{};
    sys_time<microseconds> at{};
  };
  Service service;
  pqxx::work tx(service.connection);
  tx.exec("create table extremes (id bigint primary key, real double precision, single real, at timestamptz)");
  tx.exec("set extra_float_digits = 0");
  using D = std::numeric_limits<double>;
  using F = std::numeric_limits<float>;
  const std::pair<double, float> values[] = {{D::quiet_NaN(), F::quiet_NaN()}, {D::infinity(), -F::infinity()},
                                             {D::max(), F::max()},             {D::denorm_min(), F::denorm_min()},
                                             {-0.0, -0.0F},                    {D::lowest(), F::lowest()},
                                             {5e-324, 1e-45F},                 {1.7976931348623155e308, 16777217.0F}};
  std::int64_t id = 0;
  for (const auto& [real, single] : values) {
    ++id;
    For<Extreme>(tx).create(Extreme{id, real, single, sys_days{294276y / 1 / 1}});
    const auto read = For<Extreme>(tx).get(id);
    EXPECT_EQ(std::signbit(read.real), std::signbit(real));
    EXPECT_EQ(std::signbit(read.single), std::signbit(single));
    if (std::isnan(real)) {
      EXPECT_TRUE(std::isnan(read.real) && std::isnan(read.single));
    } else {
      EXPECT_EQ(read.real, real);
      EXPECT_EQ(read.single, single);
    }
  }
  tx.exec("update extremes set at = 'infinity' where id = 1");
  EXPECT_THROW((void)For<Extreme>(tx).get(1), quark::ConversionError);
  tx.exec("update extremes set at = '0044-03-15 12:00:00+00 BC' where id = 1");
  EXPECT_EQ(For<Extreme>(tx).get(1).at, sys_time<microseconds>(sys_days{-43y / 3 / 15} + 12h));
}

TEST(PqxxSettings, AnotherEncodingThanUtf8IsRefused) {
  Service service;
  pqxx::work tx(service.connection);
  quark::create_table<User>(tx);
  For<User>(tx).create(User{.name = "\xc3\xa4"});
  tx.conn().set_client_encoding("LATIN1");
  EXPECT_THROW((void)For<User>(tx).list(), quark::Misuse);
  EXPECT_THROW(For<User>(tx).create(User{.name = "\xc3\xa4"}), quark::Misuse);
  std::vector<User> batch(2);
  EXPECT_THROW(For<User>(tx).create_batch(batch), quark::Misuse);
  tx.conn().set_client_encoding("UTF8");
  // Nothing was sent: the transaction is as it was.
  ASSERT_EQ(For<User>(tx).count(), 1);
  EXPECT_EQ(For<User>(tx).list()[0].name, "\xc3\xa4");
  EXPECT_THROW(For<User>(tx).create(User{.name = std::string("a\0b", 3)}), quark::ConversionError);
  EXPECT_EQ(For<User>(tx).count(), 1);
}

}  // namespace
