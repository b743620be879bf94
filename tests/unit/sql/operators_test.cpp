// What each operator and predicate says, for three engines, checked by the compiler.
#include "unit/sql/texts.hpp"

#include <gtest/gtest.h>

namespace {

using namespace quark;

enum class Mood : int { calm = 1, wild = 2 };

struct Row {
  std::int64_t id{};
  std::string t;
  std::string u;
  std::optional<std::string> o;
  int i{};
  std::optional<int> n;
  double d{};
  bool b{};
  Mood mood{};
  Decimal<10, 2> price;
  static consteval auto orm() { return model(table("r")); }
};

// Short names: the tests are about operators.
constexpr auto& T = field<&Row::t>;
constexpr auto& U = field<&Row::u>;
constexpr auto& O = field<&Row::o>;
constexpr auto& I = field<&Row::i>;
constexpr auto& N = field<&Row::n>;
constexpr auto& D = field<&Row::d>;
constexpr auto& B = field<&Row::b>;
constexpr auto& M = field<&Row::mood>;
constexpr auto& P = field<&Row::price>;

// The condition's text with the table's name left out: "r"."i" = $1 is i = $1.
template <Engine E>
constexpr bool same(std::string_view text, std::string_view expected) {
  constexpr char quote = dialect_of(E).quote;
  text = test::behind_where(text);
  std::size_t at = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == quote && text.substr(i + 1, 3) == (quote == '"' ? "r\"." : "r`.")) {
      i += 3;
      continue;
    }
    if (text[i] == quote) continue;
    if (at == expected.size() || expected[at++] != text[i]) return false;
  }
  return at == expected.size();
}
template <class C>
constexpr bool says(C&& condition, std::string_view sqlite, std::string_view postgres,
                    std::string_view mysql) {
  const auto query = For<Row>(no_database).where(static_cast<C&&>(condition));
  return same<Engine::sqlite>(sql_text<Engine::sqlite>(query), sqlite) &&
         same<Engine::postgres>(sql_text<Engine::postgres>(query), postgres) &&
         same<Engine::mysql>(sql_text<Engine::mysql>(query), mysql);
}
// PostgreSQL's placeholders apart, all three say the same.
template <class C>
constexpr bool says(C&& condition, std::string_view sqlite, std::string_view postgres) {
  return says(static_cast<C&&>(condition), sqlite, postgres, sqlite);
}
template <class C>
constexpr bool says(C&& condition, std::string_view everywhere) {
  return says(static_cast<C&&>(condition), everywhere, everywhere, everywhere);
}

// Comparison, with a value on either side, and between columns.
static_assert(says(I == 1, "i = ?", "i = $1"));
static_assert(says(I != 1, "i <> ?", "i <> $1"));
static_assert(says(I < 1, "i < ?", "i < $1"));
static_assert(says(I <= 1, "i <= ?", "i <= $1"));
static_assert(says(I > 1, "i > ?", "i > $1"));
static_assert(says(I >= 1, "i >= ?", "i >= $1"));
static_assert(says(1 == I, "i = ?", "i = $1"));
static_assert(says(1 != I, "i <> ?", "i <> $1"));
static_assert(says(1 < I, "i > ?", "i > $1"));
static_assert(says(1 <= I, "i >= ?", "i >= $1"));
static_assert(says(1 > I, "i < ?", "i < $1"));
static_assert(says(1 >= I, "i <= ?", "i <= $1"));
static_assert(says(T == U, "t = u"));
static_assert(says(T < U, "t < u"));
static_assert(says(I == D, "i = d"));
static_assert(says(T == O, "t = o"));
static_assert(says(I == 1u, "i = ?", "i = $1"));
static_assert(says(D >= 1, "d >= ?", "d >= $1"));
static_assert(says(M == Mood::wild, "mood = ?", "mood = $1"));
static_assert(says(M < Mood::wild, "mood < ?", "mood < $1"));
static_assert(says(B == true, "b = ?", "b = $1"));
static_assert(says(T == "x" && "x" == T, "t = ? AND t = ?", "t = $1 AND t = $2"));
static_assert(says(P > Decimal<10, 2>{}, "price > ?", "price > $1"));

// NULL and optionals (fault B21).
static_assert(says(O == std::nullopt, "o IS NULL"));
static_assert(says(O != std::nullopt, "o IS NOT NULL"));
static_assert(says(std::nullopt == O, "o IS NULL"));
static_assert(says(O.is_null(), "o IS NULL"));
static_assert(says(O.is_not_null(), "o IS NOT NULL"));
static_assert(says((I + 1) == std::nullopt, "i + ? IS NULL", "i + $1 IS NULL"));
static_assert(says(N == std::optional<int>{}, "n IS ?", "n IS NOT DISTINCT FROM $1", "n <=> ?"));
static_assert(says(N == std::optional<int>{3}, "n IS ?", "n IS NOT DISTINCT FROM $1", "n <=> ?"));
static_assert(says(N != std::optional<int>{}, "n IS NOT ?", "n IS DISTINCT FROM $1",
                   "NOT (n <=> ?)"));
static_assert(says(I == std::optional<long>{3} && B == true, "i IS ? AND b = ?",
                   "i IS NOT DISTINCT FROM $1 AND b = $2", "i <=> ? AND b = ?"));
static_assert(says(!(N != std::optional<int>{}), "NOT (n IS NOT ?)", "NOT (n IS DISTINCT FROM $1)",
                   "NOT (NOT (n <=> ?))"));

// Logic, and a bool column as a condition.
static_assert(says(B, "b"));
static_assert(says(!B, "NOT (b)"));
static_assert(says(B && I == 1, "b AND i = ?", "b AND i = $1"));
static_assert(says(I == 1 || I == 2 || I == 3, "i = ? OR i = ? OR i = ?",
                   "i = $1 OR i = $2 OR i = $3"));
static_assert(says(I == 1 || (I == 2 && B), "i = ? OR i = ? AND b", "i = $1 OR i = $2 AND b"));
static_assert(says((I == 1 || I == 2) && B, "(i = ? OR i = ?) AND b", "(i = $1 OR i = $2) AND b"));
static_assert(says(B && (I == 1 || I == 2), "b AND (i = ? OR i = ?)", "b AND (i = $1 OR i = $2)"));
static_assert(says(!(I == 1 && B), "NOT (i = ? AND b)", "NOT (i = $1 AND b)"));
static_assert(says(!(I == 1) && B, "NOT (i = ?) AND b", "NOT (i = $1) AND b"));
static_assert(says(!!B, "NOT (NOT (b))"));

// in.
constexpr int some[] = {1, 2};
constexpr struct {
  const int* begin() const { return some; }
  const int* end() const { return some + 2; }
} range{};
static_assert(says(I.in(1), "i IN (?)", "i IN ($1)"));
static_assert(says(I.in(1, 2, 3), "i IN (?, ?, ?)", "i IN ($1, $2, $3)"));
static_assert(says(I.not_in(1, 2), "i NOT IN (?, ?)", "i NOT IN ($1, $2)"));
static_assert(says(T.in("a", "b"), "t IN (?, ?)", "t IN ($1, $2)"));
static_assert(says(I.in(range), "i IN (SELECT c0 FROM quark_rows(?))", "i = ANY($1)",
                   "i IN (SELECT v FROM JSON_TABLE(?, '$[*]' COLUMNS (v BIGINT PATH '$')) AS j)"));
static_assert(
    says(I.not_in(range), "i NOT IN (SELECT c0 FROM quark_rows(?))", "i <> ALL($1)",
         "i NOT IN (SELECT v FROM JSON_TABLE(?, '$[*]' COLUMNS (v BIGINT PATH '$')) AS j)"));
static_assert(
    says(!I.in(range), "NOT (i IN (SELECT c0 FROM quark_rows(?)))", "NOT (i = ANY($1))",
         "NOT (i IN (SELECT v FROM JSON_TABLE(?, '$[*]' COLUMNS (v BIGINT PATH '$')) AS j))"));
static_assert(says(
    D.in(1.0, 2.0) && I.in(range), "d IN (?, ?) AND i IN (SELECT c0 FROM quark_rows(?))",
    "d IN ($1, $2) AND i = ANY($3)",
    "d IN (?, ?) AND i IN (SELECT v FROM JSON_TABLE(?, '$[*]' COLUMNS (v BIGINT PATH '$')) AS j)"));

// What a list of texts, times or bytes looks like in MySQL's JSON_TABLE is decided by the column.
struct Listed {
  std::int64_t id{};
  std::string text{};
  std::vector<std::byte> bytes{};
  quark::Uuid uuid{};
  std::uint64_t natural{};
};
constexpr std::string_view mysql_list(std::string_view text) {
  text.remove_prefix(text.find(" IN ("));
  return text;
}
TEST(Operators, MySQLReadsAListByItsColumnsType) {
  const auto listed = For<Listed>(no_database);
  const std::vector<std::string> texts{"a"};
  const std::vector<std::vector<std::byte>> bytes(1);
  const std::vector<quark::Uuid> uuids(1);
  const std::vector<std::uint64_t> naturals{1};
  EXPECT_EQ(mysql_list(sql_text<Engine::mysql>(listed.where(field<&Listed::text>.in(texts)))),
            " IN (SELECT JSON_UNQUOTE(v) FROM JSON_TABLE(?, '$[*]' COLUMNS (v JSON PATH '$')) AS j)");
  EXPECT_EQ(mysql_list(sql_text<Engine::mysql>(listed.where(field<&Listed::bytes>.in(bytes)))),
            " IN (SELECT UNHEX(v) FROM JSON_TABLE(?, '$[*]' COLUMNS (v LONGTEXT PATH '$')) AS j)");
  EXPECT_EQ(mysql_list(sql_text<Engine::mysql>(listed.where(field<&Listed::uuid>.in(uuids)))),
            " IN (SELECT UNHEX(v) FROM JSON_TABLE(?, '$[*]' COLUMNS (v LONGTEXT PATH '$')) AS j)");
  EXPECT_EQ(mysql_list(sql_text<Engine::mysql>(listed.where(field<&Listed::natural>.in(naturals)))),
            " IN (SELECT v FROM JSON_TABLE(?, '$[*]' COLUMNS (v BIGINT UNSIGNED PATH '$')) AS j)");
}

// between.
static_assert(says(I.between(1, 2), "i BETWEEN ? AND ?", "i BETWEEN $1 AND $2"));
static_assert(says(I.not_between(1, 2), "i NOT BETWEEN ? AND ?", "i NOT BETWEEN $1 AND $2"));
static_assert(says(I.between(1, 2) && B, "i BETWEEN ? AND ? AND b", "i BETWEEN $1 AND $2 AND b"));
static_assert(says(!I.between(1, 2), "NOT (i BETWEEN ? AND ?)", "NOT (i BETWEEN $1 AND $2)"));

// like and its helpers (fault B18): one text, the pattern is a value.
static_assert(says(T.like("a%"), "t LIKE ? ESCAPE '!'", "t LIKE $1 ESCAPE '!'"));
static_assert(says(T.not_like("a%"), "t NOT LIKE ? ESCAPE '!'", "t NOT LIKE $1 ESCAPE '!'"));
static_assert(says(T.contains("_"), "t LIKE ? ESCAPE '!'", "t LIKE $1 ESCAPE '!'"));
static_assert(says(T.starts_with("_"), "t LIKE ? ESCAPE '!'", "t LIKE $1 ESCAPE '!'"));
static_assert(says(O.ends_with("_") && B, "o LIKE ? ESCAPE '!' AND b",
                   "o LIKE $1 ESCAPE '!' AND b"));

// Arithmetic.
static_assert(says(I + 1 == 2, "i + ? = ?", "i + $1 = $2"));
static_assert(says(1 + I == 2, "? + i = ?", "$1 + i = $2"));
static_assert(says(I - 1 < 2, "i - ? < ?", "i - $1 < $2"));
static_assert(says(I * 2 > D, "i * ? > d", "i * $1 > d"));
static_assert(says(I / 2 == 1, "i / ? = ?", "i / $1 = $2", "i DIV ? = ?"));
static_assert(says(D / 2.0 == 1.0, "d / ? = ?", "d / $1 = $2"));
static_assert(says(I / D == 1.0, "i / d = ?", "i / d = $1"));
static_assert(says(I % 2 == 0, "i % ? = ?", "i % $1 = $2"));
static_assert(says(-I == 1, "-i = ?", "-i = $1"));
static_assert(says(-(-I) == 1, "-(-i) = ?", "-(-i) = $1"));
static_assert(says(I - (-I) == 1, "i - -i = ?", "i - -i = $1"));
static_assert(says(-(I + 1) == 1, "-(i + ?) = ?", "-(i + $1) = $2"));
static_assert(says(I + I * I == 1, "i + i * i = ?", "i + i * i = $1"));
static_assert(says((I + I) * I == 1, "(i + i) * i = ?", "(i + i) * i = $1"));
static_assert(says(I - (I - I) == 1, "i - (i - i) = ?", "i - (i - i) = $1"));
static_assert(says(I - I - I == 1, "i - i - i = ?", "i - i - i = $1"));
static_assert(says(I / (I * I) == 1, "i / (i * i) = ?", "i / (i * i) = $1", "i DIV (i * i) = ?"));
static_assert(says(P + P > Decimal<10, 2>{}, "price + price > ?", "price + price > $1"));

// Joined text.
static_assert(says(T + "x" == "y", "t || ? = ?", "t || $1 = $2", "CONCAT(t, ?) = ?"));
static_assert(says("x" + T == U, "? || t = u", "$1 || t = u", "CONCAT(?, t) = u"));
static_assert(says(T + U + O == "y", "t || u || o = ?", "t || u || o = $1",
                   "CONCAT(CONCAT(t, u), o) = ?"));
static_assert(says(T + (U + O) == "y", "t || (u || o) = ?", "t || (u || o) = $1",
                   "CONCAT(t, CONCAT(u, o)) = ?"));

TEST(Operators, SayTheSameAtRunTime) {
  const auto query = For<Row>(no_database).where(T.contains("x") || I.in(range));
  EXPECT_EQ(sql_text<Engine::sqlite>(query),
            sql_text<Engine::sqlite>(
                For<Row>(no_database).where(Filter<Row>(T.contains("x") || I.in(range)))));
}

}  // namespace
