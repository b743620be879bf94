// A write that fails leaves its object as it was, and no row: an object changes only when its row has.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace {

using namespace under_test;
using quark::field;
using quark::For;
using quark::on;

using Moment = std::chrono::sys_time<std::chrono::microseconds>;

struct Doc {
  std::int64_t id{};
  std::string slug{};
  std::optional<std::string> state{};
  std::optional<int> rank{};
  Moment born{}, changed{};
  std::int32_t version{};
  friend bool operator==(const Doc&, const Doc&) = default;
  static consteval auto orm() {
    return quark::model(quark::unique(&Doc::slug), quark::size(&Doc::slug, 40),
                        quark::default_value(&Doc::state, "draft"), quark::default_value(&Doc::rank, 3), quark::created_at(&Doc::born),
                        quark::updated_at(&Doc::changed), quark::version(&Doc::version));
  }
};

Db docs_table() {
  auto db = fresh();
  quark::create_table<Doc>(db);
  For<Doc>(db).create(Doc{.slug = "taken"});
  return db;
}

TEST(UndoneWrite, ACreateThatFailsChangesNothing) {
  auto db = docs_table();
  const auto docs = For<Doc>(db);
  for (const Doc& before : {Doc{.slug = "taken"}, Doc{.slug = "taken", .state = "final"},
                            Doc{.slug = "taken", .rank = 7, .born = Moment{std::chrono::hours{5}}}}) {
    Doc doc = before;
    EXPECT_THROW(docs.create(doc), quark::UniqueViolation);
    EXPECT_EQ(doc, before);
    doc.slug = "free";
    docs.create(doc);
    EXPECT_EQ(docs.get(doc.id), doc);
    EXPECT_EQ(doc.rank, before.rank.value_or(3));
    EXPECT_NE(doc.born, Moment{});
    docs.remove(doc);
  }
}

TEST(UndoneWrite, AnUpsertThatFailsChangesNothing) {
  auto db = docs_table();
  const auto docs = For<Doc>(db);
  const Doc other = docs.create(Doc{.slug = "other"});
  const Doc before{.id = other.id, .slug = "taken", .changed = Moment{std::chrono::hours{5}}, .version = 9};
  Doc doc = before;
  EXPECT_THROW(docs.upsert(doc), quark::UniqueViolation) << "the key is other's, the slug is not";
  EXPECT_EQ(doc, before);
  EXPECT_EQ(docs.get(other.id), other);
}

TEST(UndoneWrite, ABatchThatFailsChangesNothing) {
  auto db = docs_table();
  const auto docs = For<Doc>(db);
  // Made keys, given ones, both.
  for (const std::int64_t given : {0, 1, 2}) {
    std::vector<Doc> batch{{.slug = "a"}, {.slug = "b", .state = "final"}, {.slug = "taken"}};
    if (given > 0) batch[0].id = 100;
    if (given > 1) batch[1].id = 101, batch[2].id = 102;
    const std::vector<Doc> before = batch;
    EXPECT_THROW(docs.create_batch(batch), quark::UniqueViolation);
    EXPECT_EQ(batch, before);
    EXPECT_EQ(docs.count(), 1);
  }
}

TEST(UndoneWrite, AMixedBatchWhoseCommitFailsGivesItsKeysBack) {
  auto db = docs_table();
  db.use([](quark::Operation& op, const quark::Next& next) {
    if (op.kind() == quark::StatementKind::commit) throw 1;
    next();
  });
  std::vector<Doc> batch{{.slug = "a"}, {.id = 100, .slug = "b"}, {.slug = "c"}};
  const std::vector<Doc> before = batch;
  EXPECT_THROW(For<Doc>(db).create_batch(batch), int);
  EXPECT_EQ(batch, before);
  EXPECT_EQ(raw_cell(db, "select count(*) from docs"), "1");
}

// An upsert may find anything in the row that exists.
TEST(UndoneWrite, AnUpsertWhoseAnswerIsRefusedWritesNothing) {
  auto db = fresh();
  raw(db, "create table docs (id bigint primary key, slug varchar(40) unique, state varchar(40), rank int, "
          "born bigint, changed bigint, version bigint)");
  raw(db, "insert into docs values (1, 'taken', 'old', 1, 5, 5, 3000000000)");
  for (const bool in_transaction : {false, true}) {
    const Doc before{.id = 1, .slug = "taken", .state = "new"};
    Doc doc = before;
    if (in_transaction) {
      db.transaction([&](auto& tx) {
        EXPECT_THROW(For<Doc>(tx).upsert(doc), quark::ConversionError);
      });
    } else {
      EXPECT_THROW(For<Doc>(db).upsert(doc), quark::ConversionError);
    }
    EXPECT_EQ(doc, before);
    EXPECT_EQ(raw_row(db, "select state, version from docs"), "old|3000000000");
  }
}

struct Item {
  std::int64_t id{};
  std::string name{};
  int length{};
  friend bool operator==(const Item&, const Item&) = default;
  static consteval auto orm() { return quark::model(quark::generated(&Item::length)); }
};

TEST(UndoneWrite, ACreateWhoseGeneratedColumnIsRefusedWritesNothing) {
  auto db = fresh();
  raw(db, "create table items (id " + under_test::made_key() +
              ", name varchar(40), length bigint generated always as (3000000000) stored)");
  for (const bool in_transaction : {false, true}) {
    const Item before{.name = "a", .length = 5};
    Item item = before;
    if (in_transaction) {
      db.transaction([&](auto& tx) {
        EXPECT_THROW(For<Item>(tx).create(item), quark::ConversionError);
      });
    } else {
      EXPECT_THROW(For<Item>(db).create(item), quark::ConversionError);
    }
    EXPECT_EQ(item, before);
    EXPECT_EQ(raw_cell(db, "select count(*) from items"), "0");
  }
}

TEST(UndoneWrite, AStaleRemoveSaysSoThoughAnEmptyListDecides) {
  auto db = docs_table();
  Doc doc = For<Doc>(db).one();
  const auto none = For<Doc>(db).where(field<&Doc::slug>.in(std::vector<std::string>{}));
  EXPECT_THROW(none.update(doc), quark::StaleEntity);
  EXPECT_THROW(none.remove(doc), quark::StaleEntity);
  EXPECT_EQ(For<Doc>(db).count(), 1);
  const User user{.id = 1};
  auto users = fresh();
  quark::create_table<User>(users);
  EXPECT_EQ(For<User>(users).where(field<&User::id>.in(std::vector<std::int64_t>{})).remove(user), 0u);
}

}  // namespace
