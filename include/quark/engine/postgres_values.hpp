// Parameters to the binary forms of PostgreSQL's types.
// Shared by all that speaks to a PostgreSQL server, whichever client library it uses; knows none of them.
#pragma once

#include <quark/engine/postgres_wire.hpp>
#include <quark/types/scratch.hpp>

namespace quark::postgres {

/// A value as client libraries take it. `data` is null for NULL.
struct Encoded {
  const char* data = nullptr;
  int size = 0;
  bool binary = true;
};

/// The type that a parameter is declared with; 0: the server infers it from where the parameter stands.
/// A list has the array type of its items.
Oid declared_type(const Param& param);

/// The form that a statement is prepared for: a list's tells that of its items.
Form prepared_form(const Param& param);

/// Makes the wire form of a value that the server takes as `type`. `room` has 40 bytes; what needs more comes from the
/// scratch. Returns null, or why the value is refused: PostgreSQL would not keep it as it is.
const char* encode(const Param& param, const Type& type, char* room, Scratch& scratch, Encoded& out);

/// Why a column with a modifier would change the value, as the server does without an error: it
/// rounds numbers and times, fills up with blanks or drops them. Null when it would not.
const char* changed_by_modifier(const Param& param, const Type& type);

}  // namespace quark::postgres
