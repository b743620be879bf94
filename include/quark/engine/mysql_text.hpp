// Just enough of MySQL's lexical rules for what must be known of a text before or after the server has seen it.
// For the adapters of MySQL and MariaDB.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace quark::mysql {

/// Counts what stands between semicolons, outside of quotes and comments. Asked when the server has refused a text.
std::size_t count_statements(std::string_view text);

/// Whether the text is BEGIN or START TRANSACTION, which commits what is open.
bool begins_transaction(std::string_view sql);

/// What a write does with columns: all that stands in front of WHERE.
struct Written {
  std::size_t params = 0;  // that become values of columns
  std::size_t end = 0;     // where " WHERE " begins, else the text's size
};
/// Of text that Quark has made.
Written find_written(std::string_view text);

/// Where each "?" of a text stands that is a parameter: outside of quotes and comments.
std::vector<std::size_t> find_parameters(std::string_view text);

/// A name in back quotes.
std::string quoted_name(std::string_view name);

}  // namespace quark::mysql
