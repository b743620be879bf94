// The same controls under Google Benchmark, for its reports, filters and comparison tools. Its arms do not run
// interleaved: on a shared machine believe the table of table.cpp.
#include "engines/controls.hpp"

#include <benchmark/benchmark.h>

int main(int argc, char** argv) {
  const auto controls = bench::controls(false);
  for (const bench::Control& control : controls) {
    for (const bench::ArmMaker& maker : control.arms) {
      const std::string name = control.name + "/" + maker.name + " (20 times)";
      benchmark::RegisterBenchmark(name.c_str(), [&maker](benchmark::State& state) {
        const auto arm = maker.make();
        // One batch of operations per iteration, so that clean() is seldom and stays out of the time.
        constexpr std::size_t batch = 20;
        arm->run(batch);
        arm->clean();
        for (auto _ : state) {
          arm->run(batch);
          state.PauseTiming();
          arm->clean();
          state.ResumeTiming();
        }
        state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(batch));
      });
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
