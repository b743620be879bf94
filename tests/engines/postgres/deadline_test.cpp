// Deadlines when the server doesn't answer at all: the connection is ended, in time.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"
#include "support/proxy.hpp"

#include <gtest/gtest.h>

#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <memory>

namespace {

using namespace under_test;
using namespace std::chrono_literals;
using quark::For;
using Clock = std::chrono::steady_clock;

std::string url() { return std::getenv("QUARK_TEST_POSTGRES"); }

// Nothing that was begun must be there, and the connection must be known to be dead.
void expect_dead(Db& db, auto&& call) {
  const auto start = Clock::now();
  const auto error = error_of<quark::Timeout>(call);
  EXPECT_LT(Clock::now() - start, 5s);
  EXPECT_NE(std::string_view(error.what()).find("the connection is closed"), std::string_view::npos) << error.what();
  for (int again = 0; again < 2; ++again) EXPECT_THROW((void)db.execute("select 1"), quark::ConnectionError);
}

TEST(PostgresDeadline, ADeadNetworkEndsTheConnection) {
  Proxy proxy(url());
  auto db = quark::postgres::open(proxy.url());
  const auto limit = db.deadline(100ms, 200ms);
  EXPECT_EQ(raw_cell(db, "select 1"), "1");
  proxy.freeze();
  // The request to cancel isn't answered either.
  expect_dead(db, [&] { (void)db.execute("select 1"); });
}

TEST(PostgresDeadline, ADeadNetworkInATransaction) {
  const Shared shared;
  auto look = shared.connect();
  quark::create_table<User>(look);
  auto options = shared.options();
  Proxy proxy(options.url);
  options.url = proxy.url();
  auto db = quark::postgres::open(options);
  // More than all buffers on the way hold: it is the sending that waits.
  User large{.name = std::string(64 << 20, 'x')};
  const auto limit = db.deadline(1s, 200ms);
  expect_dead(db, [&] {
    db.transaction([&](auto& tx) {
      For<User>(tx).create(User{.name = "lost"});
      proxy.freeze();
      For<User>(tx).create(large);
    });
  });
  EXPECT_EQ(For<User>(look).count(), 0);
}

TEST(PostgresDeadline, AServerProcessThatHangs) {
  auto db = fresh();
  quark::create_table<User>(db);
  const pid_t pid = PQbackendPID(db.native());
  ASSERT_EQ(kill(pid, SIGSTOP), 0) << "the tests must be allowed to stop a process of the server";
  {
    const auto limit = db.deadline(100ms, 200ms);
    expect_dead(db, [&] { For<User>(db).create(User{.name = "lost"}); });
  }
  kill(pid, SIGCONT);
}

TEST(PostgresDeadline, APoolReplacesADeadConnection) {
  const Shared shared;
  auto options = shared.options();
  auto proxy = std::make_unique<Proxy>(options.url);
  options.url = proxy->url();
  Pool pool(options, {.max = 1});
  quark::create_table<User>(pool);
  {
    auto lease = pool.acquire();
    const auto limit = lease.deadline(100ms, 100ms);
    proxy->freeze();
    EXPECT_THROW((void)lease.execute("select 1"), quark::Timeout);
  }
  EXPECT_EQ(pool.stats().idle, 0u);
  EXPECT_EQ(pool.stats().in_use, 0u);
}

TEST(PostgresDeadline, OfABorrowedConnection) {
  auto owner = fresh();
  auto db = Db(owner.native());
  {
    const auto limit = db.deadline(50ms);
    EXPECT_THROW((void)db.execute(slow_statement()), quark::Timeout);
  }
  EXPECT_EQ(raw_cell(owner, "select 1"), "1");
}

}  // namespace
