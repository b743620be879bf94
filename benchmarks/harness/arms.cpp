// The rounds: thread CPU time, because wall time on a shared machine measures the neighbours.
#include "harness/arms.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace bench {
namespace {

double cpu_nanoseconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const std::size_t middle = values.size() / 2;
  std::sort(values.begin(), values.end());
  return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double time_of(Arm& arm, std::size_t times) {
  const double start = cpu_nanoseconds();
  arm.run(times);
  const double took = cpu_nanoseconds() - start;
  arm.clean();
  return took;
}

// How many operations make a block.
std::size_t operations_in(const ArmMaker& maker, double nanoseconds) {
  const auto arm = maker.make();
  std::size_t times = 1;
  for (;;) {
    const double took = time_of(*arm, times);
    if (took >= nanoseconds / 4) {
      const double wanted = static_cast<double>(times) * nanoseconds / took;
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

std::vector<ArmResult> measure(const Control& control, const Timing& timing) {
  const std::size_t arms = control.arms.size();
  const double block = timing.block_milliseconds * 1e6;
  const std::size_t times = operations_in(control.arms[0], block);
  std::vector<std::vector<double>> took(arms), ratios(arms);
  for (std::size_t round = 0; round < timing.rounds; ++round) {
    // New databases each round: where their pages happen to lie is luck, and this way it averages out.
    std::vector<std::unique_ptr<Arm>> made(arms);
    for (std::size_t i = 0; i < arms; ++i) {
      const std::size_t a = (i + round) % arms;
      made[a] = control.arms[a].make();
      time_of(*made[a], times / 8 + 1);
    }
    std::vector<double> now(arms);
    for (std::size_t i = 0; i < arms; ++i) {
      const std::size_t a = (i + round) % arms;
      now[a] = time_of(*made[a], times);
    }
    for (std::size_t a = 0; a < arms; ++a) {
      took[a].push_back(now[a] / static_cast<double>(times));
      ratios[a].push_back(now[a] / now[0]);
    }
  }
  std::vector<ArmResult> out;
  for (std::size_t a = 0; a < arms; ++a) {
    ArmResult result;
    result.name = control.arms[a].name;
    result.nanoseconds = median(took[a]);
    result.ratio = median(ratios[a]);
    std::vector<double> deviations;
    for (double r : ratios[a]) deviations.push_back(std::fabs(r - result.ratio));
    result.spread = median(deviations);
    result.counted = 64;
    result.allocations = count_allocations(control.arms[a], result.counted);
    out.push_back(result);
  }
  return out;
}

}  // namespace bench
