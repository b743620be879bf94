// Writes as MySQL does them: batches, servers without RETURNING, triggers, transactions and what ends them.
#include "engines/mysql/server.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace {

using namespace under_test;
using quark::field;
using quark::For;
using quark::mysql::Begin;
using quark::mysql::Isolation;
using quark::mysql::Options;

struct Thing {
  std::int64_t id{};
  std::string code{};
  std::optional<int> n{};
  std::optional<std::string> long_text{};
  static consteval auto orm() { return quark::model(quark::unique(&Thing::code)); }
};

std::vector<Thing> things(int count, const std::string& prefix) {
  std::vector<Thing> out;
  for (int i = 0; i < count; ++i) {
    Thing thing{.code = prefix + std::to_string(i)};
    if (i % 2 == 0) thing.n = i;
    if (i % 5 == 0) thing.long_text = std::string(static_cast<std::size_t>(i) * 3, 'x');
    out.push_back(std::move(thing));
  }
  return out;
}

Options variant(bool returning, bool bulk) {
  Options options = fresh_options();
  options.returning = returning;
  options.bulk = bulk;
  return options;
}

TEST(Batch, IsTheSameInEveryWay) {
  for (const auto& [returning, bulk] : {std::pair{true, true}, {true, false}, {false, false}}) {
    auto db = quark::mysql::open(variant(returning, bulk));
    quark::create_table<Thing>(db);
    for (const int count : {1, 2, 999, 1000, 1001, 2500}) {
      auto batch = things(count, std::to_string(count) + "-");
      EXPECT_EQ(For<Thing>(db).create_batch(batch), static_cast<std::uint64_t>(count));
      for (const Thing& thing : batch) {
        if (count > 1001 && thing.id % 50 != 0) continue;
        const Thing stored = For<Thing>(db).get(thing.id);
        ASSERT_EQ(stored.code, thing.code);
        ASSERT_EQ(stored.n, thing.n);
        ASSERT_EQ(stored.long_text, thing.long_text);
      }
    }
    // With keys of one's own.
    auto given = things(30, "given");
    for (std::size_t i = 0; i < given.size(); ++i) given[i].id = 100000 + static_cast<std::int64_t>(i);
    For<Thing>(db).create_batch(given);
    EXPECT_EQ(For<Thing>(db).get(100029).code, "given29");
    // A NULL in the first row, values behind it.
    std::vector<Thing> nulls{{0, "null", {}, {}}, {0, "value", 5, "text"}};
    For<Thing>(db).create_batch(nulls);
    EXPECT_EQ(For<Thing>(db).get(nulls[1].id).long_text, "text");
  }
}

TEST(Batch, WithADuplicateInTheMiddleWritesNothing) {
  for (const auto& [returning, bulk] : {std::pair{true, true}, {true, false}, {false, false}}) {
    auto db = quark::mysql::open(variant(returning, bulk));
    quark::create_table<Thing>(db);
    for (const int count : {10, 1000, 2500}) {
      for (const bool inside : {false, true}) {
        auto batch = things(count, "a");
        batch[static_cast<std::size_t>(count) * 9 / 10].code = "a1";
        if (inside) {
          db.transaction([&](auto& tx) {
            For<Thing>(tx).create(Thing{0, "before", {}, {}});
            EXPECT_THROW(For<Thing>(tx).create_batch(batch), quark::UniqueViolation);
            EXPECT_EQ(For<Thing>(tx).count(), 1);
          });
          For<Thing>(db).everything().remove();
        } else {
          EXPECT_THROW(For<Thing>(db).create_batch(batch), quark::UniqueViolation);
          EXPECT_EQ(raw_cell(db, "select count(*) from things"), "0");
        }
        for (const Thing& thing : batch) EXPECT_EQ(thing.id, 0);
      }
    }
  }
}

TEST(Batch, LargerThanAPacketGoesInPieces) {
  auto db = fresh();
  quark::create_table<Thing>(db);
  const auto packet = std::stoull(raw_cell(db, "select @@max_allowed_packet"));
  std::vector<Thing> batch;
  const std::size_t each = 1 << 20;
  for (std::size_t i = 0; i * each < packet + packet / 2; ++i)
    batch.push_back(Thing{0, std::to_string(i), {}, std::string(each, static_cast<char>('a' + i % 26))});
  For<Thing>(db).create_batch(batch);
  EXPECT_EQ(raw_cell(db, "select count(*) from things where octet_length(long_text) = 1048576"),
            std::to_string(batch.size()));
  for (const Thing& thing : batch) EXPECT_EQ(For<Thing>(db).get(thing.id).long_text, thing.long_text);
}

TEST(Batch, WritersAtTheSameTimeEachGetTheirKeys) {
  Shared shared;
  {
    auto db = shared.connect();
    quark::create_table<Thing>(db);
  }
  std::vector<std::thread> writers;
  for (int w = 0; w < 3; ++w) {
    writers.emplace_back([&shared, w] {
      auto db = shared.connect();
      for (int round = 0; round < 5; ++round) {
        auto batch = things(200, std::to_string(w) + "/" + std::to_string(round) + "/");
        For<Thing>(db).create_batch(batch);
        for (const Thing& thing : batch) EXPECT_EQ(For<Thing>(db).get(thing.id).code, thing.code);
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
}

struct Document {
  std::int64_t id{};
  std::string slug{};
  std::optional<std::string> body{};
  int version{};
  std::int64_t words{};
  static consteval auto orm() {
    return quark::model(quark::unique(&Document::slug), quark::version(&Document::version),
                        quark::generated(&Document::words),
                        quark::type(&Document::words, "bigint generated always as (char_length(slug)) stored"));
  }
};

TEST(Returning, OrAStatementOfItsOwnReadTheSame) {
  for (const bool returning : {true, false}) {
    auto db = quark::mysql::open(variant(returning, returning));
    quark::create_table<Document>(db);
    const auto documents = For<Document>(db);
    Document first{.slug = "one"};
    documents.create(first);
    EXPECT_EQ(first.words, 3);
    EXPECT_EQ(std::to_string(first.id), raw_cell(db, "select id from documents"));
    Document given{.id = 77, .slug = "given"};
    documents.create(given);
    EXPECT_EQ(given.words, 5);
    Document again{.slug = "one", .body = "new"};
    documents.upsert(again, quark::on<&Document::slug>);
    EXPECT_EQ(again.id, first.id);
    EXPECT_EQ(again.words, 3);
    EXPECT_EQ(std::to_string(again.version), raw_cell(db, "select version from documents where slug = 'one'"));
    Document fresh_one{.slug = "three"};
    documents.upsert(fresh_one, quark::on<&Document::slug>);
    EXPECT_EQ(std::to_string(fresh_one.id), raw_cell(db, "select id from documents where slug = 'three'"));
    Document by_key{.id = 77, .slug = "changed"};
    documents.upsert(by_key);
    EXPECT_EQ(by_key.words, 7);
    // Another key than the upsert's.
    Document clash{.id = 78, .slug = "one", .body = "must not be written"};
    EXPECT_THROW(documents.upsert(clash), quark::UniqueViolation);
    EXPECT_EQ(raw_cell(db, "select count(*) from documents where body = 'must not be written'"), "0");
    EXPECT_EQ(documents.count(), 3);
    db.transaction([&](auto& tx) {
      Document inner{.slug = "inner"};
      For<Document>(tx).create(inner);
      EXPECT_EQ(inner.words, 5);
      EXPECT_THROW(For<Document>(tx).create(Document{.slug = "inner"}), quark::UniqueViolation);
    });
    EXPECT_EQ(documents.count(), 4);
  }
}

struct Tagged {
  std::int64_t id{};
  std::optional<std::string> tag{};
  int n{};
  static consteval auto orm() { return quark::model(quark::unique(&Tagged::tag)); }
};

TEST(Returning, AnUpsertWithNullMeetsNothing) {
  for (const bool returning : {true, false}) {
    auto db = quark::mysql::open(variant(returning, returning));
    quark::create_table<Tagged>(db);
    for (int i = 1; i <= 2; ++i) {
      Tagged row{0, std::nullopt, i};
      For<Tagged>(db).upsert(row, quark::on<&Tagged::tag>);
      EXPECT_EQ(For<Tagged>(db).get(row.id).n, i);
    }
    EXPECT_EQ(For<Tagged>(db).count(), 2);
  }
}

TEST(Keys, BeyondTheMemberAreNotTakenForNegativeOnes) {
  auto db = fresh();
  raw(db, "create table taggeds (id bigint unsigned auto_increment primary key, tag varchar(20), n int) "
          "auto_increment = 9223372036854775808");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { For<Tagged>(db).create(Tagged{0, "a", 1}); }).column(), "id");
  std::vector<Tagged> batch{{0, "b", 1}};
  EXPECT_THROW(For<Tagged>(db).create_batch(batch), quark::ConversionError);
}

TEST(Triggers, DontChangeTheKeyThatIsTold) {
  for (const bool returning : {true, false}) {
    auto db = quark::mysql::open(variant(returning, returning));
    quark::create_table<Thing>(db);
    raw(db, "create table log (id bigint auto_increment primary key, what varchar(100))");
    raw(db, "insert into log values (1000, 'x')");
    raw(db, "create trigger after_thing after insert on things for each row insert into log (what) values (new.code)");
    raw(db, "create trigger before_thing before insert on things for each row set new.n = 42");
    Thing one{0, "one", {}, {}};
    For<Thing>(db).create(one);
    EXPECT_EQ(For<Thing>(db).get(one.id).n, 42);
    auto batch = things(20, "t");
    For<Thing>(db).create_batch(batch);
    for (const Thing& thing : batch) EXPECT_EQ(For<Thing>(db).get(thing.id).code, thing.code);
    raw(db, "drop trigger before_thing");
    raw(db, "create trigger refuse before insert on things for each row if new.code = 'bad' then signal sqlstate '45000' "
            "set message_text = 'no'; end if");
    batch = things(20, "u");
    batch[10].code = "bad";
    EXPECT_THROW(For<Thing>(db).create_batch(batch), quark::CheckViolation);
    EXPECT_EQ(For<Thing>(db).count(), 21);
  }
}

TEST(B26, ATableWhoseKeyIsNotMadeSaysSo) {
  auto db = fresh();
  raw(db, "create table things (id bigint not null default 0, code varchar(20), n int, long_text text)");
  EXPECT_THROW(For<Thing>(db).create(Thing{0, "a", {}, {}}), quark::Misuse);
  EXPECT_EQ(raw_cell(db, "select count(*) from things"), "0");
  std::vector<Thing> batch{{0, "a", {}, {}}};
  EXPECT_THROW(For<Thing>(db).create_batch(batch), quark::Misuse);
  EXPECT_EQ(raw_cell(db, "select count(*) from things"), "0");
  For<Thing>(db).create(Thing{5, "a", {}, {}});
}

TEST(Transaction, StatementsThatCommitDontGoUnseen) {
  auto db = fresh();
  quark::create_table<User>(db);
  {
    auto tx = db.begin();
    For<User>(tx).create(User{1, "a", {}, 0, false});
    (void)db.execute("create table other (id int)");
    EXPECT_THROW((void)For<User>(tx).count(), quark::TransactionAborted);
    const auto error = error_of<quark::TransactionAborted>([&] { tx.commit(); });
    EXPECT_FALSE(error.retryable()) << "its rows are there";
  }
  EXPECT_EQ(For<User>(db).count(), 1) << "MySQL committed it";
  auto tx = db.begin();
  EXPECT_THROW(quark::drop_table<User>(tx), quark::Unsupported);
  EXPECT_THROW(quark::create_table<Thing>(tx), quark::Unsupported);
  For<User>(tx).create(User{2, "b", {}, 0, false});
  tx.rollback();
  EXPECT_EQ(For<User>(db).count(), 1);
}

TEST(Transaction, HasIsolationAndMode) {
  Shared shared;
  auto db = shared.connect(), other = shared.connect();
  quark::create_table<User>(db);
  const auto sees = [&](Isolation isolation) {
    auto tx = db.begin(Begin{.isolation = isolation});
    const auto before = For<User>(tx).count();
    For<User>(other).create(User{0, "x", {}, 0, false});
    const auto after = For<User>(tx).count();
    tx.rollback();
    return after - before;
  };
  EXPECT_EQ(sees(Isolation::read_committed), 1);
  EXPECT_EQ(sees(Isolation::repeatable_read), 0);
  EXPECT_EQ(sees(Isolation::standard), 0);
  auto reading = db.begin(Begin{.read_only = true});
  EXPECT_THROW(For<User>(reading).create(User{0, "x", {}, 0, false}), quark::PermissionDenied);
  EXPECT_GT(For<User>(reading).count(), 0);
  reading.commit();
  auto writing = db.begin();
  EXPECT_THROW((void)db.begin(Begin{.read_only = true}), quark::Misuse) << "a savepoint";
}

TEST(Deadlock, RollsBackAndSaysSoUntilTheEnd) {
  Shared shared;
  auto db = shared.connect(), other = shared.connect();
  quark::create_table<User>(db);
  For<User>(db).create(User{1, "a", {}, 0, false});
  For<User>(db).create(User{2, "b", {}, 0, false});
  auto tx = db.begin();
  For<User>(tx).create(User{3, "mine", {}, 0, false});
  For<User>(tx).where(field<&User::id> == 1).set(field<& User::age> = 1).update();
  std::thread rival([&] {
    try {
      other.transaction([&](auto& theirs) {
        // More rows than ours: it is we who have to go.
        for (int i = 10; i < 60; ++i) For<User>(theirs).create(User{i, "theirs", {}, 0, false});
        For<User>(theirs).where(field<&User::id> == 2).set(field<& User::age> = 2).update();
        For<User>(theirs).where(field<&User::id> == 1).set(field<& User::age> = 2).update();
      });
    } catch (const quark::Error& error) {
      ADD_FAILURE() << error.what();
    }
  });
  while (raw_cell(db, "select count(*) from information_schema.innodb_trx where trx_state = 'LOCK WAIT'") == "0")
    std::this_thread::sleep_for(std::chrono::milliseconds(200));  // the table is made anew after 0.1 s without a look
  const auto deadlock = error_of<quark::Deadlock>([&] {
    For<User>(tx).where(field<&User::id> == 2).set(field<& User::age> = 1).update();
  });
  EXPECT_EQ(deadlock.engine_code(), 1213);
  EXPECT_TRUE(deadlock.retryable());
  EXPECT_THROW((void)For<User>(tx).count(), quark::TransactionAborted);
  EXPECT_TRUE(error_of<quark::TransactionAborted>([&] { tx.commit(); }).retryable());
  tx.rollback();
  EXPECT_FALSE(in_transaction(db));
  // The next one is a transaction, not a savepoint in one that is gone.
  db.transaction([](auto& next) { For<User>(next).create(User{4, "next", {}, 0, false}); },
                 Begin{.isolation = Isolation::read_committed});
  rival.join();
  EXPECT_TRUE(For<User>(other).find(4));
  EXPECT_EQ(For<User>(db).get(1).age, 2);
  EXPECT_FALSE(For<User>(db).find(3));
}

TEST(LockTimeout, LeavesTheTransaction) {
  Shared shared;
  auto db = shared.connect(), other = shared.connect();
  quark::create_table<User>(db);
  For<User>(db).create(User{1, "a", {}, 0, false});
  raw(other, "set innodb_lock_wait_timeout = 1");
  auto tx = db.begin();
  For<User>(tx).where(field<&User::id> == 1).set(field<& User::age> = 1).update();
  auto theirs = other.begin();
  For<User>(theirs).create(User{2, "b", {}, 0, false});
  EXPECT_THROW(For<User>(theirs).where(field<&User::id> == 1).set(field<& User::age> = 2).update(), quark::LockTimeout);
  tx.commit();
  theirs.commit();
  EXPECT_EQ(For<User>(db).count(), 2);
}

}  // namespace
