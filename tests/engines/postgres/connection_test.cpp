// Connecting, losing the connection, time-outs, conflicts between transactions.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

using namespace under_test;
using quark::ErrorKind;
using quark::field;
using quark::For;
using quark::postgres::Isolation;
using quark::postgres::Options;

std::string url() { return std::getenv("QUARK_TEST_POSTGRES"); }
std::string pid_of(const Db& db) { return std::to_string(PQbackendPID(db.native())); }
void terminate(const Db& db) {
  auto other = quark::postgres::open(url());
  raw(other, "select pg_terminate_backend(" + pid_of(db) + ")");
  // The signal has arrived when the server process is gone.
  while (raw_cell(other, "select count(*) from pg_stat_activity where pid = " + pid_of(db)) != "0")
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

TEST(PostgresConnecting, AWrongAddressIsAnError) {
  EXPECT_THROW((void)quark::postgres::open("postgres://127.0.0.1:1/x"), quark::ConnectionError);
  EXPECT_THROW((void)quark::postgres::open("no = such option"), quark::ConnectionError);
  EXPECT_THROW((void)quark::postgres::open(url() + "_that_is_not_there"), quark::ConnectionError);
  EXPECT_THROW((void)quark::postgres::open({.url = url(), .cached_texts = 0}), quark::Misuse);
  EXPECT_THROW((void)quark::postgres::open({.url = url(), .statement_timeout_milliseconds = -1}), quark::Misuse);
  EXPECT_THROW((void)quark::postgres::open(std::string("postgres://x\0y", 14)), quark::Misuse);
}

TEST(PostgresConnecting, AWrongPasswordIsNoPermission) {
  const std::size_t at = url().find('@');
  ASSERT_NE(at, std::string::npos);
  const std::string host = url().substr(at);
  const auto error = error_of<quark::PermissionDenied>(
      [&] { (void)quark::postgres::open("postgres://quark_login:wrong" + host); });
  EXPECT_EQ(std::string_view(error.what()).find("wrong"), std::string_view::npos);
  EXPECT_NO_THROW((void)quark::postgres::open("postgres://quark_login:secret" + host));
}

TEST(PostgresConnecting, AnUnreachableHostKeepsItsDeadline) {
  const auto start = std::chrono::steady_clock::now();
  // An address for documentation (RFC 5737): nobody answers. A network may refuse at once, too.
  EXPECT_THROW((void)quark::postgres::open({.url = "postgres://192.0.2.1/x", .connect_timeout_seconds = 2}),
               quark::ConnectionError);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(PostgresConnecting, OptionsArriveAtTheServer) {
  auto db = quark::postgres::open({.url = url(),
                                   .statement_timeout_milliseconds = 1234,
                                   .lock_timeout_milliseconds = 567,
                                   .plan_cache_mode = quark::postgres::PlanCacheMode::force_generic_plan,
                                   .search_path = "\"a b\", pg_catalog",
                                   .application_name = "quark test"});
  EXPECT_EQ(raw_cell(db, "show statement_timeout"), "1234ms");
  EXPECT_EQ(raw_cell(db, "show lock_timeout"), "567ms");
  EXPECT_EQ(raw_cell(db, "show plan_cache_mode"), "force_generic_plan");
  EXPECT_EQ(raw_cell(db, "show search_path"), "\"a b\", pg_catalog");
  EXPECT_EQ(raw_cell(db, "show application_name"), "quark test");
  EXPECT_EQ(raw_cell(db, "show client_encoding"), "UTF8");
}

TEST(PostgresConnection, ABorrowedOneStaysOpen) {
  auto owner = fresh();
  quark::create_table<User>(owner);
  {
    auto db = Db(owner.native());
    For<User>(db).create(User{.name = "through both"});
    EXPECT_EQ(For<User>(db).count(), 1);
  }
  EXPECT_EQ(raw_cell(owner, "select count(*) from pg_prepared_statements"), "0");
  EXPECT_EQ(For<User>(owner).one().name, "through both");
  raw(owner, "set client_encoding to latin1");
  EXPECT_THROW((void)Db(owner.native()), quark::Misuse);
  EXPECT_THROW((void)Db(static_cast<PGconn*>(nullptr)), quark::ConnectionError);
}

TEST(PostgresLost, WhileIdle) {
  auto db = fresh();
  quark::create_table<User>(db);
  terminate(db);
  for (int again = 0; again < 2; ++again)
    EXPECT_THROW((void)For<User>(db).count(), quark::ConnectionError);
  EXPECT_THROW((void)db.begin(), quark::ConnectionError);
  EXPECT_THROW((void)db.execute("select 1"), quark::ConnectionError);
}

TEST(PostgresLost, InATransactionNothingIsCommitted) {
  const Shared shared;
  auto db = shared.connect();
  quark::create_table<User>(db);
  EXPECT_THROW(db.transaction([&](auto& tx) {
    For<User>(tx).create(User{.name = "lost"});
    terminate(db);
    For<User>(tx).create(User{.name = "lost"});
  }), quark::ConnectionError);
  auto tx = shared.connect();
  EXPECT_THROW({
    auto other = shared.connect();
    auto guard = other.begin();
    For<User>(guard).create(User{.name = "lost"});
    terminate(other);
    guard.commit();
  }, quark::ConnectionError);
  auto after = shared.connect();
  EXPECT_EQ(For<User>(after).count(), 0);
}

TEST(PostgresLost, InTheMiddleOfAQuery) {
  auto db = fresh();
  std::thread killer([pid = pid_of(db)] {
    auto other = quark::postgres::open(url());
    for (int i = 0; i < 2000; ++i) {
      if (raw_cell(other, "select count(*) from pg_stat_activity where state = 'active' and pid = " + pid) != "0") break;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    raw(other, "select pg_terminate_backend(" + pid + ")");
  });
  EXPECT_THROW((void)db.execute("select pg_sleep(30)"), quark::ConnectionError);
  killer.join();
  EXPECT_THROW((void)db.execute("select 1"), quark::ConnectionError);
}

TEST(PostgresTimeout, OfAStatementLeavesTheConnectionUsable) {
  auto db = quark::postgres::open({.url = url(), .statement_timeout_milliseconds = 50});
  const auto error = error_of<quark::Timeout>([&] { (void)db.execute("select pg_sleep(30)"); });
  EXPECT_EQ(error.sqlstate(), "57014");
  EXPECT_EQ(raw_cell(db, "select 1"), "1");
}

TEST(PostgresTimeout, InterruptFromAnotherThread) {
  auto db = fresh();
  std::thread other([&, pid = pid_of(db)] {
    auto look = quark::postgres::open(url());
    while (raw_cell(look, "select count(*) from pg_stat_activity where query like '%pg_sleep(30)' and pid = " + pid) ==
           "0")
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    db.interrupt();
  });
  EXPECT_THROW((void)db.execute("select pg_sleep(30)"), quark::Timeout);
  other.join();
  EXPECT_EQ(raw_cell(db, "select 1"), "1");
}

TEST(PostgresConflicts, ADeadlockIsBrokenAndSaidToBeRetryable) {
  const Shared shared;
  auto a = shared.connect(), b = shared.connect();
  quark::create_table<User>(a);
  For<User>(a).create(User{.id = 1, .name = "1"});
  For<User>(a).create(User{.id = 2, .name = "2"});
  int deadlocks = 0;
  std::atomic<int> ready{0};
  const auto work = [&](Db& db, std::int64_t first, std::int64_t second) {
    try {
      db.transaction([&](auto& tx) {
        For<User>(tx).where(field<&User::id> == first).set(field<& User::age> = 1).update();
        ++ready;
        while (ready.load() < 2) std::this_thread::yield();
        For<User>(tx).where(field<&User::id> == second).set(field<& User::age> = 1).update();
      });
      return 0;
    } catch (const quark::Deadlock& error) {
      return error.retryable() ? 1 : 100;
    }
  };
  int in_thread = 0;
  std::thread other([&] { in_thread = work(b, 2, 1); });
  deadlocks = work(a, 1, 2);
  other.join();
  EXPECT_EQ(deadlocks + in_thread, 1);
  EXPECT_EQ(For<User>(a).where(field<&User::age> == 1).count(), 2);
  EXPECT_EQ(For<User>(b).count(), 2);
}

TEST(PostgresConflicts, ASerializationFailureIsRetryable) {
  const Shared shared;
  auto a = shared.connect(), b = shared.connect();
  quark::create_table<User>(a);
  For<User>(a).create(User{.id = 1, .name = "1"});
  const auto error = error_of<quark::SerializationFailure>([&] {
    a.transaction([&](auto& tx) {
      EXPECT_EQ(For<User>(tx).get(1).age, 0);
      For<User>(b).everything().set(field<& User::age> = 5).update();
      For<User>(tx).everything().set(field<& User::age> = 6).update();
    }, {.isolation = Isolation::repeatable_read});
  });
  EXPECT_TRUE(error.retryable());
  EXPECT_EQ(For<User>(a).get(1).age, 5);
}

TEST(PostgresConflicts, ALockThatIsNotGranted) {
  const Shared shared;
  auto a = shared.connect();
  quark::create_table<User>(a);
  For<User>(a).create(User{.id = 1, .name = "1"});
  auto b = shared.connect();
  b.execute("set lock_timeout = 30");
  auto tx = a.begin();
  For<User>(tx).everything().set(field<& User::age> = 1).update();
  EXPECT_TRUE(error_of<quark::LockTimeout>([&] {
                For<User>(b).everything().set(field<& User::age> = 2).update();
              }).retryable());
  tx.commit();
  EXPECT_EQ(For<User>(b).get(1).age, 1);
}

TEST(PostgresTransactions, ModesArriveAtTheServer) {
  auto db = fresh();
  const auto show = [&](const char* what, quark::postgres::Begin mode) {
    std::string out;
    db.transaction([&](auto&) { out = raw_cell(db, std::string("show ") + what); }, mode);
    return out;
  };
  EXPECT_EQ(show("transaction_isolation", {}), "read committed");
  EXPECT_EQ(show("transaction_isolation", {.isolation = Isolation::serializable}), "serializable");
  EXPECT_EQ(show("transaction_read_only", {.read_only = true}), "on");
  EXPECT_EQ(show("transaction_deferrable", {.isolation = Isolation::serializable, .read_only = true, .deferrable = true}),
            "on");
  quark::create_table<User>(db);
  EXPECT_THROW(db.transaction([](auto& tx) { For<User>(tx).create(User{.name = "x"}); }, {.read_only = true}),
               quark::PermissionDenied);
}

TEST(PostgresTransactions, AnErrorAbortsIt) {
  auto db = fresh();
  quark::create_table<User>(db);
  For<User>(db).create(User{.id = 1, .name = "1"});
  auto tx = db.begin();
  For<User>(tx).create(User{.id = 2, .name = "2"});
  EXPECT_THROW(For<User>(tx).create(User{.id = 1, .name = "twice"}), quark::UniqueViolation);
  EXPECT_THROW((void)For<User>(tx).count(), quark::TransactionAborted);
  EXPECT_THROW(tx.commit(), quark::TransactionAborted);
  tx.rollback();
  EXPECT_EQ(For<User>(db).count(), 1);
  // A savepoint keeps the rest.
  db.transaction([](auto& outer) {
    For<User>(outer).create(User{.id = 2, .name = "2"});
    EXPECT_THROW(outer.transaction([](auto& inner) { For<User>(inner).create(User{.id = 1, .name = "twice"}); }),
                 quark::UniqueViolation);
    For<User>(outer).create(User{.id = 3, .name = "3"});
  });
  EXPECT_EQ(For<User>(db).count(), 3);
}

TEST(PostgresTransactions, ACommitThatTheServerRefuses) {
  auto db = fresh();
  raw(db, "create table users (id bigint primary key, name text, email text, age int, active bool, "
          "unique (name) deferrable initially deferred)");
  For<User>(db).create(User{.id = 1, .name = "same"});
  auto tx = db.begin();
  For<User>(tx).create(User{.id = 2, .name = "same"});
  EXPECT_THROW(tx.commit(), quark::UniqueViolation);
  EXPECT_FALSE(in_transaction(db));
  EXPECT_THROW(tx.rollback(), quark::Misuse);  // it has ended
  EXPECT_EQ(For<User>(db).count(), 1);
  // The caller's own SQL has spoilt it: the server answers COMMIT with ROLLBACK.
  auto spoilt = db.begin();
  For<User>(spoilt).create(User{.id = 3, .name = "3"});
  EXPECT_THROW(raw(db, "select 1/0"), RawError);
  EXPECT_THROW(spoilt.commit(), quark::TransactionAborted);
  spoilt.rollback();
  EXPECT_EQ(For<User>(db).count(), 1);
}

TEST(PostgresPlain, CopyIsRefusedAndTheConnectionUsable) {
  auto db = fresh();
  quark::create_table<User>(db);
  EXPECT_THROW((void)db.execute("copy users from stdin"), quark::Misuse);
  EXPECT_THROW((void)db.execute("copy users to stdout"), quark::Misuse);
  EXPECT_EQ(For<User>(db).count(), 0);
}

}  // namespace
