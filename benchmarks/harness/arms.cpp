// The rounds: thread CPU time, because wall time on a shared machine measures the neighbours.
#include "harness/arms.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace bench {
namespace {

double nanoseconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

struct Took {
  double cpu = 0;
  double elapsed = 0;
};

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const std::size_t middle = values.size() / 2;
  std::sort(values.begin(), values.end());
  return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Took time_of(Arm& arm, std::size_t times) {
  const double cpu = nanoseconds(CLOCK_THREAD_CPUTIME_ID), start = nanoseconds(CLOCK_MONOTONIC);
  arm.run(times);
  const Took took{nanoseconds(CLOCK_THREAD_CPUTIME_ID) - cpu, nanoseconds(CLOCK_MONOTONIC) - start};
  arm.clean();
  return took;
}

// How many operations make a block.
std::size_t operations_in(const ArmMaker& maker, double block) {
  const auto arm = maker.make();
  std::size_t times = 1;
  for (;;) {
    const double took = time_of(*arm, times).cpu;
    if (took >= block / 4) {
      const double wanted = static_cast<double>(times) * block / took;
      return wanted < 1 ? 1 : static_cast<std::size_t>(wanted);
    }
    times *= 2;
  }
}

}  // namespace

Allocations count_allocations(const ArmMaker& maker, std::size_t times) {
  const auto arm = maker.make();
  // Twice: statements are prepared, buffers have grown, SQLite's page cache is filled.
  for (int warm = 0; warm < 2; ++warm) {
    arm->run(times);
    arm->clean();
  }
  const Allocations before = allocations();
  arm->run(times);
  const Allocations after = allocations();
  return {after.count - before.count, after.bytes - before.bytes};
}

namespace {

// One arm's rounds by one clock, as ratios to the first arm's.
Ratio ratio_of(const std::vector<Took>& arm, const std::vector<Took>& first, double Took::* clock, std::size_t times) {
  std::vector<double> took, ratios, deviations;
  for (std::size_t round = 0; round < arm.size(); ++round) {
    took.push_back(arm[round].*clock / static_cast<double>(times));
    ratios.push_back(arm[round].*clock / (first[round].*clock));
  }
  Ratio out{median(took), median(ratios)};
  for (const double r : ratios) deviations.push_back(std::fabs(r - out.ratio));
  out.spread = median(deviations);
  return out;
}

}  // namespace

std::vector<ArmResult> measure(const Control& control, const Timing& timing) {
  const std::size_t arms = control.arms.size();
  const std::size_t times = operations_in(control.arms[0], timing.block_milliseconds * 1e6);
  std::vector<std::vector<Took>> took(arms);
  for (std::size_t round = 0; round < timing.rounds; ++round) {
    // New databases each round: where their pages happen to lie is luck, and this way it averages out.
    std::vector<std::unique_ptr<Arm>> made(arms);
    for (std::size_t i = 0; i < arms; ++i) {
      const std::size_t a = (i + round) % arms;
      made[a] = control.arms[a].make();
      time_of(*made[a], times / 8 + 1);
    }
    for (std::size_t i = 0; i < arms; ++i) {
      const std::size_t a = (i + round) % arms;
      took[a].push_back(time_of(*made[a], times));
    }
  }
  std::vector<ArmResult> out;
  for (std::size_t a = 0; a < arms; ++a) {
    ArmResult result;
    result.name = control.arms[a].name;
    result.cpu = ratio_of(took[a], took[0], &Took::cpu, times);
    result.elapsed = ratio_of(took[a], took[0], &Took::elapsed, times);
    result.counted = 64;
    result.allocations = count_allocations(control.arms[a], result.counted);
    out.push_back(result);
  }
  return out;
}

}  // namespace bench
