// A prepared statement, as the session keeps it: what the server said of it.
// Filled in by src/engine/postgres/prepare.cpp, used with every statement.
#pragma once

#include <quark/engine/postgres_wire.hpp>

#include <string>
#include <vector>

namespace quark::postgres {

/// A prepared statement: what the server said of it.
struct Prepared {
  std::string name;                // "" when it is not kept at the server
  std::uint64_t hash = 0;          // of text and parameter types: the name's number
  std::vector<Form> forms;         // of the parameters that it was prepared for
  std::vector<Type> parameters;
  std::vector<Kind> columns;
  bool ready = false;
};

/// Whether a statement was prepared for parameters of these forms (prepare.cpp).
bool is_prepared_for(const Prepared& prepared, const Param* params, std::size_t count);

}  // namespace quark::postgres
