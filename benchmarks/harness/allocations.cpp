// A malloc that counts, over glibc's own entry points: an interposed malloc is seen by shared libraries too.
#include "harness/allocations.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BENCH_OTHER_MALLOC 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define BENCH_OTHER_MALLOC 1
#endif

namespace bench {
namespace {

// Plain integers: the benchmarks have one thread, and an atomic would cost more than what is measured.
std::uint64_t made = 0;
std::uint64_t made_bytes = 0;

}  // namespace

Allocations allocations() { return {made, made_bytes}; }

#ifdef BENCH_OTHER_MALLOC
bool counts_allocations() { return false; }
#else
bool counts_allocations() { return true; }

namespace {
void note(std::size_t bytes) {
  ++made;
  made_bytes += bytes;
}
}  // namespace
#endif

}  // namespace bench

#ifndef BENCH_OTHER_MALLOC
extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);

void* malloc(std::size_t size) {
  bench::note(size);
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  bench::note(count * size);
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  bench::note(size);
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  bench::note(size);
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  bench::note(size);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  bench::note(size);
  *out = __libc_memalign(alignment, size);
  return *out != nullptr ? 0 : ENOMEM;
}
void free(void* block) { __libc_free(block); }

}  // extern "C"
#endif
