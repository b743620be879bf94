// The ways in, and what a session must be like: refused when it could change values, whatever else it was used for.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <cppconn/exception.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include <gtest/gtest.h>

namespace {

using namespace under_test;
using quark::field;
using quark::For;
using quark::mysqlcppconn::Bridge;
using quark::mysqlcppconn::prepare_session;

void run(sql::Connection& connection, const std::string& text) {
  const std::unique_ptr<sql::Statement> statement(connection.createStatement());
  statement->execute(text);
}
std::string ask(sql::Connection& connection, const std::string& text) {
  const std::unique_ptr<sql::Statement> statement(connection.createStatement());
  const std::unique_ptr<sql::ResultSet> result(statement->executeQuery(text));
  return result->next() ? result->getString(1).asStdString() : "(no row)";
}
bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

TEST(Bare, AConnectionOfTheConnectorIsADatabase) {
  const auto connection = connect(fresh_options());
  quark::create_table<User>(*connection);
  User ada{.name = "Ada", .age = 36};
  For<User>(*connection).create(ada);
  EXPECT_NE(ada.id, 0);
  const auto users = For<User>(*connection);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(users.get(ada.id), ada);
  const auto copy = users.where(field<&User::age> > 30);
  EXPECT_EQ(copy.count(), 1);
  std::vector<User> batch(3);
  EXPECT_EQ(users.create_batch(batch), 3u);
  EXPECT_EQ(ask(*connection, "SELECT COUNT(*) FROM users"), "4");
  EXPECT_EQ(ask(*connection, "SELECT @@autocommit"), "1");
  quark::drop_table<User>(*connection);
}

TEST(Bare, AQueryMayBeTheLastToGo) {
  auto connection = connect(fresh_options());
  quark::create_table<User>(*connection);
  std::optional users(For<User>(*connection));
  EXPECT_EQ(users->count(), 0);
  connection.reset();
  users.reset();  // closes its statements
}

TEST(Session, AsTheServerOpensItIsRefusedUntilItIsPrepared) {
  DatabaseOptions options = fresh_options();
  options.prepared = false;
  const auto connection = connect(options);
  for (int again = 0; again < 2; ++again) {
    const auto error = error_of<quark::Misuse>([&] { (void)For<User>(*connection).count(); });
    for (const char* part : {"time_zone is +05:45", "sql_mode is without STRICT_ALL_TABLES", "prepare_session"})
      EXPECT_TRUE(contains(error.what(), part)) << error.what();
    EXPECT_THROW(Bridge bridge(*connection), quark::Misuse);
    User user;
    EXPECT_THROW(For<User>(*connection).create(user), quark::Misuse);
  }
  EXPECT_TRUE(contains(ask(*connection, "SELECT @@sql_mode"), "NO_AUTO_CREATE_USER"));
  prepare_session(*connection);
  for (const char* mode : {"NO_AUTO_CREATE_USER", "STRICT_TRANS_TABLES", "STRICT_ALL_TABLES"})
    EXPECT_TRUE(contains(ask(*connection, "SELECT @@sql_mode"), mode)) << "the caller's modes stay";
  quark::create_table<User>(*connection);
  EXPECT_EQ(For<User>(*connection).count(), 0);
  prepare_session(*connection);
  EXPECT_NO_THROW(Bridge bridge(*connection));
}

TEST(Session, EachThingThatCouldChangeAValueIsNamed) {
  const auto connection = connect(fresh_options());
  const std::string mode = ask(*connection, "SELECT @@sql_mode");
  const std::pair<const char*, const char*> settings[] = {
      {"time_zone = '+02:00'", "time_zone is +02:00"},
      {"character_set_client = latin1", "utf8mb4"},
      {"character_set_results = NULL", "utf8mb4"},
      {"character_set_connection = utf8mb3", "utf8mb4"},
      {"sql_mode = ''", "STRICT_ALL_TABLES"},
      {"sql_mode = 'STRICT_ALL_TABLES,SIMULTANEOUS_ASSIGNMENT'", "ERROR_FOR_DIVISION_BY_ZERO"},
      {"sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO'", "SIMULTANEOUS_ASSIGNMENT"},
      {"sql_mode = CONCAT(@@sql_mode, ',PAD_CHAR_TO_FULL_LENGTH')", "PAD_CHAR_TO_FULL_LENGTH"},
      {"sql_mode = CONCAT(@@sql_mode, ',EMPTY_STRING_IS_NULL')", "EMPTY_STRING_IS_NULL"},
      {"sql_mode = CONCAT(@@sql_mode, ',HIGH_NOT_PRECEDENCE')", "HIGH_NOT_PRECEDENCE"}};
  for (const auto& [setting, named] : settings) {
    run(*connection, std::string("SET ") + setting);
    const auto error = error_of<quark::Misuse>([&] { Bridge bridge(*connection); });
    EXPECT_TRUE(contains(error.what(), named)) << setting << ": " << error.what();
    prepare_session(*connection);
    EXPECT_NO_THROW(Bridge bridge(*connection)) << setting;
  }
}

struct Versioned {
  std::int64_t id{};
  std::string name{};
  int version{1};
  static consteval auto orm() {
    return quark::model(quark::version(&Versioned::version), quark::unique(&Versioned::name),
                        quark::size(&Versioned::name, 40));
  }
};

// Without CLIENT_FOUND_ROWS the server counts what changed: an UPDATE that finds a row as it should be says 0.
TEST(FoundRows, AnUpdateCountsWhatItFindsHoweverTheConnectionCounts) {
  for (const bool found_rows : {true, false})
    for (const bool bare : {true, false}) {
      SCOPED_TRACE(std::to_string(found_rows) + std::to_string(bare));
      DatabaseOptions options = fresh_options();
      options.found_rows = found_rows;
      const auto connection = connect(options);
      Bridge bridge(*connection);
      const auto check = [&](const auto& users) {
        User user{1, "a", {}, 1, true};
        users.create(user);
        users.create(User{2, "b", {}, 2, true});
        for (int again = 0; again < 3; ++again) EXPECT_EQ(users.update(user), 1u);
        EXPECT_EQ((users.template update<&User::name>(user)), 1u);
        EXPECT_EQ(users.update(User{99, "none", {}, 0, true}), 0u);
        const auto old = users.where(field<&User::age> >= 1);
        EXPECT_EQ(old.set(field<&User::active> = true).update(), 2u);
        EXPECT_EQ(old.set(field<&User::age> = 2).update(), 2u) << "one was 2 already";
        EXPECT_EQ(users.everything().set(field<&User::name> = "x").update(), 2u);
        EXPECT_EQ(users.where(field<&User::age> > 2).set(field<&User::name> = "y").update(), 0u);
        EXPECT_EQ(ask(*connection, "SELECT GROUP_CONCAT(name, age ORDER BY id) FROM users"), "x2,x2");
        EXPECT_EQ(ask(*connection, "SELECT @@in_transaction"), "0");
      };
      quark::create_table<User>(bridge);
      quark::create_table<Versioned>(bridge);
      bare ? check(For<User>(*connection)) : check(For<User>(bridge));

      const auto stale = [&](const auto& all) {
        Versioned one{1, "first", 1};
        all.create(one);
        all.create(Versioned{2, "second", 1});
        EXPECT_EQ(all.update(one), 1u);
        one.version = 1;
        EXPECT_THROW(all.update(one), quark::StaleEntity);
        one = all.get(1);
        one.name = "second";
        EXPECT_THROW(all.update(one), quark::UniqueViolation);
        EXPECT_EQ(ask(*connection, "SELECT @@in_transaction"), "0") << "nothing is left open";
        EXPECT_EQ(one.version, 2);
      };
      bare ? stale(For<Versioned>(*connection)) : stale(For<Versioned>(bridge));
      EXPECT_THROW(run(*connection, "SELECT * FROM quark_found_rows"), sql::SQLException) << "the probe is gone";
    }
}

TEST(FoundRows, AreCountedWithinATransactionThatIsOpen) {
  DatabaseOptions options = fresh_options();
  options.found_rows = false;
  const auto connection = connect(options);
  Bridge bridge(*connection);
  quark::create_table<User>(bridge);
  For<User>(bridge).create(User{1, "a", {}, 1, true});
  for (const bool bare : {true, false}) {
    run(*connection, "START TRANSACTION");
    run(*connection, "UPDATE users SET age = 5");
    User user{1, "a", {}, 5, true};
    EXPECT_EQ(bare ? For<User>(*connection).update(user) : For<User>(bridge).update(user), 1u);
    EXPECT_EQ(ask(*connection, "SELECT @@in_transaction"), "1");
    run(*connection, "ROLLBACK");
    EXPECT_EQ(ask(*connection, "SELECT age FROM users"), "1");
  }
}

TEST(Lost, AConnectionThatWasKilledSaysSoWithEveryCall) {
  Shared shared;
  auto db = shared.connect(), other = shared.connect();
  quark::create_table<User>(db);
  const auto users = For<User>(db);
  users.create(User{1, "kept", {}, 0, false});
  {
    auto tx = db.begin();
    For<User>(tx).create(User{2, "gone", {}, 0, false});
    lose(shared, db);
    const auto first = error_of<quark::ConnectionError>([&] { (void)For<User>(tx).count(); });
    EXPECT_TRUE(first.engine_code() == 2006 || first.engine_code() == 2013) << first.what();
    EXPECT_THROW(tx.commit(), quark::ConnectionError);
  }
  EXPECT_TRUE(db.is_lost());
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW((void)users.list(), quark::ConnectionError);
    EXPECT_THROW(db.transaction([](auto&) {}), quark::ConnectionError);
    EXPECT_THROW((void)db.execute("select 1"), quark::ConnectionError);
  }
  EXPECT_EQ(raw_cell(other, "select group_concat(name) from users"), "kept");
}

TEST(Lost, AConnectionThatItsOwnerClosedIsToldApartFromRefusedStatements) {
  const auto connection = connect(fresh_options());
  Bridge bridge(*connection);
  EXPECT_THROW((void)bridge.execute("select * from nowhere"), quark::SyntaxError);
  connection->close();
  EXPECT_THROW((void)bridge.execute("select 1"), quark::ConnectionError);
  EXPECT_THROW((void)For<User>(*connection).count(), quark::ConnectionError);
}

TEST(Callers, SettingForUnbufferedRowsIsKeptAndNotFollowed) {
  const auto connection = connect(fresh_options());
  const int forward = sql::ResultSet::TYPE_FORWARD_ONLY;
  connection->setClientOption("defaultStatementResultType", &forward);
  Bridge bridge(*connection);
  quark::create_table<User>(bridge);
  For<User>(bridge).create(User{1, std::string(1000, 'x'), {}, 0, false});
  EXPECT_EQ(bridge.execute("select * from users, users as u"), 0u);
  EXPECT_EQ(For<User>(bridge).get(1).name, std::string(1000, 'x'));
  EXPECT_EQ(For<User>(*connection).get(1).name, std::string(1000, 'x'));
  const std::unique_ptr<sql::Statement> theirs(connection->createStatement());
  EXPECT_EQ(theirs->getResultSetType(), sql::ResultSet::TYPE_FORWARD_ONLY);
}

// The client library has one result on its way at a time, and loses its place when another one is asked for.
TEST(Callers, UnreadResultIsAnErrorAndNothingRunsAfterIt) {
  const auto connection = connect(fresh_options());
  Bridge bridge(*connection);
  quark::create_table<User>(bridge);
  const std::unique_ptr<sql::Statement> statement(connection->createStatement());
  statement->setResultSetType(sql::ResultSet::TYPE_FORWARD_ONLY);
  const std::unique_ptr<sql::ResultSet> result(statement->executeQuery("SELECT seq FROM seq_1_to_1000"));
  ASSERT_TRUE(result->next());
  EXPECT_EQ(error_of<quark::Misuse>([&] { (void)For<User>(bridge).count(); }).engine_code(), 2014);
  for (int again = 0; again < 2; ++again)
    EXPECT_THROW((void)For<User>(bridge).count(), quark::ConnectionError);
}

TEST(Callers, SeveralStatementsInOneTextAreRefusedThoughTheConnectionTakesThem) {
  DatabaseOptions options = fresh_options();
  options.several_statements = true;
  const auto connection = connect(options);
  Bridge bridge(*connection);
  quark::create_table<User>(bridge);
  EXPECT_THROW((void)bridge.execute("insert into users (name, age, active) values ('a', 1, 1); delete from users"),
               quark::Misuse);
  EXPECT_EQ(For<User>(bridge).count(), 0);
  EXPECT_EQ(bridge.execute("insert into users (name, age, active) values ('a;b', 1, 1);"), 1u);
  (void)bridge.execute("create procedure p() begin select 1; select 2; end");
  (void)bridge.execute("call p()");
  EXPECT_EQ(For<User>(bridge).count(), 1);
}

TEST(KeptStatements, StayWithinTheirLimit) {
  DatabaseOptions options = fresh_options();
  options.bridge.cached_statements = 3;
  options.bridge.cached_texts = 2;
  Db db(options);
  quark::create_table<User>(db);
  for (int round = 0; round < 3; ++round) {
    For<User>(db).create(User{.name = "a"});
    (void)For<User>(db).count();
    (void)For<User>(db).list();
    (void)For<User>(db).first();
    quark::Filter<User> filter(field<&User::age> == round);
    (void)For<User>(db).where(filter).count();
    EXPECT_LE(db.session().cached_statements(), 3u);
  }
  EXPECT_EQ(For<User>(db).count(), 3);
  options.bridge.cached_texts = 0;
  EXPECT_THROW(Db other(options), quark::Misuse);
}

}  // namespace
