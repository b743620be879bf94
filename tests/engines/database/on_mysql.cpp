// The suite's adapter for mysql, once more under another name: the program of the suite on a quark::Database has all three.
#if defined(QUARK_DATABASE_MYSQL)
#undef QUARK_TEST_ENGINE_DATABASE
#define QUARK_TEST_ENGINE_MYSQL 1
#define under_test on_mysql
#define main_of_engine on_mysql_main
#define main main_of_engine
#include "engines/mysql_main.cpp"
#undef main
#include "engines/database/adapt.hpp"

const behind::Engine& behind::mysql() {
  static const under_test::Behind engine;
  return engine;
}
#endif
