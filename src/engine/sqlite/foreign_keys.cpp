// Which foreign key was violated: SQLite's message doesn't say, so the keys of the table are tried one by one.
// Only after a violation, for statements whose parameters are known by column.
#include <quark/exec/error.hpp>

#include <string>

#include "plain_query.hpp"
#include "quark/engine/sqlite/session.hpp"
#include "values.hpp"

namespace quark::sqlite {
namespace {

struct ForeignKey {
  int id = -1;
  std::string parent;
  std::vector<std::string> from, to;
};

std::vector<ForeignKey> foreign_keys(sqlite3* db, std::string_view table) {
  std::vector<ForeignKey> keys;
  PlainQuery list(db, "PRAGMA foreign_key_list(" + quoted(table) + ")");
  while (list.step()) {
    // Columns: id, seq, table, from, to, ... (sqlite.org/pragma.html#pragma_foreign_key_list)
    if (keys.empty() || keys.back().id != list.integer(0)) keys.push_back({list.integer(0), list.text(2), {}, {}});
    keys.back().from.push_back(list.text(3));
    keys.back().to.push_back(list.text(4));
  }
  return keys;
}

enum class Parent { there, missing, unknown };

Parent look_up(sqlite3* db, Forms forms, const ForeignKey& key, const Statement& statement, const Param* params,
               std::size_t count) {
  std::string sql = "SELECT 1 FROM " + quoted(key.parent);
  std::vector<const Param*> values;
  for (std::size_t k = 0; k < key.from.size(); ++k) {
    if (key.to[k].empty()) return Parent::unknown;
    const Param* found = nullptr;
    for (std::size_t i = 0; i < count && found == nullptr; ++i)
      if (statement.param_column(statement, i) == key.from[k]) found = &params[i];
    if (found == nullptr) return Parent::unknown;
    if (found->null) return Parent::there;  // a NULL refers to nothing
    sql += (k == 0 ? " WHERE " : " AND ") + quoted(key.to[k]) + " = ?";
    values.push_back(found);
  }
  PlainQuery query(db, sql);
  if (query.handle() == nullptr) return Parent::unknown;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Value value;
    to_value(*values[i], forms, value);
    const int index = static_cast<int>(i) + 1;
    switch (value.storage) {
      case Value::Class::integer: sqlite3_bind_int64(query.handle(), index, value.integer); break;
      case Value::Class::real: sqlite3_bind_double(query.handle(), index, value.real); break;
      case Value::Class::text:
        sqlite3_bind_text64(query.handle(), index, static_cast<const char*>(value.data), value.size,
                            SQLITE_TRANSIENT, SQLITE_UTF8);
        break;
      case Value::Class::blob:
        sqlite3_bind_blob64(query.handle(), index, value.data, value.size, SQLITE_TRANSIENT);
        break;
      default: return Parent::unknown;
    }
  }
  return query.step() ? Parent::there : Parent::missing;
}

}  // namespace

void Session::name_foreign_key(const Error& error, const Statement& statement, const Param* params,
                               std::size_t count) const {
  ErrorInfo info;
  info.kind = error.kind();
  info.engine_code = error.engine_code();
  info.message = error.what();
  info.table = error.table();
  info.statement = error.statement();
  const bool known = (statement.kind == StatementKind::insert || statement.kind == StatementKind::upsert ||
                      statement.kind == StatementKind::update) &&
                     statement.param_column != nullptr;
  if (known) {
    for (const ForeignKey& key : foreign_keys(db_, statement.table)) {
      if (look_up(db_, forms_, key, statement, params, count) != Parent::missing) continue;
      for (const std::string& column : key.from) {
        if (!info.column.empty()) info.column += ", ";
        info.column += column;
      }
      info.message = "SQLite: FOREIGN KEY constraint failed: " + info.table + "." + info.column +
                     " refers to no row of " + key.parent + " [" + info.statement + "]";
      break;
    }
  }
  throw_error(std::move(info));
}

}  // namespace quark::sqlite
