// Which SQLite value a parameter becomes: the one rule for binding and for quark_rows. Private to src/engine/sqlite.
#pragma once

#include <quark/engine/sqlite/session.hpp>

#include <exception>

namespace quark::sqlite {

/// A parameter in SQLite's five storage classes.
struct Value {
  enum class Class : std::uint8_t { null, integer, real, text, blob, rows, refused };
  Class storage = Class::null;
  union {
    std::int64_t integer = 0;
    double real;
    const void* data;    // text, blob; items of rows
    const char* reason;  // why it is refused
  };
  std::uint64_t size = 0;
  char buffer[48];  // of text that is made here
};

/// Fills `out`; a value that SQLite can't hold exactly is refused with a reason.
void to_value(const Param& param, Forms forms, Value& out);

/// A number as a decimal times 10^scale; false when that isn't exactly the number's shortest text.
bool scaled_of(std::int64_t number, int precision, int scale, Int128& out) noexcept;
bool scaled_of(double number, int precision, int scale, Int128& out) noexcept;

/// The array of an `in`, or a batch, as quark_rows reads it.
struct RowsArgument {
  const BatchInsert* batch = nullptr;
  const Statement* one = nullptr;     // of a batch: the INSERT of one row, which knows the columns
  const Param* items = nullptr;       // or the values of an `in`
  std::size_t count = 0;
  Forms forms;
  // What xColumn refused or a callback threw: SQLite only carries an error code.
  const char* refused = nullptr;
  std::size_t refused_column = 0;
  std::exception_ptr thrown;
  // A batch whose keys the database makes: each row's is read when the next one is asked for.
  sqlite3* db = nullptr;
  const Session* session = nullptr;
  sqlite3_stmt* handle = nullptr;  // the running statement
  std::int64_t last_key = 0;
  bool key_unknown = false;  // a row was asked for before the one in front of it was stored
};

/// Param::tail.size of an array parameter whose object is a RowsArgument: a batch, not the values of an `in`.
inline constexpr std::uint64_t rows_of_batch = ~std::uint64_t{0};

inline constexpr char rows_pointer_type[] = "quark_rows";

/// Throws Misuse when a column that the statement touches is declared for another form of times or decimals than the
/// connection's, Unsupported for arithmetic that SQLite would do in floating point. For preparing.
void check_forms(sqlite3* db, const Statement& statement, const Param* params, std::size_t count, Forms forms);

/// Registers the table-valued function quark_rows on a connection.
int register_rows(sqlite3* db);

}  // namespace quark::sqlite
