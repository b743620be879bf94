// create_batch: all or nothing, every object gets the key of its own row, any size, any range.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"
#include "support/random_seed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <list>
#include <random>
#include <span>

namespace {

using namespace under_test;
using quark::asc;
using quark::field;
using quark::For;

struct Thing {
  std::int64_t id{};
  std::string code{};
  int n{};
  static consteval auto orm() {
    return quark::model(quark::unique(&Thing::code), quark::size(&Thing::code, 60));
  }
};

// Each object's key must lead to the row with its code, whatever order the engine took.
template <class Range>
void expect_own_keys(const Db& db, const Range& things) {
  std::vector<std::pair<std::int64_t, std::string>> stored;
  for (const auto& row : raw(db, "select id, code from things"))
    stored.emplace_back(std::stoll(*row[0]), *row[1]);
  std::sort(stored.begin(), stored.end());
  for (const Thing& thing : things) {
    const auto at =
        std::lower_bound(stored.begin(), stored.end(), std::pair{thing.id, std::string{}});
    ASSERT_TRUE(at != stored.end() && at->first == thing.id) << "no row has key " << thing.id;
    ASSERT_EQ(at->second, thing.code);
  }
}

TEST(B24, EachObjectGetsTheKeyOfItsRow) {
  auto db = fresh();
  quark::create_table<Thing>(db);
  const auto things = For<Thing>(db);
  things.create(Thing{1, "a", 0});
  things.create(Thing{2, "b", 0});
  under_test::after_given_keys(db, "things");
  for (int round = 0; round < 3; ++round) {
    std::vector<Thing> batch(500);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      // Codes in an order of their own, so that an index can't happen to be the order of the rows.
      batch[i].code = std::to_string(i * 7919 % 1000) + "-" + std::to_string(round);
      batch[i].n = static_cast<int>(i);
    }
    EXPECT_EQ(things.create_batch(batch), 500u);
    expect_own_keys(db, batch);
  }
  EXPECT_EQ(raw_cell(db, "select count(*) from things"), "1502");
}

TEST(Batch, TakesAnyRangeOfObjects) {
  auto db = fresh();
  quark::create_table<Thing>(db);
  const auto things = For<Thing>(db);
  std::vector<Thing> vector{{0, "v1", 0}, {0, "v2", 0}};
  std::array<Thing, 2> array{{{0, "a1", 0}, {0, "a2", 0}}};
  std::list<Thing> list{{0, "l1", 0}, {0, "l2", 0}};
  std::vector<Thing> more{{0, "s0", 0}, {0, "s1", 0}, {0, "s2", 0}};
  EXPECT_EQ(things.create_batch(vector), 2u);
  EXPECT_EQ(things.create_batch(array), 2u);
  EXPECT_EQ(things.create_batch(list), 2u);
  EXPECT_EQ(things.create_batch(std::span(more).subspan(1)), 2u);
  expect_own_keys(db, vector);
  expect_own_keys(db, array);
  expect_own_keys(db, list);
  EXPECT_EQ(more[0].id, 0);
  expect_own_keys(db, std::span(more).subspan(1));
}

TEST(Batch, OfNothingSendsNothing) {
  auto db = fresh();
  quark::create_table<Thing>(db);
  quark::StatementRecorder seen;
  db.use(seen);
  std::vector<Thing> none;
  EXPECT_EQ(For<Thing>(db).create_batch(none), 0u);
  EXPECT_EQ(seen.size(), 0u);
}

TEST(Batch, OfOneIsLikeCreate) {
  auto db = fresh();
  quark::create_table<Thing>(db);
  std::vector<Thing> one{{0, "only", 3}};
  For<Thing>(db).create_batch(one);
  EXPECT_EQ(raw_row(db, "select id, code, n from things"), std::to_string(one[0].id) + "|only|3");
}

TEST(Batch, IsAllOrNothing) {
  auto db = fresh();
  quark::create_table<Thing>(db);
  const auto things = For<Thing>(db);
  things.create(Thing{0, "taken", 0});
  for (const std::size_t bad : {std::size_t{0}, std::size_t{7}, std::size_t{19}}) {
    std::vector<Thing> batch(20);
    for (std::size_t i = 0; i < batch.size(); ++i)
      batch[i].code = i == bad ? "taken" : "c" + std::to_string(i);
    const auto error = error_of<quark::UniqueViolation>([&] { things.create_batch(batch); });
    EXPECT_NE(error.statement().find("INSERT"), std::string_view::npos);
    EXPECT_EQ(raw_cell(db, "select count(*) from things"), "1");
    for (const Thing& thing : batch) EXPECT_EQ(thing.id, 0) << "a key without a row";
    batch[bad].code = "free" + std::to_string(bad);
    EXPECT_EQ(things.create_batch(batch), 20u) << "the second try of the same objects";
    expect_own_keys(db, batch);
    EXPECT_EQ(things.where(field<&Thing::code> != "taken").remove(), 20u);
  }
}

TEST(Batch, MixesGivenAndMadeKeys) {
  auto db = fresh();
  quark::create_table<Thing>(db);
  std::vector<Thing> batch{{0, "a", 0}, {10, "b", 0}, {0, "c", 0},
                           {5, "d", 0}, {-3, "e", 0}, {0, "f", 0}};
  EXPECT_EQ(For<Thing>(db).create_batch(batch), 6u);
  EXPECT_EQ(batch[1].id, 10);
  EXPECT_EQ(batch[3].id, 5);
  EXPECT_EQ(batch[4].id, -3);
  expect_own_keys(db, batch);

  std::vector<Thing> bad{{0, "g", 0}, {10, "h", 0}, {0, "i", 0}};
  EXPECT_THROW(For<Thing>(db).create_batch(bad), quark::UniqueViolation);
  EXPECT_EQ(bad[0].id, 0);
  EXPECT_EQ(raw_cell(db, "select count(*) from things"), "6");
}

TEST(Batch, InATransactionIsUndoneWithIt) {
  auto db = fresh();
  quark::create_table<Thing>(db);
  std::vector<Thing> batch{{0, "a", 0}, {0, "b", 0}};
  {
    auto tx = db.begin();
    For<Thing>(tx).create(Thing{0, "before", 0});
    For<Thing>(tx).create_batch(batch);
    std::vector<Thing> bad{{0, "x", 0}, {0, "a", 0}};
    EXPECT_THROW(For<Thing>(tx).create_batch(bad), quark::UniqueViolation);
    EXPECT_EQ(For<Thing>(tx).count(), 3) << "only the failed batch is undone";
  }
  EXPECT_EQ(raw_cell(db, "select count(*) from things"), "0");
}

TEST(Batch, OfAModelWithoutAMadeKey) {
  auto db = fresh();
  quark::create_table<Product>(db);
  std::vector<Product> products;
  for (int i = 0; i < 100; ++i)
    products.push_back({"C" + std::to_string(i % 10), std::to_string(i), std::string(300, 'x')});
  EXPECT_EQ(For<Product>(db).create_batch(products), 100u);
  EXPECT_EQ(For<Product>(db).count(), 100);
  EXPECT_EQ(For<Product>(db).get("C3", "93").text, std::string(300, 'x'));
  EXPECT_THROW(For<Product>(db).create_batch(products), quark::UniqueViolation);
  EXPECT_EQ(For<Product>(db).count(), 100);
}

struct Sample {
  std::int64_t id{};
  int a{};
  std::optional<std::string> b{};
  static consteval auto orm() { return quark::model(quark::default_value(&Sample::a, 5)); }
};

TEST(B20, SeventyThousandRowsAndAsManyValuesInOneIn) {
  auto db = fresh();
  quark::create_table<Sample>(db);
  constexpr int n = 70'000;
  std::vector<Sample> rows(n);
  for (int i = 0; i < n; ++i) rows[static_cast<std::size_t>(i)].a = i;
  EXPECT_EQ(For<Sample>(db).create_batch(rows), std::uint64_t{n});
  std::vector<std::int64_t> ids;
  for (const Sample& row : rows) ids.push_back(row.id);
  for (int again = 0; again < 2; ++again) {
    const auto found =
        For<Sample>(db).where(field<&Sample::id>.in(ids)).order_by(asc<&Sample::a>).list();
    ASSERT_EQ(found.size(), std::size_t{n});
    for (int i = 0; i < n; ++i) {
      const auto& row = found[static_cast<std::size_t>(i)];
      ASSERT_EQ(row.a, i);
      ASSERT_EQ(row.id, ids[static_cast<std::size_t>(i)]);
    }
  }
  ids.resize(ids.size() / 2);
  EXPECT_EQ(For<Sample>(db).where(field<&Sample::id>.not_in(ids)).count(), n / 2);
  EXPECT_EQ(For<Sample>(db).where(field<&Sample::id>.in(ids)).remove(), std::uint64_t{n / 2});
}

struct Defaulted {
  std::int64_t id{};
  std::string name{};
  std::optional<int> baz{};
  static consteval auto orm() { return quark::model(quark::default_value(&Defaulted::baz, 100)); }
};
struct Plain {
  std::int64_t id{};
  std::optional<int> baz{};
};

TEST(B23, ABatchTreatsARowAloneAndAmongOthersAlike) {
  auto db = fresh();
  quark::create_all<Defaulted, Plain>(db);
  std::vector<Defaulted> both{{0, "a", std::nullopt}, {0, "b", 15}}, alone{{0, "a", std::nullopt}};
  For<Defaulted>(db).create_batch(both);
  For<Defaulted>(db).create_batch(alone);
  EXPECT_EQ(raw_cell(db, "select count(*) from defaulteds where name = 'a' and baz = 100"), "2");
  EXPECT_EQ(both[0].baz, 100) << "the object holds what the row holds";
  std::vector<Plain> plain{{0, std::nullopt}, {0, 15}}, one{{0, std::nullopt}};
  For<Plain>(db).create_batch(plain);
  For<Plain>(db).create_batch(one);
  EXPECT_EQ(raw_cell(db, "select count(*) from plains where baz is null"), "2");
}

// Random batches, keys given and made, values of every length: what is read equals what was
// written.
TEST(Batch, RandomOnesAreReadBackExactly) {
  SCOPED_TRACE(under_test::seed_text());
  std::mt19937 random(under_test::random_seed());
  auto db = fresh();
  quark::create_table<User>(db);
  std::vector<User> expected;
  std::int64_t next_given = 1'000'000;
  for (int round = 0; round < 25; ++round) {
    std::vector<User> batch(random() % 60);
    const bool given = random() % 3 == 0, mixed = random() % 3 == 0;
    for (User& user : batch) {
      if (given || (mixed && random() % 2 == 0))
        user.id = next_given += 1 + static_cast<int>(random() % 3);
      user.name.resize(random() % 50);
      for (char& c : user.name) c = static_cast<char>('a' + random() % 26);
      if (random() % 2 == 0) user.email = std::string(random() % 5, 'e');
      user.age = static_cast<int>(random());
      user.active = random() % 2 == 0;
    }
    ASSERT_EQ(For<User>(db).create_batch(batch), batch.size());
    for (const User& user : batch) next_given = std::max(next_given, user.id);
    expected.insert(expected.end(), batch.begin(), batch.end());
  }
  std::sort(expected.begin(), expected.end(),
            [](const User& a, const User& b) { return a.id < b.id; });
  EXPECT_EQ(For<User>(db).order_by(asc<&User::id>).list(), expected);
}

}  // namespace
