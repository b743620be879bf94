// What the columns of a written table would change: asked once per prepared write.
#include <quark/engine/mysql_text.hpp>
#include <quark/exec/error.hpp>

#include <cstdlib>
#include <string>

#include "prepared.hpp"

namespace quark::mysqlcppconn {
namespace {

using mysql::NarrowParam;

/// The first or second number in "decimal(10,2)"; `otherwise` when there is none.
unsigned long number_in(std::string_view type, std::size_t which, unsigned long otherwise) {
  std::size_t at = type.find('(');
  if (at != std::string_view::npos && which == 1) at = type.find(',', at);
  if (at == std::string_view::npos) return otherwise;
  return std::strtoul(std::string(type.substr(at + 1)).c_str(), nullptr, 10);
}

/// Whether a column of this type, in the words of SHOW COLUMNS, may change what it is given; fills in how.
bool limit_of(std::string_view type, NarrowParam& out) {
  const std::string_view name = type.substr(0, type.find_first_of("( "));
  const auto is = [&](auto... names) { return ((name == names) || ...); };
  if (is("tinyint", "smallint", "mediumint", "int", "bigint")) {
    out.kind = NarrowParam::Kind::whole;
  } else if (is("float")) {
    out.kind = NarrowParam::Kind::single;
  } else if (is("double")) {
    out.kind = NarrowParam::Kind::real;
    out.places = static_cast<unsigned>(number_in(type, 1, 31));  // 31: as many as there are
  } else if (is("decimal")) {
    out.kind = NarrowParam::Kind::decimal;
    out.places = static_cast<unsigned>(number_in(type, 1, 0));
  } else if (is("date")) {
    out.kind = NarrowParam::Kind::day;
  } else if (is("datetime", "timestamp", "time")) {
    out.kind = NarrowParam::Kind::time;
    out.places = static_cast<unsigned>(number_in(type, 0, 0));
    out.fixed = is("time");
  } else if (is("binary")) {
    out.kind = NarrowParam::Kind::bytes;
    out.length = number_in(type, 0, 1);
  } else if (is("char", "varchar")) {
    out.kind = NarrowParam::Kind::text;
    out.fixed = is("char");
    out.length = number_in(type, 0, 1);
  } else if (is("enum", "set")) {
    out.kind = NarrowParam::Kind::text;
    out.length = 0xFFFFFFFF;
  } else if (is("tinytext", "text", "mediumtext", "longtext")) {
    out.kind = NarrowParam::Kind::blob;
    out.length = is("tinytext") ? 0xFF : is("text") ? 0xFFFF : is("mediumtext") ? 0xFFFFFF : 0xFFFFFFFF;
  } else {
    return false;
  }
  return true;
}

}  // namespace

void Session::check_columns(Prepared& prepared, const Statement& statement) {
  const bool writes = statement.kind == StatementKind::insert || statement.kind == StatementKind::update ||
                      statement.kind == StatementKind::upsert;
  if (!writes || statement.param_column == nullptr || statement.table.empty()) return;
  const std::size_t written = mysql::find_written(statement.text).params;
  bool key_is_made = statement.made_key.empty();
  try {
    const std::unique_ptr<::sql::Statement> plain(connection_.createStatement());
    plain->setResultSetType(::sql::ResultSet::TYPE_SCROLL_INSENSITIVE);
    const std::unique_ptr<::sql::ResultSet> columns(
        plain->executeQuery("SHOW COLUMNS FROM " + mysql::quoted_name(statement.table)));
    while (columns->next()) {
      const std::string name = columns->getString("Field").asStdString();
      const std::string type = columns->getString("Type").asStdString();
      const std::string extra = columns->getString("Extra").asStdString();
      if (name == statement.made_key && extra.find("auto_increment") != std::string::npos) key_is_made = true;
      NarrowParam narrow;
      if (!limit_of(type, narrow)) continue;
      for (std::size_t p = 0; p < written && p < prepared.wraps.size(); ++p) {
        if (statement.param_column(statement, p) != name) continue;
        narrow.index = p;
        prepared.narrow.push_back(narrow);
      }
    }
  } catch (const ::sql::SQLException& error) {
    // A table that isn't there, or may not be looked at, is left to the statement itself.
    const auto code = static_cast<unsigned>(error.getErrorCode());
    note_failure(code);
    if (is_lost() || is_aborted()) fail(statement, error);
    key_is_made = true;
  }
  if (!key_is_made)
    quark::detail::throw_misuse("MySQL makes keys only for a column that is AUTO_INCREMENT, and " +
                                std::string(statement.table) + "." + std::string(statement.made_key) +
                                " is not: give the key yourself, or change the table");
}

}  // namespace quark::mysqlcppconn
