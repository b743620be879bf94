// An arm is one way to do an operation; a control is an operation with its arms, the first of which is the measure of
// the others. Arms of one control do equal work and run interleaved, so that a busy machine slows all of them alike.
#pragma once

#include "harness/allocations.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// One way to do an operation, with its own database.
class Arm {
 public:
  Arm() = default;
  Arm(const Arm&) = delete;
  Arm& operator=(const Arm&) = delete;
  virtual ~Arm() = default;
  /// Does the operation `times` times. Timed.
  virtual void run(std::size_t times) = 0;
  /// Undoes what run() has piled up. Not timed.
  virtual void clean() {}
};

struct ArmMaker {
  std::string name;
  std::function<std::unique_ptr<Arm>()> make;
};

struct Control {
  std::string name;
  std::vector<ArmMaker> arms;  // the first is the measure
  double limit = 0;            // the last arm's largest ratio to the first
};

/// Keeps the optimiser from dropping a result.
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

struct Timing {
  std::size_t rounds = 30;
  double block_milliseconds = 15;  // of thread CPU time, for the first arm
};

struct Ratio {
  double nanoseconds = 0;  // per operation, median
  double ratio = 1;        // to the first arm: median of the ratios of each round
  double spread = 0;       // of the ratio: median absolute deviation
};

struct ArmResult {
  std::string name;
  Ratio cpu;      // of the calling thread
  Ratio elapsed;  // with what it waited for
  Allocations allocations;  // of `counted` operations
  std::size_t counted = 0;
};

/// Measures the arms of a control: in each round all of them, newly made, in rotating order. The ratio of a round is of
/// two blocks that ran within a few milliseconds of each other; the median of those ratios survives a loaded machine.
std::vector<ArmResult> measure(const Control& control, const Timing& timing);

/// What `times` operations of a warm arm allocate.
Allocations count_allocations(const ArmMaker& maker, std::size_t times);

}  // namespace bench
