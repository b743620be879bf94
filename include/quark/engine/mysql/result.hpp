// The result of one prepared statement: the buffers that the client library writes each row into, bound once.
// Filled by src/engine/mysql/result.cpp, read by cursor.hpp.
#pragma once

#include <mysql.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace quark::mysql {

/// char in libmariadb, bool in libmysqlclient.
using Flag = std::remove_pointer_t<decltype(MYSQL_BIND::is_null)>;

/// What a column's cells are, whatever their width: decided by the server's description of the result.
enum class CellKind : std::uint8_t { integer, natural, float32, float64, decimal, text, bytes, date, timestamp, time };

/// One column: where its cell of the current row is.
struct ResultColumn {
  union {
    std::int64_t integer = 0;
    float float32;
    double float64;
    MYSQL_TIME time;
  };
  char* buffer = nullptr;      // of text, bytes and decimals
  unsigned long capacity = 0;  // of buffer
  unsigned long length = 0;    // of the cell, which may be more than the capacity
  Flag is_null{};
  Flag error{};
  CellKind kind = CellKind::integer;
  std::uint8_t decimals = 0;
  // What the server said of the column when its buffer was bound.
  enum_field_types type = MYSQL_TYPE_NULL;
  unsigned flags = 0;
  unsigned charset = 0;
  std::vector<char> whole{};  // a cell that is longer than the buffer
  bool whole_is_current = false;
  std::string name{};
};

/// The rows of a statement, and how far they are read.
struct Result {
  MYSQL_STMT* handle = nullptr;
  std::vector<ResultColumn> columns{};
  std::vector<char> storage{};  // the buffers of all columns
  std::vector<MYSQL_BIND> binds{};
  bool pending = false;   // rows are still to be read
  bool buffered = false;  // ... from memory: the connection is free
  bool lost = false;      // ... but they could not be buffered
};

}  // namespace quark::mysql
