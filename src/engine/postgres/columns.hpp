// What a table's columns are beyond their types, asked for along with each statement that writes into them.
// Private to src/engine/postgres.
#pragma once

#include "encode.hpp"
#include "quark/engine/postgres/session.hpp"

namespace quark::postgres {

/// Which parameters go into columns as they are: all of an INSERT, those of "SET a = $1" in an UPDATE.
std::vector<bool> written_parameters(const Statement& statement, std::size_t count);

/// The query that tells what the columns are; empty for a statement that writes none.
std::string look_at_columns(const Statement& statement);
/// Has it parsed and described, but not run; false when it can't be sent.
bool send_look(PGconn* connection, const std::string& look);
/// Takes from its description what the columns of the parameters are.
void take_modifiers(std::vector<Type>& parameters, const Statement& statement, const Result& columns);

}  // namespace quark::postgres
