// What the numbers of types mean: built-in ones by a table, those of the database (domains, enums, extensions) by
// asking it once per connection.
#include <quark/exec/error.hpp>

#include <charconv>

#include "encode.hpp"
#include "errors.hpp"
#include "quark/engine/postgres/session.hpp"

namespace quark::postgres {
namespace {

struct BuiltIn {
  Oid oid;
  Oid array;
  Kind kind;
};
constexpr BuiltIn built_in[] = {
    {oid::boolean, 1000, Kind::boolean},  {oid::bytes, 1001, Kind::bytes},
    {oid::i64, 1016, Kind::i64},          {oid::i16, 1005, Kind::i16},
    {oid::i32, 1007, Kind::i32},          {oid::text, 1009, Kind::text},
    {oid::json, 199, Kind::json},         {oid::f32, 1021, Kind::f32},
    {oid::f64, 1022, Kind::f64},          {oid::bpchar, 1014, Kind::text},
    {oid::varchar, 1015, Kind::text},     {oid::date, 1182, Kind::date},
    {oid::time, 1183, Kind::time},        {oid::timestamp, 1115, Kind::timestamp},
    {oid::timestamptz, 1185, Kind::timestamp}, {oid::interval, 1187, Kind::interval},
    {oid::numeric, 1231, Kind::numeric},  {oid::uuid, 2951, Kind::uuid},
    {oid::jsonb, 3807, Kind::jsonb},      {oid::inet, 1041, Kind::inet},
    {oid::cidr, 651, Kind::inet},         {oid::name, 1003, Kind::text},
};

Oid number(const PGresult* result, int column) {
  const char* text = PQgetvalue(result, 0, column);
  Oid out = 0;
  std::from_chars(text, text + PQgetlength(result, 0, column), out);
  return out;
}

// Numbers below are the server's own, and not those of a database.
constexpr Oid first_of_database = 16384;

}  // namespace

Type Session::type_of(Oid oid) {
  for (const BuiltIn& b : built_in) {
    if (b.oid == oid) return {oid, b.kind};
    if (b.array == oid) return {oid, Kind::array, b.oid, b.kind};
  }
  if (oid < first_of_database) return {oid, Kind::other};
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
  for (const BuiltIn& b : built_in)
    if (b.oid == element) return b.array;
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
