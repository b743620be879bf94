// Pools: connections of a real engine that threads share, what a borrower may leave behind, and servers that hang up.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <filesystem>
#include <stdexcept>
#include <thread>

namespace {

using namespace under_test;
using quark::field;
using quark::For;

/// A database with a table, and a pool on it.
class PoolSuite : public testing::Test {
 protected:
  PoolSuite() {
    auto db = shared.connect();
    quark::create_table<User>(db);
  }
  quark::PoolOptions sized(std::size_t max) const { return {.max = max, .checkout_timeout_milliseconds = 30'000}; }
  /// What another connection sees.
  std::string outside(std::string_view sql) {
    auto db = shared.connect();
    return raw_cell(db, sql);
  }
  Shared shared;
};

TEST_F(PoolSuite, EveryKindOfCallTakesAConnectionForItself) {
  Pool pool(shared.options(), {.max = 1, .checkout_timeout_milliseconds = 0});
  const auto users = For<User>(pool);
  User ada{.name = "Ada", .email = "ada@example.com", .age = 36, .active = true};
  users.create(ada);
  std::vector<User> batch{{.name = "Bob"}, {.name = "Cleo"}, {.id = 70, .name = "Dora"}};
  EXPECT_EQ(users.create_batch(batch), 3u);
  EXPECT_EQ(users.get(ada.id), ada);
  EXPECT_EQ(users.count(), 4);
  EXPECT_EQ(users.where(field<&User::name> == std::string("Bob")).list().size(), 1u);
  quark::Filter<User> filter;
  filter &= field<&User::age> >= 30;
  EXPECT_EQ(users.where(filter).order_by(quark::by<User>("name", quark::Direction::ascending)).first()->name, "Ada");
  EXPECT_EQ(users.where(field<&User::age> == 36).one().id, ada.id);
  EXPECT_TRUE(users.exists());
  EXPECT_EQ(users.sum<&User::age>(), 36);
  EXPECT_EQ(users.pluck<&User::name>().size(), 4u);
  int seen = 0;
  users.each([&](const User&) { ++seen; });
  EXPECT_EQ(seen, 4);
  ada.age = 37;
  EXPECT_EQ(users.update(ada), 1u);
  EXPECT_EQ(users.where(field<&User::age> == 37).set(field<&User::age> = 38).update(), 1u);
  ada.name = "Ada L.";
  users.upsert(ada);
  EXPECT_EQ(users.remove_by_key(70), 1u);
  EXPECT_EQ(users.everything().remove(), 3u);
  quark::drop_table<User>(pool);
  quark::create_all<User, Account>(pool);
  quark::drop_all<User, Account>(pool);
  EXPECT_EQ(pool.stats().created, 1u);
  EXPECT_EQ(pool.stats().in_use, 0u);
}

TEST_F(PoolSuite, AFailedStatementGivesItsConnectionBack) {
  Pool pool(shared.options(), {.max = 1, .checkout_timeout_milliseconds = 0});
  quark::create_table<Account>(pool);
  const auto accounts = For<Account>(pool);
  accounts.create(Account{.number = "1"});
  for (int i = 0; i < 3; ++i) EXPECT_THROW(accounts.create(Account{.number = "1"}), quark::UniqueViolation);
  EXPECT_THROW(accounts.each([](const Account&) { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_EQ(accounts.count(), 1);
  EXPECT_EQ(pool.stats().created, 1u);
}

TEST_F(PoolSuite, StatementsStayPreparedFromLeaseToLease) {
  Pool pool(shared.options(), sized(2));
  const auto users = For<User>(pool);
  users.count();
  auto lease = pool.acquire();
  const std::size_t before = lease->session().cached_statements();
  EXPECT_GE(before, 1u);
  lease.give_back();
  for (int i = 0; i < 10; ++i) users.count();
  lease = pool.acquire();
  EXPECT_EQ(lease->session().cached_statements(), before);
  EXPECT_EQ(pool.stats().created, 1u);
}

TEST_F(PoolSuite, ATransactionRunsOnOneConnection) {
  Pool pool(shared.options(), sized(2));
  EXPECT_EQ(pool.transaction([&](auto& tx) {
    For<User>(tx).create(User{.name = "Ada"});
    EXPECT_EQ(For<User>(pool).count(), 0) << "another connection sees nothing of it yet";
    return For<User>(tx).count();
  }), 1);
  EXPECT_EQ(For<User>(pool).count(), 1);
  EXPECT_THROW(pool.transaction([&](auto& tx) {
    For<User>(tx).everything().remove();
    throw std::runtime_error("no");
  }), std::runtime_error);
  {
    auto tx = pool.begin();
    For<User>(tx).create(User{.name = "Bob"});
    {
      auto inner = tx.begin();
      For<User>(inner).create(User{.name = "Cleo"});
    }
    tx.commit();
    EXPECT_THROW((void)For<User>(tx), quark::Misuse);
  }
  {
    auto forgotten = pool.begin();
    For<User>(forgotten).everything().remove();
  }
  EXPECT_EQ(For<User>(pool).count(), 2);
}

TEST_F(PoolSuite, MiddlewareSeesEveryConnection) {
  Pool pool(shared.options(), sized(3));
  std::atomic<int> seen{0};
  pool.use([&seen](quark::Operation&, const quark::Next& next) {
    ++seen;
    next();
  });
  auto a = pool.acquire(), b = pool.acquire();
  For<User>(a).count();
  For<User>(b).count();
  For<User>(pool).count();
  EXPECT_EQ(seen, 3);
}

TEST_F(PoolSuite, ALeaseOutlivesItsPool) {
  quark::Lease<Db> lease;
  {
    Pool pool(shared.options(), sized(2));
    lease = pool.acquire();
  }
  For<User>(lease).create(User{.name = "Ada"});
  EXPECT_EQ(For<User>(lease).count(), 1);
}

template <class Options>
void spoil(Options& options) {
  if constexpr (requires { options.path; }) {
    options.path = "/no/such/folder/file.db";
  } else if constexpr (requires { options.database; }) {
    options.database = "no_such_database";
  } else {
    options.url += options.url.find('?') == std::string::npos ? "?dbname=no_such_database" : "&dbname=no_such_database";
  }
}
#if defined(QUARK_TEST_ENGINE_DATABASE)
void spoil(quark::DatabaseOptions& options) {
  options.visit([](auto& of_engine) { spoil(of_engine); });
}
#endif

TEST_F(PoolSuite, AnUnusableDatabaseIsToldAndNothingLeaks) {
  auto options = shared.options();
  spoil(options);
  EXPECT_THROW(Pool(options, {.min = 1}), quark::Error);
  Pool pool(options, {.min = 0, .max = 2});
  for (int i = 0; i < 5; ++i) EXPECT_THROW(For<User>(pool).count(), quark::Error);
  EXPECT_EQ(pool.stats().size, 0u);
}

// One query object for all threads; every key must find its own row.
TEST_F(PoolSuite, B45_ThreadsShareAQueryAndAFewConnections) {
  constexpr int threads = 8, rounds = 60;
  Pool pool(shared.options(), sized(3));
  const auto users = For<User>(pool);
  const auto old = users.where(quark::Filter<User>(field<&User::age> > 1000));  // its text is made per call
  std::atomic<int> wrong{0};
  std::barrier start(threads);
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      try {
        start.arrive_and_wait();
        for (int i = 0; i < rounds; ++i) {
          User user{.name = std::to_string(t) + "-" + std::to_string(i), .age = i};
          users.create(user);
          const auto back = users.find(user.id);
          if (!back || back->name != user.name) ++wrong;
          if (i % 10 == 0) {
            if (old.exists()) ++wrong;
            pool.transaction([&](auto& tx) {
              if (For<User>(tx).where(field<&User::id> == user.id).set(field<&User::age> = -i).update() != 1) ++wrong;
            });
          }
        }
      } catch (const std::exception& e) {
        ADD_FAILURE() << e.what();
      }
    });
  for (auto& thread : running) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(users.count(), threads * rounds);
  EXPECT_LE(pool.stats().created, 3u);
}

TEST_F(PoolSuite, B45_TimeoutsLeaveThePoolUsable) {
  Pool pool(shared.options(), {.max = 1, .checkout_timeout_milliseconds = 2});
  {
    auto held = pool.acquire();
    for (int i = 0; i < 100; ++i) EXPECT_THROW(For<User>(pool).count(), quark::Timeout);
  }
  EXPECT_EQ(For<User>(pool).count(), 0);
  EXPECT_EQ(pool.stats().timeouts, 100u);
}

TEST_F(PoolSuite, B38_AnAbandonedTransactionIsRolledBack) {
  Pool pool(shared.options(), sized(1));
  // Begun behind our back, by SQL of one's own, and by a guard that leaks.
  for (int way = 0; way < 3; ++way) {
    SCOPED_TRACE(way);
    {
      auto lease = pool.acquire();
      if (way == 0) raw(*lease, "begin");
      if (way == 1) lease.execute("begin");
      using Guard = decltype(lease.begin());
      alignas(Guard) std::byte place[sizeof(Guard)];
      if (way == 2) new (place) Guard(lease.begin());  // never destroyed
      For<User>(lease).create(User{.name = "abandoned"});
    }
    auto lease = pool.acquire();
    EXPECT_FALSE(in_transaction(*lease));
    For<User>(lease).create(User{.name = "kept"});
    EXPECT_EQ(outside("select count(*) from users where name = 'kept'"), std::to_string(way + 1));
    EXPECT_EQ(outside("select count(*) from users where name = 'abandoned'"), "0");
  }
  EXPECT_LE(pool.stats().created, 2u);  // an engine may open a new one after an execute()
}

TEST_F(PoolSuite, B38_AnAbandonedTransactionCallsBack) {
  Pool pool(shared.options(), sized(1));
  int undone = 0, done = 0;
  {
    auto lease = pool.acquire();
    auto tx = lease.begin();
    tx.on_rollback([&] { ++undone; });
    tx.on_rollback([&] { throw std::runtime_error("lost, as from a destructor"); });
    tx.on_commit([&] { ++done; });
    For<User>(tx).create(User{.name = "abandoned"});
    lease.give_back();
    EXPECT_EQ(undone, 1);
  }
  pool.transaction([&](auto& tx) { tx.on_commit([&] { done += 10; }); });
  auto tx = pool.begin();
  tx.on_commit([&] { done += 100; });
  For<User>(tx).create(User{.name = "kept"});
  tx.commit();
  EXPECT_EQ(undone, 1);
  EXPECT_EQ(done, 110);
  EXPECT_EQ(outside("select count(*) from users"), "1");
}

TEST_F(PoolSuite, B38_AnAbortedTransactionIsRolledBack) {
  Pool pool(shared.options(), sized(1));
  {
    auto lease = pool.acquire();
    lease.execute("begin");
    For<User>(lease).create(User{.name = "abandoned"});
    EXPECT_THROW(lease.execute("insert into no_such_table values (1)"), quark::SyntaxError);
  }
  For<User>(pool).create(User{.name = "kept"});
  EXPECT_EQ(outside("select count(*) from users"), "1");
}

TEST_F(PoolSuite, B38_AGuardThatIsLateDoesNothing) {
  Pool pool(shared.options(), sized(1));
  auto lease = pool.acquire();
  auto tx = lease.begin();
  For<User>(tx).create(User{.name = "abandoned"});
  lease.give_back();
  auto next = pool.acquire();
  auto other = next.begin();
  For<User>(other).create(User{.name = "kept"});
  EXPECT_THROW(tx.commit(), quark::Misuse);
  EXPECT_THROW((void)For<User>(tx), quark::Misuse);
  tx = next.begin();
  tx.commit();
  other.commit();
  EXPECT_EQ(outside("select count(*) from users"), "1");
}

TEST_F(PoolSuite, B38_SettingsAreAsTheyWereConfigured) {
  Pool pool(shared.options(), sized(1));
  const Setting setting = some_setting();
  std::string configured;
  {
    auto lease = pool.acquire();
    configured = raw_cell(*lease, setting.question);
    lease.execute(setting.change);
    EXPECT_EQ(raw_cell(*lease, setting.question), setting.changed);
    EXPECT_NE(configured, setting.changed);
  }
  auto lease = pool.acquire();
  EXPECT_EQ(raw_cell(*lease, setting.question), configured);
  For<User>(lease).create(User{.name = "Ada"});
}

TEST_F(PoolSuite, B38_TemporaryTablesAreGone) {
  Pool pool(shared.options(), sized(1));
  for (int i = 0; i < 3; ++i) {
    auto lease = pool.acquire();
    lease.execute("create temporary table mine (x int)");
    lease.execute("insert into mine values (1)");
  }
  EXPECT_THROW(pool.execute("insert into mine values (1)"), quark::SyntaxError);
}

TEST_F(PoolSuite, B39_AnInterruptedStatementLeavesNothingBehind) {
  Pool pool(shared.options(), sized(1));
  std::vector<User> many(20'000);
  For<User>(pool).create_batch(many);
  for (int i = 0; i < 20; ++i) {
    auto lease = pool.acquire();
    std::atomic<bool> started{false};
    std::thread stopper([&] {
      while (!started) std::this_thread::yield();
      lease->interrupt();
    });
    try {
      For<User>(lease).each([&](const User&) { started = true; });
    } catch (const quark::Timeout&) {
    }
    started = true;
    stopper.join();
    lease.give_back();
    try {
      EXPECT_EQ(For<User>(pool).count(), 20'000);
    } catch (const quark::Timeout&) {
      ADD_FAILURE() << "the next statement was hit, round " << i;
    }
  }
}

TEST_F(PoolSuite, B37_ADeathWhileInUseDoesNotComeBackToThePool) {
  if (!Can::lose_connection) return;
  Pool pool(shared.options(), {.min = 2, .max = 2});
  {
    auto a = pool.acquire(), b = pool.acquire();
    For<User>(a).count();
    For<User>(b).count();
    lose(shared, *b);
    lose(shared, *a);
  }
  // Nobody has met the death yet, so they came back; they are found out when they are handed out.
  for (int i = 0; i < 4; ++i) EXPECT_EQ(For<User>(pool).count(), 0);
}

TEST_F(PoolSuite, B37_AnIdleConnectionThatIsKilledIsReplaced) {
  if (!Can::lose_connection) return;
  for (const std::int64_t check_after : {0, 30}) {
    SCOPED_TRACE(check_after);
    Pool pool(shared.options(), {.min = 2, .max = 2, .check_after_idle_seconds = check_after});
    const Db* one = nullptr;
    const Db* two = nullptr;
    {
      auto a = pool.acquire(), b = pool.acquire();
      one = &*a;
      two = &*b;
    }
    // Nobody uses them now: they are idle in the pool.
    lose(shared, *one);
    lose(shared, *two);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(For<User>(pool).count(), 0) << "no error reaches the user";
    auto a = pool.acquire(), b = pool.acquire();
    EXPECT_EQ(For<User>(b).count(), 0);
    EXPECT_EQ(pool.stats().closed, 2u);
    EXPECT_EQ(pool.stats().size, 2u);
  }
}

TEST_F(PoolSuite, B37_ADeathInATransactionIsTold) {
  if (!Can::lose_connection) return;
  Pool pool(shared.options(), sized(1));
  {
    auto lease = pool.acquire();
    EXPECT_THROW(lease.transaction([&](auto& tx) {
      For<User>(tx).create(User{.name = "lost"});
      lose(shared, *lease);
      For<User>(tx).create(User{.name = "not on another connection"});
    }), quark::ConnectionError);
  }
  EXPECT_EQ(For<User>(pool).count(), 0);
  EXPECT_EQ(pool.stats().created, 2u);
}

/// Open files and sockets of this process; nothing where the system does not tell.
std::optional<std::ptrdiff_t> open_files() {
  std::error_code error;
  const std::filesystem::directory_iterator files("/proc/self/fd", error);
  if (error) return std::nullopt;
  return std::distance(begin(files), end(files));
}

TEST_F(PoolSuite, NoFileIsLeftOpen) {
  const auto before = open_files();
  for (int round = 0; round < 5; ++round) {
    Pool pool(shared.options(), {.min = 4, .max = 8});
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&] {
        auto lease = pool.acquire();
        For<User>(lease).count();
        const Setting setting = some_setting();
        lease.execute(setting.change);
        if (Can::lose_connection && round == 1) lose(shared, *lease);
      });
    for (auto& thread : threads) thread.join();
  }
  EXPECT_EQ(open_files(), before);
}

}  // namespace
