// What a table's columns would change of the values that are written, without an error: MySQL rounds times, decimals
// and floats, and drops blanks. Looked at once per prepared write, by preparing a SELECT that never runs.
#include <quark/exec/error.hpp>
#include <quark/types/decimal_value.hpp>

#include <cmath>
#include <string>

#include "prepared.hpp"
#include "quark/engine/mysql/session.hpp"

namespace quark::mysql {
namespace {

constexpr unsigned binary_charset = 63;

std::string quoted(std::string_view name) {
  std::string out = "`";
  for (const char c : name) {
    out += c;
    if (c == '`') out += c;
  }
  return out + "`";
}

/// How many of a write's parameters become values of columns: those in front of WHERE.
std::size_t count_written(std::string_view text) {
  std::size_t count = 0;
  bool in_name = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') in_name = !in_name;
    if (in_name) continue;
    if (text[i] == '?') ++count;
    if (text[i] == ' ' && text.substr(i).starts_with(" WHERE ")) break;
  }
  return count;
}

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

// Beyond these not every integer is a number of the type.
constexpr std::int64_t exact_in_double = std::int64_t{1} << 53, exact_in_float = std::int64_t{1} << 24;

bool is_integer(const Param& p) { return p.form >= Form::i16 && p.form <= Form::u64; }
bool is_real(const Param& p) { return p.form == Form::f32 || p.form == Form::f64; }
bool is_within(const Param& p, std::int64_t most) {
  if (p.form == Form::u64) return p.head.natural <= static_cast<std::uint64_t>(most);
  return p.head.integer <= most && p.head.integer >= -most;
}
bool is_whole(const Param& p) {
  Int128 step = 1;
  for (unsigned i = 0; i < p.scale; ++i) step *= 10;
  return p.decimal() % step == 0;
}

bool is_single(double value) {
  if (value > 3.4028234663852886e38 || value < -3.4028234663852886e38) return false;
  return static_cast<double>(static_cast<float>(value)) == value;
}

std::size_t count_characters(std::string_view text) {
  std::size_t n = 0;
  for (const char c : text) n += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u ? 1u : 0u;
  return n;
}

const char* reason_of(const NarrowParam& narrow, const Param& p) {
  if (p.null) return nullptr;
  switch (narrow.kind) {
    case NarrowParam::Kind::whole:
      if (is_real(p) && p.head.real != std::trunc(p.head.real))
        return "the column has integers, and would round the number";
      return p.form == Form::decimal && !is_whole(p) ? "the column has integers, and would round the number" : nullptr;
    case NarrowParam::Kind::single:
      if (p.form == Form::decimal || (is_real(p) && !is_single(p.head.real)) ||
          (is_integer(p) && !is_within(p, exact_in_float)))
        return "the column is FLOAT, which would round the number";
      return nullptr;
    case NarrowParam::Kind::real:
      if (p.form == Form::decimal || (is_integer(p) && !is_within(p, exact_in_double)) ||
          (is_real(p) && narrow.places < 31))
        return "the column is DOUBLE, and would round the number";
      return nullptr;
    case NarrowParam::Kind::decimal: {
      if (is_real(p)) return "the column is DECIMAL, which would round the number";
      if (p.form != Form::decimal || p.scale <= narrow.places) return nullptr;
      Int128 step = 1;
      for (unsigned i = narrow.places; i < p.scale; ++i) step *= 10;
      return p.decimal() % step != 0 ? "the column has fewer decimal places, and would round the number" : nullptr;
    }
    case NarrowParam::Kind::time: {
      if (p.form == Form::timestamp && narrow.fixed) return "the column is TIME, and would drop the day";
      if (p.form != Form::timestamp && p.form != Form::time) return nullptr;
      std::int64_t step = 1;
      for (unsigned i = narrow.places; i < 6; ++i) step *= 10;
      return p.head.integer % step != 0 ? "the column has fewer places of seconds, and would round the time" : nullptr;
    }
    case NarrowParam::Kind::day: {
      constexpr std::int64_t micros_of_day = 86'400'000'000;
      if (p.form != Form::timestamp || p.head.integer % micros_of_day == 0) return nullptr;
      return "the column is DATE, and would drop the time of day";
    }
    case NarrowParam::Kind::bytes:
      if (p.form != Form::bytes || p.tail.size == narrow.length) return nullptr;
      return "the column is BINARY, which fills up with zero bytes: give it as many as it has";
    case NarrowParam::Kind::blob:
      if (p.form != Form::text || p.tail.size <= narrow.length || p.head.text[p.tail.size - 1] != ' ') return nullptr;
      return "the text is too long, and MySQL would drop the blanks at its end";
    case NarrowParam::Kind::text:
      if (p.form == Form::uuid) return "the column is text, and a UUID is written as 16 bytes: make it BINARY(16)";
      if (p.form != Form::text || p.tail.size == 0 || p.head.text[p.tail.size - 1] != ' ') return nullptr;
      if (narrow.fixed) return "the column is CHAR, which drops blanks at the end";
      if (count_characters(p.view()) <= narrow.length) return nullptr;
      return "the text is too long, and MySQL would drop the blanks at its end";
  }
  return nullptr;
}

}  // namespace

std::size_t refused_by_column(const Prepared& prepared, const Param* params, const char*& reason) {
  for (const NarrowParam& narrow : prepared.narrow) {
    reason = reason_of(narrow, params[narrow.index]);
    if (reason != nullptr) return narrow.index;
  }
  return 0;
}

void Session::check_columns(Prepared& prepared, const Statement& statement, const Statement& named) {
  const bool writes = statement.kind == StatementKind::insert || statement.kind == StatementKind::update ||
                      statement.kind == StatementKind::upsert;
  if (!writes || named.param_column == nullptr || named.table.empty()) return;
  const std::string look = "SELECT * FROM " + quoted(named.table);
  MYSQL_STMT* const handle = mysql_stmt_init(db_);
  if (handle == nullptr) return;
  bool key_is_made = statement.made_key.empty();
  std::vector<NarrowParam> found;
  // A table that isn't there, or may not be read, is left to the statement itself.
  if (mysql_stmt_prepare(handle, look.data(), static_cast<unsigned long>(look.size())) == 0) {
    const unsigned count = mysql_stmt_field_count(handle);
    const std::size_t written = count_written(statement.text);
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
