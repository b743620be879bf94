// Threads and streams: one connection per thread, a connection handed on, and rows that are never
// all in memory.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <fstream>
#include <optional>
#include <thread>

namespace {

using namespace under_test;
using quark::field;
using quark::For;

// A model that nothing else uses: the threads meet its statements for the first time together.
struct Visitor {
  std::int64_t id{};
  std::string name{};
  int age{};
};

TEST(B45, EachThreadWithItsConnectionFindsItsOwnRows) {
  Shared shared;
  constexpr int threads = 8, rounds = 100;
  std::vector<Db> connections;
  for (int t = 0; t < threads; ++t) connections.push_back(shared.connect());
  for (const std::string& text : quark::create_table_sql<Visitor>(under_test::engine)) raw(connections[0], text);
  std::atomic<int> wrong{0};
  std::barrier start(threads);
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      try {
        Db& db = connections[static_cast<std::size_t>(t)];
        start.arrive_and_wait();
        for (int i = 0; i < rounds; ++i) {
          Visitor user{.name = std::to_string(t) + "-" + std::to_string(i), .age = i};
          For<Visitor>(db).create(user);
          const auto back = For<Visitor>(db).find(user.id);
          if (!back || back->name != user.name) ++wrong;
          if (For<Visitor>(db).where(field<&Visitor::id> == user.id).set(field<&Visitor::age> = -i).update() != 1)
            ++wrong;
        }
      } catch (const std::exception& e) {
        ADD_FAILURE() << e.what();
      }
    });
  for (auto& thread : running) thread.join();
  EXPECT_EQ(wrong, 0);
  auto db = shared.connect();
  EXPECT_EQ(For<Visitor>(db).count(), threads * rounds);
}

TEST(B45, AConnectionMayBeHandedToAnotherThread) {
  auto db = fresh();
  quark::create_table<User>(db);
  For<User>(db).create(User{.name = "here"});
  std::thread([&] { For<User>(db).create(User{.name = "there"}); }).join();
  std::thread([moved = std::move(db)]() mutable { EXPECT_EQ(For<User>(moved).count(), 2); }).join();
}

// A sanitizer keeps what was freed. g++ tells by macros, clang by __has_feature.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool measures_memory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool measures_memory = false;
#else
constexpr bool measures_memory = true;
#endif
#else
constexpr bool measures_memory = true;
#endif

/// Nothing where the system has no /proc.
std::optional<long> resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::stol(line.substr(6));
  return std::nullopt;
}

TEST(B47, AStreamIsNeverInMemoryAsAWhole) {
  Shared shared;
  auto db = shared.connect();
  quark::create_table<User>(db);
  // Where rows are all in memory there is nothing to measure: a few will do.
  const int rows = Can::stream_in_little_memory ? 200'000 : 2'000;
  for (int part = 0; part < 20; ++part) {
    std::vector<User> batch(static_cast<std::size_t>(rows) / 20);
    for (User& user : batch) user.name.assign(200, 'x');
    For<User>(db).create_batch(batch);
  }
  int seen = 0;
  For<User>(db).each([&](const User&) { return ++seen < 10; });
  EXPECT_EQ(seen, 10);
  const std::optional<long> before = resident_kib();
  long most = before.value_or(0);
  seen = 0;
  For<User>(db).each([&](const User& user) {
    EXPECT_EQ(user.name.size(), 200u);
    if (++seen % 1000 == 0) most = std::max(most, resident_kib().value_or(0));
  });
  EXPECT_EQ(seen, rows);
  if (!measures_memory || !Can::stream_in_little_memory) return;
  if (!before) GTEST_SKIP() << "this system does not tell how much memory is in use";
  EXPECT_LT(most - *before, 16 * 1024) << "40 MB of rows went through";
}

}  // namespace
