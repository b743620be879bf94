// How many statements a text holds. Private to src/engine/mysql.
#pragma once

#include <cstddef>
#include <string_view>

namespace quark::mysql {

/// Counts what stands between semicolons, outside of quotes and comments. Asked when the server has refused a text.
std::size_t count_statements(std::string_view text);


/// Whether the text is BEGIN or START TRANSACTION, which commits what is open.
bool begins_transaction(std::string_view sql);

}  // namespace quark::mysql
