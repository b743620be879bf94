// expect: quark: a connection that nobody keeps goes back at once
// within: 1
// pool.acquire(); alone would take a connection and give it back; a warning, made an error here.
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

#pragma GCC diagnostic error "-Wunused-result"

void run(quark::sqlite::Pool& pool) {
#ifdef QUARK_MISTAKE
  pool.acquire();
#else
  const auto db = pool.acquire();
#endif
}

int main() {}
