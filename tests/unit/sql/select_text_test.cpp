// The text of every reading statement, for three engines, checked by the compiler.
#include "unit/sql/texts.hpp"

#include <gtest/gtest.h>

namespace {

using namespace quark;
using namespace quark::sql;
using test::says;

struct Pet {
  std::int64_t id{};
  std::string name;
  int age{};
  std::optional<double> weight;
};

constexpr auto pets = For<Pet>(no_database);
constexpr auto adults = pets.where(field<&Pet::age> >= 2);

#define PETS R"("pets"."id", "pets"."name", "pets"."age", "pets"."weight" FROM "pets")"

static_assert(says(pets, "SELECT " PETS));
static_assert(says(pets.everything(), "SELECT " PETS));
static_assert(says(pets.distinct(), "SELECT DISTINCT " PETS));
static_assert(says(adults, "SELECT " PETS R"( WHERE "pets"."age" >= $1)"));
static_assert(says<Ask::first>(pets, "SELECT " PETS " LIMIT 1"));
static_assert(says<Ask::one>(pets, "SELECT " PETS " LIMIT 2"));
static_assert(says<Ask::first>(pets.limit(5), "SELECT " PETS " LIMIT $1"));
static_assert(says<Ask::one>(adults.limit(5),
                             "SELECT " PETS R"( WHERE "pets"."age" >= $1 LIMIT $2)"));
static_assert(says<Ask::find>(pets, "SELECT " PETS R"( WHERE "pets"."id" = $1)"));
static_assert(says<Ask::find>(adults,
                              "SELECT " PETS R"( WHERE "pets"."age" >= $1 AND "pets"."id" = $2)"));
static_assert(says<Ask::find>(
    pets.where(field<&Pet::age> == 1 || field<&Pet::age> == 2),
    "SELECT " PETS R"( WHERE ("pets"."age" = $1 OR "pets"."age" = $2) AND "pets"."id" = $3)"));

// Several conditions are ANDed, and a weaker one is put in parentheses.
static_assert(says(pets.where(field<&Pet::age> == 1).where(field<&Pet::name> == "x"),
                   "SELECT " PETS R"( WHERE "pets"."age" = $1 AND "pets"."name" = $2)"));
static_assert(says(
    pets.where(field<&Pet::age> == 1 || field<&Pet::age> == 2)
        .where(field<&Pet::name> == "x" || field<&Pet::id> == 3),
    "SELECT " PETS
    R"( WHERE ("pets"."age" = $1 OR "pets"."age" = $2) AND ("pets"."name" = $3 OR "pets"."id" = $4))"));

// Order, limit, offset in every mix; the clauses may come in any order.
static_assert(says(pets.order_by(asc<&Pet::name>), "SELECT " PETS R"( ORDER BY "pets"."name")"));
static_assert(says(pets.order_by(desc<&Pet::name>, asc<&Pet::id>),
                   "SELECT " PETS R"( ORDER BY "pets"."name" DESC, "pets"."id")"));
static_assert(says(pets.order_by(desc<&Pet::name>).order_by(desc<&Pet::id>),
                   "SELECT " PETS R"( ORDER BY "pets"."name" DESC, "pets"."id" DESC)"));
static_assert(says(pets.limit(3), "SELECT " PETS " LIMIT $1"));
static_assert(says(pets.limit(0), "SELECT " PETS " LIMIT $1"));
static_assert(says(pets.limit(3).offset(4), "SELECT " PETS " LIMIT $1 OFFSET $2"));
static_assert(says(pets.offset(4).limit(3), "SELECT " PETS " LIMIT $1 OFFSET $2"));
static_assert(says(pets.limit(1).limit(2), "SELECT " PETS " LIMIT $1"));
static_assert(
    says(pets.limit(3).order_by(asc<&Pet::age>).where(field<&Pet::age> < 9).offset(1).distinct(),
         "SELECT DISTINCT " PETS
         R"( WHERE "pets"."age" < $1 ORDER BY "pets"."age" LIMIT $2 OFFSET $3)"));

// Two engines need a limit to have an offset (fault B21).
static_assert(sql_text<Engine::sqlite>(pets.offset(4)) == "SELECT " PETS " LIMIT -1 OFFSET ?");
static_assert(sql_text<Engine::postgres>(pets.offset(4)) == "SELECT " PETS " OFFSET $1");
static_assert(test::is_translation(sql_text<Engine::mysql>(pets.offset(4)),
                                   "SELECT " PETS " LIMIT 18446744073709551615 OFFSET ?", '`'));

// count and exists.
static_assert(says<Ask::count>(pets, R"(SELECT COUNT(*) FROM "pets")"));
static_assert(says<Ask::count>(adults, R"(SELECT COUNT(*) FROM "pets" WHERE "pets"."age" >= $1)"));
// An order makes no difference to a count, and PostgreSQL would refuse it.
static_assert(says<Ask::count>(adults.order_by(asc<&Pet::name>),
                               R"(SELECT COUNT(*) FROM "pets" WHERE "pets"."age" >= $1)"));
static_assert(says<Ask::count>(adults.limit(10).offset(2),
                               "SELECT COUNT(*) FROM (SELECT " PETS
                               R"( WHERE "pets"."age" >= $1 LIMIT $2 OFFSET $3) AS "q")"));
static_assert(says<Ask::count>(pets.distinct(),
                               "SELECT COUNT(*) FROM (SELECT DISTINCT " PETS R"() AS "q")"));
static_assert(says<Ask::exists>(pets, R"(SELECT EXISTS(SELECT 1 FROM "pets"))"));
static_assert(says<Ask::exists>(
    adults.limit(1), R"(SELECT EXISTS(SELECT 1 FROM "pets" WHERE "pets"."age" >= $1 LIMIT $2))"));
// Equal rows count once, which only an offset can tell.
static_assert(says<Ask::exists>(pets.distinct(), R"(SELECT EXISTS(SELECT 1 FROM "pets"))"));
static_assert(says<Ask::exists>(pets.distinct().limit(1).offset(2),
                                "SELECT EXISTS(SELECT 1 FROM (SELECT DISTINCT " PETS
                                R"( LIMIT $1 OFFSET $2) AS "q"))"));

// Aggregates and single columns have no Ask: their specification is named.
template <sql::ReadBits B, class Q = std::remove_cvref_t<decltype(pets)>>
constexpr bool reads(std::string_view postgres, std::string_view uncast = {}, std::string_view mysql = {}) {
  using W = typename std::remove_cvref_t<decltype(std::declval<Q>().condition())>::Pack;
  using Spec = sql::ReadSpec<Pet, W, sql::CodePack<>, B>;
  if (sql::Compiled<Spec, Engine::postgres>::statement.text != postgres) return false;
  if (!uncast.empty()) postgres = uncast;
  return test::is_translation(sql::Compiled<Spec, Engine::sqlite>::statement.text, postgres, '"') &&
         test::is_translation(sql::Compiled<Spec, Engine::mysql>::statement.text,
                              mysql.empty() ? postgres : mysql, '`');
}
constexpr sql::ReadBits aggregate(Aggregate a, std::uint16_t column) {
  return {.verb = Verb::aggregate, .aggregate = a, .column = column};
}
using Adults = std::remove_cvref_t<decltype(adults)>;

static_assert(reads<aggregate(Aggregate::sum, 2)>(R"(SELECT SUM("pets"."age")::bigint FROM "pets")",
                                                  R"(SELECT SUM("pets"."age") FROM "pets")"));
static_assert(reads<aggregate(Aggregate::avg, 3)>(R"(SELECT AVG("pets"."weight") FROM "pets")"));
static_assert(reads<aggregate(Aggregate::min, 1)>(R"(SELECT MIN("pets"."name") FROM "pets")"));
static_assert(reads<aggregate(Aggregate::max, 0), Adults>(
    R"(SELECT MAX("pets"."id") FROM "pets" WHERE "pets"."age" >= $1)"));
// A limit or DISTINCT counts before the aggregate does.
static_assert(
    reads<sql::ReadBits{
        .verb = Verb::aggregate, .aggregate = Aggregate::sum, .limit = Limit::param, .column = 2}>(
        R"(SELECT SUM("q"."age")::bigint FROM (SELECT "pets"."age" FROM "pets" LIMIT $1) AS "q")",
        R"(SELECT SUM("q"."age") FROM (SELECT "pets"."age" FROM "pets" LIMIT $1) AS "q")"));
static_assert(reads<sql::ReadBits{.verb = Verb::aggregate,
                                  .aggregate = Aggregate::avg,
                                  .distinct = true,
                                  .column = 2},
                    Adults>(
    R"(SELECT AVG("q"."age")::float8 FROM (SELECT DISTINCT "pets"."age" FROM "pets" WHERE "pets"."age" >= $1) AS "q")",
    R"(SELECT AVG("q"."age") FROM (SELECT DISTINCT "pets"."age" FROM "pets" WHERE "pets"."age" >= $1) AS "q")",
    R"(SELECT CAST(SUM("q"."age") AS DOUBLE) / COUNT("q"."age") FROM (SELECT DISTINCT "pets"."age" FROM "pets" WHERE "pets"."age" >= $1) AS "q")"));
static_assert(reads<aggregate(Aggregate::avg, 2)>(
    R"(SELECT AVG("pets"."age")::float8 FROM "pets")", R"(SELECT AVG("pets"."age") FROM "pets")",
    R"(SELECT CAST(SUM("pets"."age") AS DOUBLE) / COUNT("pets"."age") FROM "pets")"));
static_assert(reads<sql::ReadBits{.column = 1}>(R"(SELECT "pets"."name" FROM "pets")"));
static_assert(reads<sql::ReadBits{.distinct = true, .column = 1}, Adults>(
    R"(SELECT DISTINCT "pets"."name" FROM "pets" WHERE "pets"."age" >= $1)"));

// A composite key: all of its columns, in the key's order.
struct Seat {
  std::string row;
  int number{};
  bool taken{};
  static consteval auto orm() { return model(key(&Seat::number, &Seat::row)); }
};
static_assert(
    says<Ask::find>(For<Seat>(no_database),
                    R"(SELECT "seats"."row", "seats"."number", "seats"."taken" FROM "seats" )"
                    R"(WHERE "seats"."number" = $1 AND "seats"."row" = $2)"));

TEST(SelectText, OfRunTimePartsIsMadeByTheSameRenderer) {
  Filter<Pet> filter = field<&Pet::age> >= 2;
  EXPECT_EQ(sql_text<Engine::postgres>(pets.where(filter)), sql_text<Engine::postgres>(adults));
  EXPECT_EQ(sql_text<Engine::mysql>(pets.order_by(by<Pet>("age", Direction::descending))),
            sql_text<Engine::mysql>(pets.order_by(desc<&Pet::age>)));
}

}  // namespace
