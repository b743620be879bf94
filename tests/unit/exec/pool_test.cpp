// The pool with connections that are none: who waits how long and in which order, what is kept and what is closed.
#include <quark/exec/pool.hpp>
#include <quark/sql/dialect.hpp>

#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

using quark::PoolOptions;
using under_test::error_of;
using namespace std::chrono_literals;

/// What the test says, and what the connections report.
struct World {
  std::atomic<int> opened{0}, open{0}, most_open{0}, resets{0}, pings{0}, looks{0};
  std::atomic<bool> refuses{false};  // opening throws
  std::atomic<bool> dead{false};     // ping and looks_alive say so
  std::atomic<bool> dirty{false};    // reset says so
  std::atomic<int> opening_takes_ms{0};
};

struct FakeSession {
  static constexpr quark::Engine engine = quark::Engine::sqlite;
  struct Cursor {};
  struct Begin {};
  explicit FakeSession(World& w, int n) : world(w), number(n) {}

  quark::Outcome run(const quark::Statement& statement, const quark::Slot*, const quark::Param* params,
                     std::size_t count, void (*)(Cursor&, void*), void*) {
    return middlewares.run_statement(statement, params, count, [this] { return quark::Outcome{.rows = ++runs}; });
  }
  void insert_rows(const quark::Statement&, const quark::Slot&, const quark::Statement&, const quark::Slot&,
                   const quark::BatchInsert&) {}
  std::uint64_t begin(Begin) { return log += "begin ", 1; }
  void commit(std::uint64_t) { log += "commit "; }
  void rollback(std::uint64_t) { log += "rollback "; }
  void abandon(std::uint64_t) noexcept { log += "abandon "; }
  void check_transaction(std::uint64_t) const {}
  quark::MiddlewareChain& chain() { return middlewares; }
  quark::TransactionStack& transactions() { return stack; }
  bool reset() noexcept {
    ++world.resets;
    log += "reset ";
    return !world.dirty;
  }
  bool settings_changed() const { return changed; }
  void accept_settings() { changed = false; }
  bool ping() noexcept {
    ++world.pings;
    return !world.dead;
  }
  bool looks_alive() noexcept {
    ++world.looks;
    return !world.dead;
  }

  World& world;
  int number;
  std::uint64_t runs = 0;
  bool changed = false;
  std::string log;
  quark::MiddlewareChain middlewares;
  quark::TransactionStack stack;
};

class FakeConnection {
 public:
  struct Options {
    World* world = nullptr;
  };
  explicit FakeConnection(const Options& options) {
    World& world = *options.world;
    std::this_thread::sleep_for(std::chrono::milliseconds(world.opening_takes_ms));
    if (world.refuses) throw std::runtime_error("no server");
    session_ = new FakeSession(world, ++world.opened);
    const int now = ++world.open;
    for (int most = world.most_open; now > most && !world.most_open.compare_exchange_weak(most, now);) {
    }
  }
  FakeConnection(FakeConnection&& other) noexcept : session_(std::exchange(other.session_, nullptr)) {}
  FakeConnection& operator=(FakeConnection&&) = delete;
  ~FakeConnection() {
    if (session_ != nullptr) --session_->world.open;
    delete session_;
  }
  FakeSession& session() const {
    if (session_ == nullptr) quark::detail::throw_misuse("the connection was moved from");
    return *session_;
  }
  quark::Handle<FakeSession> handle() const { return quark::Handle<FakeSession>(session()); }
  std::uint64_t execute(std::string_view sql) {
    quark::Statement statement;
    statement.text = sql;
    return session().run(statement, nullptr, nullptr, 0, nullptr, nullptr).rows;
  }
  int number() const { return session().number; }

 private:
  FakeSession* session_ = nullptr;
};

using FakePool = quark::Pool<FakeConnection>;
using FakeLease = quark::Lease<FakeConnection>;

/// Of the connection that is handed out now.
int number_of(FakePool& pool) {
  auto lease = pool.acquire();
  return lease->number();
}
std::string log_of(FakePool& pool) {
  auto lease = pool.acquire();
  return lease->session().log;
}

std::atomic<std::int64_t> clock_now{0};
std::int64_t test_clock() { return clock_now; }
void pass(std::int64_t seconds) { clock_now += seconds * 1'000'000; }

/// Ends when `condition` holds; a test that waits in vain fails.
template <class F>
void until(F&& condition) {
  for (int i = 0; i < 5000 && !condition(); ++i) std::this_thread::sleep_for(1ms);
  ASSERT_TRUE(condition()) << "waited for 5 s";
}

class PoolTest : public testing::Test {
 protected:
  FakeConnection::Options options() { return {&world}; }
  World world;
};

TEST_F(PoolTest, RefusesSizesAndTimesThatMakeNoSense) {
  const PoolOptions wrong[] = {{.max = 0},
                               {.max = 10'001},
                               {.min = 3, .max = 2},
                               {.checkout_timeout_milliseconds = -1},
                               {.max_lifetime_seconds = -1},
                               {.idle_timeout_seconds = -1},
                               {.check_after_idle_seconds = -1},
                               {.max_lifetime_seconds = INT64_MAX}};
  for (const PoolOptions& pool : wrong) EXPECT_THROW(FakePool(options(), pool), quark::Misuse);
  EXPECT_EQ(world.opened, 0);
}

TEST_F(PoolTest, OpensTheFirstOnesAtOnceAndOthersWhenTheyAreNeeded) {
  FakePool pool(options(), {.min = 2, .max = 3});
  EXPECT_EQ(world.opened, 2);
  auto a = pool.acquire(), b = pool.acquire(), c = pool.acquire();
  EXPECT_EQ(world.opened, 3);
  const auto stats = pool.stats();
  EXPECT_EQ(stats.size, 3u);
  EXPECT_EQ(stats.in_use, 3u);
  EXPECT_EQ(stats.idle, 0u);
  EXPECT_EQ(stats.created, 3u);
}

TEST_F(PoolTest, AFailureToOpenTheFirstOneIsTold) {
  world.refuses = true;
  EXPECT_THROW(FakePool(options(), {.min = 1}), std::runtime_error);
  FakePool lazy(options(), {.min = 0});
  EXPECT_THROW((void)lazy.acquire(), std::runtime_error);
  world.refuses = false;
  EXPECT_EQ(number_of(lazy), 1);
}

TEST_F(PoolTest, TheConnectionThatWasUsedLastIsTaken) {
  FakePool pool(options(), {.max = 3});
  auto a = pool.acquire(), b = pool.acquire(), c = pool.acquire();
  const int last = a->number();
  c.give_back();
  b.give_back();
  a.give_back();
  EXPECT_FALSE(a);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(number_of(pool), last);
}

TEST_F(PoolTest, ALeaseMovesAndGivesBackOnce) {
  FakePool pool(options(), {.max = 2});
  {
    FakeLease a = pool.acquire();
    FakeLease b = std::move(a);
    EXPECT_THROW(*a, quark::Misuse);
    EXPECT_THROW(a.handle(), quark::Misuse);
    EXPECT_EQ(pool.stats().in_use, 1u);
    b = pool.acquire();
    EXPECT_EQ(pool.stats().in_use, 1u);
    EXPECT_EQ(world.resets, 1);
  }
  EXPECT_EQ(pool.stats().in_use, 0u);
  EXPECT_EQ(world.resets, 2);
}

TEST_F(PoolTest, AConnectionMayBeTakenOutForGood) {
  FakePool pool(options(), {.max = 1, .checkout_timeout_milliseconds = 0});
  {
    auto lease = pool.acquire();
    const FakeConnection mine = std::move(*lease);
    lease.give_back();
    EXPECT_EQ(number_of(pool), 2);
    EXPECT_EQ(mine.number(), 1);
  }
  EXPECT_EQ(world.open, 1);
}

TEST_F(PoolTest, TimeoutTellsTheSizeAndLeavesThePoolUsable) {
  FakePool pool(options(), {.max = 3, .checkout_timeout_milliseconds = 5});
  {
    auto a = pool.acquire(), b = pool.acquire(), c = pool.acquire();
    for (int i = 0; i < 20; ++i) {
      const auto start = std::chrono::steady_clock::now();
      const auto error = error_of<quark::Timeout>([&] { (void)pool.acquire(); });
      EXPECT_GE(std::chrono::steady_clock::now() - start, 5ms);
      EXPECT_EQ(error.kind(), quark::ErrorKind::timeout);
      EXPECT_STREQ(error.what(), "quark: no connection was free within 5 ms: all 3 of the pool are in use");
    }
  }
  const auto stats = pool.stats();
  EXPECT_EQ(stats.timeouts, 20u);
  EXPECT_EQ(stats.waiting, 0u);
  EXPECT_GE(stats.longest_wait_microseconds, 5000);
  auto again = pool.acquire();
  EXPECT_EQ(world.opened, 3);
}

TEST_F(PoolTest, WithoutATimeoutNobodyWaits) {
  FakePool pool(options(), {.max = 1, .checkout_timeout_milliseconds = 0});
  auto only = pool.acquire();
  EXPECT_THROW((void)pool.acquire(), quark::Timeout);
}

TEST_F(PoolTest, WhoCameFirstIsServedFirst) {
  FakePool pool(options(), {.max = 1, .checkout_timeout_milliseconds = 60'000});
  auto held = pool.acquire();
  std::mutex mutex;
  std::vector<int> order;
  std::vector<std::thread> threads;
  constexpr int count = 12;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      auto lease = pool.acquire();
      const std::lock_guard lock(mutex);
      order.push_back(i);
    });
    until([&] { return pool.stats().waiting == static_cast<std::size_t>(i) + 1; });
  }
  held.give_back();
  // One that comes now does not overtake them.
  pool.acquire().give_back();
  for (auto& thread : threads) thread.join();
  ASSERT_EQ(order.size(), std::size_t{count});
  for (int i = 0; i < count; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
  EXPECT_EQ(world.opened, 1);
}

TEST_F(PoolTest, ThoseThatGiveUpAreLeftOut) {
  FakePool hasty(options(), {.max = 1, .checkout_timeout_milliseconds = 20});
  auto held = hasty.acquire();
  std::atomic<int> timeouts{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      try {
        (void)hasty.acquire();
      } catch (const quark::Timeout&) {
        ++timeouts;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(timeouts, 8);
  EXPECT_EQ(hasty.stats().waiting, 0u);
  held.give_back();
  EXPECT_NO_THROW((void)hasty.acquire());
}

TEST_F(PoolTest, AFailureToOpenWakesTheNext) {
  FakePool pool(options(), {.min = 0, .max = 1, .checkout_timeout_milliseconds = 60'000});
  world.refuses = true;
  world.opening_takes_ms = 30;
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      try {
        (void)pool.acquire();
      } catch (const std::runtime_error&) {
        ++failures;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failures, 4) << "each was told by its own attempt, none by a time-out";
  EXPECT_EQ(pool.stats().size, 0u);
  world.refuses = false;
  EXPECT_NO_THROW((void)pool.acquire());
}

TEST_F(PoolTest, ThePlaceOfADeadOneGoesToTheNext) {
  FakePool pool(options(), {.max = 1, .checkout_timeout_milliseconds = 60'000});
  auto held = pool.acquire();
  std::thread waiting([&] { EXPECT_EQ(number_of(pool), 2); });
  until([&] { return pool.stats().waiting == 1; });
  world.dirty = true;
  held.give_back();
  world.dirty = false;
  waiting.join();
  EXPECT_EQ(world.most_open, 1);
}

TEST_F(PoolTest, DeadOnesAreReplacedWhenTheyAreHandedOut) {
  FakePool pool(options(), {.max = 2});
  world.dead = true;
  EXPECT_EQ(number_of(pool), 2);
  EXPECT_EQ(world.looks, 1);
  EXPECT_EQ(world.open, 1);
  EXPECT_EQ(pool.stats().closed, 1u);
}

TEST_F(PoolTest, AfterIdlingLongAConnectionIsAsked) {
  FakePool pool(options(), {.max = 2, .check_after_idle_seconds = 30, .clock = &test_clock});
  pass(29);
  pool.acquire().give_back();
  EXPECT_EQ(world.pings, 0);
  pass(30);
  EXPECT_EQ(number_of(pool), 1);
  EXPECT_EQ(world.pings, 1);
  world.dead = true;
  pass(30);
  EXPECT_EQ(number_of(pool), 2);
  EXPECT_EQ(world.pings, 2);
}

TEST_F(PoolTest, WhatHasLivedTooLongIsClosed) {
  FakePool pool(options(), {.min = 4,
                            .max = 8,
                            .max_lifetime_seconds = 1000,
                            .idle_timeout_seconds = 0,
                            .check_after_idle_seconds = 1'000'000,
                            .clock = &test_clock});
  pass(899);
  pool.maintain();
  EXPECT_EQ(world.opened, 4);
  pass(101);  // a tenth of it is left to chance, and never more
  pool.maintain();
  EXPECT_EQ(world.opened, 8);
  EXPECT_EQ(world.open, 4);
  // While it is handed out, and while it is in use.
  pass(1000);
  auto lease = pool.acquire();
  EXPECT_EQ(lease->number(), 9);
  pass(1000);
  lease.give_back();
  EXPECT_EQ(pool.stats().idle, 3u);
  EXPECT_EQ(world.open, 3);
}

TEST_F(PoolTest, LifetimesDifferALittle) {
  FakePool pool(options(), {.min = 200,
                            .max = 200,
                            .max_lifetime_seconds = 1000,
                            .idle_timeout_seconds = 0,
                            .clock = &test_clock});
  pass(950);
  pool.maintain();
  EXPECT_GT(world.opened, 210);
  EXPECT_LT(world.opened, 390);
}

TEST_F(PoolTest, SurplusOnesAreClosedAfterIdling) {
  FakePool pool(options(), {.min = 1, .max = 4, .idle_timeout_seconds = 60, .clock = &test_clock});
  {
    auto a = pool.acquire(), b = pool.acquire(), c = pool.acquire(), d = pool.acquire();
  }
  EXPECT_EQ(pool.stats().idle, 4u);
  pass(59);
  const int busy = number_of(pool);
  EXPECT_EQ(world.open, 4);
  pass(1);
  EXPECT_EQ(number_of(pool), busy);
  EXPECT_EQ(world.open, 1) << "the other three have idled for 60 s, and only one must be there";
  pass(1000);
  pool.maintain();
  EXPECT_EQ(world.open, 1);
}

TEST_F(PoolTest, ClosingLeavesLeasesAlone) {
  FakePool pool(options(), {.min = 3, .max = 3});
  auto held = pool.acquire();
  pool.close();
  EXPECT_EQ(world.open, 1);
  EXPECT_THROW((void)pool.acquire(), quark::Misuse);
  EXPECT_EQ(held->number(), 3);
  held.give_back();
  EXPECT_EQ(world.open, 0);
  pool.close();
  pool.maintain();
  EXPECT_EQ(pool.stats().size, 0u);
}

TEST_F(PoolTest, ClosingSendsWaitersAway) {
  FakePool pool(options(), {.max = 1, .checkout_timeout_milliseconds = 60'000});
  auto held = pool.acquire();
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] { EXPECT_THROW((void)pool.acquire(), quark::Misuse); });
  until([&] { return pool.stats().waiting == 3; });
  pool.close();
  for (auto& thread : threads) thread.join();
}

TEST_F(PoolTest, ALeaseOutlivesItsPool) {
  FakeLease survivor;
  {
    FakePool pool(options(), {.min = 2, .max = 2});
    pool.use([](quark::Operation&, const quark::Next& next) { next(); });
    survivor = pool.acquire();
  }
  EXPECT_EQ(world.open, 1);
  EXPECT_EQ(survivor.execute("select 1"), 1u);
  survivor.give_back();
  EXPECT_EQ(world.open, 0);
}

TEST_F(PoolTest, MiddlewaresAreSharedAndThoseOfALeaseGoWithIt) {
  FakePool pool(options(), {.min = 1, .max = 2});
  std::atomic<int> seen{0}, own{0};
  pool.use([&](quark::Operation&, const quark::Next& next) { ++seen, next(); });
  {
    auto a = pool.acquire(), b = pool.acquire();
    a.execute("one");
    b.execute("two");
    EXPECT_EQ(seen, 2);
    a->session().chain().use([&](quark::Operation&, const quark::Next& next) { ++own, next(); });
    a.execute("three");
    EXPECT_EQ(own, 1);
  }
  auto a = pool.acquire(), b = pool.acquire();
  a.execute("four");
  b.execute("five");
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(own, 1);
  EXPECT_THROW(pool.use([](quark::Operation&, const quark::Next& next) { next(); }), quark::Misuse);
}

TEST_F(PoolTest, AFunctionRunsOnEveryNewConnectionAndAgainWhenSettingsWereUndone) {
  FakePool pool(options(), {.min = 2, .max = 3});
  int runs = 0;
  pool.on_connect([&](FakeConnection& connection) {
    ++runs;
    connection.session().changed = true;
  });
  EXPECT_EQ(runs, 2);
  EXPECT_THROW(pool.on_connect([](FakeConnection&) {}), quark::Misuse);
  {
    auto a = pool.acquire(), b = pool.acquire(), c = pool.acquire();
    EXPECT_EQ(runs, 3);
    EXPECT_FALSE(a->session().changed);
    a->session().changed = true;
  }
  EXPECT_EQ(runs, 4);
  EXPECT_EQ(world.opened, 3);
}

TEST_F(PoolTest, AFunctionThatThrowsLeavesNoConnectionBehind) {
  FakePool pool(options(), {.min = 0, .max = 1, .checkout_timeout_milliseconds = 0});
  bool fails = true;
  pool.on_connect([&](FakeConnection&) {
    if (fails) throw std::runtime_error("no such function");
  });
  for (int i = 0; i < 3; ++i) EXPECT_THROW((void)pool.acquire(), std::runtime_error);
  EXPECT_EQ(world.open, 0);
  fails = false;
  EXPECT_EQ(number_of(pool), 4);
  FakePool eager(options(), {.min = 2});
  EXPECT_THROW(eager.on_connect([](FakeConnection&) { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_EQ(eager.stats().size, 0u);
  EXPECT_THROW((void)eager.acquire(), std::runtime_error);
  EXPECT_THROW(pool.on_connect([](FakeConnection&) {}), quark::Misuse);
}

TEST_F(PoolTest, TransactionsHoldOneConnection) {
  FakePool pool(options(), {.max = 1, .checkout_timeout_milliseconds = 0});
  EXPECT_EQ(pool.transaction([&](auto&) {
    EXPECT_THROW((void)pool.acquire(), quark::Timeout);
    return 42;
  }), 42);
  EXPECT_EQ(log_of(pool), "begin commit reset ");
  EXPECT_THROW(pool.transaction([](auto&) { throw std::runtime_error("no"); }), std::runtime_error);
  {
    auto tx = pool.begin();
    auto moved = std::move(tx);
    EXPECT_TRUE(moved.active());
    EXPECT_EQ(pool.stats().in_use, 1u);
    moved = pool.stats().in_use == 1 ? std::move(moved) : pool.begin();
  }
  EXPECT_EQ(log_of(pool),
            "begin commit reset reset begin abandon reset begin abandon reset ");
}

TEST_F(PoolTest, AQueryHoldsAConnectionForOneFullExpression) {
  FakePool pool(options(), {.max = 1, .checkout_timeout_milliseconds = 0});
  const auto handle = pool.handle();
  quark::Statement statement;
  const auto run = [&](auto& session) {
    EXPECT_EQ(pool.stats().in_use, 1u);
    return session.run(statement, nullptr, nullptr, 0, nullptr, nullptr).rows;
  };
  EXPECT_EQ(run(handle.session()), 1u);
  EXPECT_EQ(pool.stats().in_use, 0u);
  EXPECT_EQ(run(handle.session()), 2u);
}

// Counts of a pool under load; with ThreadSanitizer this is the test of its locking.
TEST_F(PoolTest, B45_ManyThreadsShareAFew) {
  constexpr int threads = 8, rounds = 2000;
  FakePool pool(options(), {.max = 3, .checkout_timeout_milliseconds = 60'000});
  std::atomic<std::uint64_t> runs{0};
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      for (int i = 0; i < rounds; ++i) {
        auto lease = pool.acquire();
        ++lease->session().runs;  // not atomic: a connection belongs to one thread at a time
        ++runs;
        if (t == 0 && i % 100 == 0) (void)pool.stats();
        if (t == 1 && i % 500 == 0) world.dirty = true;
        if (t == 1 && i % 500 == 1) world.dirty = false;
      }
    });
  for (auto& thread : running) thread.join();
  EXPECT_EQ(runs, std::uint64_t{threads} * rounds);
  EXPECT_LE(world.most_open, 3);
  const auto stats = pool.stats();
  EXPECT_EQ(stats.in_use, 0u);
  EXPECT_EQ(stats.created - stats.closed, stats.size);
  EXPECT_EQ(static_cast<int>(stats.size), world.open);
}

TEST_F(PoolTest, PoolsEndWhileThreadsGiveBack) {
  for (int round = 0; round < 50; ++round) {
    std::vector<std::thread> threads;
    {
      FakePool pool(options(), {.max = 4});
      for (int t = 0; t < 4; ++t) threads.emplace_back([lease = pool.acquire()]() mutable { lease.give_back(); });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(world.open, 0);
  }
}

}  // namespace
