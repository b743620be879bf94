// What the columns of a written table would change: looked at once per prepared write, by preparing a SELECT that
// never runs.
#include <quark/engine/mysql_text.hpp>
#include <quark/exec/error.hpp>

#include <string>

#include "prepared.hpp"
#include "quark/engine/mysql/session.hpp"

namespace quark::mysql {
namespace {

constexpr unsigned binary_charset = 63;

bool is_uuid([[maybe_unused]] const MYSQL_FIELD& field) {
#ifdef LIBMARIADB
  MARIADB_CONST_STRING name{};
  return mariadb_field_attr(&name, &field, MARIADB_FIELD_ATTR_DATA_TYPE_NAME) == 0 && name.str != nullptr &&
         std::string_view(name.str, name.length) == "uuid";
#else
  return false;
#endif
}

/// Whether a column may change what it is given; fills in how.
bool limit_of(const MYSQL_FIELD& field, NarrowParam& out) {
  switch (field.type) {
    case MYSQL_TYPE_TINY:
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
    case MYSQL_TYPE_LONGLONG: out.kind = NarrowParam::Kind::whole; return true;
    case MYSQL_TYPE_FLOAT: out.kind = NarrowParam::Kind::single; return true;
    case MYSQL_TYPE_DOUBLE:
      out.kind = NarrowParam::Kind::real;
      out.places = field.decimals;  // 31: as many as there are
      return true;
    case MYSQL_TYPE_DATE: out.kind = NarrowParam::Kind::day; return true;
    case MYSQL_TYPE_NEWDECIMAL:
      out.kind = NarrowParam::Kind::decimal;
      out.places = field.decimals;
      return true;
    case MYSQL_TYPE_DATETIME:
    case MYSQL_TYPE_TIMESTAMP:
    case MYSQL_TYPE_TIME:
      out.kind = NarrowParam::Kind::time;
      out.places = field.decimals;
      out.fixed = field.type == MYSQL_TYPE_TIME;
      return out.fixed || field.decimals < 6;
    case MYSQL_TYPE_VAR_STRING:
    case MYSQL_TYPE_STRING:
      if (is_uuid(field)) return false;
      if (field.charsetnr == binary_charset) {
        out.kind = NarrowParam::Kind::bytes;
        out.length = field.length;
        return field.type == MYSQL_TYPE_STRING;  // BINARY: filled up with zeros
      }
      out.kind = NarrowParam::Kind::text;
      out.fixed = field.type == MYSQL_TYPE_STRING && (field.flags & (ENUM_FLAG | SET_FLAG)) == 0;
      out.length = field.length / 4;  // characters, of utf8mb4
      return true;
    case MYSQL_TYPE_TINY_BLOB:
    case MYSQL_TYPE_BLOB:
    case MYSQL_TYPE_MEDIUM_BLOB:
    case MYSQL_TYPE_LONG_BLOB:
      out.kind = NarrowParam::Kind::blob;
      // Told as if each byte became a character of utf8mb4, except for LONGTEXT.
      out.length = field.length == 0xFFFFFFFF ? field.length : field.length / 4;
      return field.charsetnr != binary_charset;  // TEXT
    default: return false;
  }
}

}  // namespace

void Session::check_columns(Prepared& prepared, const Statement& statement, const Statement& named) {
  const bool writes = statement.kind == StatementKind::insert || statement.kind == StatementKind::update ||
                      statement.kind == StatementKind::upsert;
  if (!writes || named.param_column == nullptr || named.table.empty()) return;
  const std::string look = "SELECT * FROM " + quoted_name(named.table);
  MYSQL_STMT* const handle = mysql_stmt_init(db_);
  if (handle == nullptr) return;
  bool key_is_made = statement.made_key.empty();
  std::vector<NarrowParam> found;
  // A table that isn't there, or may not be read, is left to the statement itself.
  if (mysql_stmt_prepare(handle, look.data(), static_cast<unsigned long>(look.size())) == 0) {
    const unsigned count = mysql_stmt_field_count(handle);
    const std::size_t written = find_written(statement.text).params;
    try {
      for (unsigned i = 0; i < count; ++i) {
        const MYSQL_FIELD& field = handle->fields[i];
        const std::string_view name = field.name != nullptr ? field.name : "";
        if (name == statement.made_key && (field.flags & AUTO_INCREMENT_FLAG) != 0) key_is_made = true;
        NarrowParam narrow;
        if (!limit_of(field, narrow)) continue;
        for (std::size_t p = 0; p < written && p < prepared.param_count; ++p) {
          if (named.param_column(named, p) != name) continue;
          narrow.index = p;
          found.push_back(narrow);
        }
      }
    } catch (...) {
      mysql_stmt_close(handle);
      throw;
    }
  } else {
    key_is_made = true;
  }
  mysql_stmt_close(handle);
  prepared.narrow = std::move(found);
  if (!key_is_made)
    quark::detail::throw_misuse("MySQL makes keys only for a column that is AUTO_INCREMENT, and " +
                                std::string(statement.table) + "." + std::string(statement.made_key) +
                                " is not: give the key yourself, or change the table");
}

}  // namespace quark::mysql
