// quark_rows(?): a table-valued function over the caller's own rows. One statement text serves an `in` or a batch of
// any size, within no parameter limit. Protocol: sqlite.org/vtab.html, eponymous-only tables (2.1.2), and
// sqlite.org/bindptr.html for handing over the pointer.
#include <quark/types/scratch.hpp>

#include <cstring>
#include <new>

#include "values.hpp"

namespace quark::sqlite {
namespace {

// As many columns as a model may have, then the hidden one that takes the pointer.
constexpr int most_columns = 256;

struct RowsCursor : sqlite3_vtab_cursor {
  RowsArgument* argument = nullptr;
  std::size_t row = 0;
  const Param* values = nullptr;  // of the current row
  std::size_t width = 0;          // how many
  std::vector<Param> params;      // where a batch's values are put
  Scratch scratch;

  std::size_t count() const { return argument != nullptr ? argument->count : 0; }

  // One call into the caller's rows per row, not per value.
  int load() {
    if (argument == nullptr || row >= argument->count) return SQLITE_OK;
    if (argument->batch == nullptr) {
      values = argument->items + row;
      return SQLITE_OK;
    }
    const RowSource& source = argument->batch->source;
    try {
      scratch.clear();
      source.fill(source.rows, row, params.data(), scratch);
      if (!source.resolved) resolve(params.data(), params.size(), scratch);
    } catch (...) {
      argument->thrown = std::current_exception();
      return SQLITE_ABORT;
    }
    return SQLITE_OK;
  }

  // Before the first row: a table that was made anew since the statement was prepared may have another kind of key.
  int check_key() {
    if (sqlite3_stmt_status(argument->handle, SQLITE_STMTSTATUS_REPREPARE, 0) == 0) return SQLITE_OK;
    try {
      argument->session->check_made_key(*argument->one);
      sqlite3_stmt_status(argument->handle, SQLITE_STMTSTATUS_REPREPARE, 1);
    } catch (...) {
      argument->thrown = std::current_exception();
      return SQLITE_ABORT;
    }
    return SQLITE_OK;
  }

  // INSERT ... SELECT stores a row before it asks for the next one, so that the last row id is the
  // key of the row that was just read. Where it collects the rows first (a table with triggers), or
  // drops one (ON CONFLICT IGNORE), the last row id has not changed: then the statement ends here
  // and leaves nothing behind.
  int note_key() {
    const std::int64_t key = sqlite3_last_insert_rowid(argument->db);
    if (key == argument->last_key) {
      argument->key_unknown = true;
      return SQLITE_ABORT;
    }
    argument->last_key = key;
    try {
      argument->batch->set_key(argument->batch->rows, row, key);
    } catch (...) {
      argument->thrown = std::current_exception();
      return SQLITE_ABORT;
    }
    return SQLITE_OK;
  }
};

int connect(sqlite3* db, void*, int, const char* const*, sqlite3_vtab** out, char**) {
  std::string schema = "CREATE TABLE x(";
  for (int i = 0; i < most_columns; ++i) {
    schema += 'c';
    char digits[4] = {};
    int n = 0;
    for (int v = i; v > 0 || n == 0; v /= 10) digits[n++] = static_cast<char>('0' + v % 10);
    while (n > 0) schema += digits[--n];
    schema += ',';
  }
  schema += "source HIDDEN)";
  const int code = sqlite3_declare_vtab(db, schema.c_str());
  if (code != SQLITE_OK) return code;
  *out = new (std::nothrow) sqlite3_vtab{};
  return *out != nullptr ? SQLITE_OK : SQLITE_NOMEM;
}

int disconnect(sqlite3_vtab* table) {
  delete table;
  return SQLITE_OK;
}

int best_index(sqlite3_vtab*, sqlite3_index_info* info) {
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& c = info->aConstraint[i];
    if (c.iColumn != most_columns || c.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (!c.usable) return SQLITE_CONSTRAINT;
    info->aConstraintUsage[i].argvIndex = 1;
    info->aConstraintUsage[i].omit = 1;
    info->estimatedCost = 10;
    info->estimatedRows = 100;
    return SQLITE_OK;
  }
  return SQLITE_CONSTRAINT;  // without its argument the table has no rows to give
}

int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
  *out = new (std::nothrow) RowsCursor;
  return *out != nullptr ? SQLITE_OK : SQLITE_NOMEM;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<RowsCursor*>(cursor);
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* base, int, const char*, int argc, sqlite3_value** argv) {
  auto* cursor = static_cast<RowsCursor*>(base);
  cursor->argument = argc > 0 ? static_cast<RowsArgument*>(sqlite3_value_pointer(argv[0], rows_pointer_type)) : nullptr;
  cursor->row = 0;
  cursor->width = cursor->argument != nullptr ? 1 : 0;
  try {
    if (cursor->argument != nullptr && cursor->argument->batch != nullptr) {
      cursor->params.resize(cursor->argument->batch->source.columns);
      cursor->values = cursor->params.data();
      cursor->width = cursor->params.size();
    }
  } catch (...) {
    return SQLITE_NOMEM;
  }
  if (cursor->argument != nullptr && cursor->argument->db != nullptr) {
    const int code = cursor->check_key();
    if (code != SQLITE_OK) return code;
  }
  return cursor->load();
}

int next(sqlite3_vtab_cursor* base) {
  auto* cursor = static_cast<RowsCursor*>(base);
  if (cursor->argument != nullptr && cursor->argument->db != nullptr) {
    const int code = cursor->note_key();
    if (code != SQLITE_OK) return code;
  }
  ++cursor->row;
  return cursor->load();
}

int at_end(sqlite3_vtab_cursor* base) {
  auto* cursor = static_cast<RowsCursor*>(base);
  return cursor->row >= cursor->count() ? 1 : 0;
}

// Out of line, so that giving integers and text stays a few instructions.
[[gnu::noinline]] int give_rare(RowsArgument& argument, const Param& param, std::size_t index,
                                sqlite3_context* context) {
  Value value;
  to_value(param, argument.forms, value);
  switch (value.storage) {
    case Value::Class::null: sqlite3_result_null(context); break;
    case Value::Class::integer: sqlite3_result_int64(context, value.integer); break;
    case Value::Class::real: sqlite3_result_double(context, value.real); break;
    case Value::Class::text: {
      const auto* data = static_cast<const char*>(value.data);
      // Text made here dies with `value`; the caller's lives on.
      sqlite3_result_text64(context, data, value.size, data == value.buffer ? SQLITE_TRANSIENT : SQLITE_STATIC,
                            SQLITE_UTF8);
      break;
    }
    case Value::Class::blob:
      sqlite3_result_blob64(context, value.data, value.size, SQLITE_STATIC);
      break;
    case Value::Class::rows:
    case Value::Class::refused:
      argument.refused = value.storage == Value::Class::refused ? value.reason : "a list is no value";
      argument.refused_column = index;
      sqlite3_result_error(context, argument.refused, -1);
      return SQLITE_ERROR;
  }
  return SQLITE_OK;
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int i) {
  auto* cursor = static_cast<RowsCursor*>(base);
  const auto index = static_cast<std::size_t>(i);
  if (index >= cursor->width) return SQLITE_OK;  // NULL
  const Param& param = cursor->values[index];
  // The common forms go straight, as in Session::bind.
  if (!param.null && param.form == Form::text) {
    sqlite3_result_text64(context, param.head.text, param.tail.size, SQLITE_STATIC, SQLITE_UTF8);
    return SQLITE_OK;
  }
  if (!param.null && param.form <= Form::i64) {
    sqlite3_result_int64(context, param.head.integer);
    return SQLITE_OK;
  }
  return give_rare(*cursor->argument, param, index, context);
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
  *out = static_cast<sqlite3_int64>(static_cast<RowsCursor*>(base)->row);
  return SQLITE_OK;
}

constexpr sqlite3_module make_module() {
  sqlite3_module m{};
  // No xCreate: the table exists in every database without being created.
  m.xConnect = &connect;
  m.xBestIndex = &best_index;
  m.xDisconnect = &disconnect;
  m.xOpen = &open_cursor;
  m.xClose = &close_cursor;
  m.xFilter = &filter;
  m.xNext = &next;
  m.xEof = &at_end;
  m.xColumn = &column;
  m.xRowid = &row_id;
  return m;
}

constexpr sqlite3_module module = make_module();

}  // namespace

int register_rows(sqlite3* db) { return sqlite3_create_module(db, "quark_rows", &module, nullptr); }

}  // namespace quark::sqlite
