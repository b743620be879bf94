// How a test of the conformance suite gets a database, without knowing which engine it runs on.
// An engine joins with one block here and tests/engines/<name>_main.cpp, which defines the
// functions.
#pragma once

#include <quark/quark.hpp>

#if defined(QUARK_TEST_ENGINE_SQLITE)
#include <quark/sqlite.hpp>
#elif defined(QUARK_TEST_ENGINE_POSTGRES)
#include <quark/postgres.hpp>
#elif defined(QUARK_TEST_ENGINE_MYSQL)
#include <quark/mysql.hpp>
#elif defined(QUARK_TEST_ENGINE_DATABASE)
#include <quark/database.hpp>

#include <memory>

#include "engines/database/behind.hpp"
#elif defined(QUARK_TEST_ENGINE_PQXX)
#include "support/pqxx_database.hpp"
#elif defined(QUARK_TEST_ENGINE_MYSQLCPPCONN)
#include "engines/mysqlcppconn/database.hpp"
#endif

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace under_test {

// What the two kinds of server can do, whichever client library is in between; see Can.
struct PostgresCan {
  static constexpr bool hold_all_of_u64 = true;
  static constexpr bool hold_nan = true;
  static constexpr bool hold_infinity = true;
  static constexpr bool hold_zero_byte_in_text = false;
  static constexpr bool check_text_size = false;
  static constexpr bool order_long_decimals = true;
  static constexpr bool name_unique_columns = true;
  static constexpr bool name_foreign_key = true;
  static constexpr bool name_foreign_column = true;
  static constexpr bool sort_null_first = false;
  static constexpr bool ignore_case_in_like = false;
  static constexpr bool roll_back_ddl = true;
  static constexpr bool name_indexes_per_table = false;
  static constexpr bool hold_long_durations = true;
  static constexpr bool type_each_cell = false;
  static constexpr bool lose_connection = true;
  static constexpr bool stream_in_little_memory = true;
};
struct MysqlCan {
  static constexpr bool hold_all_of_u64 = true;
  static constexpr bool hold_nan = false;
  static constexpr bool hold_infinity = false;
  static constexpr bool hold_zero_byte_in_text = true;
  static constexpr bool check_text_size = false;
  static constexpr bool order_long_decimals = true;
  static constexpr bool name_unique_columns = false;
  static constexpr bool name_foreign_key = true;
  static constexpr bool name_foreign_column = true;
  static constexpr bool sort_null_first = true;
  static constexpr bool ignore_case_in_like = false;
  static constexpr bool roll_back_ddl = false;
  static constexpr bool name_indexes_per_table = true;
  static constexpr bool hold_long_durations = false;
  static constexpr bool type_each_cell = true;  // as far as a column of integers holds bools
  static constexpr bool lose_connection = true;
  static constexpr bool stream_in_little_memory = true;
};

#if defined(QUARK_TEST_ENGINE_SQLITE)
using Db = quark::sqlite::Connection;
using Pool = quark::sqlite::Pool;
inline constexpr quark::Engine engine = quark::Engine::sqlite;

/// What the engine can do, where engines may differ; a test asks, and says what holds either way.
struct Can {
  static constexpr bool hold_all_of_u64 = false;  // else the upper half is refused
  static constexpr bool hold_nan = false;         // else refused
  static constexpr bool hold_infinity = true;     // else refused
  static constexpr bool hold_zero_byte_in_text = true;
  static constexpr bool check_text_size = true;  // size() is a CHECK; else part of the type
  static constexpr bool order_long_decimals = false;  // of more than 18 digits; else Unsupported
  static constexpr bool name_unique_columns = true;   // a unique violation tells the columns
  static constexpr bool name_foreign_key = false;  // a foreign key violation tells the constraint,
  static constexpr bool name_foreign_column = true;  // ... or its columns
  static constexpr bool sort_null_first = true;
  static constexpr bool ignore_case_in_like = true;  // of ASCII letters
  static constexpr bool roll_back_ddl = true;
  static constexpr bool name_indexes_per_table = false;  // else in the whole schema
  static constexpr bool hold_long_durations = true;  // else refused beyond 838:59:59.999999
  static constexpr bool type_each_cell = true;  // a cell has a type of its own; else its column has
  static constexpr bool lose_connection = false;  // there is a server that can end one
  static constexpr bool stream_in_little_memory = true;  // each() holds a few rows at a time, else all
};
#elif defined(QUARK_TEST_ENGINE_POSTGRES)
using Db = quark::postgres::Connection;
using Pool = quark::postgres::Pool;
inline constexpr quark::Engine engine = quark::Engine::postgres;
using Can = PostgresCan;
#elif defined(QUARK_TEST_ENGINE_PQXX)
// A bridge has no connections and no pools of its own: pool_test.cpp is not built for it (quark_engine_tests).
using Db = PqxxDatabase;
inline constexpr quark::Engine engine = quark::Engine::postgres;
using Can = PostgresCan;
#elif defined(QUARK_TEST_ENGINE_MYSQL)
using Db = quark::mysql::Connection;
using Pool = quark::mysql::Pool;
inline constexpr quark::Engine engine = quark::Engine::mysql;
using Can = MysqlCan;
#elif defined(QUARK_TEST_ENGINE_MYSQLCPPCONN)
// A bridge: a connection of MySQL Connector/C++. Without pools (pool_test.cpp is left out): connections are its user's.
using Db = Database;
inline constexpr quark::Engine engine = quark::Engine::mysql;

struct Can : MysqlCan {
  static constexpr bool stream_in_little_memory = false;  // the connector cuts text that it doesn't hold in memory
};
#elif defined(QUARK_TEST_ENGINE_DATABASE)
using Db = quark::Database;
using Pool = quark::DatabasePool;
quark::Engine engine_now();
const behind::Engine::Can& can_now();

// One program for all engines: what is a constant elsewhere is asked when the test runs.
inline constexpr struct {
  operator quark::Engine() const { return engine_now(); }
} engine;
struct Can {
  template <bool behind::Engine::Can::* What>
  struct Ask {
    operator bool() const { return can_now().*What; }
  };
  using Of = behind::Engine::Can;
  static constexpr Ask<&Of::hold_all_of_u64> hold_all_of_u64{};
  static constexpr Ask<&Of::hold_nan> hold_nan{};
  static constexpr Ask<&Of::hold_infinity> hold_infinity{};
  static constexpr Ask<&Of::hold_zero_byte_in_text> hold_zero_byte_in_text{};
  static constexpr Ask<&Of::check_text_size> check_text_size{};
  static constexpr Ask<&Of::order_long_decimals> order_long_decimals{};
  static constexpr Ask<&Of::name_unique_columns> name_unique_columns{};
  static constexpr Ask<&Of::name_foreign_key> name_foreign_key{};
  static constexpr Ask<&Of::name_foreign_column> name_foreign_column{};
  static constexpr Ask<&Of::sort_null_first> sort_null_first{};
  static constexpr Ask<&Of::ignore_case_in_like> ignore_case_in_like{};
  static constexpr Ask<&Of::roll_back_ddl> roll_back_ddl{};
  static constexpr Ask<&Of::name_indexes_per_table> name_indexes_per_table{};
  static constexpr Ask<&Of::hold_long_durations> hold_long_durations{};
  static constexpr Ask<&Of::type_each_cell> type_each_cell{};
  static constexpr Ask<&Of::lose_connection> lose_connection{};
  static constexpr Ask<&Of::stream_in_little_memory> stream_in_little_memory{};
};
#else
#error "quark: the engine suite is built once per engine, with QUARK_TEST_ENGINE_<NAME> defined"
#endif

/// The text of a query's list().
template <class Query>
std::string text_of(const Query& query) {
  switch (static_cast<quark::Engine>(engine)) {
    case quark::Engine::sqlite: return std::string(quark::sql_text<quark::Engine::sqlite>(query));
    case quark::Engine::postgres: return std::string(quark::sql_text<quark::Engine::postgres>(query));
    case quark::Engine::mysql: break;
  }
  return std::string(quark::sql_text<quark::Engine::mysql>(query));
}

/// An empty database of its own.
Db fresh();

/// An empty database that several connections open; gone with the object.
class Shared {
 public:
  Shared();
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared();
  Db connect() const { return Db(options()); }
  /// How it is opened, for a pool of connections.
  Db::Options options() const;

#if defined(QUARK_TEST_ENGINE_DATABASE)
  const behind::Engine::Shared& behind() const { return *behind_; }

 private:
  std::unique_ptr<behind::Engine::Shared> behind_;
#else

 private:
  std::string place_;
#endif
};

/// A cell as the engine prints it; nullopt is NULL.
using Cell = std::optional<std::string>;

/// What the engine itself answers to a statement, through its C API: nothing of ours is on the way.
std::vector<std::vector<Cell>> raw(const Db& db, std::string_view sql);

/// The only cell of an answer; "NULL" for NULL.
inline std::string raw_cell(const Db& db, std::string_view sql) {
  const auto rows = raw(db, sql);
  if (rows.size() != 1 || rows[0].size() != 1) return "(not one cell)";
  return rows[0][0].value_or("NULL");
}

/// One row of an answer as "a|b|NULL".
inline std::string raw_row(const Db& db, std::string_view sql) {
  const auto rows = raw(db, sql);
  if (rows.size() != 1) return "(not one row)";
  std::string out;
  for (const Cell& cell : rows[0]) {
    if (!out.empty() || &cell != rows[0].data()) out += '|';
    out += cell.value_or("NULL");
  }
  return out;
}

// The engine's spelling of what the suite looks with.

/// Hexadecimal digits of the stored bytes of text or bytes.
std::string hex_of(std::string_view column);
/// How many bytes are stored.
std::string byte_length_of(std::string_view column);
/// A name, quoted.
std::string quoted(std::string_view name);
/// How many characters are stored.
std::string char_length_of(std::string_view column);
/// The statement that drops an index.
std::string drop_index(std::string_view index, std::string_view table);
/// The type of a column of bools, and its two values.
std::string boolean_type();
std::string truth(bool value);
/// What follows the name of a column whose key the database makes.
std::string made_key();
/// Whether the connection is in a transaction, as the engine's client library tells.
bool in_transaction(const Db& db);
/// Ends a connection from outside, as a server does that is stopped; waits until it has. Where Can::lose_connection.
void lose(const Shared& shared, const Db& victim);
/// A statement that changes how the connection reads or writes from then on; what shows it; and what that shows then.
struct Setting {
  std::string change, question, changed;
};
Setting some_setting();
/// A statement that takes about half a minute, and stops when it is told to.
std::string slow_statement();
/// Has keys made that come after the given ones in a table, where the engine doesn't do that by itself.
void after_given_keys(const Db& db, std::string_view table);

/// Any error of raw() is thrown as this.
struct RawError {
  std::string message;
};

}  // namespace under_test
