// Prints the table of docs/performance.md: every control, its arms interleaved. benchmarks/run.sh runs it.
#include "engines/sqlite/controls.hpp"
#include "harness/machine.hpp"

#include <quark/version.hpp>

#include <sqlite3.h>

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
  std::printf("- quark %s, SQLite %s, `:memory:`, NOMUTEX\n", quark::version_text, sqlite3_libversion());
  std::printf("- thread CPU time; %zu rounds of blocks of about %g ms, arms interleaved; ratio: median of the "
              "rounds' ratios ± median absolute deviation\n\n",
              timing.rounds, timing.block_milliseconds);
  std::printf("| operation | arm | µs | ratio | ± | limit | mallocs | bytes |\n|---|---|---|---|---|---|---|---|\n");
  for (const bench::Control& control : bench::sqlite_controls(true)) {
    if (!only.empty() && control.name != only) continue;
    std::fprintf(stderr, "%s ...\n", control.name.c_str());
    const auto results = bench::measure(control, timing);
    for (const bench::ArmResult& r : results) {
      const bool judged = &r == &results.back();
      const auto per = static_cast<double>(r.counted);
      char limit[40] = "";
      if (judged)
        std::snprintf(limit, sizeof limit, "%.2f%s", control.limit, r.ratio <= control.limit ? "" : " missed");
      std::printf("| %s | %s | %.2f | %.3f | %.3f | %s | %.2f | %.0f |\n", control.name.c_str(), r.name.c_str(),
                  r.nanoseconds / 1000, r.ratio, r.spread, limit, static_cast<double>(r.allocations.count) / per,
                  static_cast<double>(r.allocations.bytes) / per);
    }
    std::fflush(stdout);
  }
  return 0;
}
