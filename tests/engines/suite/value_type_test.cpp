// Times, decimals, UUIDs, JSON, enumerations, strong ids and a user's own types: stored form, round
// trip, NULL, wrong form.
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

struct Event {
  std::int64_t id{};
  sys_time<microseconds> at{};
  std::optional<sys_time<seconds>> ended{};
  year_month_day day{};
  std::optional<milliseconds> took{};
  friend bool operator==(const Event&, const Event&) = default;
};

constexpr sys_time<microseconds> moment(int y, unsigned m, unsigned d, hours h = {},
                                        minutes min = {}, seconds s = {}, microseconds us = {}) {
  return sys_days{year{y} / static_cast<int>(m) / static_cast<int>(d)} + h + min + s + us;
}

TEST(B13, MomentsKeepTheirMicrosecondsAlsoBefore1970) {
  auto db = fresh();
  quark::create_table<Event>(db);
  const sys_time<microseconds> moments[] = {
      moment(2023, 5, 21, hours{22}, minutes{5}, seconds{21}, microseconds{1}),
      moment(1969, 12, 31, hours{23}, minutes{59}, seconds{59}, microseconds{250000}),
      moment(1901, 12, 13, hours{20}, minutes{45}, seconds{51}, microseconds{999999}),
      moment(2023, 10, 29, hours{1}, minutes{30}),
      moment(1970, 1, 1),
      moment(2038, 1, 19, hours{3}, minutes{14}, seconds{8})};
  const auto lasting = [](auto at) {
    const auto whole = duration_cast<milliseconds>(at.time_since_epoch());
    return Can::hold_long_durations ? whole : whole % hours{838};
  };
  if (!Can::hold_long_durations) {
    EXPECT_THROW(For<Event>(db).create(Event{99, moments[0], {}, floor<days>(moments[0]), hours{839}}),
                 quark::ConversionError);
  }
  std::int64_t id = 0;
  std::vector<Event> batch;
  for (const auto at : moments) {
    ++id;
    For<Event>(db).create(Event{id, at, floor<seconds>(at), floor<days>(at), lasting(at)});
    batch.push_back(Event{id + 100, at, {}, floor<days>(at), {}});
  }
  For<Event>(db).create_batch(batch);
  for (int again = 0; again < 2; ++again) {
    for (std::size_t i = 0; i < std::size(moments); ++i) {
      const auto key = static_cast<std::int64_t>(i) + 1;
      const Event event = For<Event>(db).get(key);
      EXPECT_EQ(event.at, moments[i]);
      EXPECT_EQ(event.ended, floor<seconds>(moments[i]));
      EXPECT_EQ(event.day, year_month_day{floor<days>(moments[i])});
      EXPECT_EQ(event.took, lasting(moments[i]));
      EXPECT_EQ(For<Event>(db).get(key + 100), batch[i]);
      EXPECT_EQ(For<Event>(db).where(field<&Event::at> == moments[i]).count(), 2);
      EXPECT_EQ(For<Event>(db)
                        .where(field<&Event::day> == year_month_day{floor<days>(moments[i])})
                        .count() %
                    2,
                0);
    }
  }
  EXPECT_EQ(For<Event>(db).where(field<&Event::at> < moment(1970, 1, 1)).count(), 4);
  EXPECT_EQ(For<Event>(db).order_by(asc<&Event::at>).first()->at, moments[2]);
  EXPECT_EQ((For<Event>(db).max<&Event::at>()), moments[5]);
  EXPECT_EQ(For<Event>(db).where(field<&Event::took>.is_null()).count(), 6);
}

TEST(B14, ADateThatTheCalendarDoesNotHaveIsRefused) {
  auto db = fresh();
  quark::create_table<Event>(db);
  Event event{1, moment(2024, 2, 29), {}, year{2024} / 2 / 29, {}};
  For<Event>(db).create(event);
  event.id = 2;
  event.day = year{2023} / 2 / 29;
  EXPECT_THROW(For<Event>(db).create(event), quark::ConversionError);
  event.day = year_month_day{};
  EXPECT_THROW(For<Event>(db).create(event), quark::ConversionError);
  EXPECT_THROW((void)For<Event>(db).where(field<&Event::day> == year{2023} / 4 / 31).count(),
               quark::ConversionError);
  EXPECT_EQ(raw_cell(db, "select count(*) from events"), "1");
  EXPECT_EQ(For<Event>(db).get(1).day, year{2024} / 2 / 29);
}

struct Bill {
  std::int64_t id{};
  quark::Decimal<12, 2> small{};
  quark::Decimal<20, 4> large{};
  std::optional<quark::Decimal<38, 0>> huge{};
  friend bool operator==(const Bill&, const Bill&) = default;
};
using Small = quark::Decimal<12, 2>;
using Large = quark::Decimal<20, 4>;
using Huge = quark::Decimal<38, 0>;

TEST(B10, DecimalsAreExact) {
  auto db = fresh();
  quark::create_table<Bill>(db);
  const char* const large[] = {"11.29",
                               "-0.0001",
                               "1234567890123456.7891",
                               "0.3",
                               "9999999999999999.9999",
                               "-9999999999999999.9999",
                               "0"};
  const char* const small[] = {"11.29", "-0.01", "9999999999.99", "0.30", "-9999999999.99",
                               "100",   "0"};
  std::vector<Bill> bills;
  for (std::size_t i = 0; i < std::size(large); ++i)
    bills.push_back({static_cast<std::int64_t>(i) + 1,
                     Small::parse(small[i]).value(),
                     Large::parse(large[i]).value(),
                     {}});
  bills[3].large = Large::parse("0.1").value() + Large::parse("0.2").value();
  bills[0].huge = Huge::parse("99999999999999999999999999999999999999").value();
  bills[1].huge = Huge::parse("-99999999999999999999999999999999999999").value();
  for (const Bill& bill : bills) For<Bill>(db).create(bill);
  for (int again = 0; again < 2; ++again)
    EXPECT_EQ(For<Bill>(db).order_by(asc<&Bill::id>).list(), bills);
  for (const Bill& bill : bills) {
    EXPECT_EQ(For<Bill>(db).where(field<&Bill::large> == bill.large).one().id, bill.id);
    EXPECT_EQ(For<Bill>(db).where(field<&Bill::small> == bill.small).one().id, bill.id);
  }
  EXPECT_EQ(For<Bill>(db).where(field<&Bill::small> > Small::parse("11.28").value()).count(), 3);
  EXPECT_EQ((For<Bill>(db).where(field<&Bill::id>.in(1, 4)).sum<&Bill::small>()),
            Small::parse("11.59").value());
  EXPECT_EQ((For<Bill>(db).min<&Bill::small>()), Small::parse("-9999999999.99").value());
}

TEST(B10, ASumThatHasTooManyDigitsIsRefused) {
  auto db = fresh();
  quark::create_table<Bill>(db);
  For<Bill>(db).create(Bill{1, Small::of("9999999999.99"), {}, {}});
  EXPECT_THROW(For<Bill>(db).everything().set(field<& Bill::small> = field<&Bill::small> + Small::of("0.01")).update(),
               quark::Error);
  EXPECT_EQ(For<Bill>(db).get(1).small, Small::of("9999999999.99"));
}

TEST(B10, OrderOfLongDecimalsIsRightOrRefused) {
  auto db = fresh();
  quark::create_table<Bill>(db);
  For<Bill>(db).create(Bill{1, {}, Large::parse("9").value(), {}});
  For<Bill>(db).create(Bill{2, {}, Large::parse("10").value(), {}});
  const auto ordered = For<Bill>(db).order_by(quark::by<Bill>("large"));
  if (Can::order_long_decimals) {
    EXPECT_EQ(ordered.first()->id, 1);
  } else {
    EXPECT_THROW((void)ordered.first(), quark::Unsupported);
    EXPECT_THROW((void)ordered.list(), quark::Unsupported);
  }
  EXPECT_EQ(For<Bill>(db).count(), 2);
}

TEST(B10, ArithmeticOnLongDecimalsIsRightOrRefused) {
  auto db = fresh();
  quark::create_table<Bill>(db);
  For<Bill>(db).create(Bill{1, {}, Large::of("123456789012.3456"), {}});
  quark::Filter<Bill> all = field<&Bill::id> > 0;
  const auto add = [&] {
    For<Bill>(db).where(all).set(field<& Bill::large> = field<&Bill::large> + Large::of("0.0001")).update();
  };
  if (Can::order_long_decimals) {
    add();
    EXPECT_EQ(For<Bill>(db).get(1).large, Large::of("123456789012.3457"));
  } else {
    EXPECT_THROW(add(), quark::Unsupported);
    EXPECT_EQ(For<Bill>(db).get(1).large, Large::of("123456789012.3456"));
  }
}

struct Token {
  std::int64_t id{};
  quark::Uuid uuid{};
  std::optional<quark::Uuid> other{};
  quark::Json payload{};
  std::optional<quark::Json> extra{};
};

TEST(ValueTypes, UuidsAndJson) {
  auto db = fresh();
  quark::create_table<Token>(db);
  const auto uuid = quark::Uuid::of("6ba7b810-9dad-11d1-80b4-00c04fd430c8");
  const quark::Json json(R"({"a":[1,null,"\u00e4"]})");
  For<Token>(db).create(Token{1, uuid, std::nullopt, json, std::nullopt});
  std::vector<Token> batch{{2, quark::Uuid{}, uuid, quark::Json("[]"), quark::Json()}};
  For<Token>(db).create_batch(batch);
  for (int again = 0; again < 2; ++again) {
    const auto tokens = For<Token>(db).order_by(asc<&Token::id>).list();
    EXPECT_EQ(tokens[0].uuid, uuid);
    EXPECT_EQ(tokens[0].other, std::nullopt);
    EXPECT_EQ(tokens[0].extra, std::nullopt);
    EXPECT_EQ(tokens[1].uuid, quark::Uuid{});
    EXPECT_EQ(tokens[1].other, uuid);
    ASSERT_TRUE(tokens[1].extra) << "JSON null is not NULL";
    EXPECT_EQ(tokens[1].extra->text(), "null");
    EXPECT_EQ(For<Token>(db).where(field<&Token::uuid> == uuid).one().id, 1);
    EXPECT_EQ(For<Token>(db).where(field<&Token::other> == uuid).one().id, 2);
    EXPECT_EQ(For<Token>(db)
                  .where(field<&Token::uuid>.in(std::vector{uuid, quark::Uuid::random()}))
                  .count(),
              1);
  }
  EXPECT_NE(raw_cell(db, "select payload from tokens where id = 1").find("\"a\""),
            std::string::npos);
}

enum class Mood : std::int16_t { sad = -1, so_so, happy = 7 };
enum class Colour : std::uint8_t { red, green };
struct Face {
  std::int64_t id{};
  Mood mood{};
  std::optional<Mood> before{};
  Colour colour{};
  std::optional<Colour> other{};
  static consteval auto orm() {
    return quark::model(quark::by_name(&Face::colour), quark::by_name(&Face::other));
  }
};

TEST(B12, EnumerationsAreStoredByValueOrByName) {
  auto db = fresh();
  quark::create_table<Face>(db);
  For<Face>(db).create(Face{1, Mood::sad, Mood::happy, Colour::green, std::nullopt});
  std::vector<Face> batch{{2, Mood::happy, std::nullopt, Colour::red, Colour::green}};
  For<Face>(db).create_batch(batch);
  const std::string columns = "select mood, " + quoted("before") + ", colour, other from faces where id = ";
  EXPECT_EQ(raw_row(db, columns + "1"), "-1|7|green|NULL");
  EXPECT_EQ(raw_row(db, columns + "2"), "7|NULL|red|green");
  for (int again = 0; again < 2; ++again) {
    const Face face = For<Face>(db).get(1);
    EXPECT_EQ(face.mood, Mood::sad);
    EXPECT_EQ(face.before, Mood::happy);
    EXPECT_EQ(face.colour, Colour::green);
    EXPECT_EQ(face.other, std::nullopt);
    EXPECT_EQ(For<Face>(db).where(field<&Face::mood> == Mood::happy).one().id, 2);
    EXPECT_EQ(For<Face>(db).where(field<&Face::colour> == Colour::red).one().id, 2);
    EXPECT_EQ(For<Face>(db)
                  .where(field<&Face::colour>.in(std::vector{Colour::red, Colour::green}))
                  .count(),
              2);
    EXPECT_EQ(For<Face>(db).where(field<&Face::other> == Colour::green).one().id, 2);
    EXPECT_EQ(For<Face>(db).where(field<&Face::mood>.in(Mood::sad, Mood::so_so)).one().id, 1);
  }
  For<Face>(db)
      .everything()
      .set(field<& Face::colour> = Colour::green, field<& Face::other> = std::nullopt,
           field<& Face::mood> = Mood::so_so)
      .update();
  EXPECT_EQ(raw_row(db, columns + "2"), "0|NULL|green|NULL");
}

TEST(B12, AnEnumeratorThatDoesNotExistIsRefusedBothWays) {
  auto db = fresh();
  raw(db,
      "create table faces (id bigint, mood int, " + quoted("before") + " int, colour varchar(10), other "
      "varchar(10))");
  const auto refused = [&](const char* values, const char* column) {
    raw(db, "delete from faces");
    raw(db, std::string("insert into faces values (1, ") + values + ")");
    EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)For<Face>(db).list(); }).column(),
              column);
  };
  refused("1, null, 'red', null", "mood");
  refused("-1, 8, 'red', null", "before");
  refused("-1, null, 'blue', null", "colour");
  refused("-1, null, '', null", "colour");
  refused("-1, null, 'Red', null", "colour");
  refused("-1, null, 'red', 'redd'", "other");
  refused("70000, null, 'red', null", "mood");
  raw(db, "delete from faces");
  EXPECT_THROW(For<Face>(db).create(Face{1, Mood::sad, {}, static_cast<Colour>(9), {}}),
               quark::ConversionError);
  EXPECT_EQ(raw_cell(db, "select count(*) from faces"), "0");
}

struct OrderId {
  std::int64_t value{};
  auto operator<=>(const OrderId&) const = default;
};
struct Sku {
  std::string text{};
  auto operator<=>(const Sku&) const = default;
};
struct Line {
  OrderId id{};
  std::optional<OrderId> before{};
  Sku sku{};
  static consteval auto orm() { return quark::model(quark::references<&Line::id>(&Line::before)); }
};

TEST(ValueTypes, StrongIdsAreWhatTheyHold) {
  auto db = fresh();
  quark::create_table<Line>(db);
  Line first{.sku = {"a"}}, second{.sku = {"b"}};
  For<Line>(db).create(first);
  second.before = first.id;
  For<Line>(db).create(second);
  EXPECT_NE(first.id, OrderId{});
  EXPECT_EQ(raw_cell(db, "select " + quoted("before") + " from " + quoted("lines") + " where sku = 'b'"),
            std::to_string(first.id.value));
  EXPECT_EQ(For<Line>(db).get(second.id).before, first.id);
  EXPECT_EQ(For<Line>(db).where(field<&Line::id> == second.id).one().sku.text, "b");
  EXPECT_EQ(For<Line>(db).where(field<&Line::before> == first.id).count(), 1);
  EXPECT_EQ(For<Line>(db).where(field<&Line::sku> == Sku{"a"}).one().id, first.id);
  std::vector<Line> batch{{.sku = {"c"}}, {.sku = {"d"}}};
  For<Line>(db).create_batch(batch);
  EXPECT_EQ(For<Line>(db).get(batch[1].id).sku.text, "d");
  EXPECT_EQ(For<Line>(db).remove(batch[0]), 1u);
}

}  // namespace
