// The seed of a run, for every test that draws: QUARK_TEST_SEED, or another each time. A failure
// prints it: SCOPED_TRACE(under_test::seed_text()), and the same command with it set draws the same.
#pragma once

#include <cstdlib>
#include <random>
#include <string>

namespace under_test {

inline unsigned random_seed() {
  static const unsigned seed = [] {
    const char* given = std::getenv("QUARK_TEST_SEED");
    return given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10))
                            : std::random_device{}();
  }();
  return seed;
}

inline std::string seed_text() { return "QUARK_TEST_SEED=" + std::to_string(random_seed()); }

}  // namespace under_test
