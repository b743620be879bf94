// Which parameters of a statement go into columns as they are.
// Shared by all that speaks to a PostgreSQL server, whichever client library it uses; knows none of them.
#pragma once

#include <quark/sql/statement.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace quark::postgres {

/// All parameters of an INSERT, those of "SET a = $1" in an UPDATE: they must have the columns' types.
std::vector<bool> written_parameters(const Statement& statement, std::size_t count);

/// The query that tells what the columns are; empty for a statement that writes none.
std::string look_at_columns(const Statement& statement);

}  // namespace quark::postgres
