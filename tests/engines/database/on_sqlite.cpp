// The suite's adapter for sqlite, once more under another name: the program of the suite on a quark::Database has all three.
#if defined(QUARK_DATABASE_SQLITE)
#undef QUARK_TEST_ENGINE_DATABASE
#define QUARK_TEST_ENGINE_SQLITE 1
#define under_test on_sqlite
#define main_of_engine on_sqlite_main
#define main main_of_engine
#include "engines/sqlite_main.cpp"
#undef main
#include "engines/database/adapt.hpp"

const behind::Engine& behind::sqlite() {
  static const under_test::Behind engine;
  return engine;
}
#endif
