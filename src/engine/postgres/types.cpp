// What the numbers of types mean that are the database's own (domains, enums, extensions): it is asked once per
// connection.
#include <quark/exec/error.hpp>

#include <charconv>

#include "errors.hpp"
#include "quark/engine/postgres/session.hpp"

namespace quark::postgres {
namespace {

Oid number(const PGresult* result, int column) {
  const char* text = PQgetvalue(result, 0, column);
  Oid out = 0;
  std::from_chars(text, text + PQgetlength(result, 0, column), out);
  return out;
}

}  // namespace

Type Session::type_of(Oid oid) {
  if (oid < first_of_database) return fixed_type(oid);
  for (const Type& t : types_)
    if (t.oid == oid) return t;

  // Enums and citext send their text; a domain is what it is based on.
  const std::string text =
      "SELECT t.typtype, t.typbasetype, t.typelem, t.typcategory, p.proname IN ('enum_send', 'textsend', 'citextsend', "
      "'varcharsend', 'bpcharsend') FROM pg_catalog.pg_type t JOIN pg_catalog.pg_proc p ON p.oid = t.typsend "
      "WHERE t.oid = " + std::to_string(oid);
  const Result result(PQexec(connection_, text.c_str()));
  Type type{oid, Kind::other};
  if (result.status() == PGRES_TUPLES_OK && PQntuples(result.get()) == 1) {
    const char category = *PQgetvalue(result.get(), 0, 3);
    if (*PQgetvalue(result.get(), 0, 0) == 'd') {
      type = type_of(number(result.get(), 1));
      type.oid = oid;
    } else if (category == 'A') {
      type.kind = Kind::array;
      type.element = number(result.get(), 2);
      type.element_kind = type_of(type.element).kind;
    } else if (*PQgetvalue(result.get(), 0, 4) == 't') {
      type.kind = Kind::text;
    }
  } else if (!result.good()) {
    Statement statement;
    statement.text = text;
    fail(result.get(), statement);
  }
  types_.push_back(type);
  return type;
}

Oid Session::array_of(Oid element) {
  if (element < first_of_database) return fixed_array_of(element);
  for (const auto& [of, array] : arrays_)
    if (of == element) return array;
  const std::string text = "SELECT typarray FROM pg_catalog.pg_type WHERE oid = " + std::to_string(element);
  const Result result(PQexec(connection_, text.c_str()));
  if (!result.good()) {
    Statement statement;
    statement.text = text;
    fail(result.get(), statement);
  }
  const Oid array = PQntuples(result.get()) == 1 ? number(result.get(), 0) : 0;
  arrays_.emplace_back(element, array);
  return array;
}

}  // namespace quark::postgres
