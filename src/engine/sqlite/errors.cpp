// SQLite's result codes become kinds; constraint and column names are read from its messages, kinds never are.
#include "errors.hpp"

#include <sqlite3.h>

namespace quark::sqlite {

ErrorKind kind_of(int code, bool preparing) {
  switch (code) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID: return ErrorKind::unique;
    case SQLITE_CONSTRAINT_FOREIGNKEY: return ErrorKind::foreign_key;
    case SQLITE_CONSTRAINT_NOTNULL: return ErrorKind::not_null;
    case SQLITE_BUSY_SNAPSHOT: return ErrorKind::serialization;
    default: break;
  }
  switch (code & 0xff) {
    case SQLITE_CONSTRAINT: return ErrorKind::check;  // CHECK, strict column types, RAISE in a trigger
    case SQLITE_BUSY:
    case SQLITE_PROTOCOL:  // others held the locks of the write-ahead log for seconds
    case SQLITE_LOCKED: return ErrorKind::lock_timeout;
    case SQLITE_INTERRUPT: return ErrorKind::timeout;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH: return ErrorKind::permission;
    case SQLITE_CANTOPEN: return ErrorKind::connection;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FULL:
    case SQLITE_IOERR: return ErrorKind::storage;
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH: return ErrorKind::conversion;
    case SQLITE_MISUSE:
    case SQLITE_RANGE: return ErrorKind::misuse;
    case SQLITE_ERROR: return preparing ? ErrorKind::syntax : ErrorKind::other;
    default: return ErrorKind::other;
  }
}

namespace {

// "UNIQUE constraint failed: users.email, users.name" and "... column users.age": table.column, one or several.
void read_columns(std::string_view list, ErrorInfo& info) {
  while (!list.empty()) {
    const std::size_t comma = list.find(", ");
    const std::string_view one = list.substr(0, comma);
    const std::size_t dot = one.find('.');
    if (dot != std::string_view::npos) {
      info.table = one.substr(0, dot);
      if (!info.column.empty()) info.column += ", ";
      info.column += one.substr(dot + 1);
    }
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 2);
  }
}

void read_names(int code, std::string_view message, ErrorInfo& info) {
  const std::size_t colon = message.find("failed: ");
  const std::string_view rest =
      colon == std::string_view::npos ? std::string_view{} : message.substr(colon + 8);
  switch (code) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID:
      // An index over an expression is told as "index 'name'".
      if (rest.starts_with("index '")) {
        info.constraint = rest.substr(7, rest.rfind('\'') - 7);
      } else {
        read_columns(rest, info);
      }
      break;
    case SQLITE_CONSTRAINT_NOTNULL: read_columns(rest, info); break;
    case SQLITE_CONSTRAINT_CHECK: info.constraint = rest; break;
    case SQLITE_CONSTRAINT_DATATYPE: {
      // "cannot store TEXT value in INTEGER column users.age"
      const std::size_t column = message.rfind("column ");
      if (column != std::string_view::npos) read_columns(message.substr(column + 7), info);
      break;
    }
    default: break;
  }
}

}  // namespace

ErrorInfo describe_error(int code, std::string_view message, std::string_view statement,
                         std::string_view table, bool preparing) {
  ErrorInfo info;
  info.kind = kind_of(code, preparing);
  info.engine_code = code;
  info.retryable = info.kind == ErrorKind::lock_timeout || info.kind == ErrorKind::serialization;
  info.table = table;
  info.statement = statement;
  read_names(code, message, info);
  info.message = "SQLite: ";
  info.message += message;
  if (!statement.empty()) {
    // A filter can make a long one: statement() has all of it.
    constexpr std::size_t most = 500;
    info.message += " [";
    info.message += statement.substr(0, most);
    info.message += statement.size() > most ? " ...]" : "]";
  }
  return info;
}

}  // namespace quark::sqlite
