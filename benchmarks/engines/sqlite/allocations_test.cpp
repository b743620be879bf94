// What an operation may allocate: on a warm statement exactly what the hand-written code does, SQLite's own included.
// A count is the same on every machine, so that, unlike time, a test may insist on it.
#include "engines/sqlite/controls.hpp"

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
  const auto controls = bench::sqlite_controls(false);
  const auto& c = control(controls, GetParam());
  const auto hand = bench::count_allocations(c.arms.front(), times);
  const auto quark = bench::count_allocations(c.arms.back(), times);
  EXPECT_GT(hand.count, 0u) << "nothing was counted: the interposed malloc is not in use";
  EXPECT_EQ(quark.count, hand.count) << "per " << times << " operations";
  EXPECT_LE(quark.bytes, hand.bytes);
}
INSTANTIATE_TEST_SUITE_P(Sqlite, Single, testing::Values("FindByPK", "ListWhere50", "Update", "InsertOne"),
                         [](const auto& operation) { return std::string(operation.param); });

// A batch of ours is one statement: it must need less than a statement per row.
TEST_P(Batch, StayBelowTheRowLoop) {
  const auto controls = bench::sqlite_controls(false);
  const auto& c = control(controls, GetParam());
  const auto hand = bench::count_allocations(c.arms.front(), times);
  const auto quark = bench::count_allocations(c.arms.back(), times);
  EXPECT_LT(quark.count, hand.count) << "per " << times << " operations";
  EXPECT_LT(quark.bytes, hand.bytes);
}
INSTANTIATE_TEST_SUITE_P(Sqlite, Batch, testing::Values("InsertBatch100", "InsertBatch1000"),
                         [](const auto& operation) { return std::string(operation.param); });

}  // namespace
