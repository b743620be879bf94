// The conformance suite on SQLite: how it is opened, and what it answers to plain SQL.
#include "support/engine_under_test.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>

namespace under_test {

Db fresh() { return quark::sqlite::open(":memory:"); }

Shared::Shared() {
  std::string pattern = (std::filesystem::temp_directory_path() / "quark-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) std::abort();
  place_ = pattern;
}
Shared::~Shared() {
  std::error_code ignored;
  std::filesystem::remove_all(place_, ignored);
}
Db::Options Shared::options() const { return {.path = place_ + "/shared.db"}; }
void lose(const Shared&, const Db&) {}
std::string slow_statement() {
  return "with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000000) select count(*) from n";
}
Setting some_setting() { return {"pragma foreign_keys = off", "pragma foreign_keys", "0"}; }

std::vector<std::vector<Cell>> raw(const Db& db, std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const auto check = [&](int code) {
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
    RawError error{sqlite3_errmsg(db.native())};
    sqlite3_finalize(statement);
    throw error;
  };
  check(sqlite3_prepare_v2(db.native(), sql.data(), static_cast<int>(sql.size()), &statement,
                           nullptr));
  std::vector<std::vector<Cell>> rows;
  for (;;) {
    const int code = sqlite3_step(statement);
    check(code);
    if (code == SQLITE_DONE) break;
    auto& row = rows.emplace_back();
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, i));
      if (sqlite3_column_type(statement, i) == SQLITE_NULL) {
        row.emplace_back();
      } else {
        row.emplace_back(std::string(text != nullptr ? text : "", size));
      }
    }
  }
  sqlite3_finalize(statement);
  return rows;
}

std::string hex_of(std::string_view column) { return "hex(" + std::string(column) + ")"; }
std::string byte_length_of(std::string_view column) {
  return "length(cast(" + std::string(column) + " as blob))";
}
std::string quoted(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    out += c;
    if (c == '"') out += c;
  }
  return out + '"';
}

std::string char_length_of(std::string_view column) { return "length(" + std::string(column) + ")"; }
std::string drop_index(std::string_view index, std::string_view) { return "drop index " + std::string(index); }
std::string boolean_type() { return "int"; }
std::string truth(bool value) { return value ? "1" : "0"; }
std::string made_key() { return "integer primary key"; }
bool in_transaction(const Db& db) { return sqlite3_get_autocommit(db.native()) == 0; }
void after_given_keys(const Db&, std::string_view) {}

}  // namespace under_test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
