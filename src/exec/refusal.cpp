// Conversion errors with their place.
#include <quark/exec/error.hpp>
#include <quark/exec/refusal.hpp>

#include <string>

namespace quark::detail {

void refuse_parameter(const Statement& statement, std::size_t index, std::string_view why) {
  ErrorInfo info;
  info.kind = ErrorKind::conversion;
  info.table = statement.table;
  if (statement.param_column != nullptr) info.column = statement.param_column(statement, index);
  info.statement = statement.text;
  info.message = "quark: " + std::string(why) + " (" + info.table + "." + info.column + ")";
  throw_error(std::move(info));
}

void refuse_cell(const Statement& statement, std::string_view column, std::uint64_t row, std::string_view why) {
  ErrorInfo info;
  info.kind = ErrorKind::conversion;
  info.table = statement.table;
  info.column = column;
  info.statement = statement.text;
  info.message =
      "quark: " + info.table + "." + info.column + ", row " + std::to_string(row) + ": " + std::string(why);
  throw_error(std::move(info));
}

}  // namespace quark::detail
