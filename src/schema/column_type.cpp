// The types of columns in table definitions, their defaults, and the checks that the types don't make themselves.
#include "column_type.hpp"

#include <quark/exec/error.hpp>

#include <charconv>

namespace quark::schema {
namespace {

template <class Number>
std::string number(Number n) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, n);
  return std::string(text, end.ptr);
}

// A column that an index or key uses can't be LONGTEXT in MySQL.
bool is_indexed(const meta::Table& t, std::uint16_t column) {
  const auto in = [&](const meta::ColumnSet& set) {
    for (std::uint16_t i = 0; i < set.count; ++i)
      if (set.columns[i] == column) return true;
    return false;
  };
  if (in(t.key)) return true;
  for (std::uint16_t i = 0; i < t.index_count; ++i)
    if (in(t.indexes[i].columns)) return true;
  for (std::uint16_t i = 0; i < t.reference_count; ++i)
    if (in(t.references[i].columns)) return true;
  return false;
}

std::string_view sqlite_type(const TypeInfo& info, Style style) {
  switch (info.form) {
    case Form::f32:
    case Form::f64: return "REAL";
    case Form::text:
    case Form::json: return "TEXT";
    case Form::bytes:
    case Form::uuid: return "BLOB";
    case Form::date:
    case Form::timestamp: return style.times_as_text ? "TEXT" : "INTEGER";
    case Form::decimal: return style.decimals_as_numbers ? "REAL" : info.precision <= 18 ? "INTEGER" : "TEXT";
    default: return "INTEGER";
  }
}

bool contains(std::string_view text, std::string_view upper) {
  for (std::size_t i = 0; i + upper.size() <= text.size(); ++i) {
    std::size_t k = 0;
    while (k < upper.size() && (text[i + k] == upper[k] || text[i + k] == upper[k] + ('a' - 'A'))) ++k;
    if (k == upper.size()) return true;
  }
  return false;
}

// SQLite derives how it converts values from words in the type's name (sqlite.org/datatype3.html 3.1); a name with
// the wrong words would turn text "008" into 8 (fault B48).
void check_affinity(const meta::Table& t, const meta::Column& c, const TypeInfo& info, Style style) {
  if (style.engine != Engine::sqlite) return;
  std::string_view affinity = "NUMERIC";
  if (contains(c.type, "INT")) {
    affinity = "INTEGER";
  } else if (contains(c.type, "CHAR") || contains(c.type, "CLOB") || contains(c.type, "TEXT")) {
    affinity = "TEXT";
  } else if (contains(c.type, "BLOB")) {
    affinity = "BLOB";
  } else if (contains(c.type, "REAL") || contains(c.type, "FLOA") || contains(c.type, "DOUB")) {
    affinity = "REAL";
  }
  const std::string_view wanted = sqlite_type(info, style);
  if (affinity == wanted || affinity == "BLOB") return;
  // NUMERIC keeps numbers as they are; a decimal times 10^S would look like one.
  const bool numbers = info.form == Form::decimal ? style.decimals_as_numbers : wanted == "INTEGER";
  if (affinity == "NUMERIC" && numbers) return;
  detail::throw_misuse("SQLite would convert values of column " + std::string(t.name) + "." + std::string(c.name) +
                       ": its type \"" + std::string(c.type) + "\" has " + std::string(affinity) +
                       " affinity, and the member needs " + std::string(wanted));
}

}  // namespace

namespace {

TypeInfo element_of(TypeInfo info) {
  info.form = info.element;
  return info;
}

[[noreturn]] void throw_no_arrays(const meta::Table& t, const meta::Column& c, Engine engine) {
  ErrorInfo info;
  info.kind = ErrorKind::unsupported;
  info.table = t.name;
  info.column = c.name;
  info.message = "quark: " + std::string(dialect_of(engine).name) + " has no arrays, such as " + std::string(t.name) +
                 "." + std::string(c.name);
  throw_error(std::move(info));
}

}  // namespace

std::string column_type(const meta::Table& t, const TypeInfo& info, std::uint16_t i, Style style) {
  const meta::Column& c = t[i];
  if (info.form == Form::array && style.engine != Engine::postgres) throw_no_arrays(t, c, style.engine);
  if (!c.type.empty()) {
    check_affinity(t, c, info, style);
    return std::string(c.type);
  }
  const std::string decimal =
      std::string("(").append(number(info.precision)).append(",").append(number(info.scale)).append(")");
  const std::uint32_t size = c.size;
  switch (style.engine) {
    case Engine::sqlite: return std::string(sqlite_type(info, style));
    case Engine::postgres:
      switch (info.form) {
        case Form::boolean: return "boolean";
        case Form::i16: return "smallint";
        case Form::i32: return "integer";
        case Form::i64: return "bigint";
        case Form::u64: return "numeric(20,0)";
        case Form::f32: return "real";
        case Form::f64: return "double precision";
        case Form::text: return size != 0 ? "varchar(" + number(size) + ")" : "text";
        case Form::bytes: return "bytea";
        case Form::date: return "date";
        case Form::time: return "interval";
        case Form::timestamp: return "timestamptz";
        case Form::uuid: return "uuid";
        case Form::decimal: return "numeric" + decimal;
        case Form::json: return "jsonb";
        case Form::array: return column_type(t, element_of(info), i, style) + "[]";
        default: break;
      }
      break;
    case Engine::mysql:
      switch (info.form) {
        case Form::boolean: return "tinyint(1)";
        case Form::i16: return "smallint";
        case Form::i32: return "int";
        case Form::i64: return "bigint";
        case Form::u64: return "bigint unsigned";
        case Form::f32: return "float";
        case Form::f64: return "double";
        case Form::text:
          // TEXT would end at 65,535 bytes without a word; an index needs a length.
          if (size != 0) return "varchar(" + number(size) + ")";
          return is_indexed(t, i) ? "varchar(255)" : "longtext";
        case Form::bytes:
          if (size != 0) return "varbinary(" + number(size) + ")";
          return is_indexed(t, i) ? "varbinary(255)" : "longblob";
        case Form::date: return "date";
        case Form::time: return "time(6)";
        case Form::timestamp: return "datetime(6)";
        case Form::uuid: return "binary(16)";
        case Form::decimal: return "decimal" + decimal;
        case Form::json: return "json";
        default: break;
      }
      break;
  }
  detail::throw_misuse("a column has no type");
}

std::string literal(const meta::Literal& l, Engine engine) {
  switch (l.kind) {
    case meta::Literal::Kind::boolean:
      if (engine == Engine::postgres) return l.integer != 0 ? "true" : "false";
      return l.integer != 0 ? "1" : "0";
    case meta::Literal::Kind::integer: return number(l.integer);
    case meta::Literal::Kind::natural: return number(static_cast<std::uint64_t>(l.integer));
    case meta::Literal::Kind::real: return number(l.real);
    case meta::Literal::Kind::text: {
      std::string out = "'";
      for (char ch : l.text) {
        out += ch;
        if (ch == '\'') out += ch;
        if (ch == '\\' && engine == Engine::mysql) out += ch;
      }
      return out + "'";
    }
    case meta::Literal::Kind::none: break;
  }
  return "NULL";
}

/// What a column's own type lets through: numbers that the member can't hold, and longer text (SQLite).
std::string column_check(const meta::Column& c, const TypeInfo& info, const std::string& name, Style style) {
  const Engine engine = style.engine;
  const bool sqlite = engine == Engine::sqlite;
  const auto between = [&](auto low, auto high) {
    return name + " BETWEEN " + number(low) + " AND " + number(high);
  };
  // An element that is NULL is in no range, and passes.
  if (info.form == Form::array) {
    const std::string inner = column_check(c, element_of(info), "x", style);
    if (inner.empty()) return "";
    const std::size_t low = inner.find("BETWEEN ") + 8, end = inner.find(" AND ");
    return inner.substr(low, end - low) + " <= ALL (" + name + ") AND " + inner.substr(end + 5) +
           " >= ALL (" + name + ")";
  }
  switch (info.form) {
    case Form::boolean: return engine == Engine::postgres ? "" : name + " IN (0, 1)";
    case Form::i16:
      if (info.narrow) return info.natural ? between(0, UINT8_MAX) : between(INT8_MIN, INT8_MAX);
      return sqlite ? between(INT16_MIN, INT16_MAX) : "";
    case Form::i32:
      if (info.narrow) return between(0, UINT16_MAX);
      return sqlite ? between(INT32_MIN, INT32_MAX) : "";
    case Form::i64: return info.narrow ? between(0, UINT32_MAX) : "";
    case Form::u64:
      if (engine == Engine::postgres) return between(0, UINT64_MAX);
      return sqlite ? name + " >= 0" : "";
    case Form::decimal: {
      if (!sqlite) return "";
      if (style.decimals_as_numbers) {
        std::string most = std::string(static_cast<std::size_t>(info.precision), '9');
        if (info.scale > 0) most.insert(most.size() - info.scale, info.precision == info.scale ? "0." : ".");
        return name + " BETWEEN -" + most + " AND " + most;
      }
      // Up to 18 digits SQLite holds the scaled integer.
      if (info.precision > 18) return "";
      std::int64_t most = 1;
      for (int digit = 0; digit < info.precision; ++digit) most *= 10;
      return between(1 - most, most - 1);
    }
    case Form::text:
      // length() ends at a zero byte: such text is refused where a length is given.
      if (!sqlite || c.size == 0) return "";
      return "length(" + name + ") <= " + number(c.size) + " AND instr(" + name + ", char(0)) = 0";
    case Form::bytes: return sqlite && c.size != 0 ? "length(" + name + ") <= " + number(c.size) : "";
    default: return "";
  }
}

}  // namespace quark::schema
