// expect: quark: on_connect\(\) takes a function of a Connection&
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

void run(quark::sqlite::Pool& pool) {
#ifdef QUARK_MISTAKE
  pool.on_connect([] {});
#else
  pool.on_connect([](quark::sqlite::Connection&) {});
#endif
}

int main() {}
