// The conformance suite on a quark::Database, on the engine that the first argument names.
#include "support/engine_under_test.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string_view>

#include "engines/database/behind.hpp"

namespace under_test {
namespace {

const behind::Engine* chosen = nullptr;

const behind::Engine* named(std::string_view name) {
#if defined(QUARK_DATABASE_SQLITE)
  if (name == "sqlite") return &behind::sqlite();
#endif
#if defined(QUARK_DATABASE_POSTGRES)
  if (name == "postgres") return &behind::postgres();
#endif
#if defined(QUARK_DATABASE_MYSQL)
  if (name == "mysql") return &behind::mysql();
#endif
  return nullptr;
}

}  // namespace

quark::Engine engine_now() { return chosen->engine(); }
const behind::Engine::Can& can_now() { return chosen->can; }

Db fresh() { return chosen->fresh(); }

Shared::Shared() : behind_(chosen->share()) {}
Shared::~Shared() = default;
Db::Options Shared::options() const { return behind_->options(); }
void lose(const Shared& shared, const Db& victim) { shared.behind().lose(victim); }

std::vector<std::vector<Cell>> raw(const Db& db, std::string_view sql) {
  try {
    return chosen->raw(db, sql);
  } catch (const std::string& message) {
    throw RawError{message};
  }
}

std::string hex_of(std::string_view column) { return chosen->hex_of(column); }
std::string byte_length_of(std::string_view column) { return chosen->byte_length_of(column); }
std::string char_length_of(std::string_view column) { return chosen->char_length_of(column); }
std::string quoted(std::string_view name) { return chosen->quoted(name); }
std::string drop_index(std::string_view index, std::string_view table) { return chosen->drop_index(index, table); }
std::string boolean_type() { return chosen->boolean_type(); }
std::string truth(bool value) { return chosen->truth(value); }
std::string made_key() { return chosen->made_key(); }
bool in_transaction(const Db& db) { return chosen->in_transaction(db); }
Setting some_setting() {
  const auto setting = chosen->some_setting();
  return {setting[0], setting[1], setting[2]};
}
std::string slow_statement() { return chosen->slow_statement(); }
void after_given_keys(const Db& db, std::string_view table) { chosen->after_given_keys(db, table); }

}  // namespace under_test

int main(int argc, char** argv) {
  if (argc > 1) under_test::chosen = under_test::named(argv[1]);
  if (under_test::chosen == nullptr) {
    std::fputs("the first argument is the engine: sqlite, postgres or mysql\n", stderr);
    return 2;
  }
  return under_test::chosen->run(argc, argv);
}
