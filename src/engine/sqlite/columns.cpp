// Whether the columns of a statement are declared for the forms in which this connection stores times and decimals.
// Looked at once per prepared statement: comparing, or reading 198 as 1.98, would be wrong without an error.
#include <quark/exec/error.hpp>
#include <quark/types/scratch.hpp>

#include <optional>
#include <string>

#include "plain_query.hpp"
#include "values.hpp"

namespace quark::sqlite {
namespace {

/// What SQLite makes of a declared type (sqlite.org/datatype3.html, 3.1).
enum class Affinity { integer, text, real, numeric, none };
Affinity affinity_of(std::string_view declared) {
  std::string type;
  for (const char c : declared) type += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  const auto has = [&](std::string_view part) { return type.find(part) != std::string::npos; };
  if (has("INT")) return Affinity::integer;
  if (has("CHAR") || has("CLOB") || has("TEXT")) return Affinity::text;
  if (type.empty() || type == "ANY" || has("BLOB")) return Affinity::none;
  if (has("REAL") || has("FLOA") || has("DOUB")) return Affinity::real;
  return Affinity::numeric;
}

/// The declared type of a table's or view's column; none when there is no such column: preparing tells what is missing.
std::optional<std::string> declared_type(sqlite3* db, const std::string& table, const std::string& column) {
  if (column.empty()) return std::nullopt;
  const char* type = nullptr;
  if (sqlite3_table_column_metadata(db, nullptr, table.c_str(), column.c_str(), &type, nullptr, nullptr, nullptr,
                                    nullptr) == SQLITE_OK)
    return type != nullptr ? type : "";
  PlainQuery view(db, "SELECT type FROM pragma_table_info(?1) WHERE name = ?2 COLLATE NOCASE");
  view.bind(1, table);
  view.bind(2, column);
  if (!view.step()) return std::nullopt;
  return view.text(0);
}

[[noreturn]] void refuse(ErrorKind kind, const std::string& table, const std::string& column, const std::string& why) {
  ErrorInfo info;
  info.kind = kind;
  info.table = table;
  info.column = column;
  info.message = "quark: " + table + "." + column + why;
  throw_error(std::move(info));
}

void check_time_column(sqlite3* db, const Statement& statement, std::size_t index, Times times) {
  const std::string table(statement.table), column(statement.param_column(statement, index));
  const auto type = declared_type(db, table, column);
  if (!type) return;
  const Affinity affinity = affinity_of(*type);
  // NUMERIC leaves ISO text alone, and integers, too.
  if (affinity == Affinity::none || affinity == Affinity::numeric) return;
  if (affinity == (times == Times::integer ? Affinity::integer : Affinity::text)) return;
  refuse(ErrorKind::misuse, table, column,
         " is declared " + *type + ", and this connection writes times as " +
             (times == Times::integer ? "integers: comparing would be wrong. Open it with Times::text"
                                      : "text: comparing would be wrong. Open it with Times::integer"));
}

bool is_time(const Param& p) { return p.form == Form::date || p.form == Form::timestamp; }

void check_times(sqlite3* db, const Statement& statement, const Param* params, std::size_t count, Times times) {
  for (std::size_t i = 0; i < count; ++i) {
    const Param& p = params[i];
    // An `in` has one type for all its values.
    const bool array = !p.null && p.form == Form::array && p.tail.size != rows_of_batch && p.tail.size > 0;
    if (is_time(p) || (array && is_time(*p.head.items))) check_time_column(db, statement, i, times);
  }
}

struct DecimalCheck {
  sqlite3* db;
  std::string table;
  Decimals decimals;
};

void check_decimal(void* context, const DecimalColumn& decimal) {
  const auto& check = *static_cast<const DecimalCheck*>(context);
  const std::string column(decimal.name);
  const bool numbers = check.decimals == Decimals::number;
  if (numbers && decimal.calculated)
    refuse(ErrorKind::unsupported, check.table, column,
           " is stored as a number of SQLite's own, whose sums are in floating point: read the rows and add them up");
  const auto type = declared_type(check.db, check.table, column);
  if (!type) return;
  const Affinity affinity = affinity_of(*type);
  if (affinity == Affinity::none) return;
  const bool fits = numbers                   ? affinity == Affinity::numeric || affinity == Affinity::real
                    : decimal.precision <= 18 ? affinity == Affinity::integer
                                              : affinity == Affinity::text;
  if (fits) return;
  std::string why = " is declared " + *type + ", and this connection stores its decimals as ";
  if (numbers) {
    why += "numbers, in columns that are NUMERIC, DECIMAL or REAL: open it with Decimals::scaled";
  } else {
    why += decimal.precision <= 18 ? "integers times 10^S" : "text";
    if (affinity != Affinity::text) why += ": open it with Decimals::number";
  }
  refuse(ErrorKind::misuse, check.table, column, why);
}

}  // namespace

void check_forms(sqlite3* db, const Statement& statement, const Param* params, std::size_t count, Forms forms) {
  if (statement.decimals != nullptr) {
    DecimalCheck check{db, std::string(statement.table), forms.decimals};
    statement.decimals(statement, &check_decimal, &check);
  }
  if (statement.param_column == nullptr) return;
  if (count == 1 && params[0].form == Form::array && params[0].tail.size == rows_of_batch) {
    // The rows of a batch: the statement for one of them knows the columns.
    const RowsArgument& rows = *static_cast<const RowsArgument*>(params[0].head.object);
    std::vector<Param> row(rows.batch->source.columns);
    Scratch scratch;
    rows.batch->source.fill(rows.batch->source.rows, 0, row.data(), scratch);
    check_times(db, *rows.one, row.data(), row.size(), forms.times);
  } else {
    check_times(db, statement, params, count, forms.times);
  }
}

}  // namespace quark::sqlite
