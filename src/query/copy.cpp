// The text of a COPY, and its one mistake that only shows at run time.
#include <quark/exec/error.hpp>
#include <quark/query/copy.hpp>

#include <string>

namespace quark::detail {
namespace {

void quote(std::string& out, std::string_view name) {
  out += '"';
  for (const char c : name) {
    if (c == '"') out += c;
    out += c;
  }
  out += '"';
}

}  // namespace

std::string copy_text(const meta::Table& table, sql::ColumnList columns) {
  std::string out = "COPY ";
  quote(out, table.name);
  for (std::uint16_t i = 0; i < columns.size; ++i) {
    out += i == 0 ? " (" : ", ";
    quote(out, table[columns.data[i]].name);
  }
  return out + ") FROM STDIN (FORMAT binary)";
}

void throw_mixed_keys(std::string_view table) {
  throw_misuse("copy_in(): either all rows for " + std::string(table) +
               " have their keys, or none: the first row says which");
}

}  // namespace quark::detail
