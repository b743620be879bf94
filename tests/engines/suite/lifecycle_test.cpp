// What the library writes by itself: versions, time stamps, defaults, and columns that the database
// generates.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace {

using namespace under_test;
using namespace std::chrono;
using quark::field;
using quark::For;
using Time = sys_time<microseconds>;

struct Document {
  std::int64_t id{};
  std::string title{};
  int version{1};
  static consteval auto orm() {
    return quark::model(quark::version(&Document::version), quark::unique(&Document::title),
                        quark::size(&Document::title, 50));
  }
};

Db one_document() {
  auto db = fresh();
  quark::create_table<Document>(db);
  For<Document>(db).create(Document{1, "first", 1});
  return db;
}
std::string stored(const Db& db) {
  return raw_row(db, "select title, version from documents where id = 1");
}

struct Small {
  std::int64_t id{};
  int value{};
  std::uint8_t version{};
  friend bool operator==(const Small&, const Small&) = default;
  static consteval auto orm() { return quark::model(quark::version(&Small::version)); }
};

TEST(Version, EndsWithAnErrorWhereItsMemberDoes) {
  auto db = fresh();
  quark::create_table<Small>(db);
  const auto smalls = For<Small>(db);
  Small small{1, 1, 254};
  smalls.create(small);
  EXPECT_EQ(smalls.update(small), 1u);
  EXPECT_EQ(small.version, 255);
  small.value = 2;
  EXPECT_EQ(error_of<quark::ConversionError>([&] { smalls.update(small); }).column(), "version");
  EXPECT_EQ(small.version, 255);
  EXPECT_THROW(smalls.everything().set(field<& Small::value> = 3).update(), quark::Error);
  EXPECT_EQ(smalls.get(1), (Small{1, 1, 255}));
}

TEST(Version, CountsUpWithEveryUpdate) {
  auto db = one_document();
  Document document = For<Document>(db).get(1);
  for (int version = 2; version < 5; ++version) {
    document.title = "v" + std::to_string(version);
    EXPECT_EQ(For<Document>(db).update(document), 1u);
    EXPECT_EQ(document.version, version);
    EXPECT_EQ(stored(db), document.title + "|" + std::to_string(version));
  }
  EXPECT_EQ((For<Document>(db).update<&Document::title>(document)), 1u);
  EXPECT_EQ(document.version, 5);
  EXPECT_EQ(For<Document>(db)
                .where(field<&Document::id> == 1)
                .set(field<& Document::title> = "mass")
                .update(),
            1u);
  EXPECT_EQ(stored(db), "mass|6");
}

TEST(Version, AStaleUpdateIsRefusedAndChangesNothing) {
  auto db = one_document();
  Document mine = For<Document>(db).get(1), theirs = mine;
  theirs.title = "theirs";
  For<Document>(db).update(theirs);
  mine.title = "mine";
  for (int again = 0; again < 2; ++again) {
    const auto error = error_of<quark::StaleEntity>([&] { For<Document>(db).update(mine); });
    EXPECT_EQ(error.kind(), quark::ErrorKind::stale);
    EXPECT_EQ(error.table(), "documents");
    EXPECT_EQ(mine.version, 1);
    EXPECT_EQ(stored(db), "theirs|2");
  }
  EXPECT_THROW((For<Document>(db).update<&Document::title>(mine)), quark::StaleEntity);
  For<Document>(db)
      .where(field<&Document::id> == 1)
      .set(field<& Document::title> = "mass")
      .update();
  EXPECT_THROW(For<Document>(db).update(theirs), quark::StaleEntity)
      << "a mass update counts the version too";
  Document missing{99, "none", 1};
  EXPECT_THROW(For<Document>(db).update(missing), quark::StaleEntity);
}

TEST(Version, AStaleRemoveIsRefused) {
  auto db = one_document();
  const Document old = For<Document>(db).get(1);
  Document current = old;
  For<Document>(db).update(current);
  EXPECT_THROW(For<Document>(db).remove(old), quark::StaleEntity);
  EXPECT_EQ(stored(db), "first|2");
  EXPECT_EQ(For<Document>(db).remove(current), 1u);
  EXPECT_THROW(For<Document>(db).remove(current), quark::StaleEntity);
  For<Document>(db).create(Document{1, "again", 7});
  EXPECT_EQ(For<Document>(db).remove_by_key(1), 1u) << "a key alone has no version";
}

TEST(Version, AFailedUpdateLeavesTheObject) {
  auto db = one_document();
  For<Document>(db).create(Document{2, "second", 1});
  Document document = For<Document>(db).get(1);
  document.title = "second";
  EXPECT_THROW(For<Document>(db).update(document), quark::UniqueViolation);
  EXPECT_EQ(document.version, 1);
  document.title = "third";
  EXPECT_EQ(For<Document>(db).update(document), 1u);
  EXPECT_EQ(stored(db), "third|2");
}

TEST(Version, AnUpsertBringsItBack) {
  auto db = one_document();
  Document document{1, "upserted", 1};
  For<Document>(db).upsert(document);
  EXPECT_EQ(stored(db), "upserted|2");
  EXPECT_EQ(document.version, 2);
  Document by_title{0, "upserted", 1};
  For<Document>(db).upsert(by_title, quark::on<&Document::title>);
  EXPECT_EQ(by_title.id, 1);
  EXPECT_EQ(std::to_string(by_title.version), raw_cell(db, "select version from documents"));
  EXPECT_EQ(For<Document>(db).update(by_title), 1u) << "what came back is current";
}

struct Article {
  std::int64_t id{};
  std::string text{};
  Time created{};
  std::optional<Time> updated{};
  static consteval auto orm() {
    return quark::model(quark::created_at(&Article::created), quark::updated_at(&Article::updated),
                        quark::unique(&Article::text), quark::size(&Article::text, 50));
  }
};

Time now() { return floor<microseconds>(system_clock::now()); }

TEST(Stamps, CreateSetsBothToThePresent) {
  auto db = fresh();
  quark::create_table<Article>(db);
  Article article{.text = "a"};
  const Time before = now();
  For<Article>(db).create(article);
  const Time after = now();
  EXPECT_LE(before, article.created);
  EXPECT_LE(article.created, after);
  ASSERT_TRUE(article.updated);
  EXPECT_LE(before, *article.updated);
  const Article back = For<Article>(db).get(article.id);
  EXPECT_EQ(back.created, article.created);
  EXPECT_EQ(back.updated, article.updated);
  std::vector<Article> batch{{.text = "b"}, {.text = "c"}};
  For<Article>(db).create_batch(batch);
  EXPECT_GE(For<Article>(db).get(batch[1].id).created, before);
}

TEST(Stamps, AGivenTimeIsKeptOnCreate) {
  auto db = fresh();
  quark::create_table<Article>(db);
  const Time then{microseconds{1234567}};
  Article article{.text = "a", .created = then, .updated = then};
  For<Article>(db).create(article);
  EXPECT_EQ(For<Article>(db).get(article.id).created, then);
  EXPECT_EQ(For<Article>(db).get(article.id).updated, then);
}

TEST(Stamps, AnUpdateMovesUpdatedOnly) {
  auto db = fresh();
  quark::create_table<Article>(db);
  const Time then{microseconds{1234567}};
  Article article{.text = "a", .created = then, .updated = then};
  For<Article>(db).create(article);
  const Time before = now();
  article.created = Time{};  // not written by an update
  EXPECT_EQ(For<Article>(db).update(article), 1u);
  Article back = For<Article>(db).get(article.id);
  EXPECT_EQ(back.created, then);
  EXPECT_GE(back.updated, before);
  EXPECT_EQ(back.updated, article.updated);
  const auto stamp = back.updated;
  EXPECT_EQ((For<Article>(db).update<&Article::text>(article)), 1u);
  EXPECT_GE(For<Article>(db).get(article.id).updated, stamp);
  EXPECT_EQ(For<Article>(db).get(article.id).updated, article.updated);
  raw(db, "update articles set updated = null");
  EXPECT_EQ(For<Article>(db)
                .where(field<&Article::id> == article.id)
                .set(field<& Article::text> = "mass")
                .update(),
            1u);
  back = For<Article>(db).get(article.id);
  ASSERT_TRUE(back.updated);
  EXPECT_GE(*back.updated, before);
  EXPECT_EQ(back.created, then);
}

TEST(Stamps, AnUpdateThatFailsOrFindsNothingLeavesTheObject) {
  auto db = fresh();
  quark::create_table<Article>(db);
  const Time then{microseconds{5}};
  Article a{.text = "a", .created = then, .updated = then};
  For<Article>(db).create(a);
  For<Article>(db).create(Article{.text = "b"});
  a.text = "b";
  EXPECT_THROW(For<Article>(db).update(a), quark::UniqueViolation);
  EXPECT_EQ(a.updated, then);
  Article missing{.id = 999, .text = "x", .created = then, .updated = then};
  EXPECT_EQ(For<Article>(db).update(missing), 0u);
  EXPECT_EQ(missing.updated, then);
}

TEST(Stamps, AnUpsertKeepsCreated) {
  auto db = fresh();
  quark::create_table<Article>(db);
  const Time then{microseconds{1234567}};
  Article article{.text = "a", .created = then, .updated = then};
  For<Article>(db).create(article);
  const Time before = now();
  Article again{.text = "a"};
  For<Article>(db).upsert(again, quark::on<&Article::text>);
  EXPECT_EQ(again.id, article.id);
  EXPECT_EQ(again.created, then);
  const Article back = For<Article>(db).get(article.id);
  EXPECT_EQ(back.created, then);
  EXPECT_GE(back.updated, before);
}

struct Defaults {
  std::int64_t id{};
  std::optional<int> n{};
  std::optional<std::string> s{};
  std::optional<double> d{};
  std::optional<bool> b{};
  int plain{};
  static consteval auto orm() {
    return quark::model(
        quark::table("defaults_of_all"), quark::default_value(&Defaults::n, 100),
        quark::default_value(&Defaults::s, "it's"), quark::default_value(&Defaults::d, 0.25),
        quark::default_value(&Defaults::b, true), quark::default_value(&Defaults::plain, -7));
  }
};

TEST(B23, ADefaultIsTheSameFromUsAndFromTheDatabase) {
  auto db = fresh();
  quark::create_table<Defaults>(db);
  raw(db, "insert into defaults_of_all (id) values (1)");
  Defaults ours{.id = 2};
  For<Defaults>(db).create(ours);
  const std::string columns = "select n, s, d, b, plain from defaults_of_all where id = ";
  const std::string theirs = raw_row(db, columns + "1");
  EXPECT_EQ(theirs, "100|it's|0.25|1|-7");
  EXPECT_EQ(raw_row(db, columns + "2"), "100|it's|0.25|1|0")
      << "a member that is no optional is always sent";
  EXPECT_EQ(ours.n, 100);
  EXPECT_EQ(ours.s, "it's");
  ours.n.reset();
  For<Defaults>(db).update(ours);
  EXPECT_EQ(raw_cell(db, "select n is null from defaults_of_all where id = 2"), "1")
      << "NULL on an update means NULL";
}

struct Box {
  std::int64_t id{};
  int width{};
  int height{};
  int area{};
  static consteval auto orm() {
    return quark::model(
        quark::table("boxes"), quark::generated(&Box::area),
        quark::type(&Box::area, "integer generated always as (width * height) stored"));
  }
};

TEST(Generated, ColumnsAreReadBackAndNeverSent) {
  auto db = fresh();
  quark::create_table<Box>(db);
  Box box{.width = 3, .height = 4, .area = 999};
  for (int again = 0; again < 2; ++again) {
    box.id = 0;
    For<Box>(db).create(box);
    EXPECT_EQ(box.area, 12);
    EXPECT_EQ(raw_cell(db, "select area from boxes where id = " + std::to_string(box.id)), "12");
  }
  box.width = 5;
  EXPECT_EQ(For<Box>(db).update(box), 1u);
  EXPECT_EQ(For<Box>(db).get(box.id).area, 20);
  EXPECT_EQ(For<Box>(db).where(field<&Box::area> > 15).count(), 1);
  box.height = 10;
  For<Box>(db).upsert(box);
  EXPECT_EQ(box.area, 50);
}

}  // namespace
