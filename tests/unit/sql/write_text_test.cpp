// The text of every writing statement, for three engines, checked by the compiler.
#include "unit/sql/texts.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace {

using namespace quark;
using namespace quark::sql;
using test::is_translation;
using test::says;

// A specification's text on all engines, or on each.
template <class Spec>
constexpr bool spec_says(std::string_view sqlite, std::string_view postgres,
                         std::string_view mysql) {
  return sql::Compiled<Spec, Engine::sqlite>::statement.text == sqlite &&
         sql::Compiled<Spec, Engine::postgres>::statement.text == postgres &&
         sql::Compiled<Spec, Engine::mysql>::statement.text == mysql;
}
template <class Spec>
constexpr bool spec_says(std::string_view postgres) {
  return sql::Compiled<Spec, Engine::postgres>::statement.text == postgres &&
         is_translation(sql::Compiled<Spec, Engine::sqlite>::statement.text, postgres, '"') &&
         is_translation(sql::Compiled<Spec, Engine::mysql>::statement.text, postgres, '`');
}
template <class U>
constexpr bool update_says(const U& update, std::string_view postgres) {
  return sql_text<Engine::postgres>(update) == postgres &&
         is_translation(sql_text<Engine::sqlite>(update), postgres, '"') &&
         is_translation(sql_text<Engine::mysql>(update), postgres, '`');
}

// A key that the database makes.
struct Pet {
  std::int64_t id{};
  std::string name;
  int age{};
};
constexpr auto pets = For<Pet>(no_database);

static_assert(
    says<Ask::create>(pets, R"(INSERT INTO "pets" ("name", "age") VALUES (?, ?))",
                      R"(INSERT INTO "pets" ("name", "age") VALUES ($1, $2) RETURNING "id")",
                      "INSERT INTO `pets` (`name`, `age`) VALUES (?, ?)"));
static_assert(spec_says<sql::InsertSpec<Pet, sql::InsertMode::with_key>>(
    R"(INSERT INTO "pets" ("id", "name", "age") VALUES ($1, $2, $3))"));
static_assert(sql::Compiled<sql::InsertSpec<Pet, sql::InsertMode::rows_without_key>,
                            Engine::sqlite>::statement.text ==
              R"(INSERT OR ABORT INTO "pets" ("name", "age") SELECT c0, c1 FROM quark_rows(?))");
static_assert(sql::Compiled<sql::InsertSpec<Pet, sql::InsertMode::rows_with_key>,
                            Engine::sqlite>::statement.text ==
              R"(INSERT OR ABORT INTO "pets" ("id", "name", "age") SELECT c0, c1, c2 FROM quark_rows(?))");
static_assert(sql::Compiled<sql::InsertSpec<Pet, sql::InsertMode::rows_without_key>,
                            Engine::postgres>::statement.text ==
              R"(INSERT INTO "pets" ("name", "age") SELECT unnest($1), unnest($2) RETURNING "id")");
static_assert(sql::Compiled<sql::InsertSpec<Pet, sql::InsertMode::rows_with_key>,
                            Engine::postgres>::statement.text ==
              R"(INSERT INTO "pets" ("id", "name", "age") SELECT unnest($1), unnest($2), unnest($3))");
static_assert(sql::Compiled<sql::InsertSpec<Pet, sql::InsertMode::rows_without_key>,
                            Engine::mysql>::statement.text ==
              "INSERT INTO `pets` (`name`, `age`) VALUES (?, ?) RETURNING `id`");
static_assert(
    says<Ask::update>(pets, R"(UPDATE "pets" SET "name" = $1, "age" = $2 WHERE "pets"."id" = $3)"));
static_assert(says<Ask::remove>(pets, R"(DELETE FROM "pets" WHERE "pets"."id" = $1)"));
static_assert(says<Ask::remove>(pets.everything(), R"(DELETE FROM "pets")"));
static_assert(
    says<Ask::remove>(pets.where(field<&Pet::age> > 3 || field<&Pet::age> < 1),
                      R"(DELETE FROM "pets" WHERE "pets"."age" > $1 OR "pets"."age" < $2)"));

// update(x) and remove(x) with a condition: ours is ANDed outside the user's.
using Old =
    sql::CodePack<code(Node::binary, Op::logic_or), code(Node::binary, Op::gt),
                  code(Node::column, 0, 2), code(Node::value, 0, 2), code(Node::binary, Op::eq),
                  code(Node::column, 0, 1), code(Node::value, 0, 1)>;
static_assert(spec_says<sql::UpdateSpec<Pet, Old, void, sql::CodePack<>, true>>(
    R"(UPDATE "pets" SET "name" = $1, "age" = $2 WHERE ("pets"."age" > $3 OR "pets"."name" = $4) AND "pets"."id" = $5)"));
static_assert(spec_says<sql::RemoveSpec<Pet, Old, true, false>>(
    R"(DELETE FROM "pets" WHERE ("pets"."age" > $1 OR "pets"."name" = $2) AND "pets"."id" = $3)"));
// update<&Pet::age>(x)
static_assert(
    spec_says<sql::UpdateSpec<Pet, sql::CodePack<>, sql::IndexPack<2>, sql::CodePack<>, true>>(
        R"(UPDATE "pets" SET "age" = $1 WHERE "pets"."id" = $2)"));

// Mass updates.
static_assert(update_says(pets.everything().set(field<& Pet::age> = 3),
                          R"(UPDATE "pets" SET "age" = $1)"));
static_assert(update_says(
    pets.where(field<&Pet::id> == 1).set(field<& Pet::age> = 3, field<& Pet::name> = "x"),
    R"(UPDATE "pets" SET "age" = $1, "name" = $2 WHERE "pets"."id" = $3)"));
static_assert(
    update_says(pets.where(field<&Pet::id> == 1).set(field<& Pet::age> = field<&Pet::age> + 1),
                R"(UPDATE "pets" SET "age" = "pets"."age" + $1 WHERE "pets"."id" = $2)"));
static_assert(sql_text<Engine::mysql>(pets.everything().set(field<& Pet::name> = field<&Pet::name> +
                                                                                 "!")) ==
              "UPDATE `pets` SET `name` = CONCAT(`pets`.`name`, ?)");

// Upserts: on the key, on a unique column, with a selection.
static_assert(says<Ask::upsert>(
    pets,
    R"(INSERT INTO "pets" ("id", "name", "age") VALUES (?, ?, ?) ON CONFLICT ("id") DO UPDATE SET "name" = excluded."name", "age" = excluded."age" RETURNING "id")",
    R"(INSERT INTO "pets" ("id", "name", "age") VALUES ($1, $2, $3) ON CONFLICT ("id") DO UPDATE SET "name" = excluded."name", "age" = excluded."age" RETURNING "id")",
    "INSERT INTO `pets` (`id`, `name`, `age`) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE `name` = "
    "VALUES(`name`), "
    "`age` = VALUES(`age`) RETURNING `id`"));
static_assert(
    upsert_text<Engine::postgres, Pet>(on<&Pet::name>, set<&Pet::age>) ==
    R"(INSERT INTO "pets" ("name", "age") VALUES ($1, $2) ON CONFLICT ("name") DO UPDATE SET "age" = excluded."age" RETURNING "id")");
static_assert(upsert_text<Engine::mysql, Pet>(on<&Pet::name>, set<&Pet::age>) ==
              "INSERT INTO `pets` (`name`, `age`) VALUES (?, ?) ON DUPLICATE KEY UPDATE `age` = "
              "VALUES(`age`) RETURNING `id`");
// A server that doesn't know RETURNING gets the text without it.
using OnKey = sql::UpsertSpec<Pet, sql::IndexPack<0>, void, true>;
static_assert(sql::Compiled<OnKey, Engine::mysql>::statement.text.substr(
                  sql::Compiled<OnKey, Engine::mysql>::statement.returning) == " RETURNING `id`");
static_assert(sql::Compiled<OnKey, Engine::postgres>::statement.returning ==
              sql::Compiled<OnKey, Engine::postgres>::size);
// Nothing to replace: the key is set to itself, so that the row comes back.
static_assert(
    upsert_text<Engine::sqlite, Pet>(on<&Pet::name>, set<>) ==
    R"(INSERT INTO "pets" ("name", "age") VALUES (?, ?) ON CONFLICT ("name") DO UPDATE SET "name" = excluded."name" RETURNING "id")");

// Composite, supplied keys; nothing to update but the key.
struct Tag {
  std::string pet;
  std::string word;
  static consteval auto orm() { return model(key(&Tag::word, &Tag::pet)); }
};
static_assert(says<Ask::create>(For<Tag>(no_database),
                                R"(INSERT INTO "tags" ("pet", "word") VALUES ($1, $2))"));
static_assert(says<Ask::remove>(
    For<Tag>(no_database), R"(DELETE FROM "tags" WHERE "tags"."word" = $1 AND "tags"."pet" = $2)"));
static_assert(says<Ask::upsert>(
    For<Tag>(no_database),
    R"(INSERT INTO "tags" ("pet", "word") VALUES (?, ?) ON CONFLICT ("word", "pet") DO UPDATE SET "word" = excluded."word", "pet" = excluded."pet")",
    R"(INSERT INTO "tags" ("pet", "word") VALUES ($1, $2) ON CONFLICT ("word", "pet") DO UPDATE SET "word" = excluded."word", "pet" = excluded."pet")",
    "INSERT INTO `tags` (`pet`, `word`) VALUES (?, ?) ON DUPLICATE KEY UPDATE `word` = "
    "VALUES(`word`), `pet` = VALUES(`pet`)"));

// Everything at once: version, stamps, a generated column, a default.
using Moment = std::chrono::sys_time<std::chrono::microseconds>;
struct Doc {
  std::int64_t id{};
  std::string slug;
  std::string body;
  int words{};
  int version{};
  std::optional<std::string> state;
  Moment born{}, changed{};
  static consteval auto orm() {
    return model(unique(&Doc::slug), generated(&Doc::words), quark::version(&Doc::version),
                 default_value(&Doc::state, "draft"), created_at(&Doc::born),
                 updated_at(&Doc::changed));
  }
};
constexpr auto docs = For<Doc>(no_database);

static_assert(says<Ask::create>(
    docs,
    R"(INSERT INTO "docs" ("slug", "body", "version", "state", "born", "changed") VALUES (?, ?, ?, ?, ?, ?) RETURNING "id", "words")",
    R"(INSERT INTO "docs" ("slug", "body", "version", "state", "born", "changed") VALUES ($1, $2, $3, $4, $5, $6) RETURNING "id", "words")",
    "INSERT INTO `docs` (`slug`, `body`, `version`, `state`, `born`, `changed`) VALUES (?, ?, ?, "
    "?, ?, ?) RETURNING `id`, `words`"));
static_assert(says<Ask::update>(
    docs,
    R"(UPDATE "docs" SET "slug" = $1, "body" = $2, "state" = $3, "changed" = $4, "version" = "docs"."version" + 1 WHERE "docs"."id" = $5 AND "docs"."version" = $6)"));
// Selected columns are stamped too, once.
static_assert(spec_says<
              sql::UpdateSpec<Doc, sql::CodePack<>, sql::IndexPack<2>, sql::CodePack<>, true>>(
    R"(UPDATE "docs" SET "body" = $1, "changed" = $2, "version" = "docs"."version" + 1 WHERE "docs"."id" = $3 AND "docs"."version" = $4)"));
static_assert(spec_says<
              sql::UpdateSpec<Doc, sql::CodePack<>, sql::IndexPack<7, 2>, sql::CodePack<>, true>>(
    R"(UPDATE "docs" SET "changed" = $1, "body" = $2, "version" = "docs"."version" + 1 WHERE "docs"."id" = $3 AND "docs"."version" = $4)"));
static_assert(says<Ask::remove>(
    docs, R"(DELETE FROM "docs" WHERE "docs"."id" = $1 AND "docs"."version" = $2)"));
static_assert(says<Ask::remove>(docs.where(field<&Doc::slug> == "x"),
                                R"(DELETE FROM "docs" WHERE "docs"."slug" = $1)"));
static_assert(update_says(
    docs.where(field<&Doc::id> == 1).set(field<& Doc::body> = "x"),
    R"(UPDATE "docs" SET "changed" = $1, "body" = $2, "version" = "docs"."version" + 1 WHERE "docs"."id" = $3)"));
// What the caller sets himself isn't set twice.
static_assert(update_says(docs.everything().set(field<& Doc::version> = 1),
                          R"(UPDATE "docs" SET "changed" = $1, "version" = $2)"));
static_assert(update_says(docs.everything().set(field<& Doc::changed> = Moment{}),
                          R"(UPDATE "docs" SET "changed" = $1, "version" = "docs"."version" + 1)"));
static_assert(
    upsert_text<Engine::postgres, Doc>(on<&Doc::slug>, set<&Doc::body>) ==
    R"(INSERT INTO "docs" ("slug", "body", "version", "state", "born", "changed") VALUES ($1, $2, $3, $4, $5, $6) )"
    R"(ON CONFLICT ("slug") DO UPDATE SET "body" = excluded."body", "changed" = excluded."changed", )"
    R"("version" = "docs"."version" + 1 )"
    R"(RETURNING "id", "words", "version", "born")");
static_assert(says<Ask::upsert>(
    docs,
    R"(INSERT INTO "docs" ("id", "slug", "body", "version", "state", "born", "changed") VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT ("id") DO UPDATE SET "slug" = excluded."slug", "body" = excluded."body", "state" = excluded."state", "changed" = excluded."changed", "version" = "docs"."version" + 1 RETURNING "id", "words", "version", "born")",
    R"(INSERT INTO "docs" ("id", "slug", "body", "version", "state", "born", "changed") VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ("id") DO UPDATE SET "slug" = excluded."slug", "body" = excluded."body", "state" = excluded."state", "changed" = excluded."changed", "version" = "docs"."version" + 1 RETURNING "id", "words", "version", "born")",
    "INSERT INTO `docs` (`id`, `slug`, `body`, `version`, `state`, `born`, `changed`) VALUES (?, "
    "?, ?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE `slug` = IF(`docs`.`id` = VALUES(`id`), "
    "VALUES(`slug`), (SELECT 1 UNION ALL SELECT 2)), `body` = VALUES(`body`), "
    "`state` = VALUES(`state`), `changed` = VALUES(`changed`), `version` = `docs`.`version` + 1 "
    "RETURNING `id`, `words`, `version`, `born`"));

// Only the key, and the database makes it.
struct Ticket {
  std::int64_t id{};
};
static_assert(says<Ask::create>(For<Ticket>(no_database), R"(INSERT INTO "tickets" DEFAULT VALUES)",
                                R"(INSERT INTO "tickets" DEFAULT VALUES RETURNING "id")",
                                "INSERT INTO `tickets` () VALUES ()"));

TEST(WriteText, NamesTheKeyThatTheDatabaseMakes) {
  EXPECT_EQ(
      (sql::Compiled<sql::InsertSpec<Pet, sql::InsertMode::without_key>, Engine::sqlite>::statement
           .made_key),
      "id");
  EXPECT_EQ(
      (sql::Compiled<sql::InsertSpec<Pet, sql::InsertMode::with_key>, Engine::sqlite>::statement
           .made_key),
      "");
  EXPECT_EQ(
      (sql::Compiled<sql::InsertSpec<Tag, sql::InsertMode::with_key>, Engine::sqlite>::statement
           .made_key),
      "");
}

}  // namespace
