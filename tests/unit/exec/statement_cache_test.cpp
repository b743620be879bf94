// The cache of run-time statements: bounded, least recently used goes first, busy ones stay; and
// the slots' numbers.
#include <quark/exec/statement_cache.hpp>
#include <quark/sql/statement.hpp>

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace {

using quark::CachedStatement;
using quark::TextCache;

struct Cache {
  TextCache<int> cache;
  std::vector<int> evicted;
  ~Cache() {
    cache.clear([](int) {});
  }
  CachedStatement<int>* find(std::string_view text, std::size_t capacity = 2,
                             std::size_t hash = 0) {
    return cache.find(text, hash, capacity, [this](int handle) { evicted.push_back(handle); });
  }
};

TEST(TextCache, FindsByTheWholeTextWhenHashesCollide) {
  Cache c;
  c.find("a")->handle = 1;
  c.find("b")->handle = 2;
  EXPECT_EQ(c.find("a")->handle, 1);
  EXPECT_EQ(c.find("b")->handle, 2);
  EXPECT_EQ(c.cache.size(), 2u);
  EXPECT_TRUE(c.evicted.empty());
}

TEST(TextCache, EvictsTheLeastRecentlyUsed) {
  Cache c;
  c.find("a")->handle = 1;
  c.find("b")->handle = 2;
  c.find("a");
  EXPECT_EQ(c.find("c")->handle, 0);
  EXPECT_EQ(c.evicted, std::vector<int>{2});
  EXPECT_EQ(c.find("a")->handle, 1);
  EXPECT_EQ(c.cache.size(), 2u);
}

TEST(TextCache, LeavesBusyStatementsAlone) {
  Cache c;
  CachedStatement<int>* a = c.find("a");
  a->handle = 1;
  a->busy = true;
  c.find("b")->handle = 2;
  c.find("c")->handle = 3;
  EXPECT_EQ(c.evicted, std::vector<int>{2});
  c.find("c")->busy = true;
  EXPECT_EQ(c.find("d"), nullptr);
  EXPECT_EQ(a->handle, 1);
  EXPECT_EQ(c.find("a"), a);
}

TEST(TextCache, GivesEachHandleBackOnce) {
  Cache c;
  c.find("a")->handle = 1;
  c.find("b")->handle = 2;
  c.cache.clear([&](int handle) { c.evicted.push_back(handle); });
  EXPECT_EQ(c.evicted, (std::vector<int>{1, 2}));
  EXPECT_EQ(c.cache.size(), 0u);
}

TEST(Slot, GetsOneNumberWhoeverAsksFirst) {
  static quark::Slot first, second;
  std::uint32_t seen[4] = {};
  std::vector<std::thread> threads;
  for (auto& s : seen) threads.emplace_back([&s] { s = first.get(); });
  for (auto& t : threads) t.join();
  for (auto s : seen) EXPECT_EQ(s, first.get());
  EXPECT_NE(first.get(), 0u);
  EXPECT_NE(first.get(), second.get());
}

TEST(StatementKind, HasAName) {
  using quark::StatementKind;
  EXPECT_EQ(quark::to_string(StatementKind::select), "select");
  EXPECT_EQ(quark::to_string(StatementKind::savepoint), "savepoint");
  EXPECT_EQ(quark::to_string(StatementKind::other), "other");
}

}  // namespace
