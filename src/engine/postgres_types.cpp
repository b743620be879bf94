// What the numbers of PostgreSQL's own types mean.
#include <quark/engine/postgres_wire.hpp>

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

}  // namespace

Type fixed_type(Oid oid) {
  for (const BuiltIn& b : built_in) {
    if (b.oid == oid) return {oid, b.kind};
    if (b.array == oid) return {oid, Kind::array, b.oid, b.kind};
  }
  return {oid, Kind::other};
}

Oid fixed_array_of(Oid element) {
  for (const BuiltIn& b : built_in)
    if (b.oid == element) return b.array;
  return 0;
}

}  // namespace quark::postgres
