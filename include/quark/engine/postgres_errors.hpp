// What PostgreSQL's reports of errors mean.
// Shared by all that speaks to a PostgreSQL server, whichever client library it uses; knows none of them.
#pragma once

#include <quark/exec/error.hpp>

namespace quark::postgres {

/// The kind of a SQLSTATE.
ErrorKind kind_of_state(std::string_view state);
/// The columns of a detail "Key (a, b)=(1, 2) already exists.", which has them in parentheses in
/// every language: "a, b". The values are not for us. Empty where there are none.
std::string columns_of_key(std::string_view detail);
/// Adds the beginning of the statement's text to the message.
void append_statement(ErrorInfo& info);

}  // namespace quark::postgres
