// An engine's adapter behind the interface of behind.hpp. Included after the adapter, in the namespace of its functions.
#pragma once

#include "engines/database/behind.hpp"

namespace under_test {

class Behind final : public behind::Engine {
  static const Db& connection(const quark::Database& db) { return *db.get_if<Db>(); }

  class Place final : public behind::Engine::Shared {
   public:
    quark::DatabaseOptions options() const override { return shared_.options(); }
    void lose(const quark::Database& victim) const override { under_test::lose(shared_, connection(victim)); }

   private:
    under_test::Shared shared_;
  };

 public:
  Behind()
      : behind::Engine({.hold_all_of_u64 = under_test::Can::hold_all_of_u64,
                        .hold_nan = under_test::Can::hold_nan,
                        .hold_infinity = under_test::Can::hold_infinity,
                        .hold_zero_byte_in_text = under_test::Can::hold_zero_byte_in_text,
                        .check_text_size = under_test::Can::check_text_size,
                        .order_long_decimals = under_test::Can::order_long_decimals,
                        .name_unique_columns = under_test::Can::name_unique_columns,
                        .name_foreign_key = under_test::Can::name_foreign_key,
                        .name_foreign_column = under_test::Can::name_foreign_column,
                        .sort_null_first = under_test::Can::sort_null_first,
                        .ignore_case_in_like = under_test::Can::ignore_case_in_like,
                        .roll_back_ddl = under_test::Can::roll_back_ddl,
                        .name_indexes_per_table = under_test::Can::name_indexes_per_table,
                        .hold_long_durations = under_test::Can::hold_long_durations,
                        .type_each_cell = under_test::Can::type_each_cell,
                        .lose_connection = under_test::Can::lose_connection,
                        .stream_in_little_memory = under_test::Can::stream_in_little_memory}) {}

  int run(int argc, char** argv) const override { return ::main_of_engine(argc, argv); }
  quark::Engine engine() const override { return under_test::engine; }
  quark::Database fresh() const override { return quark::Database(under_test::fresh()); }
  std::unique_ptr<behind::Engine::Shared> share() const override { return std::make_unique<Place>(); }
  behind::Cells raw(const quark::Database& db, std::string_view sql) const override {
    try {
      return under_test::raw(connection(db), sql);
    } catch (const RawError& error) {
      throw error.message;
    }
  }
  std::string hex_of(std::string_view column) const override { return under_test::hex_of(column); }
  std::string byte_length_of(std::string_view column) const override { return under_test::byte_length_of(column); }
  std::string char_length_of(std::string_view column) const override { return under_test::char_length_of(column); }
  std::string quoted(std::string_view name) const override { return under_test::quoted(name); }
  std::string drop_index(std::string_view index, std::string_view table) const override {
    return under_test::drop_index(index, table);
  }
  std::string boolean_type() const override { return under_test::boolean_type(); }
  std::string truth(bool value) const override { return under_test::truth(value); }
  std::string made_key() const override { return under_test::made_key(); }
  bool in_transaction(const quark::Database& db) const override { return under_test::in_transaction(connection(db)); }
  std::vector<std::string> some_setting() const override {
    const Setting setting = under_test::some_setting();
    return {setting.change, setting.question, setting.changed};
  }
  std::string slow_statement() const override { return under_test::slow_statement(); }
  void after_given_keys(const quark::Database& db, std::string_view table) const override {
    under_test::after_given_keys(connection(db), table);
  }
};

}  // namespace under_test
