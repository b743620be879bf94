// Prints the table of docs/performance.md: every control, its arms interleaved. benchmarks/run.sh runs it.
#include "engines/controls.hpp"
#include "harness/machine.hpp"

#include <quark/version.hpp>

#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  bench::Timing timing;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) {
      timing = {.rounds = 20, .block_milliseconds = 4};
    } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
      only = argv[++i];
    } else {
      std::printf("usage: %s [--quick] [--only CONTROL]\n"
                  "  --quick  blocks of 4 ms instead of 15, 20 rounds instead of 30\n",
                  argv[0]);
      return std::strcmp(argv[i], "--help") == 0 ? 0 : 2;
    }
  }
  std::printf("%s", bench::machine().c_str());
  const bool waits = bench::waits_for_server();
  std::printf("- quark %s, %s\n", quark::version_text, bench::engine_line().c_str());
  std::printf("- %s; %zu rounds of blocks of about %g ms, arms interleaved; ratio: median of the "
              "rounds' ratios ± median absolute deviation\n\n",
              waits ? "elapsed time, and the client's thread CPU time" : "thread CPU time", timing.rounds,
              timing.block_milliseconds);
  std::printf("| operation | arm | µs | ratio | ± |%s limit | mallocs | bytes |\n|---|---|---|---|---|---|---|---|%s\n",
              waits ? " CPU | ± |" : "", waits ? "---|---|" : "");
  for (const bench::Control& control : bench::controls(true)) {
    if (!only.empty() && control.name != only) continue;
    std::fprintf(stderr, "%s ...\n", control.name.c_str());
    const auto results = bench::measure(control, timing);
    for (const bench::ArmResult& r : results) {
      const bool judged = &r == &results.back();
      const auto per = static_cast<double>(r.counted);
      char limit[40] = "";
      if (judged)
        std::snprintf(limit, sizeof limit, "%.2f%s", control.limit, (waits ? r.elapsed : r.cpu).ratio <= control.limit ? "" : " missed");
      const bench::Ratio& main = waits ? r.elapsed : r.cpu;
      char client[40] = "";
      if (waits) std::snprintf(client, sizeof client, " %.3f | %.3f |", r.cpu.ratio, r.cpu.spread);
      std::printf("| %s | %s | %.2f | %.3f | %.3f |%s %s | %.2f | %.0f |\n", control.name.c_str(), r.name.c_str(),
                  main.nanoseconds / 1000, main.ratio, main.spread, client, limit,
                  static_cast<double>(r.allocations.count) / per, static_cast<double>(r.allocations.bytes) / per);
    }
    std::fflush(stdout);
  }
  return 0;
}
