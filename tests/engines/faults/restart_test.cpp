// A server that is stopped, in good order or by a crash, and started again: while connections idle in a pool, in the
// middle of a transaction, of a stream, of the writes of several threads. For engines that have a server; it belongs to
// this program alone.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"
#include "support/own_servers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#if !defined(QUARK_TEST_ENGINE_SQLITE)
namespace {

using namespace under_test;
using quark::asc;
using quark::For;

#if defined(QUARK_TEST_ENGINE_POSTGRES)
constexpr const char *server_name = "postgres", *orderly = "INT", *crash = "QUIT";
#else
constexpr const char *server_name = "mariadb", *orderly = "TERM", *crash = "KILL";
#endif

void stop(const char* how) { order("stop " + std::string(server_name) + " " + how); }
void start() { order("start " + std::string(server_name) + " " + crash); }
void restart(const char* how) {
  stop(how);
  start();
}

class Restart : public testing::TestWithParam<const char*> {
 protected:
  Restart() {
    auto db = shared.connect();
    quark::create_table<User>(db);
    // The servers of tests don't wait for their files; here what is committed must survive a crash.
#if defined(QUARK_TEST_ENGINE_POSTGRES)
    raw(db, "alter role quark set synchronous_commit = on");
#else
    raw(db, "set global innodb_flush_log_at_trx_commit = 1");
#endif
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& row : raw(shared.connect(), "select name from users order by name")) out.push_back(*row[0]);
    return out;
  }
  const char* how() const { return GetParam(); }
  Shared shared;
};
INSTANTIATE_TEST_SUITE_P(, Restart, testing::Values(orderly, crash), [](const auto& parameter) {
  return std::string(parameter.param == orderly ? "InGoodOrder" : "AfterACrash");
});

TEST_P(Restart, B37_WhileConnectionsIdleInThePool) {
  Pool pool(shared.options(), {.min = 3, .max = 4});
  const auto touch_all = [&] {
    auto a = pool.acquire(), b = pool.acquire(), c = pool.acquire();
    return For<User>(a).count() + For<User>(b).count() + For<User>(c).count();
  };
  For<User>(pool).create(User{.name = "kept"});
  EXPECT_EQ(touch_all(), 3);
  const auto files = open_files();
  for (int round = 1; round <= 2; ++round) {
    restart(how());
    for (int i = 0; i < 3; ++i) EXPECT_EQ(For<User>(pool).count(), 1) << "no error reaches the user";
    EXPECT_EQ(touch_all(), 3);
    EXPECT_EQ(pool.stats().closed, 3u * static_cast<unsigned>(round));
    EXPECT_EQ(pool.stats().size, 3u);
    EXPECT_EQ(open_files(), files);
  }
  For<User>(pool).create(User{.name = "later"});
  EXPECT_EQ(names(), (std::vector<std::string>{"kept", "later"}));
}

TEST_P(Restart, B37_InTheMiddleOfATransaction) {
  Pool pool(shared.options(), {.min = 1, .max = 2});
  For<User>(pool).create(User{.name = "kept"});
  pool.maintain();
  const auto files = open_files();
  {
    auto tx = pool.begin();
    For<User>(tx).create(User{.name = "lost"});
    restart(how());
    EXPECT_THROW(For<User>(tx).create(User{.name = "lost, too"}), quark::ConnectionError);
    EXPECT_THROW((void)For<User>(tx).count(), quark::Error);
    EXPECT_THROW(tx.commit(), quark::Error) << "a commit that did not happen";
  }
  // Nothing is sent between the writes and the commit.
  bool told = false;
  EXPECT_THROW(pool.transaction([&](auto& tx) {
    tx.on_rollback([&] { told = true; });
    For<User>(tx).create(User{.name = "lost"});
    restart(how());
  }), quark::ConnectionError);
  EXPECT_TRUE(told);
  std::vector<User> batch(3, User{.name = "lost"});
  EXPECT_THROW(pool.transaction([&](auto& tx) {
    For<User>(tx).create_batch(batch);
    restart(how());
    For<User>(tx).create_batch(batch);
  }), quark::ConnectionError);
  EXPECT_EQ(For<User>(pool).order_by(asc<&User::id>).one().name, "kept");
  EXPECT_EQ(names(), std::vector<std::string>{"kept"});
  EXPECT_EQ(pool.stats().in_use, 0u);
  EXPECT_EQ(open_files(), files);
}

TEST_P(Restart, B37_InTheMiddleOfAStream) {
  auto db = shared.connect();
  std::vector<User> many(20'000, User{.name = std::string(500, 'x')});
  For<User>(db).create_batch(many);
  Pool pool(shared.options(), {.min = 1, .max = 1});
  const auto files = open_files();
  std::size_t seen = 0;
  EXPECT_THROW(For<User>(pool).each([&](const User&) {
    if (++seen == 10) restart(how());
  }), quark::ConnectionError);
  EXPECT_GE(seen, 10u);
  EXPECT_LT(seen, many.size());
  EXPECT_EQ(For<User>(pool).count(), 20'000);
  EXPECT_EQ(open_files(), files);
  EXPECT_THROW((void)For<User>(db).count(), quark::ConnectionError) << "this one has no pool that would replace it";
}

TEST_P(Restart, B37_WhileTheServerIsDown) {
  Pool pool(shared.options(), {.min = 2, .max = 2, .checkout_timeout_milliseconds = 2000});
  For<User>(pool).create(User{.name = "kept"});
  pool.maintain();
  const auto files = open_files();
  stop(how());
  for (int i = 0; i < 20; ++i) EXPECT_THROW((void)For<User>(pool).count(), quark::ConnectionError);
  EXPECT_THROW(pool.transaction([](auto& tx) { For<User>(tx).create(User{}); }), quark::ConnectionError);
  EXPECT_THROW((void)shared.connect(), quark::ConnectionError);
  EXPECT_EQ(pool.stats().in_use, 0u);
  EXPECT_EQ(pool.stats().size, 0u);
  start();
  EXPECT_EQ(For<User>(pool).count(), 1);
  pool.maintain();
  EXPECT_EQ(pool.stats().size, 2u);
  EXPECT_EQ(open_files(), files);
}

// Whatever a call has answered is true afterwards, and nothing goes in twice.
TEST_P(Restart, B37_WhileThreadsWrite) {
  Pool pool(shared.options(), {.min = 4, .max = 4});
  std::mutex mutex;
  std::set<std::string> written, tried;
  std::atomic<bool> ended = false;
  std::atomic<int> other_errors = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; !ended; ++i) {
        const std::string name = std::to_string(t) + "-" + std::to_string(i);
        {
          const std::scoped_lock lock(mutex);
          tried.insert(name);
        }
        try {
          For<User>(pool).create(User{.name = name});
          const std::scoped_lock lock(mutex);
          written.insert(name);
        } catch (const quark::ConnectionError&) {
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
        } catch (const std::exception& error) {
          ADD_FAILURE() << error.what();
          ++other_errors;
        }
      }
    });
  const auto count_written = [&] {
    const std::scoped_lock lock(mutex);
    return written.size();
  };
  for (int round = 0; round < 3; ++round) {
    const std::size_t before = count_written();
    while (count_written() < before + 20 && other_errors == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    restart(how());
  }
  const std::size_t before = count_written();
  while (count_written() < before + 20 && other_errors == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ended = true;
  for (auto& thread : threads) thread.join();

  const std::vector<std::string> there = names();
  const std::set<std::string> once(there.begin(), there.end());
  EXPECT_EQ(once.size(), there.size()) << "something went in twice";
  for (const std::string& name : written) EXPECT_TRUE(once.contains(name)) << name << " was said to be written";
  for (const std::string& name : once) EXPECT_TRUE(tried.contains(name));
  // Each thread had at most one write under way when the server went.
  EXPECT_LE(once.size() - written.size(), 12u);
}

}  // namespace
#endif
