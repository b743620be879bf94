// Counts every malloc of the process: ours, the standard library's and SQLite's. Linking allocations.cpp switches it on.
// Used by the tables and by the test that holds Quark to the hand-written count.
#pragma once

#include <cstdint>

namespace bench {

struct Allocations {
  std::uint64_t count = 0;  // malloc, calloc, aligned_alloc, and realloc, which may move
  std::uint64_t bytes = 0;  // as asked for
};

/// What was allocated since the process began, by all threads. Not exact while several allocate.
Allocations allocations();

/// Whether this build can count: with glibc, and without a sanitizer that has its own malloc.
bool counts_allocations();

}  // namespace bench
