// each(): rows come from a cursor at the server, in portions; the connection is free in between.
#include "server.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

namespace {

using namespace under_test;
using quark::asc;
using quark::field;
using quark::For;

struct PqxxStream : testing::Test {
  PqxxStream() {
    pqxx::nontransaction tx(service.connection);
    quark::create_table<User>(tx);
    tx.exec("insert into users (name, age, active) select 'n' || i, i, true from generate_series(1, 20000) i");
  }
  Service service;
};

template <class Tx>
void stream(Tx& tx) {
  std::int64_t sum = 0, previous = 0, inner = 0;
  bool at_server = false;
  For<User>(tx).order_by(asc<&User::id>).each([&](const User& user) {
    ASSERT_GT(user.id, previous);
    previous = user.id;
    sum += user.age;
    if (user.age == 5000) {
      at_server = cell(tx, "select count(*) from pg_cursors where name like 'quark_rows_%'") == "1";
      For<User>(tx).where(field<&User::age> <= 100).each([&](const User&) { ++inner; });
    }
  });
  EXPECT_EQ(sum, 20000LL * 20001 / 2);
  EXPECT_EQ(inner, 100);
  EXPECT_TRUE(at_server) << "all rows were taken at once";
  int seen = 0;
  For<User>(tx).each([&](const User&) { return ++seen < 10; });
  EXPECT_EQ(seen, 10);
  struct Enough {};
  EXPECT_THROW(For<User>(tx).each([](const User&) { throw Enough{}; }), Enough);
  EXPECT_EQ(cell(tx, "select count(*) from pg_cursors"), "0");
  EXPECT_EQ(For<User>(tx).count(), 20000);
}

TEST_F(PqxxStream, InATransactionAndOutOfOne) {
  {
    pqxx::work tx(service.connection);
    stream(tx);
  }
  pqxx::nontransaction tx(service.connection);
  stream(tx);
}

TEST_F(PqxxStream, AnErrorAfterSomeRows) {
  pqxx::work tx(service.connection);
  tx.exec("alter table users alter column name drop not null");
  tx.exec("update users set name = null where age = 15000");
  int seen = 0;
  const auto error = error_of<quark::ConversionError>(
      [&] { For<User>(tx).order_by(asc<&User::id>).each([&](const User&) { ++seen; }); });
  EXPECT_EQ(seen, 14999);
  EXPECT_EQ(error.column(), "name");
  // It was ours: the transaction goes on.
  EXPECT_EQ(For<User>(tx).count(), 20000);
  EXPECT_EQ(cell(tx, "select count(*) from pg_cursors"), "0");
  // One of the caller's own statement ends the transaction, and the stream with it.
  EXPECT_THROW(For<User>(tx).where(field<&User::age> < 15000).each([&](const User& user) {
    if (user.age == 2000) tx.exec("select 1 / 0");
  }),
               pqxx::sql_error);
  EXPECT_THROW((void)For<User>(tx).count(), quark::Error);
}

TEST_F(PqxxStream, TheTransactionIsEndedMeanwhile) {
  pqxx::work tx(service.connection);
  bool ended = false;
  EXPECT_THROW(For<User>(tx).each([&](const User&) {
    if (!ended) tx.commit();
    ended = true;
  }),
               quark::Misuse);
}

TEST_F(PqxxStream, APipelineThatIsOpenedMeanwhileKeepsItsAnswers) {
  pqxx::work tx(service.connection);
  std::optional<pqxx::pipeline> pipeline;
  pqxx::pipeline::query_id id{};
  EXPECT_THROW(For<User>(tx).each([&](const User&) {
    if (pipeline) return;
    pipeline.emplace(tx);
    id = pipeline->insert("select 42");
  }),
               quark::Misuse);
  EXPECT_EQ(pipeline->retrieve(id)[0][0].as<int>(), 42);
}

}  // namespace
