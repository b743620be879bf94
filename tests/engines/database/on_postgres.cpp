// The suite's adapter for postgres, once more under another name: the program of the suite on a quark::Database has all three.
#if defined(QUARK_DATABASE_POSTGRES)
#undef QUARK_TEST_ENGINE_DATABASE
#define QUARK_TEST_ENGINE_POSTGRES 1
#define under_test on_postgres
#define main_of_engine on_postgres_main
#define main main_of_engine
#include "engines/postgres_main.cpp"
#undef main
#include "engines/database/adapt.hpp"

const behind::Engine& behind::postgres() {
  static const under_test::Behind engine;
  return engine;
}
#endif
