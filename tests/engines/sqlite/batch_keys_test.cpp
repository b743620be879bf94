// The made keys of a batch are read while its one statement runs. Where SQLite gives no key per row then (triggers,
// dropped rows), nothing of it may stay, and the rows go in one by one.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace {

using under_test::Db;
using under_test::raw;
using under_test::raw_cell;
using under_test::User;

std::vector<User> users(std::size_t count) {
  std::vector<User> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i].name = "user " + std::to_string(i);
  return out;
}

// Each object's key must be the one that its own row has.
void expect_own_keys(const Db& db, const std::vector<User>& objects) {
  for (const User& user : objects)
    EXPECT_EQ(raw_cell(db, "SELECT id FROM users WHERE name = '" + user.name + "'"), std::to_string(user.id));
}

Db with_users() {
  Db db = under_test::fresh();
  quark::create_table<User>(db);
  return db;
}

TEST(SqliteBatch, IsOneStatementOutsideATransaction) {
  Db db = with_users();
  quark::StatementRecorder recorder;
  db.use(recorder);
  auto objects = users(100);
  EXPECT_EQ(quark::For<User>(db).create_batch(objects), 100u);
  ASSERT_EQ(recorder.size(), 1u);
  EXPECT_EQ(recorder.entries()[0].name, "create_batch");
  EXPECT_EQ(recorder.entries()[0].affected, 100u);
  expect_own_keys(db, objects);
}

TEST(SqliteBatch, GivesEachObjectItsOwnKeyInsideATransaction) {
  Db db = with_users();
  auto objects = users(40);
  db.transaction([&](auto& tx) { quark::For<User>(tx).create_batch(objects); });
  expect_own_keys(db, objects);
}

TEST(SqliteBatch, KnowsTheKeysThoughATriggerInsertsIntoTheSameTable) {
  for (const bool in_transaction : {false, true}) {
    Db db = with_users();
    raw(db, "CREATE TRIGGER echo AFTER INSERT ON users WHEN new.name NOT LIKE 'echo%' BEGIN "
            "INSERT INTO users (name, age, active) VALUES ('echo ' || new.name, 0, 0); END");
    auto objects = users(7);
    if (in_transaction) {
      db.transaction([&](auto& tx) { quark::For<User>(tx).create_batch(objects); });
    } else {
      quark::For<User>(db).create_batch(objects);
    }
    EXPECT_EQ(raw_cell(db, "SELECT count(*) FROM users"), "14");
    expect_own_keys(db, objects);
  }
}

TEST(SqliteBatch, KnowsTheKeysThatSqlitePicksAtRandom) {
  Db db = with_users();
  raw(db, "INSERT INTO users (id, name, age, active) VALUES (9223372036854775805, 'high', 0, 0)");
  auto objects = users(20);
  quark::For<User>(db).create_batch(objects);
  EXPECT_EQ(objects[1].id, std::numeric_limits<std::int64_t>::max());
  expect_own_keys(db, objects);
}

TEST(SqliteBatch, KnowsTheKeysWhenTheFirstOneIsThatOfTheLastInsert) {
  Db db = with_users();
  auto first = users(1);
  quark::For<User>(db).create_batch(first);
  quark::For<User>(db).everything().remove();
  auto objects = users(3);
  quark::For<User>(db).create_batch(objects);
  EXPECT_EQ(objects[0].id, first[0].id);
  expect_own_keys(db, objects);
}

TEST(SqliteBatch, KnowsTheKeyZero) {
  Db db = with_users();
  raw(db, "INSERT INTO users (id, name, age, active) VALUES (-2, 'low', 0, 0)");
  auto objects = users(4);
  quark::For<User>(db).create_batch(objects);
  EXPECT_EQ(objects[0].id, -1);
  EXPECT_EQ(objects[1].id, 0);
  expect_own_keys(db, objects);
}

// A table of the user's that drops rows silently: no row may be lost without a word, wherever it stands in the batch.
TEST(SqliteBatch, WritesNothingWhenTheTableDropsARow) {
  for (const bool in_transaction : {false, true}) {
    for (const std::size_t twin : {0u, 2u, 4u}) {
      Db db = under_test::fresh();
      raw(db, "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT UNIQUE ON CONFLICT IGNORE, email TEXT, "
              "age INTEGER, active INTEGER)");
      raw(db, "INSERT INTO users (name) VALUES ('twin')");
      auto objects = users(5);
      objects[twin].name = "twin";
      const auto call = [&] {
        if (in_transaction) {
          db.transaction([&](auto& tx) { quark::For<User>(tx).create_batch(objects); });
        } else {
          quark::For<User>(db).create_batch(objects);
        }
      };
      EXPECT_THROW(call(), quark::Error);
      EXPECT_EQ(raw_cell(db, "SELECT count(*) FROM users"), "1");
      for (const User& user : objects) EXPECT_EQ(user.id, 0);
    }
  }
}

// RAISE(FAIL) keeps the rows that a statement wrote before the one that failed.
TEST(SqliteBatch, IsAllOrNothingThoughATriggerSaysFail) {
  Db db = with_users();
  raw(db, "CREATE TRIGGER strict BEFORE INSERT ON users WHEN new.name = 'no' BEGIN SELECT RAISE(FAIL, 'no'); END");
  auto objects = users(5);
  objects[3].name = "no";
  EXPECT_THROW(quark::For<User>(db).create_batch(objects), quark::CheckViolation);
  EXPECT_EQ(raw_cell(db, "SELECT count(*) FROM users"), "0");
  for (const User& user : objects) EXPECT_EQ(user.id, 0);
}

// ON CONFLICT FAIL keeps the rows that a statement wrote before the one that failed.
TEST(SqliteBatch, IsAllOrNothingThoughAConstraintSaysFail) {
  for (const bool in_transaction : {false, true}) {
    Db db = under_test::fresh();
    raw(db, "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT UNIQUE ON CONFLICT FAIL, email TEXT, age INTEGER, "
            "active INTEGER)");
    auto objects = users(5);
    objects[3].name = objects[0].name;
    if (in_transaction) {
      auto tx = db.begin();
      EXPECT_THROW(quark::For<User>(tx).create_batch(objects), quark::UniqueViolation);
      tx.commit();
    } else {
      EXPECT_THROW(quark::For<User>(db).create_batch(objects), quark::UniqueViolation);
    }
    EXPECT_EQ(raw_cell(db, "SELECT count(*) FROM users"), "0");
    for (const User& user : objects) EXPECT_EQ(user.id, 0);
  }
}

// As documented: what a constraint says of conflicts is for single rows.
TEST(SqliteBatch, RefusesAConflictThatAConstraintWouldReplace) {
  Db db = under_test::fresh();
  raw(db, "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT UNIQUE ON CONFLICT REPLACE, email TEXT, age INTEGER, "
          "active INTEGER)");
  auto objects = users(3);
  quark::For<User>(db).create(objects[0]);
  auto again = users(3);
  EXPECT_THROW(quark::For<User>(db).create_batch(again), quark::UniqueViolation);
  EXPECT_EQ(raw_cell(db, "SELECT count(*) || ' ' || max(id) FROM users"), "1 1");
  quark::For<User>(db).create(again[0]);
  EXPECT_EQ(raw_cell(db, "SELECT count(*) || ' ' || max(id) FROM users"), "1 2");
}

// A prepared INSERT outlives its table: SQLite prepares it again without a word.
TEST(SqliteBatch, NoticesThatTheTableWasMadeAnewWithAnotherKey) {
  Db db = with_users();
  auto objects = users(3);
  quark::For<User>(db).create_batch(objects);
  raw(db, "DROP TABLE users");
  raw(db, "CREATE TABLE users (id INTEGER, name TEXT, email TEXT, age INTEGER, active INTEGER, "
          "PRIMARY KEY (id, name))");
  auto more = users(3);
  EXPECT_THROW(quark::For<User>(db).create_batch(more), quark::Misuse);
  for (const User& user : more) EXPECT_EQ(user.id, 0);
  EXPECT_EQ(raw_cell(db, "SELECT count(*) FROM users"), "0");
  raw(db, "DROP TABLE users");
  quark::create_table<User>(db);
  EXPECT_EQ(quark::For<User>(db).create_batch(more), 3u);
  expect_own_keys(db, more);
}

TEST(SqliteBatch, LeavesAnOuterTransactionAsItWas) {
  Db db = with_users();
  raw(db, "CREATE UNIQUE INDEX one_name ON users (name)");
  auto objects = users(5);
  objects[4].name = objects[0].name;
  db.transaction([&](auto& tx) {
    quark::For<User>(tx).create(User{.name = "before"});
    EXPECT_THROW(quark::For<User>(tx).create_batch(objects), quark::UniqueViolation);
    quark::For<User>(tx).create(User{.name = "after"});
  });
  EXPECT_EQ(raw_cell(db, "SELECT group_concat(name) FROM (SELECT name FROM users ORDER BY id)"), "before,after");
}

// The statement that fails is rolled back alone: rows that are being read go on.
TEST(SqliteBatch, MayFailWhileRowsAreBeingRead) {
  Db db = with_users();
  raw(db, "CREATE UNIQUE INDEX one_name ON users (name)");
  auto stored = users(6);
  quark::For<User>(db).create_batch(stored);
  int seen = 0;
  quark::For<User>(db).each([&](const User&) {
    ++seen;
    auto again = users(3);
    EXPECT_THROW(quark::For<User>(db).create_batch(again), quark::UniqueViolation);
  });
  EXPECT_EQ(seen, 6);
  EXPECT_EQ(raw_cell(db, "SELECT count(*) FROM users"), "6");
}

struct Small {
  std::int8_t id{};
  std::string name{};
};

TEST(SqliteBatch, WritesNothingWhenAMadeKeyDoesNotFitItsMember) {
  Db db = under_test::fresh();
  quark::create_table<Small>(db);
  raw(db, "INSERT INTO smalls (id, name) VALUES (125, 'high')");
  std::vector<Small> objects(4);
  EXPECT_THROW(quark::For<Small>(db).create_batch(objects), quark::ConversionError);
  EXPECT_EQ(raw_cell(db, "SELECT count(*) FROM smalls"), "1");
  for (const Small& object : objects) EXPECT_EQ(object.id, 0);
}

}  // namespace
