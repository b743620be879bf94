// Conditions: every predicate against rows where the answer is known; then run-time filters, orders
// and `in`.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <list>

namespace {

using namespace under_test;
using quark::asc;
using quark::desc;
using quark::field;
using quark::Filter;
using quark::For;

struct Item {
  std::int64_t id{};
  std::string name{};
  std::optional<int> k{};
  int n{};
  double w{};
};

// id 1..6: k = 1, 2, NULL, 4, NULL, 6; n = 10 .. 60.
Db six_items() {
  auto db = fresh();
  quark::create_table<Item>(db);
  const auto items = For<Item>(db);
  const char* const names[] = {"a_b", "axb", "100%", "100x", "c:\\d", "c:xd"};
  for (int i = 1; i <= 6; ++i)
    items.create(
        Item{i, names[i - 1], i == 3 || i == 5 ? std::optional<int>{} : i, i * 10, i * 0.5});
  return db;
}

using Ids = std::vector<std::int64_t>;
template <class Condition>
Ids where(Db& db, Condition&& condition) {
  return For<Item>(db)
      .where(std::forward<Condition>(condition))
      .order_by(asc<&Item::id>)
      .template pluck<&Item::id>();
}

TEST(Filter, Comparisons) {
  auto db = six_items();
  EXPECT_EQ(where(db, field<&Item::n> == 30), (Ids{3}));
  EXPECT_EQ(where(db, field<&Item::n> != 30), (Ids{1, 2, 4, 5, 6}));
  EXPECT_EQ(where(db, field<&Item::n> < 30), (Ids{1, 2}));
  EXPECT_EQ(where(db, field<&Item::n> <= 30), (Ids{1, 2, 3}));
  EXPECT_EQ(where(db, field<&Item::n> > 30), (Ids{4, 5, 6}));
  EXPECT_EQ(where(db, field<&Item::n> >= 30), (Ids{3, 4, 5, 6}));
  EXPECT_EQ(where(db, 30 < field<&Item::n>), (Ids{4, 5, 6}));
  EXPECT_EQ(where(db, 30 >= field<&Item::n>), (Ids{1, 2, 3}));
  EXPECT_EQ(where(db, "axb" == field<&Item::name>), (Ids{2}));
  EXPECT_EQ(where(db, field<&Item::k> == field<&Item::id>), (Ids{1, 2, 4, 6}));
  EXPECT_EQ(where(db, field<&Item::w> >= 1), (Ids{2, 3, 4, 5, 6}));
}

TEST(Filter, LogicKeepsItsParentheses) {
  auto db = six_items();
  const auto low = field<&Item::n> <= 20;
  const auto high = field<&Item::n> >= 50;
  EXPECT_EQ(where(db, (low || high) && field<&Item::k> == 2), (Ids{2}));
  EXPECT_EQ(where(db, low || (high && field<&Item::k> == 2)), (Ids{1, 2}));
  EXPECT_EQ(where(db, !(low || high)), (Ids{3, 4}));
  EXPECT_EQ(where(db, !low && !high), (Ids{3, 4}));
  EXPECT_EQ(where(db, !(!low)), (Ids{1, 2}));
}

TEST(Filter, NullIsNeitherTrueNorFalse) {
  auto db = six_items();
  EXPECT_EQ(where(db, field<&Item::k> > 0), (Ids{1, 2, 4, 6}));
  EXPECT_EQ(where(db, !(field<&Item::k> > 0)), Ids{});
  EXPECT_EQ(where(db, field<&Item::k> != 1), (Ids{2, 4, 6}));
  EXPECT_EQ(where(db, field<&Item::k>.is_null() || field<&Item::k> == 1), (Ids{1, 3, 5}));
}

TEST(Filter, ArithmeticFollowsPrecedence) {
  auto db = six_items();
  EXPECT_EQ(where(db, field<&Item::n> + 5 == 35), (Ids{3}));
  EXPECT_EQ(where(db, (field<&Item::n> - 10) * 2 == 40), (Ids{3}));
  EXPECT_EQ(where(db, field<&Item::n> - field<&Item::id> * 10 == 0), (Ids{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(where(db, 100 - (field<&Item::n> - 10) == 70), (Ids{4}));
  EXPECT_EQ(where(db, field<&Item::n> % 4 == 0), (Ids{2, 4, 6}));
  EXPECT_EQ(where(db, field<&Item::n> / 7 == 4), (Ids{3}));
  EXPECT_EQ(where(db, -field<&Item::n> < -45), (Ids{5, 6}));
  EXPECT_EQ(where(db, -(-field<&Item::n>) == 10), (Ids{1}));
  EXPECT_EQ(where(db, field<&Item::w> / 2 == 0.75), (Ids{3}));
  EXPECT_EQ(where(db, field<&Item::name> + "!" == "axb!"), (Ids{2}));
  EXPECT_EQ(where(db, "<" + field<&Item::name> + ">" == "<axb>"), (Ids{2}));
}

TEST(Filter, Between) {
  auto db = six_items();
  EXPECT_EQ(where(db, field<&Item::n>.between(20, 40)), (Ids{2, 3, 4}));
  EXPECT_EQ(where(db, field<&Item::n>.not_between(20, 40)), (Ids{1, 5, 6}));
  EXPECT_EQ(where(db, field<&Item::n>.between(40, 20)), Ids{});
  EXPECT_EQ(where(db, field<&Item::k>.not_between(1, 2)), (Ids{4, 6}));
  EXPECT_EQ(where(db, field<&Item::name>.between("a", "b")), (Ids{1, 2}));
}

TEST(Filter, InTakesRangesAndLists) {
  auto db = six_items();
  const std::vector<int> two{10, 60};
  const std::list<int> three{20, 30, 1000};
  EXPECT_EQ(where(db, field<&Item::n>.in(two)), (Ids{1, 6}));
  EXPECT_EQ(where(db, field<&Item::n>.in(three)), (Ids{2, 3}));
  EXPECT_EQ(where(db, field<&Item::n>.not_in(two)), (Ids{2, 3, 4, 5}));
  EXPECT_EQ(where(db, field<&Item::n>.in(10, 20)), (Ids{1, 2}));
  EXPECT_EQ(where(db, field<&Item::n>.not_in(10, 20, 30)), (Ids{4, 5, 6}));
  EXPECT_EQ(where(db, field<&Item::name>.in("axb", "100x")), (Ids{2, 4}));
  EXPECT_EQ(where(db, field<&Item::name>.in(std::vector<std::string>{"axb", "none"})), (Ids{2}));
  EXPECT_EQ(
      where(db, field<&Item::n>.in(two) && field<&Item::name>.in(std::vector<std::string>{"a_b"})),
      (Ids{1}));
  EXPECT_EQ(where(db, field<&Item::n>.in(two)), (Ids{1, 6})) << "the second call of one text";
  const int array[] = {30, 40};
  EXPECT_EQ(where(db, field<&Item::n>.in(array)), (Ids{3, 4}));
  const char* const names[] = {"axb", "100x"};
  EXPECT_EQ(where(db, field<&Item::name>.in(names)), (Ids{2, 4}));
  std::string_view views[] = {"axb"};
  EXPECT_EQ(where(db, Filter<Item>(field<&Item::name>.in(views))), (Ids{2}));
}

TEST(B18, WildcardsInTextAreOrdinaryCharacters) {
  auto db = six_items();
  EXPECT_EQ(where(db, field<&Item::name>.contains("_")), (Ids{1}));
  EXPECT_EQ(where(db, field<&Item::name>.starts_with("100%")), (Ids{3}));
  EXPECT_EQ(where(db, field<&Item::name>.ends_with("\\d")), (Ids{5}));
  EXPECT_EQ(where(db, field<&Item::name>.contains("")), (Ids{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(where(db, field<&Item::name>.like("a_b")), (Ids{1, 2}));
  EXPECT_EQ(where(db, field<&Item::name>.not_like("a_b")), (Ids{3, 4, 5, 6}));
  EXPECT_EQ(where(db, field<&Item::name>.like("a!_b")), (Ids{1}));
  For<Item>(db).create(Item{.id = 7, .name = "ho!x"});
  EXPECT_EQ(where(db, field<&Item::name>.contains("!")), (Ids{7}));
  EXPECT_EQ(where(db, field<&Item::name>.contains("o!x")), (Ids{7}));
  EXPECT_EQ(where(db, field<&Item::name>.contains(std::string("!") + "x")), (Ids{7}));
  Filter<Item> f = field<&Item::name>.contains("_");
  EXPECT_EQ(where(db, f), (Ids{1}));
}

TEST(B19, AnEmptyInIsFalseAndAnEmptyNotInIsTrue) {
  auto db = six_items();
  const std::vector<int> none;
  EXPECT_EQ(where(db, field<&Item::k>.in(none)), Ids{});
  EXPECT_EQ(where(db, field<&Item::k>.not_in(none)), (Ids{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(where(db, field<&Item::k>.in(none) || field<&Item::n> == 10), (Ids{1}));
  EXPECT_EQ(where(db, field<&Item::k>.not_in(none) && field<&Item::n> == 10), (Ids{1}));
  EXPECT_EQ(where(db, !(field<&Item::k>.in(none))), (Ids{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(For<Item>(db).where(field<&Item::k>.in(none)).count(), 0);
  EXPECT_FALSE(For<Item>(db).where(field<&Item::k>.in(none)).exists());
  EXPECT_EQ((For<Item>(db).where(field<&Item::k>.in(none)).max<&Item::n>()), std::nullopt);
  EXPECT_FALSE(For<Item>(db).where(field<&Item::k>.in(none)).find(1));
  EXPECT_EQ(For<Item>(db).where(field<&Item::k>.in(none)).set(field<& Item::n> = 0).update(), 0u);
  EXPECT_EQ(For<Item>(db).where(field<&Item::k>.in(none)).remove(), 0u);
  EXPECT_EQ(raw_cell(db, "select count(*) from items where n > 0"), "6");
  EXPECT_EQ(For<Item>(db).where(field<&Item::k>.not_in(none)).remove(), 6u);
}

TEST(B19, AnInThatCantBeTrueNeedsNoRoundTrip) {
  auto db = six_items();
  quark::StatementRecorder seen;
  db.use(seen);
  const std::vector<int> none;
  (void)For<Item>(db).where(field<&Item::k>.in(none) && field<&Item::n> > 0).list();
  (void)For<Item>(db).where(field<&Item::k>.in(none)).remove();
  EXPECT_EQ(seen.size(), 0u);
  (void)For<Item>(db).where(field<&Item::k>.in(none) || field<&Item::n> > 0).list();
  EXPECT_EQ(seen.size(), 1u);
}

TEST(Filter, IsBuiltAtRunTimeFromTheSameParts) {
  auto db = six_items();
  Filter<Item> f;
  EXPECT_TRUE(f.empty());
  EXPECT_EQ(where(db, f), (Ids{1, 2, 3, 4, 5, 6}));
  f &= field<&Item::n> > 10;
  EXPECT_EQ(where(db, f), (Ids{2, 3, 4, 5, 6}));
  f &= Filter<Item>(field<&Item::n> < 30) || field<&Item::name> == "c:xd";
  EXPECT_EQ(where(db, f), (Ids{2, 6}));
  f |= field<&Item::k> == 1;
  EXPECT_EQ(where(db, f), (Ids{1, 2, 6}));
  EXPECT_EQ(where(db, !f), (Ids{4})) << "NOT leaves NULL unknown: ids 3 and 5 have no k";
  EXPECT_EQ(
      For<Item>(db).where(field<&Item::n> >= 20).where(f).where(field<&Item::n> <= 50).count(), 1);
  EXPECT_EQ(For<Item>(db).where(f).where(Filter<Item>{}).count(), 3);
  EXPECT_THROW((void)!Filter<Item>{}, quark::Misuse);
}

TEST(Filter, OwnsItsText) {
  auto db = six_items();
  Filter<Item> f;
  {
    std::string name = "a x b that is longer than any small string buffer";
    const std::vector<std::string> names{name + "1", name + "2", "axb"};
    f = field<&Item::name> == name;
    f |= field<&Item::name>.in(names);
    name.assign(name.size(), '#');
  }
  EXPECT_EQ(where(db, f), (Ids{2}));
  const Filter<Item> copy = f;
  f = Filter<Item>{};
  EXPECT_EQ(where(db, copy), (Ids{2}));
}

TEST(B44, AQueryThatIsKeptOwnsItsText) {
  auto db = six_items();
  const auto make = [&](int number) {
    return For<Item>(db)
        .where(field<&Item::name> == "ax" + std::string(number == 7 ? "b" : "c"))
        .where(field<&Item::name>.starts_with(std::string("a") + "x"))
        .where(field<&Item::name>.in(std::vector<std::string>{std::string(40, 'y'), "axb"}));
  };
  const auto kept = make(7);
  const auto other = make(8);
  EXPECT_EQ(kept.count(), 1);
  EXPECT_EQ(other.count(), 0);
  const auto copy = kept;
  EXPECT_EQ(copy.one().id, 2);
  const auto update = make(7).set(field<& Item::name> = std::string("new ") + "name");
  EXPECT_EQ(update.update(), 1u);
  EXPECT_EQ(raw_cell(db, "select name from items where id = 2"), "new name");
}

TEST(B17, ARunTimeOrderTakesOnlyTheModelsNames) {
  auto db = six_items();
  quark::StatementRecorder seen;
  db.use(seen);
  for (const char* bad : {"name; drop table items", "name desc", "1", "", "(select 1)",
                          "items.name", "\"name\"", "Name"}) {
    const auto error =
        error_of<quark::Misuse>([&] { (void)For<Item>(db).order_by(quark::by<Item>(bad)).list(); });
    EXPECT_NE(std::string_view(error.what()).find("name"), std::string_view::npos);
  }
  EXPECT_EQ(seen.size(), 0u) << "refused before anything is sent";
  const auto order = quark::by<Item>("n", quark::Direction::descending);
  EXPECT_EQ((For<Item>(db).order_by(order).pluck<&Item::id>()), (Ids{6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(
      (For<Item>(db).order_by(asc<&Item::w>, quark::by<Item>("n")).limit(2).pluck<&Item::id>()),
      (Ids{1, 2}));
  EXPECT_EQ((For<Item>(db).order_by(order, desc<&Item::name>).offset(4).pluck<&Item::id>()),
            (Ids{2, 1}));
}

TEST(B17, AValueNeverBecomesStatement) {
  auto db = six_items();
  const std::string evil = "x'; drop table items; -- \" ` \\ ? $1";
  For<Item>(db).create(Item{.id = 7, .name = evil});
  EXPECT_EQ(raw_cell(db, "select " + hex_of("name") + " from items where id = 7").size(),
            evil.size() * 2);
  EXPECT_EQ(where(db, field<&Item::name> == evil), (Ids{7}));
  EXPECT_EQ(where(db, field<&Item::name>.contains(evil)), (Ids{7}));
  EXPECT_EQ(raw_cell(db, "select count(*) from items"), "7");
}

TEST(Filter, OfOneTextRunsAgainWithOtherValues) {
  auto db = six_items();
  for (int round = 0; round < 3; ++round) {
    for (int i = 1; i <= 6; ++i) {
      Filter<Item> f;
      f &= field<&Item::n> == i * 10;
      EXPECT_EQ(where(db, f), (Ids{i}));
      EXPECT_EQ(where(db, field<&Item::n> == i * 10), (Ids{i}));
    }
  }
}

TEST(Filter, InTakesAVectorOfBool) {
  auto db = fresh();
  quark::create_table<User>(db);
  For<User>(db).create(User{1, "a", {}, 1, true});
  For<User>(db).create(User{2, "b", {}, 1, false});
  std::vector<bool> flags{true};
  EXPECT_EQ(For<User>(db).where(field<&User::active>.in(flags)).one().id, 1);
  EXPECT_EQ(For<User>(db).where(field<&User::active>.not_in(std::as_const(flags))).one().id, 2);
  flags.push_back(false);
  EXPECT_EQ(For<User>(db).where(field<&User::active>.in(flags)).count(), 2);
}

TEST(Filter, OfThousandsOfTermsRuns) {
  auto db = fresh();
  quark::create_table<User>(db);
  std::vector<User> batch;
  for (int i = 0; i < 10; ++i) batch.push_back(User{i + 1, "n" + std::to_string(i), {}, i, false});
  For<User>(db).create_batch(batch);
  const std::string long_name(100, 'x');
  Filter<User> numbers, names, none;
  for (int i = 0; i < 1500; ++i) {
    numbers |= field<&User::age> == i * 7;
    if (i < 1100) {
      names |= field<&User::name> == long_name + std::to_string(i);
      none &= field<&User::age> != 1000 + i;
    }
  }
  names |= field<&User::name> == "n3";
  EXPECT_EQ(For<User>(db).where(numbers).count(), 2);
  EXPECT_EQ(For<User>(db).where(!numbers).count(), 8);
  EXPECT_EQ(For<User>(db).where(names).one().age, 3);
  EXPECT_EQ(For<User>(db).where(none).count(), 10);
  EXPECT_EQ(For<User>(db).where((names && none) || field<&User::age> == 9).count(), 2);
  // What was joined in stays as it was.
  const auto kept = names;
  names &= field<&User::age> == 4;
  EXPECT_EQ(For<User>(db).where(kept).count(), 1);
  EXPECT_EQ(For<User>(db).where(names).count(), 0);
  names |= names;
  names |= kept;
  EXPECT_EQ(For<User>(db).where(names).count(), 1);
}

TEST(Filter, OfManyTermsMakesNoMessageOfThatLength) {
  auto db = fresh();
  Filter<User> filter;
  for (int i = 0; i < 1000; ++i) filter |= field<&User::age> == i;
  const auto error = error_of<quark::SyntaxError>([&] { (void)For<User>(db).where(filter).count(); });
  EXPECT_LT(std::string_view(error.what()).size(), 800u);
  EXPECT_GT(error.statement().size(), 10'000u);
}

}  // namespace
