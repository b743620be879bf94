// Several connections to one file: waiting, failing, and what a failure leaves behind.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <unistd.h>
#include <filesystem>
#include <thread>

namespace {

using quark::field;
using quark::For;

struct Counter {
  std::int64_t id{};
  std::int64_t n{};
};

/// A file of its own, removed with its companions.
class File {
 public:
  File() {
    static std::atomic<int> next{0};
    path_ = (std::filesystem::temp_directory_path() /
             ("quark_lock_" + std::to_string(::getpid()) + "_" + std::to_string(next++) + ".db"))
                .string();
    remove();
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { remove(); }
  const std::string& path() const { return path_; }
  quark::sqlite::Connection open(std::int64_t timeout, bool wal = true) const {
    return quark::sqlite::open({.path = path_, .busy_timeout_milliseconds = timeout, .wal = wal});
  }

 private:
  void remove() const {
    for (const char* tail : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path_ + tail);
  }
  std::string path_;
};

TEST(SqliteLock, B35_TwoWritersWaitForEachOtherAndLoseNothing) {
  const File file;
  {
    auto db = file.open(10000);
    quark::create_table<Counter>(db);
    For<Counter>(db).create(Counter{.id = 1, .n = 0});
  }
  const auto count_up = [&] {
    auto db = file.open(10000);
    for (int i = 0; i < 50; ++i)
      db.transaction([](auto& tx) {
        auto counters = For<Counter>(tx);
        Counter c = counters.get(1);
        ++c.n;
        counters.update(c);
      });
  };
  std::thread other(count_up);
  count_up();
  other.join();
  auto db = file.open(0);
  EXPECT_EQ(under_test::raw_cell(db, "SELECT n FROM counters"), "100");
}

TEST(SqliteLock, B35_ADeferredTransactionThatWasOvertakenIsASerializationFailure) {
  const File file;
  auto a = file.open(5000);
  auto b = file.open(5000);
  quark::create_table<Counter>(a);
  For<Counter>(a).create(Counter{.id = 1});
  auto tx = a.begin(quark::sqlite::Begin::deferred);
  EXPECT_EQ(For<Counter>(tx).count(), 1);
  For<Counter>(b).create(Counter{.id = 2});
  const auto error =
      under_test::error_of<quark::SerializationFailure>([&] { For<Counter>(tx).create(Counter{.id = 3}); });
  EXPECT_TRUE(error.retryable());
  EXPECT_EQ(error.engine_code(), SQLITE_BUSY_SNAPSHOT);
  tx.rollback();
  EXPECT_EQ(For<Counter>(a).count(), 2);
}

TEST(SqliteLock, ALockedDatabaseIsALockTimeoutAndTheConnectionGoesOn) {
  const File file;
  auto a = file.open(0);
  auto b = file.open(0);
  quark::create_table<Counter>(a);
  auto tx = a.begin();
  For<Counter>(tx).create(Counter{.id = 1});
  const auto error = under_test::error_of<quark::LockTimeout>([&] { For<Counter>(b).create(Counter{.id = 2}); });
  EXPECT_TRUE(error.retryable());
  EXPECT_NE(std::string(error.statement()).find("INSERT"), std::string::npos);
  EXPECT_EQ(For<Counter>(b).count(), 0);
  EXPECT_THROW((void)b.begin(), quark::LockTimeout);
  tx.commit();
  For<Counter>(b).create(Counter{.id = 2});
  EXPECT_EQ(For<Counter>(b).count(), 2);
}

TEST(SqliteLock, B33_ABusyCommitSaysSoAndCanBeTriedAgain) {
  const File file;
  auto writer = file.open(50, false);
  auto reader = file.open(50, false);
  quark::create_table<Counter>(writer);
  For<Counter>(writer).create(Counter{.id = 1});
  auto reading = reader.begin(quark::sqlite::Begin::deferred);
  EXPECT_EQ(For<Counter>(reading).count(), 1);

  auto tx = writer.begin();
  For<Counter>(tx).create(Counter{.id = 2});
  EXPECT_THROW(tx.commit(), quark::LockTimeout);
  EXPECT_TRUE(tx.active());
  reading.commit();
  tx.commit();
  EXPECT_FALSE(tx.active());
  EXPECT_EQ(under_test::raw_cell(reader, "SELECT count(*) FROM counters"), "2");
}

TEST(SqliteLock, B33_AGuardAfterABusyCommitRollsBackAndTheNextTransactionCommits) {
  const File file;
  auto writer = file.open(50, false);
  auto reader = file.open(50, false);
  quark::create_table<Counter>(writer);
  For<Counter>(writer).create(Counter{.id = 1});
  {
    auto reading = reader.begin(quark::sqlite::Begin::deferred);
    EXPECT_EQ(For<Counter>(reading).count(), 1);
    EXPECT_THROW(writer.transaction([](auto& tx) { For<Counter>(tx).create(Counter{.id = 2}); }), quark::LockTimeout);
  }
  writer.transaction([](auto& tx) { For<Counter>(tx).create(Counter{.id = 3}); });
  EXPECT_EQ(under_test::raw_cell(reader, "SELECT group_concat(id) FROM counters"), "1,3");
}

// As B42 of the suite, with the journal in which a read that is left open blocks every writer.
TEST(SqliteLock, B42_AFinishedReadPinsNothing) {
  const File file;
  auto a = file.open(0, false);
  auto b = file.open(0, false);
  quark::create_table<Counter>(a);
  for (int i = 1; i <= 3; ++i) For<Counter>(a).create(Counter{.id = i});
  EXPECT_TRUE(For<Counter>(a).first().has_value());
  For<Counter>(a).each([](const Counter&) { return false; });
  EXPECT_THROW(For<Counter>(a).each([](const Counter&) { throw 7; }), int);
  For<Counter>(b).create(Counter{.id = 4});
  EXPECT_EQ(For<Counter>(a).count(), 4);
}

TEST(SqliteLock, B46_EveryConnectionChecksForeignKeys) {
  const File file;
  std::vector<quark::sqlite::Connection> connections;
  for (int i = 0; i < 4; ++i) connections.push_back(file.open(1000));
  connections[0].execute("CREATE TABLE parents(id INTEGER PRIMARY KEY)");
  connections[0].execute("CREATE TABLE children(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents(id))");
  for (auto& db : connections) {
    EXPECT_EQ(under_test::raw_cell(db, "PRAGMA foreign_keys"), "1");
    EXPECT_EQ(under_test::raw_cell(db, "PRAGMA journal_mode"), "wal");
    EXPECT_THROW(db.execute("INSERT INTO children VALUES (1, 77)"), quark::ForeignKeyViolation);
  }
}

TEST(SqliteLock, B46_MemoryDatabasesArePrivate) {
  auto a = under_test::fresh();
  auto b = under_test::fresh();
  quark::create_table<Counter>(a);
  EXPECT_THROW(For<Counter>(b).count(), quark::SyntaxError);
}

TEST(SqliteLock, B39_AnInterruptEndsTheStatementAndNotTheNextOne) {
  auto db = under_test::fresh();
  std::atomic<bool> done{false};
  std::thread stopper([&] {
    while (!done.load()) {
      db.interrupt();
      std::this_thread::yield();
    }
  });
  EXPECT_THROW(db.execute("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < "
                          "400000000) SELECT max(x) FROM c"),
               quark::Timeout);
  done = true;
  stopper.join();
  quark::create_table<Counter>(db);
  EXPECT_EQ(For<Counter>(db).count(), 0);
}

#ifndef NDEBUG
TEST(SqliteLock, B45_TwoThreadsInOneConnectionAreMisuse) {
  auto db = under_test::fresh();
  quark::create_table<Counter>(db);
  For<Counter>(db).create(Counter{.id = 1});
  bool refused = false;
  For<Counter>(db).each([&](const Counter&) {
    std::thread([&] {
      try {
        For<Counter>(db).count();
      } catch (const quark::Misuse&) {
        refused = true;
      }
    }).join();
  });
  EXPECT_TRUE(refused);
  // One after the other is fine.
  std::thread([&] { EXPECT_EQ(For<Counter>(db).count(), 1); }).join();
}
#endif

}  // namespace
