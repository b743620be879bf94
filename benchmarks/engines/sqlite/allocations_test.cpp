// What an operation may allocate: on a warm statement exactly what the hand-written code does, SQLite's own included.
// A count is the same on every machine, so that, unlike time, a test may insist on it.
#include "engines/controls.hpp"
#include "engines/sqlite/users.hpp"

#include <quark/sqlite.hpp>

#include <gtest/gtest.h>

namespace {

constexpr std::size_t times = 16;

const bench::Control& control(const std::vector<bench::Control>& controls, const std::string& name) {
  for (const bench::Control& c : controls)
    if (c.name == name) return c;
  throw std::invalid_argument(name);
}

class SqliteAllocations : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!bench::counts_allocations()) GTEST_SKIP() << "this build has another malloc";
  }
};

class Single : public SqliteAllocations {};
class Batch : public SqliteAllocations {};

TEST_P(Single, EqualTheHandWrittenOnes) {
  const auto controls = bench::controls(false);
  const auto& c = control(controls, GetParam());
  const auto hand = bench::count_allocations(c.arms.front(), times);
  const auto quark = bench::count_allocations(c.arms.back(), times);
  EXPECT_GT(hand.count, 0u) << "nothing was counted: the interposed malloc is not in use";
  EXPECT_EQ(quark.count, hand.count) << "per " << times << " operations";
  EXPECT_LE(quark.bytes, hand.bytes);
}
INSTANTIATE_TEST_SUITE_P(Sqlite, Single, testing::Values("FindByPK", "ListWhere50", "Update", "InsertOne"),
                         [](const auto& operation) { return std::string(operation.param); });

// A batch of ours is one statement: what it allocates doesn't grow with its rows. SQLite's own share in a loop over rows
// depends on its version (3.40 allocates twice per row, 3.45 not at all), so that the loop is no measure by itself.
TEST_P(Batch, AllocatesNothingPerRow) {
  constexpr std::size_t per_batch = 4, bytes_per_batch = 512;  // what one statement may cost beside the loop
  const auto controls = bench::controls(false);
  const auto& c = control(controls, GetParam());
  const auto hand = bench::count_allocations(c.arms.front(), times);
  const auto quark = bench::count_allocations(c.arms.back(), times);
  EXPECT_LE(quark.count, hand.count + per_batch * times) << "per " << times << " operations";
  EXPECT_LE(quark.bytes, hand.bytes + bytes_per_batch * times);

  const auto hundred = bench::count_allocations(control(controls, "InsertBatch100").arms.back(), times);
  EXPECT_LE(quark.count, hundred.count + times) << "ten times the rows, and no more than one allocation of the pages'";
}
INSTANTIATE_TEST_SUITE_P(Sqlite, Batch, testing::Values("InsertBatch100", "InsertBatch1000"),
                         [](const auto& operation) { return std::string(operation.param); });

// A pool hands out what it has: no statement through it allocates anything more.
TEST(SqlitePoolAllocations, EqualThoseOfAConnection) {
  if (!bench::counts_allocations()) GTEST_SKIP() << "this build has another malloc";
  quark::sqlite::Pool pool({.path = ":memory:"}, {.max = 1});
  quark::create_table<bench::BenchUser>(pool);
  auto users = bench::make_users(10);
  const auto pooled = quark::For<bench::BenchUser>(pool);
  pooled.create_batch(users);
  const auto count = [](const auto& query) {
    for (int warm = 0; warm < 2; ++warm) bench::keep(query.find(1));
    const auto before = bench::allocations();
    for (std::size_t i = 0; i < times; ++i) bench::keep(query.find(1));
    return bench::allocations().count - before.count;
  };
  const auto through_pool = count(pooled);
  const auto lease = pool.acquire();
  EXPECT_EQ(through_pool, count(quark::For<bench::BenchUser>(lease)));
}

}  // namespace
