// Buffers for the columns of a result: their sizes come from what the server says of the columns, and a cell that is
// longer is fetched in two pieces. Nothing is ever cut (fault B06).
#include "prepared.hpp"

#include <algorithm>

namespace quark::mysql {
namespace {

constexpr unsigned binary_charset = 63;
constexpr unsigned long least_text = 64, most_text = 4096;

bool is_changed(const ResultColumn& column, const MYSQL_FIELD& field) {
  return column.type != field.type || column.charset != field.charsetnr ||
         ((column.flags ^ field.flags) & UNSIGNED_FLAG) != 0 || column.decimals != field.decimals;
}

CellKind kind_of(const MYSQL_FIELD& field) {
  switch (field.type) {
    case MYSQL_TYPE_TINY:
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
    case MYSQL_TYPE_LONGLONG:
    case MYSQL_TYPE_YEAR:
      return (field.flags & UNSIGNED_FLAG) != 0 ? CellKind::natural : CellKind::integer;
    case MYSQL_TYPE_FLOAT: return CellKind::float32;
    case MYSQL_TYPE_DOUBLE: return CellKind::float64;
    case MYSQL_TYPE_DECIMAL:
    case MYSQL_TYPE_NEWDECIMAL: return CellKind::decimal;
    case MYSQL_TYPE_DATE:
    case MYSQL_TYPE_NEWDATE: return CellKind::date;
    case MYSQL_TYPE_DATETIME:
    case MYSQL_TYPE_TIMESTAMP: return CellKind::timestamp;
    case MYSQL_TYPE_TIME: return CellKind::time;
    case MYSQL_TYPE_BIT:
    case MYSQL_TYPE_GEOMETRY: return CellKind::bytes;
#ifdef MYSQL_TYPE_JSON
    case MYSQL_TYPE_JSON: return CellKind::text;
#endif
    default:
      if (static_cast<int>(field.type) == 245) return CellKind::text;  // MySQL's JSON
      return field.charsetnr == binary_charset ? CellKind::bytes : CellKind::text;
  }
}

void bind_column(ResultColumn& column, MYSQL_BIND& bind) {
  bind.is_null = &column.is_null;
  bind.length = &column.length;
  bind.error = &column.error;
  switch (column.kind) {
    case CellKind::integer:
    case CellKind::natural:
      bind.buffer_type = MYSQL_TYPE_LONGLONG;
      bind.is_unsigned = column.kind == CellKind::natural;
      bind.buffer = &column.integer;
      return;
    case CellKind::float32:
      bind.buffer_type = MYSQL_TYPE_FLOAT;
      bind.buffer = &column.float32;
      return;
    case CellKind::float64:
      bind.buffer_type = MYSQL_TYPE_DOUBLE;
      bind.buffer = &column.float64;
      return;
    case CellKind::date:
      bind.buffer_type = MYSQL_TYPE_DATE;
      bind.buffer = &column.time;
      return;
    case CellKind::timestamp:
      bind.buffer_type = MYSQL_TYPE_DATETIME;
      bind.buffer = &column.time;
      return;
    case CellKind::time:
      bind.buffer_type = MYSQL_TYPE_TIME;
      bind.buffer = &column.time;
      return;
    case CellKind::decimal:
    case CellKind::text: bind.buffer_type = MYSQL_TYPE_STRING; break;
    case CellKind::bytes: bind.buffer_type = MYSQL_TYPE_BLOB; break;
  }
  bind.buffer = column.buffer;
  bind.buffer_length = column.capacity;
}

bool has_buffer(CellKind kind) {
  return kind == CellKind::decimal || kind == CellKind::text || kind == CellKind::bytes;
}

}  // namespace

bool bind_result(Result& result) {
  const std::size_t count = mysql_stmt_field_count(result.handle);
  const MYSQL_FIELD* fields = result.handle->fields;
  bool changed = result.columns.size() != count;
  for (std::size_t i = 0; i < count && !changed; ++i) changed = is_changed(result.columns[i], fields[i]);
  if (!changed) [[likely]] return true;

  result.columns.clear();
  result.columns.resize(count);
  std::size_t total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    ResultColumn& column = result.columns[i];
    column.kind = kind_of(fields[i]);
    column.type = fields[i].type;
    column.flags = fields[i].flags;
    column.charset = fields[i].charsetnr;
    column.decimals = static_cast<std::uint8_t>(fields[i].decimals);
    column.name = fields[i].name != nullptr ? fields[i].name : "";
    if (!has_buffer(column.kind)) continue;
    column.capacity = std::clamp(fields[i].length, least_text, most_text);
    total += column.capacity;
  }
  result.storage.assign(total, '\0');
  result.binds.assign(count, MYSQL_BIND{});
  char* at = result.storage.data();
  for (std::size_t i = 0; i < count; ++i) {
    ResultColumn& column = result.columns[i];
    if (has_buffer(column.kind)) {
      column.buffer = at;
      at += column.capacity;
    } else {
      column.capacity = ~0ul;  // never longer than its buffer
    }
    bind_column(column, result.binds[i]);
  }
  return mysql_stmt_bind_result(result.handle, result.binds.data()) == 0;
}

}  // namespace quark::mysql
