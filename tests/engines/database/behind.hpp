// The engines behind a quark::Database, as its run of the suite needs them: each engine's own adapter (<engine>_main.cpp)
// serves again, under another name, so that one program holds them all. Files on_<engine>.cpp make one each.
#pragma once

#include <quark/database.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace behind {

using Cells = std::vector<std::vector<std::optional<std::string>>>;

/// What support/engine_under_test.hpp declares, and what it says the engine can.
class Engine {
 public:
  /// A database that several connections open.
  class Shared {
   public:
    Shared() = default;
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;
    virtual ~Shared() = default;
    virtual quark::DatabaseOptions options() const = 0;
    virtual void lose(const quark::Database& victim) const = 0;
  };

  struct Can {
    bool hold_all_of_u64, hold_nan, hold_infinity, hold_zero_byte_in_text, check_text_size, order_long_decimals,
        name_unique_columns, name_foreign_key, name_foreign_column, sort_null_first, ignore_case_in_like, roll_back_ddl,
        name_indexes_per_table, hold_long_durations, type_each_cell, lose_connection, stream_in_little_memory;
  };

  explicit Engine(const Can& what) : can(what) {}
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;
  virtual int run(int argc, char** argv) const = 0;
  virtual quark::Engine engine() const = 0;
  virtual quark::Database fresh() const = 0;
  virtual std::unique_ptr<Shared> share() const = 0;
  /// The message of an error is thrown.
  virtual Cells raw(const quark::Database& db, std::string_view sql) const = 0;
  virtual std::string hex_of(std::string_view column) const = 0;
  virtual std::string byte_length_of(std::string_view column) const = 0;
  virtual std::string char_length_of(std::string_view column) const = 0;
  virtual std::string quoted(std::string_view name) const = 0;
  virtual std::string drop_index(std::string_view index, std::string_view table) const = 0;
  virtual std::string boolean_type() const = 0;
  virtual std::string truth(bool value) const = 0;
  virtual std::string made_key() const = 0;
  virtual bool in_transaction(const quark::Database& db) const = 0;
  virtual std::vector<std::string> some_setting() const = 0;
  virtual std::string slow_statement() const = 0;
  virtual void after_given_keys(const quark::Database& db, std::string_view table) const = 0;

  const Can can;
};

#if defined(QUARK_DATABASE_SQLITE)
const Engine& sqlite();
#endif
#if defined(QUARK_DATABASE_POSTGRES)
const Engine& postgres();
#endif
#if defined(QUARK_DATABASE_MYSQL)
const Engine& mysql();
#endif

}  // namespace behind
