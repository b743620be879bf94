// CREATE TABLE, CREATE INDEX and DROP TABLE for the three engines.
#include <quark/exec/error.hpp>
#include <quark/schema/create.hpp>
#include <quark/sql/compile.hpp>
#include <quark/sql/writer.hpp>

#include <algorithm>

#include "column_type.hpp"

namespace quark::schema {
namespace {

std::string constraint_name(const meta::Table& t, const meta::ColumnSet& set, std::string_view tail) {
  std::string out(t.name);
  for (std::uint16_t i = 0; i < set.count; ++i) {
    out += '_';
    out += t[set.columns[i]].name;
  }
  out += '_';
  out += tail;
  return out;
}

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
        out += ", CONSTRAINT " + name(sql::index_name(t, t.indexes[i])) + " UNIQUE (" +
               names(t, t.indexes[i].columns) + ")";
    if (foreign_keys)
      for (std::uint16_t i = 0; i < t.reference_count; ++i) out += ", " + foreign_key(t, t.references[i]);
    for (std::uint16_t i = 0; i < t.check_count; ++i)
      out += ", CONSTRAINT " + name(t.checks[i].name) + " CHECK (" + std::string(t.checks[i].text) + ")";
    // MySQL has indexes in the table's definition: it commits each statement, and knows no CREATE INDEX IF NOT EXISTS.
    if (style_.engine == Engine::mysql)
      for (std::uint16_t i = 0; i < t.index_count; ++i)
        if (!t.indexes[i].unique)
          out += ", INDEX " + name(sql::index_name(t, t.indexes[i])) + " (" + names(t, t.indexes[i].columns) + ")";
    out += ")";
    if (strict(t)) out += " STRICT";
    // Text compares by its characters, trailing blanks included, as on the other engines (docs/mysql.md); MariaDB and
    // MySQL call that differently, and each reads its own comment. Foreign keys need InnoDB.
    if (style_.engine == Engine::mysql)
      out += " ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE /*M! utf8mb4_nopad_bin*//*!80017 utf8mb4_0900_bin*/";
    std::vector<std::string> statements{std::move(out)};
    for (std::uint16_t i = 0; i < t.index_count; ++i) {
      if (t.indexes[i].unique || style_.engine == Engine::mysql) continue;
      std::string index = "CREATE INDEX ";
      if (if_exists_ == IfExists::skip) index += "IF NOT EXISTS ";
      index += name(sql::index_name(t, t.indexes[i])) + " ON " + name(t.name) + " (" +
               names(t, t.indexes[i].columns) + ")";
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
    if (dialect_.max_name != 0 && length(text) > dialect_.max_name)
      unsupported("the name \"" + std::string(text) + "\" is too long for " + std::string(dialect_.name));
    std::string out(2 * text.size() + 2, '\0');
    sql::Writer writer(out.data());
    writer.add_quoted(text, dialect_.quote);
    out.resize(writer.size());
    return out;
  }

 private:
  [[noreturn]] static void unsupported(std::string_view why) {
    ErrorInfo info;
    info.kind = ErrorKind::unsupported;
    info.message = "quark: " + std::string(why);
    throw_error(std::move(info));
  }

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
    // An identity column is an integer; the sequence ends where bigint does.
    const bool natural = made && style_.engine == Engine::postgres && info.form == Form::u64;
    const std::string type = natural ? "bigint" : column_type(t, info, i, style_);
    out += type;
    // MariaDB takes no NOT NULL of a column that it calculates.
    const bool calculated = style_.engine == Engine::mysql && c.generated && !c.key && !c.type.empty();
    if (!info.nullable && !calculated) out += " NOT NULL";
    if (made) {
      out += style_.engine == Engine::postgres ? " GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"
                                               : " AUTO_INCREMENT PRIMARY KEY";
    }
    if (c.default_value.kind != meta::Literal::Kind::none) default_of(out, d, i, type);
    // A made key is one that the engine chose. A type of the model's own is the model's word for the range, too.
    if (made || (!c.type.empty() && style_.engine != Engine::sqlite)) return;
    if (style_.engine == Engine::mysql && has_action(t, i)) return;
    const std::string condition = column_check(c, info, name(c.name), style_);
    if (condition.empty()) return;
    // Named as PostgreSQL names it by itself, which cuts the name where it is too long.
    if (style_.engine == Engine::sqlite)
      out += " CONSTRAINT " + name(std::string(t.name) + "_" + std::string(c.name) + "_check");
    out += " CHECK (" + condition + ")";
  }

  // MySQL takes no CHECK of a column that ON DELETE or ON UPDATE may change (error 3823); the referred column has one.
  static bool has_action(const meta::Table& t, std::uint16_t column) {
    for (std::uint16_t r = 0; r < t.reference_count; ++r) {
      const meta::Reference& reference = t.references[r];
      if (reference.on_delete == ReferenceAction::none && reference.on_update == ReferenceAction::none) continue;
      for (std::uint16_t k = 0; k < reference.columns.count; ++k)
        if (reference.columns.columns[k] == column) return true;
    }
    return false;
  }

  void default_of(std::string& out, const TableDefinition& d, std::uint16_t i, std::string_view type) const {
    const meta::Table& t = *d.table;
    const meta::Column& c = t[i];
    meta::Literal value = c.default_value;
    if (c.by_name) {
      value.kind = meta::Literal::Kind::text;
      value.text = d.default_names[i];
    }
    if (value.kind == meta::Literal::Kind::natural && style_.engine == Engine::sqlite)
      unsupported("the default of column " + std::string(t.name) + "." + std::string(c.name) +
                  " is too large: SQLite integers end at 9223372036854775807");
    // MySQL takes a LONGTEXT's default as an expression only (manual 11.6).
    const bool expression = style_.engine == Engine::mysql && type == "longtext";
    out += expression ? " DEFAULT (" : " DEFAULT ";
    out += literal(value, style_.engine);
    if (expression) out += ')';
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

// PostgreSQL and SQLite have one name for an index in the whole schema, and IF NOT EXISTS would
// leave the second one out.
void check_index_names(const TableDefinition* definitions, std::size_t count, Engine engine) {
  struct Named {
    std::string name;
    const meta::Table* table;
  };
  std::vector<Named> seen;
  for (std::size_t i = 0; i < count; ++i) {
    const meta::Table& t = *definitions[i].table;
    for (std::uint16_t k = 0; k < t.index_count; ++k) {
      std::string name = sql::index_name(t, t.indexes[k]);
      for (const Named& other : seen)
        if (other.name == name && (engine != Engine::mysql || other.table == &t))
          detail::throw_misuse("two indexes are called \"" + name + "\", of tables " + std::string(other.table->name) +
                               " and " + std::string(t.name) + ": give one another name by .named(...)");
      seen.push_back({std::move(name), &t});
    }
  }
}

}  // namespace

std::vector<std::string> index_names(const meta::Table& table) {
  std::vector<std::string> out;
  for (std::uint16_t i = 0; i < table.index_count; ++i)
    if (!table.indexes[i].unique) out.push_back(sql::index_name(table, table.indexes[i]));
  return out;
}

std::string_view index_query(Engine engine) {
  switch (engine) {
    case Engine::sqlite:
      return "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name = ? COLLATE NOCASE AND tbl_name = ? "
             "COLLATE NOCASE";
    case Engine::postgres:
      return "SELECT count(*) FROM pg_indexes WHERE schemaname = current_schema() AND indexname = "
             "$1 AND tablename = $2";
    case Engine::mysql: break;
  }
  return {};
}

void throw_foreign_index(std::string_view index, std::string_view table) {
  detail::throw_misuse("the index \"" + std::string(index) + "\" that " + std::string(table) +
                       " needs is there already, but on another table: give it another name by .named(...)");
}

std::vector<std::size_t> creation_order(const TableDefinition* definitions, std::size_t count) {
  std::vector<char> seen(count, 0);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < count; ++i) visit(definitions, count, i, seen, order);
  return order;
}

namespace {

// A reference to a table that comes later in the order of creation closes a cycle.
bool refers_to_later(const TableDefinition* definitions, std::size_t count, std::size_t i,
                     const std::vector<char>& made) {
  const meta::Table& t = *definitions[i].table;
  for (std::uint16_t r = 0; r < t.reference_count; ++r) {
    const std::size_t target = index_of(definitions, count, t.references[r].target().table);
    if (target < count && target != i && made[target] == 0) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> create_statements(const TableDefinition& definition, Style style, IfExists if_exists) {
  return create_statements(&definition, 1, style, if_exists);
}

std::vector<std::string> create_statements(const TableDefinition* definitions, std::size_t count, Style style,
                                           IfExists if_exists) {
  check_index_names(definitions, count, style.engine);
  Ddl ddl(style, if_exists);
  std::vector<std::string> out, late;
  std::vector<char> made(count, 0);
  for (const std::size_t i : creation_order(definitions, count)) {
    const TableDefinition& d = definitions[i];
    // SQLite looks at the target only when rows are written, and can't add a foreign key afterwards; the others can.
    const bool cyclic = refers_to_later(definitions, count, i, made);
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

namespace {

// MySQL drops no table that another one refers to, not even together with it: of a cycle the references go first.
std::vector<std::string> drop_foreign_keys(const TableDefinition* definitions, std::size_t count, bool if_exists) {
  const Ddl ddl({.engine = Engine::mysql}, IfExists::fail);
  const std::string_view skip = if_exists ? "/*M! IF EXISTS */" : "";
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) {
    const meta::Table& t = *definitions[i].table;
    for (std::uint16_t r = 0; r < t.reference_count; ++r) {
      const meta::Table* target = t.references[r].target().table;
      if (target->name == t.name || index_of(definitions, count, target) == count) continue;
      out.push_back("ALTER TABLE " + std::string(skip) + ddl.name(t.name) + " DROP FOREIGN KEY " + std::string(skip) +
                    ddl.name(constraint_name(t, t.references[r].columns, "fkey")));
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> drop_statements(const TableDefinition* definitions, std::size_t count, Engine engine,
                                         bool if_exists) {
  std::vector<std::size_t> order = creation_order(definitions, count);
  std::vector<char> made(count, 0);
  bool cyclic = false;
  for (const std::size_t i : order) {
    cyclic = cyclic || refers_to_later(definitions, count, i, made);
    made[i] = 1;
  }
  std::reverse(order.begin(), order.end());
  std::vector<std::string> out;
  if (cyclic && engine == Engine::mysql) out = drop_foreign_keys(definitions, count, if_exists);
  if (engine != Engine::sqlite) {
    const std::size_t drop = out.size();
    // Tables that go in one statement may refer to each other.
    for (const std::size_t i : order) {
      if (out.size() == drop) {
        out.push_back(drop_statement(*definitions[i].table, engine, if_exists));
      } else {
        out[drop] += ", " + Ddl({.engine = engine}, IfExists::fail).name(definitions[i].table->name);
      }
    }
    return out;
  }
  // SQLite deletes a table's rows before it drops it: those of a cycle are without their targets
  // until the last one went.
  if (cyclic) out.push_back("PRAGMA defer_foreign_keys = ON");
  for (const std::size_t i : order) out.push_back(drop_statement(*definitions[i].table, engine, if_exists));
  if (cyclic) out.push_back("PRAGMA defer_foreign_keys = OFF");
  return out;
}

}  // namespace quark::schema
