// The one place that turns SQLite's codes into our errors. Private to src/engine/sqlite.
#pragma once

#include <quark/exec/error.hpp>

namespace quark::sqlite {

/// The kind of an extended result code; while preparing, a plain SQLITE_ERROR means wrong SQL or a missing name.
ErrorKind kind_of(int code, bool preparing);

/// All that can be told of a failure. `table` is the statement's own, used when SQLite names none.
ErrorInfo describe_error(int code, std::string_view message, std::string_view statement,
                         std::string_view table, bool preparing);

}  // namespace quark::sqlite
