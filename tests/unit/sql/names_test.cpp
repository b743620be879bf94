// Names that need their quotes: keywords, capitals, blanks, and the quotes themselves (fault B15).
#include "unit/sql/texts.hpp"

#include <gtest/gtest.h>

namespace {

using namespace quark;
using test::says;

struct Order {
  std::int64_t group{};
  std::string select;
  std::string MixedCase;
  std::string space;
  std::string quote;
  std::string tick;
  std::string índice;
  static consteval auto orm() {
    return model(table("Order"), key(&Order::group), rename(&Order::space, "space d"),
                 rename(&Order::quote, R"(quo"te)"), rename(&Order::tick, "ti`ck"));
  }
};
constexpr auto orders = For<Order>(no_database);

#define STANDARD_COLUMNS                                                                              \
  R"("Order"."group", "Order"."select", "Order"."MixedCase", "Order"."space d", "Order"."quo""te", )" \
  R"("Order"."ti`ck", "Order"."índice" FROM "Order")"
#define MYSQL_COLUMNS                                                                              \
  "`Order`.`group`, `Order`.`select`, `Order`.`MixedCase`, `Order`.`space d`, `Order`.`quo\"te`, " \
  "`Order`.`ti``ck`, `Order`.`índice` FROM `Order`"

TEST(Names, B15_AreQuotedInEveryStatementKind) {
  static_assert(says(orders, "SELECT " STANDARD_COLUMNS, "SELECT " STANDARD_COLUMNS,
                     "SELECT " MYSQL_COLUMNS));
  static_assert(says(
      orders.where(field<&Order::quote> == "x" && field<&Order::tick> == "y")
          .order_by(asc<&Order::quote>, desc<&Order::tick>),
      "SELECT " STANDARD_COLUMNS
      R"( WHERE "Order"."quo""te" = ? AND "Order"."ti`ck" = ? ORDER BY "Order"."quo""te", "Order"."ti`ck" DESC)",
      "SELECT " STANDARD_COLUMNS
      R"( WHERE "Order"."quo""te" = $1 AND "Order"."ti`ck" = $2 ORDER BY "Order"."quo""te", "Order"."ti`ck" DESC)",
      "SELECT " MYSQL_COLUMNS
      " WHERE `Order`.`quo\"te` = ? AND `Order`.`ti``ck` = ? ORDER BY `Order`.`quo\"te`, "
      "`Order`.`ti``ck` DESC"));
  static_assert(says<Ask::create>(
      orders,
      R"(INSERT INTO "Order" ("group", "select", "MixedCase", "space d", "quo""te", "ti`ck", "índice") VALUES (?, ?, ?, ?, ?, ?, ?))",
      R"(INSERT INTO "Order" ("group", "select", "MixedCase", "space d", "quo""te", "ti`ck", "índice") VALUES ($1, $2, $3, $4, $5, $6, $7))",
      "INSERT INTO `Order` (`group`, `select`, `MixedCase`, `space d`, `quo\"te`, `ti``ck`, "
      "`índice`) VALUES (?, ?, ?, ?, ?, ?, ?)"));
  static_assert(says<Ask::update>(
      orders,
      R"(UPDATE "Order" SET "select" = ?, "MixedCase" = ?, "space d" = ?, "quo""te" = ?, "ti`ck" = ?, "índice" = ? WHERE "Order"."group" = ?)",
      R"(UPDATE "Order" SET "select" = $1, "MixedCase" = $2, "space d" = $3, "quo""te" = $4, "ti`ck" = $5, "índice" = $6 WHERE "Order"."group" = $7)",
      "UPDATE `Order` SET `select` = ?, `MixedCase` = ?, `space d` = ?, `quo\"te` = ?, `ti``ck` = "
      "?, `índice` = ? WHERE `Order`.`group` = ?"));
  static_assert(says<Ask::remove>(orders, R"(DELETE FROM "Order" WHERE "Order"."group" = ?)",
                                  R"(DELETE FROM "Order" WHERE "Order"."group" = $1)",
                                  "DELETE FROM `Order` WHERE `Order`.`group` = ?"));
  static_assert(
      upsert_text<Engine::sqlite, Order>(on<&Order::quote>, set<&Order::select, &Order::tick>)
          .ends_with(
              R"(ON CONFLICT ("quo""te") DO UPDATE SET "select" = excluded."select", "ti`ck" = excluded."ti`ck" RETURNING "group")"));
  static_assert(
      upsert_text<Engine::mysql, Order>(on<&Order::quote>, set<&Order::quote, &Order::tick>)
          .ends_with("ON DUPLICATE KEY UPDATE `quo\"te` = IF(`Order`.`quo\"te` = VALUES(`quo\"te`), "
                     "VALUES(`quo\"te`), (SELECT 1 UNION ALL SELECT 2)), `ti``ck` = "
                     "VALUES(`ti``ck`) RETURNING `group`"));
  static_assert(sql_text<Engine::mysql>(
                    orders.everything().set(field<& Order::tick> = field<&Order::quote> + "x")) ==
                "UPDATE `Order` SET `ti``ck` = CONCAT(`Order`.`quo\"te`, ?)");
}

TEST(Names, B15_AreQuotedAtRunTimeToo) {
  EXPECT_EQ(sql_text<Engine::mysql>(orders.order_by(by<Order>("ti`ck"))),
            sql_text<Engine::mysql>(orders.order_by(asc<&Order::tick>)));
  EXPECT_EQ(sql_text<Engine::sqlite>(orders.where(Filter<Order>(field<&Order::quote> == "x"))),
            sql_text<Engine::sqlite>(orders.where(field<&Order::quote> == "x")));
}

// A table's name of quotes only, the worst that can be.
struct Evil {
  std::int64_t id{};
  static consteval auto orm() {
    return model(table(R"("; DROP TABLE users; --)"), rename(&Evil::id, R"(""``'')"));
  }
};
static_assert(
    says(For<Evil>(no_database),
         R"(SELECT """; DROP TABLE users; --"."""""``''" FROM """; DROP TABLE users; --")",
         R"(SELECT """; DROP TABLE users; --"."""""``''" FROM """; DROP TABLE users; --")",
         "SELECT `\"; DROP TABLE users; --`.`\"\"````''` FROM `\"; DROP TABLE users; --`"));

}  // namespace
