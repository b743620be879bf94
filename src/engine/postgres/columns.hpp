// What a table's columns are beyond their types, asked for along with each statement that writes into them.
// Private to src/engine/postgres.
#pragma once

#include <quark/engine/postgres_columns.hpp>

#include "quark/engine/postgres/session.hpp"

namespace quark::postgres {

/// Has a look_at_columns() parsed and described, but not run; false when it can't be sent.
bool send_look(PGconn* connection, const std::string& look);
/// Takes from its description what the columns of the parameters are.
void take_modifiers(std::vector<Type>& parameters, const Statement& statement, const Result& columns);

}  // namespace quark::postgres
