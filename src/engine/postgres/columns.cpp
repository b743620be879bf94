// Looking at a table's columns.
#include "columns.hpp"

#include <string>

namespace quark::postgres {

void take_modifiers(std::vector<Type>& parameters, const Statement& statement, const Result& columns) {
  const std::vector<bool> written = written_parameters(statement, parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!written[i]) continue;
    const std::string_view name = statement.param_column(statement, i);
    for (int c = 0; c < PQnfields(columns.get()); ++c) {
      if (name != PQfname(columns.get(), c)) continue;
      parameters[i].base = PQftype(columns.get(), c);
      parameters[i].modifier = PQfmod(columns.get(), c);
    }
  }
}

bool send_look(PGconn* connection, const std::string& look) {
  return PQsendPrepare(connection, "", look.c_str(), 0, nullptr) != 0 && PQsendDescribePrepared(connection, "") != 0;
}

}  // namespace quark::postgres
