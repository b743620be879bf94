// The one place that turns MySQL's error numbers into our errors.
// For the adapters of MySQL and MariaDB: engine/mysql, and bridges that reach the same servers.
#pragma once

#include <quark/exec/error.hpp>
#include <quark/sql/statement.hpp>

namespace quark::mysql {

/// The kind of an error number, the server's or the client library's.
ErrorKind kind_of(unsigned code);

/// Whether a connection is of no use after this error.
bool is_fatal(unsigned code);

/// All that can be told of a failure. `statement` gives text and table; the message goes without the values that the
/// server repeats in it.
ErrorInfo describe_error(unsigned code, std::string_view sqlstate, std::string_view message,
                         const Statement& statement);

/// Throws Unsupported.
[[noreturn, gnu::cold]] void refuse_unsupported(const Statement& statement, std::string_view why);

}  // namespace quark::mysql
