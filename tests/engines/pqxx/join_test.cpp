// Quark in a transaction that libpqxx began: each sees what the other wrote, and they end together.
#include "server.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

namespace {

using namespace under_test;
using quark::asc;
using quark::field;
using quark::For;

struct PqxxJoin : testing::Test {
  PqxxJoin() {
    pqxx::work tx(service.connection);
    quark::create_all<User, Account>(tx);
    tx.commit();
  }
  // What another connection sees: what was committed.
  std::string committed(const std::string& sql) {
    pqxx::connection other(service.url());
    service.enter(other);
    pqxx::nontransaction tx(other);
    return cell(tx, sql);
  }
  Service service;
};

TEST_F(PqxxJoin, EachSeesWhatTheOtherWrote) {
  pqxx::work tx(service.connection);
  User ada{.name = "Ada", .email = "ada@example.com", .age = 36, .active = true};
  For<User>(tx).create(ada);
  EXPECT_EQ(cell(tx, "select name || '|' || email || '|' || age || '|' || active from users"),
            "Ada|ada@example.com|36|true");
  tx.exec_params("insert into users (name, age, active) values ($1, $2, false)", "Bea", 41);
  const auto users = For<User>(tx).order_by(asc<&User::id>).list();
  ASSERT_EQ(users.size(), 2u);
  EXPECT_EQ(users[0], ada);
  EXPECT_EQ(users[1].name, "Bea");
  EXPECT_EQ(users[1].email, std::nullopt);
  EXPECT_EQ(committed("select count(*) from users"), "0");
  tx.commit();
  EXPECT_EQ(committed("select string_agg(name, ',' order by id) from users"), "Ada,Bea");
}

TEST_F(PqxxJoin, AnAbortUndoesBoth) {
  {
    pqxx::work tx(service.connection);
    tx.exec("insert into users (name, age, active) values ('theirs', 1, true)");
    For<User>(tx).create(User{.name = "ours"});
    tx.abort();
  }
  {
    pqxx::work forgotten(service.connection);
    For<User>(forgotten).create(User{.name = "ours"});
  }
  EXPECT_EQ(committed("select count(*) from users"), "0");
}

TEST_F(PqxxJoin, AQueryCanBeKeptAndLivesAsLongAsTheTransaction) {
  pqxx::work tx(service.connection);
  const auto adults = For<User>(tx).where(field<&User::age> >= 18);
  for (int age : {17, 18, 19}) For<User>(tx).create(User{.name = "u", .age = age});
  EXPECT_EQ(adults.count(), 2);
  EXPECT_EQ(adults.where(field<&User::age> < 19).count(), 1);
  tx.abort();
  EXPECT_THROW((void)adults.count(), quark::Misuse);
}

TEST_F(PqxxJoin, NothingIsSentAfterItsEnd) {
  for (const bool commit : {true, false}) {
    pqxx::work tx(service.connection);
    For<User>(tx).create(User{.name = "in time"});
    quark::pqxx_bridge::Connection bridge(tx);
    if (commit) {
      tx.commit();
    } else {
      tx.abort();
    }
    EXPECT_THROW(For<User>(tx).create(User{.name = "late"}), quark::Misuse);
    std::vector<User> batch(2);
    EXPECT_THROW(For<User>(tx).create_batch(batch), quark::Misuse);
    EXPECT_THROW(For<User>(bridge).everything().remove(), quark::Misuse);
    EXPECT_THROW(bridge.execute("delete from users"), quark::Misuse);
    EXPECT_THROW((void)bridge.begin(), quark::Misuse);
    EXPECT_THROW(quark::drop_table<User>(tx), quark::Misuse);
  }
  EXPECT_EQ(committed("select string_agg(name, ',') from users"), "in time");
}

TEST_F(PqxxJoin, AfterAnErrorTheTransactionTakesNothing) {
  {
    pqxx::work tx(service.connection);
    For<Account>(tx).create(Account{.number = "1"});
    const auto error =
        error_of<quark::UniqueViolation>([&] { For<Account>(tx).create(Account{.number = "1"}); });
    EXPECT_EQ(error.sqlstate(), "23505");
    EXPECT_EQ(error.column(), "number");
    EXPECT_EQ(error.table(), "accounts");
    EXPECT_FALSE(error.constraint().empty());
    EXPECT_EQ(std::string_view(error.what()).find("(1)"), std::string_view::npos) << "a value: " << error.what();
    const auto next = error_of<quark::TransactionAborted>([&] { (void)For<Account>(tx).count(); });
    EXPECT_TRUE(next.retryable());
    EXPECT_THROW(tx.exec("select 1"), pqxx::sql_error);
    tx.abort();
  }
  EXPECT_EQ(committed("select count(*) from accounts"), "0");
  pqxx::work tx(service.connection);
  For<Account>(tx).create(Account{.number = "1"});
  tx.commit();
  EXPECT_EQ(committed("select count(*) from accounts"), "1");
}

TEST_F(PqxxJoin, AnErrorOfLibpqxxIsSeenToo) {
  pqxx::work tx(service.connection);
  EXPECT_THROW(tx.exec("select 1 / 0"), pqxx::sql_error);
  // libpqxx 6 has rolled it back by then, which makes it Misuse; 7 leaves it failed.
  EXPECT_THROW((void)For<User>(tx).list(), quark::Error);
  EXPECT_THROW(For<User>(tx).create(User{.name = "late"}), quark::Error);
  tx.abort();
  EXPECT_EQ(committed("select count(*) from users"), "0");
}

TEST_F(PqxxJoin, KindsOfErrors) {
  const auto kind = [this](auto call) {
    pqxx::work tx(service.connection);
    const auto error = error_of<quark::Error>([&] { call(tx); });
    return std::string(to_string(error.kind())) + " " + std::string(error.column()) + " " +
           std::string(error.constraint());
  };
  EXPECT_EQ(kind([](auto& tx) { For<Account>(tx).create(Account{.number = "1", .owner_id = 7}); }).substr(0, 20),
            "foreign_key owner_id");
  EXPECT_EQ(kind([](auto& tx) { For<Account>(tx).create(Account{.number = "1", .balance = -1}); }),
            "check  balance_not_negative");
  EXPECT_EQ(kind([](auto& tx) {
              quark::pqxx_bridge::Connection(tx).execute("insert into users (age, active) values (1, true)");
            }),
            "not_null name ");
  EXPECT_EQ(kind([](auto& tx) { quark::pqxx_bridge::Connection(tx).execute("select * from nothing"); }), "syntax  ");
}

TEST_F(PqxxJoin, SubtransactionsAndReadOnlyAndRobustOnes) {
  {
    pqxx::work tx(service.connection);
    For<User>(tx).create(User{.name = "outer"});
    {
      pqxx::subtransaction inner(tx);
      For<User>(inner).create(User{.name = "undone"});
      inner.abort();
    }
    {
      pqxx::subtransaction inner(tx);
      For<User>(inner).create(User{.name = "kept"});
      {
        // Its savepoint is set before ours.
        pqxx::subtransaction innermost(inner);
        quark::pqxx_bridge::Connection db(innermost);
        db.transaction([](auto& in) { For<User>(in).create(User{.name = "undone"}); });
        innermost.abort();
      }
      inner.commit();
    }
    tx.commit();
  }
  EXPECT_EQ(committed("select string_agg(name, ',' order by id) from users"), "outer,kept");
  {
    pqxx::read_transaction tx(service.connection);
    EXPECT_EQ(For<User>(tx).count(), 2);
    EXPECT_THROW(For<User>(tx).create(User{.name = "written"}), quark::PermissionDenied);
  }
  {
    pqxx::robusttransaction<pqxx::serializable> tx(service.connection);
    For<User>(tx).create(User{.name = "robust"});
    tx.commit();
  }
  EXPECT_EQ(committed("select count(*) from users"), "3");
}

TEST_F(PqxxJoin, NestedTransactionsOfOursAreSavepoints) {
  struct Stop {};
  pqxx::work tx(service.connection);
  quark::pqxx_bridge::Connection db(tx);
  std::string said;
  db.transaction([&](auto& one) {
    one.on_commit([&] { said += "kept "; });
    For<User>(one).create(User{.name = "a"});
    EXPECT_THROW(one.transaction([&](auto& two) {
      two.on_rollback([&] { said += "undone "; });
      For<User>(two).create(User{.name = "b"});
      tx.exec("insert into users (name, age, active) values ('theirs', 1, true)");
      throw Stop{};
    }),
                 Stop);
    // An error inside a savepoint costs only that.
    EXPECT_THROW(one.transaction([&](auto& two) {
      For<User>(two).create(User{.id = 1, .name = "c"});
      For<User>(two).create(User{.id = 1, .name = "c"});
    }),
                 quark::UniqueViolation);
    {
      auto failed = one.begin();
      EXPECT_THROW(For<User>(failed).create(User{.id = 1}), quark::UniqueViolation);
      EXPECT_THROW((void)failed.begin(), quark::TransactionAborted);
      EXPECT_THROW(failed.commit(), quark::TransactionAborted);
    }
    For<User>(one).create(User{.id = 9, .name = "d"});
    EXPECT_THROW(For<User>(db).where(field<&User::id> == 9).get(1), quark::NotFound);
  });
  {
    auto forgotten = db.begin();
    For<User>(forgotten).create(User{.name = "e"});
  }
  EXPECT_EQ(said, "undone kept ");
  EXPECT_THROW(db.execute("commit"), quark::Misuse);
  EXPECT_THROW(db.execute("/* their */ rollback work"), quark::Misuse);
  EXPECT_EQ(committed("select count(*) from users"), "0");
  tx.commit();
  EXPECT_EQ(committed("select string_agg(name, ',' order by id) from users"), "a,d");
}

TEST_F(PqxxJoin, ANontransactionCommitsEachStatement) {
  pqxx::nontransaction tx(service.connection);
  For<User>(tx).create(User{.id = 7000, .name = "first"});
  EXPECT_EQ(committed("select count(*) from users"), "1");
  // A batch of several statements, the last of which fails, is all or nothing there, too.
  std::vector<User> batch(7001);
  for (std::size_t i = 0; i < batch.size(); ++i) batch[i].id = static_cast<std::int64_t>(i) + 1;
  EXPECT_THROW(For<User>(tx).create_batch(batch), quark::UniqueViolation);
  EXPECT_EQ(committed("select count(*) from users"), "1");
  batch.erase(batch.begin() + 6999);
  EXPECT_EQ(For<User>(tx).create_batch(batch), 7000u);
  EXPECT_EQ(committed("select count(*) from users"), "7001");
}

TEST_F(PqxxJoin, ABeginOfTheCallersOwnIsNotCommitted) {
  pqxx::nontransaction tx(service.connection);
  tx.exec("begin");
  std::vector<User> batch(3);
  For<User>(tx).create_batch(batch);
  quark::pqxx_bridge::Connection(tx).transaction([](auto& inner) { For<User>(inner).create(User{.name = "x"}); });
  EXPECT_EQ(committed("select count(*) from users"), "0");
  tx.exec("rollback");
  EXPECT_EQ(cell(tx, "select count(*) from users"), "0");
}

#if PQXX_VERSION_MAJOR < 7
TEST_F(PqxxJoin, AConnectionThatIsOpenedWhenItIsNeeded) {
  pqxx::lazyconnection lazy(service.url());
  pqxx::nontransaction tx(lazy);
  quark::pqxx_bridge::Connection db(tx);
  EXPECT_EQ(db.execute("select 1"), 1u);
  pqxx::lazyconnection another(service.url());
  pqxx::work work(another);
  EXPECT_THROW((void)For<User>(work).count(), quark::SyntaxError);  // it sees another schema
}
#endif

TEST_F(PqxxJoin, AFailedTransactionOfOursIsNotCommitted) {
  pqxx::nontransaction tx(service.connection);
  quark::pqxx_bridge::Connection db(tx);
  auto ours = db.begin();
  For<User>(ours).create(User{.id = 1});
  EXPECT_THROW(For<User>(ours).create(User{.id = 1}), quark::UniqueViolation);
  EXPECT_THROW(ours.commit(), quark::TransactionAborted);
  ours.rollback();
  EXPECT_EQ(For<User>(db).count(), 0);
}

TEST_F(PqxxJoin, APipelineKeepsItsAnswers) {
  pqxx::work tx(service.connection);
  pqxx::pipeline pipeline(tx);
  const auto one = pipeline.insert("select 41 + 1");
  EXPECT_THROW((void)For<User>(tx).count(), quark::Misuse);
  EXPECT_EQ(pipeline.retrieve(one)[0][0].as<int>(), 42);
  pipeline.complete();
}

TEST_F(PqxxJoin, ALostConnectionIsToldAndLeavesNothing) {
  {
    pqxx::work tx(service.connection);
    For<User>(tx).create(User{.name = "lost"});
    {
      pqxx::connection other(service.url());
      pqxx::nontransaction killer(other);
      killer.exec("select pg_terminate_backend(" + std::to_string(service.connection.backendpid()) + ", 5000)");
    }
    EXPECT_THROW(For<User>(tx).create(User{.name = "lost"}), quark::ConnectionError);
    EXPECT_THROW(For<User>(tx).create(User{.name = "lost"}), quark::ConnectionError);
    EXPECT_THROW((void)For<User>(tx).count(), quark::ConnectionError);
  }
  EXPECT_EQ(committed("select count(*) from users"), "0");
}

TEST_F(PqxxJoin, CopyIsNotTakenForAnOrdinaryStatement) {
  pqxx::work tx(service.connection);
  quark::pqxx_bridge::Connection db(tx);
  EXPECT_THROW(db.execute("copy users from stdin"), quark::Misuse);
  EXPECT_THROW(db.execute("COPY users TO /* here */ STDOUT"), quark::Misuse);
  EXPECT_EQ(db.execute("copy (select name from users, (select 1 as stdin) s) to '/dev/null'"), 0u);
  EXPECT_THROW(db.execute(" -- nothing\n;"), quark::Misuse);
  EXPECT_EQ(db.execute("select ';', $$;$$, $x$ ; $$ ; $x$, E'\\';', \";\".n /* ; /* ; */ ; */ from (select 1 n) \";\";"), 1u);
  db.execute("create function two() returns int language sql begin atomic select 1; select 2; end");
  EXPECT_EQ(cell(tx, "select two()"), "2");
  EXPECT_THROW(db.execute("select 1; select 2"), quark::Misuse);
}

}  // namespace
