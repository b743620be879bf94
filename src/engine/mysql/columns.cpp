// What a table's columns would change of the values that are written.
#include "quark/engine/mysql/session.hpp"

namespace quark::mysql {

void Session::check_columns(const Statement&) {}

}  // namespace quark::mysql
