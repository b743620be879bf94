// How values lie in SQLite: storage classes, times as text, limits of the library, and what
// triggers do to a create.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace {

using namespace under_test;
using namespace std::chrono;
using namespace std::string_literals;
using quark::asc;
using quark::field;
using quark::For;

struct Everything {
  std::int64_t id{};
  bool flag{};
  std::uint8_t small{};
  float f{};
  double d{};
  std::string text{};
  std::vector<std::byte> bytes{};
  sys_time<microseconds> at{};
  year_month_day day{};
  microseconds took{};
  quark::Uuid uuid{};
  quark::Decimal<10, 2> price{};
  quark::Decimal<30, 2> total{};
  quark::Json json{};
  std::optional<int> none{};
};

Everything sample() {
  Everything e{.id = 1, .flag = true, .small = 5, .f = 2, .d = 3, .text = "008"};
  e.at = sys_days{year{2024} / 2 / 29} + hours{1} + microseconds{5};
  e.day = year{1969} / 12 / 31;
  e.took = -hours{30};
  e.price = quark::Decimal<10, 2>::parse("12.50").value();
  e.total = quark::Decimal<30, 2>::parse("12.50").value();
  return e;
}

constexpr std::string_view types =
    "select typeof(flag), typeof(small), typeof(f), typeof(d), typeof(text), typeof(bytes), "
    "typeof(at), typeof(day), "
    "typeof(took), typeof(uuid), typeof(price), typeof(total), typeof(json), typeof(none) from "
    "everythings";

TEST(SqliteStorage, EachTypeHasOneStorageClass) {
  auto db = fresh();
  quark::create_table<Everything>(db);
  For<Everything>(db).create(sample());
  EXPECT_EQ(
      raw_row(db, types),
      "integer|integer|real|real|text|blob|integer|integer|integer|blob|integer|text|text|null");
  EXPECT_EQ(raw_row(db, "select at, day, took, price, total, length(uuid) from everythings"),
            "1709168400000005|-1|-108000000000|1250|12.50|16");
  Everything again = sample();
  again.id = 2;
  std::vector<Everything> batch{again};
  For<Everything>(db).create_batch(batch);
  EXPECT_EQ(raw_cell(db,
                     "select count(distinct typeof(f) || typeof(at) || typeof(total) || "
                     "typeof(bytes) || typeof(json)) "
                     "from everythings"),
            "1");
}

TEST(SqliteStorage, TimesMayBeText) {
  quark::sqlite::Options options;
  options.times = quark::sqlite::Times::text;
  auto db = quark::sqlite::open(options);
  quark::create_table<Everything>(db);
  For<Everything>(db).create(sample());
  EXPECT_EQ(raw_row(db, "select at, day, took from everythings"),
            "2024-02-29T01:00:00.000005Z|1969-12-31|-108000000000");
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(For<Everything>(db).get(1).at, sample().at);
    EXPECT_EQ(For<Everything>(db).where(field<&Everything::at> == sample().at).one().day,
              sample().day);
    EXPECT_EQ(For<Everything>(db).where(field<&Everything::day> < year{1970} / 1 / 1).count(), 1);
    EXPECT_EQ(
        For<Everything>(db).where(field<&Everything::at>.in(std::vector{sample().at})).count(), 1);
  }
  Everything far = sample();
  far.id = 2;
  far.at = sys_days{year{12000} / 1 / 1};
  EXPECT_EQ(error_of<quark::ConversionError>([&] { For<Everything>(db).create(far); }).column(),
            "at");
  EXPECT_EQ(For<Everything>(db).count(), 1);
}

// An integer and a text never compare as the moments do: a filter would quietly find the wrong rows.
TEST(SqliteStorage, TimesOfTheOtherFormAreMisuse) {
  struct Visit {
    std::int64_t id{};
    sys_time<microseconds> at{};
    std::optional<year_month_day> day{};
  };
  for (const auto times : {quark::sqlite::Times::integer, quark::sqlite::Times::text}) {
    const bool as_text = times == quark::sqlite::Times::text;
    auto db = quark::sqlite::open({.times = times});
    const auto visits = For<Visit>(db);
    const auto day = sys_days{year{2030} / 1 / 1};
    raw(db, as_text ? "create table visits (id integer primary key, at integer, day bigint)"
                    : "create table visits (id integer primary key, at text, day varchar(10))");
    raw(db, as_text ? "insert into visits values (1, 1893456000000000, 21915)"
                    : "insert into visits values (1, '2030-01-01T00:00:00.000000Z', '2030-01-01')");
    EXPECT_EQ(visits.get(1).at, day) << "reading takes either form";
    for (int again = 0; again < 2; ++again) {
      const auto later = visits.where(field<&Visit::at> > sys_days{year{2020} / 1 / 1});
      const auto error = error_of<quark::Misuse>([&] { (void)later.count(); });
      EXPECT_EQ(error.column(), "at");
      EXPECT_THROW((void)visits.where(field<&Visit::at>.in(std::vector{sys_time<microseconds>{day}})).count(),
                   quark::Misuse);
      const quark::Filter<Visit> on_day(field<&Visit::day> == year{2030} / 1 / 1);
      EXPECT_THROW((void)visits.where(on_day).list(), quark::Misuse);
      EXPECT_THROW(visits.create(Visit{}), quark::Misuse);
      std::vector<Visit> batch(2);
      EXPECT_THROW(visits.create_batch(batch), quark::Misuse);
      const auto moved = visits.everything().set(field<&Visit::at> = sys_time<microseconds>{day});
      EXPECT_THROW(moved.update(), quark::Misuse);
    }
    EXPECT_EQ(visits.count(), 1);
    // Columns that keep either form as it is.
    raw(db, "drop table visits");
    raw(db, "create table visits (id integer primary key, at datetime, day)");
    visits.create(Visit{.at = day, .day = year{2030} / 1 / 1});
    EXPECT_EQ(visits.where(field<&Visit::at> > sys_days{year{2020} / 1 / 1}).count(), 1);
    EXPECT_EQ(raw_row(db, "select typeof(at), typeof(day) from visits"), as_text ? "text|text" : "integer|integer");
  }
}

TEST(B14, TextThatIsNoMomentIsRefused) {
  quark::sqlite::Options options;
  options.times = quark::sqlite::Times::text;
  auto db = quark::sqlite::open(options);
  quark::create_table<Everything>(db);
  For<Everything>(db).create(sample());
  for (const char* bad : {"infinity", "0000-00-00T00:00:00Z", "", "2023-02-29T00:00:00Z",
                          "2024-01-01", "2024-01-01T25:00:00Z"}) {
    raw(db, "update everythings set at = '"s + bad + "'");
    EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)For<Everything>(db).list(); }).column(),
              "at")
        << bad;
  }
  raw(db, "update everythings set at = '2024-02-29T02:00:00.000005+01:00', day = '2024-02-30'");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)For<Everything>(db).list(); }).column(),
            "day");
  raw(db, "update everythings set day = '1969-12-31'");
  EXPECT_EQ(For<Everything>(db).get(1).at, sample().at);
}

// A trigger may drop the row that create() sends: then there is no key to write back.
TEST(SqliteTrigger, ACreateThatWasDroppedGetsNoKey) {
  auto db = fresh();
  quark::create_table<User>(db);
  For<User>(db).create(User{.name = "first"});
  raw(db,
      "create trigger drop_it before insert on users when new.name = 'drop' begin select "
      "raise(ignore); end");
  User dropped{.name = "drop"};
  EXPECT_EQ(error_of<quark::Error>([&] { For<User>(db).create(dropped); }).table(), "users");
  EXPECT_EQ(dropped.id, 0) << "that is another row's key";
  EXPECT_EQ(raw_cell(db, "select count(*) from users"), "1");
}

// The same for a key that the caller gives, an upsert, and a batch of given keys.
TEST(SqliteTrigger, ARowThatWasDroppedIsNeverReportedAsWritten) {
  auto db = fresh();
  quark::create_table<User>(db);
  For<User>(db).create(User{1, "first", {}, 0, false});
  raw(db, "create trigger drop_it before insert on users when new.name = 'drop' begin select raise(ignore); end");
  raw(db, "create trigger keep_it before update on users when new.name = 'drop' begin select raise(ignore); end");
  User given{.id = 7, .name = "drop"};
  EXPECT_EQ(error_of<quark::Error>([&] { For<User>(db).create(given); }).table(), "users");
  EXPECT_THROW(For<User>(db).upsert(given), quark::Error);
  User made{.name = "drop"};
  EXPECT_THROW(For<User>(db).upsert(made), quark::Error);
  EXPECT_EQ(made.id, 0);
  std::vector<User> batch{{.id = 8, .name = "a"}, given};
  EXPECT_THROW(For<User>(db).create_batch(batch), quark::Error);
  EXPECT_EQ(raw_cell(db, "select count(*) from users"), "1");
}

// RETURNING shows the row as it was before an AFTER trigger changed it.
TEST(SqliteTrigger, WhatATriggerFillsIsReadBack) {
  struct Article {
    std::int64_t id{};
    std::string title{};
    std::string slug{};
    static consteval auto orm() { return quark::model(quark::generated(&Article::slug)); }
  };
  auto db = fresh();
  raw(db, "create table articles (id integer primary key, title text, slug text not null default 'none')");
  const auto articles = For<Article>(db);
  Article plain{.title = "Plain"};
  articles.create(plain);
  EXPECT_EQ(plain.slug, "none");
  raw(db, "create trigger fill after insert on articles begin update articles set slug = lower(new.title) where id = "
          "new.id; end");
  raw(db, "create trigger refill after update of title on articles begin update articles set slug = lower(new.title) "
          "where id = new.id; end");
  Article article{.title = "Hello"};
  articles.create(article);
  EXPECT_EQ(article.slug, "hello");
  EXPECT_EQ(articles.get(article.id).slug, "hello");
  Article given{.id = 40, .title = "Given"};
  articles.create(given);
  EXPECT_EQ(given.slug, "given");
  given.title = "Other";
  articles.upsert(given);
  EXPECT_EQ(given.slug, "other");
  // A trigger that takes the row away again: there is nothing to read back, and nothing was created.
  raw(db, "create trigger gone after insert on articles when new.title = 'gone' begin delete from articles where id = "
          "new.id; end");
  Article gone{.title = "gone"};
  EXPECT_THROW(articles.create(gone), quark::Error);
  EXPECT_EQ(gone.id, 0);
  EXPECT_EQ(articles.count(), 3);
}

TEST(SqliteTrigger, TheKeyIsThatOfOurRowNotOfTheTriggers) {
  auto db = fresh();
  quark::create_table<User>(db);
  raw(db, "create table log (id integer primary key, note text)");
  raw(db, "insert into log values (5000, 'x')");
  raw(db,
      "create trigger log_it after insert on users begin insert into log (note) values (new.name); "
      "end");
  User user{.name = "a"};
  For<User>(db).create(user);
  EXPECT_EQ(raw_cell(db, "select id from users"), std::to_string(user.id));
  EXPECT_EQ(For<User>(db).where(field<&User::id> == user.id).set(field<& User::age> = 1).update(),
            1u);
}

TEST(SqliteTrigger, ARaisedErrorIsACheckViolation) {
  auto db = fresh();
  quark::create_table<User>(db);
  raw(db,
      "create trigger no_x before insert on users when new.name = 'x' begin select raise(abort, "
      "'no x here'); end");
  const auto error =
      error_of<quark::CheckViolation>([&] { For<User>(db).create(User{.name = "x"}); });
  EXPECT_NE(std::string_view(error.what()).find("no x here"), std::string_view::npos);
  EXPECT_EQ(raw_cell(db, "select count(*) from users"), "0");
  db.transaction([](auto& tx) { For<User>(tx).create(User{.name = "a"}); });
  EXPECT_EQ(raw_cell(db, "select count(*) from users"), "1");
}

TEST(B33, ACommitThatFailsOnADeferredKeySaysSo) {
  auto db = fresh();
  raw(db,
      "create table users (id integer primary key, name text, email text, age int, active int)");
  raw(db,
      "create table accounts (id integer primary key, number text, owner_id int references "
      "users(id) deferrable initially "
      "deferred, balance int)");
  {
    auto tx = db.begin();
    For<Account>(tx).create(Account{1, "a", 9, 0});
    EXPECT_THROW(tx.commit(), quark::ForeignKeyViolation);
    EXPECT_TRUE(tx.active()) << "the transaction is still open";
    For<User>(tx).create(User{9, "late", {}, 0, false});
    tx.commit();
  }
  EXPECT_EQ(raw_cell(db, "select count(*) from accounts"), "1");
  EXPECT_THROW(db.transaction([](auto& tx) {
    For<Account>(tx).create(Account{2, "b", 10, 0});
  }),
               quark::ForeignKeyViolation);
  EXPECT_EQ(raw_cell(db, "select count(*) from accounts"), "1");
  For<User>(db).create(User{.name = "next"});
}

TEST(B20, ALowLimitOfParametersStopsNeitherBatchNorIn) {
  auto db = fresh();
  sqlite3_limit(db.native(), SQLITE_LIMIT_VARIABLE_NUMBER, 9);
  quark::create_table<User>(db);
  for (const std::size_t n : {std::size_t{8}, std::size_t{9}, std::size_t{10}, std::size_t{3000}}) {
    std::vector<User> batch(n);
    EXPECT_EQ(For<User>(db).create_batch(batch), n);
    std::vector<std::int64_t> ids;
    for (const User& user : batch) ids.push_back(user.id);
    EXPECT_EQ(For<User>(db).where(field<&User::id>.in(ids)).count(), static_cast<std::int64_t>(n));
  }
}

TEST(SqliteStorage, OneCachedTextIsEnough) {
  quark::sqlite::Options options;
  options.cached_texts = 1;
  auto db = quark::sqlite::open(options);
  quark::create_table<User>(db);
  for (int i = 1; i <= 5; ++i) For<User>(db).create(User{i, "u", {}, i, true});
  quark::Filter<User> low = field<&User::age> <= 2, named = field<&User::name> == "u";
  int seen = 0;
  For<User>(db).where(low).each([&](const User&) {
    For<User>(db).where(named).each(
        [&](const User&) { seen += For<User>(db).where(low).count() == 2 ? 1 : 0; });
  });
  EXPECT_EQ(seen, 10);
}

TEST(SqliteStorage, TextThatIsNotUtf8IsKeptByteForByte) {
  auto db = fresh();
  quark::create_table<User>(db);
  const std::string bytes = "a\xFF\xC3(\xED\xA0\x80z";
  For<User>(db).create(User{1, bytes, {}, 0, false});
  EXPECT_EQ(raw_cell(db, "select hex(name) from users"), "61FFC328EDA0807A");
  EXPECT_EQ(For<User>(db).get(1).name, bytes);
  EXPECT_EQ(For<User>(db).where(field<&User::name> == bytes).count(), 1);
}

}  // namespace
