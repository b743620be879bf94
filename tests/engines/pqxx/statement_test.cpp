// Prepared statements beside libpqxx's connection: never those of another one, and never the end of a transaction.
// Types of the database, and columns that are not what the model says.
#include "server.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace {

using namespace under_test;
using quark::asc;
using quark::field;
using quark::For;

TEST(PqxxStatement, IsPreparedOnceAndUnderANameOfOurs) {
  Service service;
  pqxx::work tx(service.connection);
  quark::create_table<User>(tx);
  for (int i = 0; i < 5; ++i) {
    For<User>(tx).create(User{.name = "a"});
    (void)For<User>(tx).where(field<&User::age> == i).list();
  }
  EXPECT_EQ(cell(tx, "select count(*) from pg_prepared_statements where name like 'quark\\_pqxx\\_%'"), "2");
  EXPECT_EQ(cell(tx, "select count(*) from pg_prepared_statements where name not like 'quark\\_pqxx\\_%'"), "0");
  // Run-time texts: the oldest goes.
  for (int i = 0; i < 100; ++i) {
    quark::Filter<User> f;
    for (int k = 0; k <= i; ++k) f |= field<&User::age> == k;
    EXPECT_EQ(For<User>(tx).where(f).count(), 5);
  }
  EXPECT_LE(std::stoi(cell(tx, "select count(*) from pg_prepared_statements")), 66);
}

TEST(PqxxStatement, ADeallocateOfTheCallersIsSurvived) {
  Service service;
  {
    pqxx::nontransaction tx(service.connection);
    quark::create_table<User>(tx);
    For<User>(tx).create(User{.name = "a"});
    EXPECT_EQ(For<User>(tx).count(), 1);
    tx.exec("deallocate all");
    // Out of a transaction it is prepared anew.
    EXPECT_EQ(For<User>(tx).count(), 1);
    For<User>(tx).create(User{.name = "b"});
  }
  {
    pqxx::work tx(service.connection);
    tx.exec("deallocate all");
    EXPECT_EQ(error_of<quark::TransactionAborted>([&] { (void)For<User>(tx).count(); }).sqlstate(), "26000");
  }
  {
    pqxx::work tx(service.connection);
    std::vector<User> batch(3), next(3);
    For<User>(tx).create_batch(batch);
    tx.exec("deallocate all");
    EXPECT_TRUE(error_of<quark::TransactionAborted>([&] { For<User>(tx).create_batch(next); }).retryable());
    EXPECT_EQ(next[0].id, 0);
  }
  pqxx::work tx(service.connection);
  EXPECT_EQ(For<User>(tx).count(), 2);
  // Texts that are no more there are not deallocated: that would be an error.
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 70; ++i) {
      quark::Filter<User> f;
      for (int k = 0; k <= i + 70 * round; ++k) f |= field<&User::age> == k;
      ASSERT_EQ(For<User>(tx).where(f).count(), 2);
    }
    if (round == 0) tx.exec("deallocate all");
  }
}

struct Amount {
  std::int64_t id{};
  std::int64_t value{};
};

TEST(PqxxStatement, ConnectionsAtOneAddressDoNotShareThem) {
  Service service;
  std::optional<pqxx::connection> connection;
  for (const char* type : {"bigint", "numeric", "integer", "bigint"}) {
    connection.emplace(service.url());
    service.enter(*connection);
    pqxx::work tx(*connection);
    tx.exec(std::string("create table amounts (id bigint primary key, value ") + type + ")");
    For<Amount>(tx).create(Amount{1, 2'000'000'000});
    EXPECT_EQ(For<Amount>(tx).get(1).value, 2'000'000'000);
    EXPECT_EQ(cell(tx, "select value from amounts"), "2000000000");
    std::vector<Amount> batch{{5, -1}, {6, 1'999'999'999}};
    For<Amount>(tx).create_batch(batch);
    EXPECT_EQ(cell(tx, "select string_agg(pg_typeof(value) || ' ' || value, ',' order by id) from amounts where id > 1"),
              std::string(type) + " -1," + type + " 1999999999");
    EXPECT_EQ(For<Amount>(tx).where(field<&Amount::id> > 1).remove(), 2u);
    if (std::string(type) == "integer") {
      EXPECT_THROW(For<Amount>(tx).create(Amount{2, 3'000'000'000}), quark::ConversionError);
      EXPECT_EQ(For<Amount>(tx).count(), 1);
    }
  }
}

TEST(PqxxStatement, AChangedColumnIsReadAsWhatItIs) {
  Service service;
  pqxx::work tx(service.connection);
  tx.exec("create table amounts (id bigint primary key, value bigint)");
  For<Amount>(tx).create(Amount{1, 5});
  EXPECT_EQ(For<Amount>(tx).get(1).value, 5);
  tx.exec("alter table amounts alter column value type integer");
  EXPECT_EQ(For<Amount>(tx).get(1).value, 5);
  tx.exec("alter table amounts alter column value type double precision");
  const auto error = error_of<quark::ConversionError>([&] { (void)For<Amount>(tx).get(1); });
  EXPECT_EQ(error.column(), "value");
  EXPECT_EQ(error.table(), "amounts");
}

enum class Mood : std::uint8_t { sad, glad };
struct Person {
  std::int64_t id{};
  std::string mood{};
  std::string nick{};
  int age{};
  std::optional<std::string> address{};
};

TEST(PqxxStatement, TypesOfTheDatabase) {
  Service service;
  pqxx::work tx(service.connection);
  tx.exec("create type mood as enum ('sad', 'glad')");
  tx.exec("create domain \"Age of $1\" as integer check (value >= 0)");
  tx.exec("create table persons (id bigint primary key, mood mood, nick char(5), age \"Age of $1\", address inet)");
  For<Person>(tx).create(Person{1, "glad", "ab", 40, "10.0.0.1"});
  std::vector<Person> batch{{2, "sad", "abcde", 0, {}}, {3, "glad", "", 1, {}}};
  For<Person>(tx).create_batch(batch);
  EXPECT_EQ(cell(tx, "select string_agg(concat_ws('|', mood, nick, age, address), ';' order by id) from persons"),
            "glad|ab   |40|10.0.0.1;sad|abcde|0;glad|     |1");
  const auto people = For<Person>(tx).order_by(asc<&Person::id>).list();
  ASSERT_EQ(people.size(), 3u);
  EXPECT_EQ(people[0].mood, "glad");
  EXPECT_EQ(people[0].address, "10.0.0.1");
  EXPECT_EQ(people[1].age, 0);
  EXPECT_EQ(For<Person>(tx).where(field<&Person::mood> == "glad").count(), 2);
  quark::pqxx_bridge::Connection db(tx);
  EXPECT_THROW(db.transaction([](auto& in) { For<Person>(in).create(Person{4, "angry", "x", 1, {}}); }),
               quark::ConversionError);
  EXPECT_THROW(db.transaction([](auto& in) { For<Person>(in).create(Person{4, "sad", "x", -1, {}}); }),
               quark::CheckViolation);
}

struct Odd {
  std::int64_t id{};
  std::string value{};
  static consteval auto orm() { return quark::model(quark::table("odd $1 \"$2\" '$3' --"), quark::rename(&Odd::value, "v$1;")); }
};

TEST(PqxxStatement, WhatLooksLikeAParameterInANameIsNone) {
  Service service;
  pqxx::work tx(service.connection);
  quark::create_table<Odd>(tx);
  For<Odd>(tx).create(Odd{1, "$1 ' \" $$"});
  EXPECT_EQ(For<Odd>(tx).where(field<&Odd::id> == 1 && field<&Odd::value> == "$1 ' \" $$").one().value, "$1 ' \" $$");
  tx.exec("alter table \"odd $1 \"\"$2\"\" '$3' --\" alter column \"v$1;\" drop not null");
  tx.exec("update \"odd $1 \"\"$2\"\" '$3' --\" set \"v$1;\" = null");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)For<Odd>(tx).list(); }).column(), "v$1;");
}

struct Wrong {
  std::int64_t id{};
  double value{};
};

TEST(PqxxStatement, AValueThatItsColumnWouldChangeIsRefused) {
  Service service;
  for (const char* type : {"numeric", "integer", "text", "real"}) {
    pqxx::work tx(service.connection);
    tx.exec(std::string("create table wrongs (id bigint primary key, value ") + type + ")");
    EXPECT_THROW(For<Wrong>(tx).create(Wrong{1, 0.1}), quark::ConversionError) << type;
    std::vector<Wrong> batch{{1, 0.1}, {2, 0.2}};
    EXPECT_THROW(For<Wrong>(tx).create_batch(batch), quark::ConversionError) << type;
    // It was refused before it was sent.
    EXPECT_EQ(cell(tx, "select count(*) from wrongs"), "0");
  }
}

}  // namespace
