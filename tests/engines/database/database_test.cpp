// What only a quark::Database has: the choice by a URL, the connection behind it, and what the chosen engine can't do.
#include <gtest/gtest.h>

#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

using quark::field, quark::For;
using under_test::fresh, under_test::User;

namespace {

struct Account {
  std::int64_t id{};
  std::string owner;
  quark::Decimal<30, 10> balance;  // SQLite keeps it as text
};

quark::Engine chosen() { return under_test::engine; }
bool on_sqlite() { return chosen() == quark::Engine::sqlite; }

std::string refusal_of(std::string_view url) {
  try {
    const quark::DatabaseOptions options(url);
  } catch (const quark::Misuse& error) {
    return error.what();
  }
  return "taken";
}

TEST(Database, TellsItsEngineAndHandsOutItsConnection) {
  auto db = fresh();
  EXPECT_EQ(db.engine(), chosen());
  EXPECT_EQ(db.get_if<quark::sqlite::Connection>() != nullptr, on_sqlite());
  EXPECT_EQ(db.get_if<quark::postgres::Connection>() != nullptr, chosen() == quark::Engine::postgres);
  EXPECT_EQ(db.get_if<quark::mysql::Connection>() != nullptr, chosen() == quark::Engine::mysql);
}

TEST(Database, QueriesOfTheConnectionBehindItSeeTheSameRows) {
  auto db = fresh();
  quark::create_table<User>(db);
  auto tx = db.begin();
  For<User>(tx).create(User{.name = "Ada"});
  std::int64_t seen = -1;
  if (auto* native = db.get_if<quark::sqlite::Connection>()) seen = For<User>(*native).count();
  if (auto* native = db.get_if<quark::postgres::Connection>()) seen = For<User>(*native).count();
  if (auto* native = db.get_if<quark::mysql::Connection>()) seen = For<User>(*native).count();
  EXPECT_EQ(seen, 1);
}

TEST(Database, WhatTheChosenEngineCannotDoIsUnsupportedAndNothingIsSent) {
  auto db = fresh();
  quark::create_table<Account>(db);
  const auto accounts = For<Account>(db);
  accounts.create(Account{.owner = "a", .balance = quark::Decimal<30, 10>("9")});
  accounts.create(Account{.owner = "b", .balance = quark::Decimal<30, 10>("10")});
  quark::StatementRecorder seen;
  db.use(seen);
  const auto ordered = accounts.order_by(quark::asc<&Account::balance>);
  const auto rich = accounts.where(field<&Account::balance> > quark::Decimal<30, 10>("9.5"));
  if (on_sqlite()) {
    EXPECT_THROW(ordered.list(), quark::Unsupported);
    EXPECT_THROW(rich.count(), quark::Unsupported);
    EXPECT_THROW(accounts.sum<&Account::balance>(), quark::Unsupported);
    EXPECT_THROW(accounts.max<&Account::balance>(), quark::Unsupported);
    EXPECT_THROW(rich.remove(), quark::Unsupported);
    EXPECT_EQ(seen.size(), 0u);
  } else {
    EXPECT_EQ(ordered.list().back().owner, "b");  // as text, "10" would come before "9"
    EXPECT_EQ(rich.count(), 1);
    EXPECT_EQ(accounts.sum<&Account::balance>()->to_string(), "19.0000000000");
    EXPECT_EQ(accounts.max<&Account::balance>()->to_string(), "10.0000000000");
  }
  EXPECT_EQ(accounts.where(field<&Account::balance> == quark::Decimal<30, 10>("9")).one().owner, "a");
}

struct Tagged {
  std::int64_t id{};
  std::vector<std::string> tags;
};

TEST(Database, ArraysAndCopyAreThoseOfPostgreSQLAndUnsupportedElsewhere) {
  auto db = fresh();
  quark::create_table<User>(db);
  std::vector<Tagged> rows{{.tags = {"a", "b"}}, {.tags = {}}};
  const std::vector<User> users{{.name = "Ada"}, {.name = "Bob"}};
  if (chosen() == quark::Engine::postgres) {
    quark::create_table<Tagged>(db);
    For<Tagged>(db).create(rows[0]);
    For<Tagged>(db).upsert(rows[0]);
    For<Tagged>(db).create_batch(rows = {{.tags = {"c"}}});
    EXPECT_EQ(For<Tagged>(db).order_by(quark::asc<&Tagged::id>).list().front().tags, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(quark::copy_in(db, users), 2u);
  } else {
    EXPECT_THROW(quark::create_table<Tagged>(db), quark::Unsupported);
    EXPECT_THROW(For<Tagged>(db).create(rows[0]), quark::Unsupported);
    EXPECT_THROW(For<Tagged>(db).upsert(rows[0]), quark::Unsupported);
    EXPECT_THROW(For<Tagged>(db).create_batch(rows), quark::Unsupported);
    EXPECT_THROW(For<Tagged>(db).list(), quark::Unsupported);
    EXPECT_THROW(For<Tagged>(db).where(quark::Filter<Tagged>(field<&Tagged::id> == 1)).list(), quark::Unsupported);
    EXPECT_THROW(quark::copy_in(db, users), quark::Unsupported);
    EXPECT_EQ(For<User>(db).count(), 0);
  }
}

TEST(Database, TakesTheIsolationLevelsThatTheEngineHasOrStricterOnes) {
  auto db = fresh();
  quark::create_table<User>(db);
  using quark::Isolation;
  for (const Isolation level : {Isolation::server_default, Isolation::read_uncommitted, Isolation::read_committed,
                                Isolation::repeatable_read, Isolation::serializable})
    db.transaction([](auto& tx) { For<User>(tx).create(User{.name = "Ada"}); }, {.isolation = level});
  EXPECT_EQ(For<User>(db).count(), 5);
  if (chosen() == quark::Engine::postgres) {
    auto tx = db.begin({.isolation = Isolation::repeatable_read});
    For<User>(tx).count();
    EXPECT_EQ(under_test::raw_cell(db, "show transaction_isolation"), "repeatable read");
  }
}

TEST(Database, RefusesTransactionModesThatTheEngineLacks) {
  auto db = fresh();
  quark::create_table<User>(db);
  const auto write = [&](quark::database::Begin mode) {
    db.transaction([](auto& tx) { For<User>(tx).create(User{.name = "Ada"}); }, mode);
  };
  if (on_sqlite()) {
    EXPECT_THROW(write({.read_only = true}), quark::Unsupported);
  } else {
    EXPECT_THROW(write({.read_only = true}), quark::Error);  // by the server
    const auto count = db.transaction([](auto& tx) { return For<User>(tx).count(); }, {.read_only = true});
    EXPECT_EQ(count, 0);
  }
  if (chosen() != quark::Engine::postgres) {
    EXPECT_THROW(write({.deferrable = true}), quark::Unsupported);
  }
  // A savepoint takes no mode, whatever it says.
  db.transaction([](auto& tx) { tx.transaction([](auto& inner) { For<User>(inner).create(User{.name = "Bob"}); }); });
  EXPECT_EQ(For<User>(db).count(), 1);
}

TEST(Database, ReadsUrls) {
  const auto file = [](std::string_view url) {
    const quark::DatabaseOptions options(url);
    return options.get_if<quark::sqlite::Options>()->path;
  };
  EXPECT_EQ(file("sqlite:///var/lib/app.db"), "/var/lib/app.db");
  EXPECT_EQ(file("sqlite:////var/lib/app.db"), "//var/lib/app.db");
  EXPECT_EQ(file("sqlite:app.db"), "app.db");
  EXPECT_EQ(file("sqlite::memory:"), ":memory:");
  EXPECT_EQ(file("sqlite:///tmp/what%3F%20.db?wal=false"), "/tmp/what? .db");
  const quark::DatabaseOptions sqlite(
      "sqlite:app.db?read_only=true&busy_timeout_milliseconds=7&times=text&foreign_keys=0&create=0"
      "&decimals=number");
  const auto& of_file = *sqlite.get_if<quark::sqlite::Options>();
  EXPECT_TRUE(of_file.read_only && !of_file.foreign_keys && !of_file.create && of_file.wal);
  EXPECT_EQ(of_file.busy_timeout_milliseconds, 7);
  EXPECT_EQ(of_file.times, quark::sqlite::Times::text);
  EXPECT_EQ(of_file.decimals, quark::sqlite::Decimals::number);
  for (const std::string_view url : {"postgres://h/d", "postgresql://h/d"}) {
    const quark::DatabaseOptions postgres(url);
    EXPECT_EQ(postgres.get_if<quark::postgres::Options>()->url, url);
    EXPECT_EQ(postgres.get_if<quark::sqlite::Options>(), nullptr);
  }
  for (const std::string_view url : {"mysql://u:p@h:77/d", "mariadb://u:p@h:77/d"}) {
    const quark::DatabaseOptions mysql(url);
    EXPECT_EQ(mysql.get_if<quark::mysql::Options>()->port, 77u);
    EXPECT_EQ(mysql.get_if<quark::mysql::Options>()->database, "d");
  }
}

TEST(Database, RefusesUrlsThatItCannotReadWithoutTellingPasswords) {
  const std::string unknown = refusal_of("oracle://scott:tiger@h/d");
  EXPECT_NE(unknown.find("oracle:"), std::string::npos) << unknown;
  for (const std::string_view url : {"", "tiger", "oracle://scott:tiger@h/d", "/tmp/tiger.db", "sqlite:", "sqlite://",
                                     "sqlite:a.db?tiger=1", "sqlite:a.db?wal=tiger", "sqlite:a.db?wal",
                                     "sqlite:a.db?busy_timeout_milliseconds=9999999999",
                                     "sqlite:a.db?busy_timeout_milliseconds=-1", "sqlite:a%2.db", "SQLITE:a.db",
                                     "mysql://scott:tiger@h:x/d", "mysql://scott:tiger@h/d?port=1"}) {
    const std::string said = refusal_of(url);
    EXPECT_NE(said, "taken") << url;
    EXPECT_EQ(said.find("tiger"), std::string::npos) << said;
  }
}

TEST(Database, OpensTheDatabaseThatAUrlNames) {
  const under_test::Shared shared;
  {
    auto db = quark::open(shared.options());
    quark::create_table<User>(db);
    For<User>(db).create(User{.name = "Ada"});
  }
  const auto options = shared.options();
  if (const auto* file = options.get_if<quark::sqlite::Options>()) {
    auto db = quark::open("sqlite://" + file->path + "?read_only=1");
    EXPECT_EQ(For<User>(db).count(), 1);
    EXPECT_THROW(For<User>(db).create(User{.name = "Bob"}), quark::Error);
  }
  quark::DatabasePool pool(shared.options(), {.min = 0, .max = 2});
  EXPECT_EQ(For<User>(pool).one().name, "Ada");
}

TEST(Database, APoolInMemoryHasOneConnection) {
  EXPECT_THROW(quark::DatabasePool("sqlite::memory:"), quark::Misuse);
  quark::DatabasePool pool("sqlite::memory:", {.max = 1});
  quark::create_table<User>(pool);
  For<User>(pool).create(User{.name = "Ada"});
  EXPECT_EQ(For<User>(pool).count(), 1);
}

TEST(Database, RefusesEverythingOnceMovedFrom) {
  auto db = fresh();
  const auto kept = std::move(db);
  EXPECT_EQ(kept.engine(), chosen());
  EXPECT_THROW(db.execute("select 1"), quark::Misuse);  // NOLINT: on purpose
  EXPECT_THROW(db.engine(), quark::Misuse);
  db.interrupt();
}

}  // namespace
