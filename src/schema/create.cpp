// CREATE TABLE, CREATE INDEX and DROP TABLE for the three engines.
#include <quark/exec/error.hpp>
#include <quark/schema/create.hpp>
#include <quark/sql/compile.hpp>
#include <quark/sql/writer.hpp>

#include <charconv>

namespace quark::schema {
namespace {

class Ddl {
 public:
  Ddl(Style style, IfExists if_exists)
      : style_(style), dialect_(dialect_of(style.engine)), if_exists_(if_exists) {}

  std::vector<std::string> table(const TableDefinition& d, bool foreign_keys) {
    const meta::Table& t = *d.table;
    std::string out = "CREATE TABLE ";
    if (if_exists_ == IfExists::skip) out += "IF NOT EXISTS ";
    out += name(t.name) + " (";
    for (std::uint16_t i = 0; i < t.count; ++i) {
      if (i > 0) out += ", ";
      column(out, d, i);
    }
    if (t.key.count > 0 && !inline_key(t)) out += ", PRIMARY KEY (" + names(t, t.key) + ")";
    for (std::uint16_t i = 0; i < t.index_count; ++i)
      if (t.indexes[i].unique)
        out += ", CONSTRAINT " + name(sql::index_name(t, t.indexes[i])) + " UNIQUE (" + names(t, t.indexes[i].columns) + ")";
    if (foreign_keys)
      for (std::uint16_t i = 0; i < t.reference_count; ++i) out += ", " + foreign_key(t, t.references[i]);
    for (std::uint16_t i = 0; i < t.check_count; ++i)
      out += ", CONSTRAINT " + name(t.checks[i].name) + " CHECK (" + std::string(t.checks[i].text) + ")";
    sqlite_checks(out, d);
    out += ")";
    if (strict(t)) out += " STRICT";
    std::vector<std::string> statements{std::move(out)};
    for (std::uint16_t i = 0; i < t.index_count; ++i) {
      if (t.indexes[i].unique) continue;
      std::string index = "CREATE INDEX ";
      // MySQL knows no IF NOT EXISTS for indexes, but MariaDB does.
      if (if_exists_ == IfExists::skip && style_.engine != Engine::mysql) index += "IF NOT EXISTS ";
      index += name(sql::index_name(t, t.indexes[i])) + " ON " + name(t.name) + " (" + names(t, t.indexes[i].columns) + ")";
      statements.push_back(std::move(index));
    }
    return statements;
  }

  std::string foreign_key(const meta::Table& t, const meta::Reference& r) {
    const meta::ReferenceTarget target = r.target();
    std::string out = "CONSTRAINT " + name(constraint_name(t, r.columns, "fkey")) + " FOREIGN KEY (" +
                      names(t, r.columns) + ") REFERENCES " + name(target.table->name) + " (" +
                      names(*target.table, target.columns) + ")";
    constexpr std::string_view actions[] = {"", "RESTRICT", "CASCADE", "SET NULL"};
    if (r.on_delete != ReferenceAction::none)
      out += " ON DELETE " + std::string(actions[static_cast<std::size_t>(r.on_delete)]);
    if (r.on_update != ReferenceAction::none)
      out += " ON UPDATE " + std::string(actions[static_cast<std::size_t>(r.on_update)]);
    return out;
  }

  std::string name(std::string_view text) const {
    if (dialect_.max_name != 0 && length(text) > dialect_.max_name) {
      ErrorInfo info;
      info.kind = ErrorKind::unsupported;
      info.message = "quark: the name \"" + std::string(text) + "\" is too long for " + std::string(dialect_.name);
      throw_error(std::move(info));
    }
    std::string out(2 * text.size() + 2, '\0');
    sql::Writer writer(out.data());
    writer.add_quoted(text, dialect_.quote);
    out.resize(writer.size());
    return out;
  }

 private:
  // PostgreSQL counts bytes, MySQL characters.
  std::size_t length(std::string_view text) const {
    if (style_.engine != Engine::mysql) return text.size();
    std::size_t n = 0;
    for (char c : text) n += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u ? 1u : 0u;
    return n;
  }

  static bool inline_key(const meta::Table& t) { return t.generated_key; }

  // STRICT tables refuse values of the wrong type whoever writes them; they allow SQLite's own type names only.
  bool strict(const meta::Table& t) const {
    if (style_.engine != Engine::sqlite) return false;
    for (std::uint16_t i = 0; i < t.count; ++i)
      if (!t[i].type.empty()) return false;
    return true;
  }

  std::string names(const meta::Table& t, const meta::ColumnSet& set) const {
    std::string out;
    for (std::uint16_t i = 0; i < set.count; ++i) {
      if (i > 0) out += ", ";
      out += name(t[set.columns[i]].name);
    }
    return out;
  }

  static std::string constraint_name(const meta::Table& t, const meta::ColumnSet& set, std::string_view tail) {
    std::string out(t.name);
    for (std::uint16_t i = 0; i < set.count; ++i) {
      out += '_';
      out += t[set.columns[i]].name;
    }
    out += '_';
    out += tail;
    return out;
  }
  template <class Number>
  static std::string number(Number n) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, n);
    return std::string(text, end.ptr);
  }

  // A column that an index or key uses can't be LONGTEXT in MySQL.
  static bool is_indexed(const meta::Table& t, std::uint16_t column) {
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

  std::string type(const meta::Table& t, const TypeInfo& info, std::uint16_t i) const {
    const meta::Column& c = t[i];
    if (!c.type.empty()) {
      check_affinity(t, c, info);
      return std::string(c.type);
    }
    const std::string decimal =
        std::string("(").append(number(info.precision)).append(",").append(number(info.scale)).append(")");
    const std::uint32_t size = c.size;
    switch (style_.engine) {
      case Engine::sqlite: return std::string(sqlite_type(info));
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

  std::string_view sqlite_type(const TypeInfo& info) const {
    switch (info.form) {
      case Form::f32:
      case Form::f64: return "REAL";
      case Form::text:
      case Form::json: return "TEXT";
      case Form::bytes:
      case Form::uuid: return "BLOB";
      case Form::date:
      case Form::timestamp: return style_.times_as_text ? "TEXT" : "INTEGER";
      case Form::decimal: return info.precision <= 18 ? "INTEGER" : "TEXT";
      default: return "INTEGER";
    }
  }

  static bool contains(std::string_view text, std::string_view upper) {
    for (std::size_t i = 0; i + upper.size() <= text.size(); ++i) {
      std::size_t k = 0;
      while (k < upper.size() && (text[i + k] == upper[k] || text[i + k] == upper[k] + ('a' - 'A'))) ++k;
      if (k == upper.size()) return true;
    }
    return false;
  }

  // SQLite derives how it converts values from words in the type's name (sqlite.org/datatype3.html 3.1); a name with
  // the wrong words would turn text "008" into 8 (fault B48).
  void check_affinity(const meta::Table& t, const meta::Column& c, const TypeInfo& info) const {
    if (style_.engine != Engine::sqlite) return;
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
    const std::string_view wanted = sqlite_type(info);
    if (affinity == wanted || affinity == "BLOB" || (affinity == "NUMERIC" && wanted == "INTEGER")) return;
    detail::throw_misuse("SQLite would convert values of column " + std::string(t.name) + "." + std::string(c.name) +
                         ": its type \"" + std::string(c.type) + "\" has " + std::string(affinity) +
                         " affinity, and the member needs " + std::string(wanted));
  }

  void column(std::string& out, const TableDefinition& d, std::uint16_t i) {
    const meta::Table& t = *d.table;
    const TypeInfo& info = d.infos[i];
    const meta::Column& c = t[i];
    out += name(c.name) + " ";
    const bool made = inline_key(t) && c.key;
    if (made && style_.engine == Engine::sqlite) {
      // Exactly this spelling makes the column the row id (fault B26).
      out += "INTEGER PRIMARY KEY";
      return;
    }
    const std::string column_type = type(t, info, i);
    out += column_type;
    if (!info.nullable) out += " NOT NULL";
    if (made) {
      out += style_.engine == Engine::postgres ? " GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"
                                               : " AUTO_INCREMENT PRIMARY KEY";
    }
    if (c.default_value.kind == meta::Literal::Kind::none) return;
    meta::Literal value = c.default_value;
    if (c.by_name && value.kind == meta::Literal::Kind::integer) {
      value.kind = meta::Literal::Kind::text;
      value.text = d.default_names[i];
    }
    // MySQL takes a LONGTEXT's default as an expression only (manual 11.6).
    const bool expression = style_.engine == Engine::mysql && column_type == "longtext";
    out += expression ? " DEFAULT (" : " DEFAULT ";
    out += literal(value);
    if (expression) out += ')';
  }

  std::string literal(const meta::Literal& l) const {
    switch (l.kind) {
      case meta::Literal::Kind::boolean:
        if (style_.engine == Engine::postgres) return l.integer != 0 ? "true" : "false";
        return l.integer != 0 ? "1" : "0";
      case meta::Literal::Kind::integer: return number(l.integer);
      case meta::Literal::Kind::real: return number(l.real);
      case meta::Literal::Kind::text: {
        std::string out = "'";
        for (char ch : l.text) {
          out += ch;
          if (ch == '\'') out += ch;
          if (ch == '\\' && style_.engine == Engine::mysql) out += ch;
        }
        return out + "'";
      }
      case meta::Literal::Kind::null:
      case meta::Literal::Kind::none: break;
    }
    return "NULL";
  }

  // What SQLite's types don't say: the range of narrow integers and bools, and the length of text.
  void sqlite_checks(std::string& out, const TableDefinition& d) const {
    if (style_.engine != Engine::sqlite) return;
    const meta::Table& t = *d.table;
    for (std::uint16_t i = 0; i < t.count; ++i) {
      const std::string column = name(t[i].name);
      const TypeInfo& info = d.infos[i];
      if (info.form == Form::boolean) out += ", CHECK (" + column + " IN (0, 1))";
      if (t[i].size == 0) continue;
      if (info.form == Form::text || info.form == Form::bytes)
        out += ", CHECK (length(" + column + ") <= " + number(t[i].size) + ")";
    }
  }

  Style style_;
  const Dialect& dialect_;
  IfExists if_exists_;
};

std::size_t index_of(const TableDefinition* definitions, std::size_t count, const meta::Table* table) {
  for (std::size_t i = 0; i < count; ++i)
    if (definitions[i].table == table || definitions[i].table->name == table->name) return i;
  return count;
}

void visit(const TableDefinition* definitions, std::size_t count, std::size_t i, std::vector<char>& seen,
           std::vector<std::size_t>& order) {
  if (seen[i] != 0) return;
  seen[i] = 1;
  const meta::Table& t = *definitions[i].table;
  for (std::uint16_t r = 0; r < t.reference_count; ++r) {
    const std::size_t target = index_of(definitions, count, t.references[r].target().table);
    if (target < count) visit(definitions, count, target, seen, order);
  }
  order.push_back(i);
}

}  // namespace

std::vector<std::size_t> creation_order(const TableDefinition* definitions, std::size_t count) {
  std::vector<char> seen(count, 0);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < count; ++i) visit(definitions, count, i, seen, order);
  return order;
}

std::vector<std::string> create_statements(const TableDefinition& definition, Style style, IfExists if_exists) {
  return create_statements(&definition, 1, style, if_exists);
}

std::vector<std::string> create_statements(const TableDefinition* definitions, std::size_t count, Style style,
                                           IfExists if_exists) {
  Ddl ddl(style, if_exists);
  std::vector<std::string> out, late;
  std::vector<char> made(count, 0);
  for (const std::size_t i : creation_order(definitions, count)) {
    const TableDefinition& d = definitions[i];
    // A reference to a table that comes later closes a cycle. SQLite looks at the target only when rows are written, and
    // can't add a foreign key afterwards; the others can.
    bool cyclic = false;
    for (std::uint16_t r = 0; r < d.table->reference_count; ++r) {
      const std::size_t target = index_of(definitions, count, d.table->references[r].target().table);
      cyclic = cyclic || (target < count && target != i && made[target] == 0);
    }
    const bool later = cyclic && style.engine != Engine::sqlite;
    for (std::string& text : ddl.table(d, !later)) out.push_back(std::move(text));
    if (later)
      for (std::uint16_t r = 0; r < d.table->reference_count; ++r)
        late.push_back("ALTER TABLE " + ddl.name(d.table->name) + " ADD " +
                       ddl.foreign_key(*d.table, d.table->references[r]));
    made[i] = 1;
  }
  out.insert(out.end(), late.begin(), late.end());
  return out;
}

std::string drop_statement(const meta::Table& table, Engine engine, bool if_exists) {
  const Ddl ddl({.engine = engine}, IfExists::fail);
  return std::string("DROP TABLE ") + (if_exists ? "IF EXISTS " : "") + ddl.name(table.name);
}

}  // namespace quark::schema
