// What an operation may allocate: on a warm statement exactly what the hand-written code does, libraries included.
#include "engines/controls.hpp"

#include <gtest/gtest.h>

namespace {

constexpr std::size_t times = 16;

class ServerAllocations : public testing::TestWithParam<const char*> {};

TEST_P(ServerAllocations, EqualTheHandWrittenOnes) {
  if (!bench::counts_allocations()) GTEST_SKIP() << "this build has another malloc";
  for (const bench::Control& c : bench::controls(false)) {
    if (c.name != GetParam()) continue;
    const auto hand = bench::count_allocations(c.arms.front(), times);
    const auto quark = bench::count_allocations(c.arms.back(), times);
    EXPECT_GT(hand.count, 0u) << "nothing was counted: the interposed malloc is not in use";
    EXPECT_EQ(quark.count, hand.count) << "per " << times << " operations";
    return;
  }
  ADD_FAILURE() << "no such operation";
}
INSTANTIATE_TEST_SUITE_P(Servers, ServerAllocations, testing::Values("FindByPK", "List100", "Update", "InsertOne"),
                         [](const auto& operation) { return std::string(operation.param); });

}  // namespace
