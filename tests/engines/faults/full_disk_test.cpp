// A disk that is full: a small file system of the test's own, on which the table lies. Where none can be mounted the tests
// are left out, and say so; ctest lists them as skipped.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/own_servers.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace {

using namespace under_test;
using quark::For;

struct Piece {
  std::int64_t id{};
  std::string data{};
  bool operator==(const Piece&) const = default;
};

/// Takes room on the disk until it is removed.
class Ballast {
 public:
  Ballast(std::string file, std::size_t bytes) : file_(std::move(file)) {
    std::ofstream out(file_, std::ios::binary);
    const std::string block(std::size_t{1} << 20, '#');
    for (std::size_t done = 0; done < bytes; done += block.size()) out << block;
    out.flush();
    EXPECT_TRUE(out.good());
  }
  Ballast(const Ballast&) = delete;
  Ballast& operator=(const Ballast&) = delete;
  ~Ballast() { remove(); }
  void remove() const {
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
  }

 private:
  std::string file_;
};

#if defined(QUARK_TEST_ENGINE_MYSQL)
// MariaDB 10.11 itself ends, by an assertion, when a disk becomes full while it stores a part of a row outside of the row.
constexpr std::size_t piece_size = 6'000;
#else
constexpr std::size_t piece_size = 100'000;
#endif

// What no engine can compress, and another one each time.
Piece piece() {
  static std::uint64_t state = 88172645463325252u;
  Piece out;
  for (std::size_t i = 0; i < piece_size; ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    out.data += static_cast<char>('!' + state % 90);
  }
  return out;
}

class FullDisk : public testing::Test {
 protected:
  void SetUp() override {
    const char* const disk = std::getenv("QUARK_TEST_DISK");
    ASSERT_NE(disk, nullptr) << "run this with tests/support/with_servers.sh disk";
    if (*disk == '\0') {
      GTEST_SKIP() << "LEFT OUT: a small file system can't be mounted here: " << std::getenv("QUARK_TEST_DISK_MISSING");
    }
    folder = disk;
    options = shared.options();
#if defined(QUARK_TEST_ENGINE_SQLITE)
    options.path = folder + "/sqlite/full.db";
#endif
    Db db(options);
    quark::create_table<Piece>(db);
#if defined(QUARK_TEST_ENGINE_POSTGRES)
    raw(db, "create tablespace small location '" + folder + "/postgres'");
    raw(db, "alter table pieces set tablespace small");
#elif defined(QUARK_TEST_ENGINE_MYSQL)
    raw(db, "drop table pieces");
    raw(db, "create table pieces (id bigint not null auto_increment primary key, data longtext not null) engine = innodb "
            "default character set utf8mb4 data directory = '" + folder + "/mariadb'");
#endif
  }
  void TearDown() override {
    if (folder.empty()) return;
    {
      Db db(options);
      quark::drop_table<Piece>(db);
#if defined(QUARK_TEST_ENGINE_POSTGRES)
      raw(db, "drop tablespace small");
#endif
    }
#if defined(QUARK_TEST_ENGINE_SQLITE)
    for (const char* tail : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(options.path + tail);
#endif
  }
  void check(const quark::Error& error) const {
    EXPECT_EQ(error.kind(), quark::ErrorKind::storage) << error.what();
#if defined(QUARK_TEST_ENGINE_SQLITE)
    EXPECT_EQ(error.engine_code() & 0xff, SQLITE_FULL) << error.what();
#elif defined(QUARK_TEST_ENGINE_POSTGRES)
    EXPECT_EQ(error.sqlstate(), "53100") << error.what();
#else
    EXPECT_TRUE(error.engine_code() == 1114 || error.engine_code() == 1021 || error.engine_code() == 28) << error.what();
#endif
  }
  /// All of them are there, as the engine itself and we read them, and nothing else.
  void expect_stored(const std::vector<Piece>& pieces) const {
    Db db(options);
    EXPECT_EQ(raw_cell(db, "select count(*) from pieces"), std::to_string(pieces.size()));
    for (const Piece& one : pieces) {
      EXPECT_EQ(For<Piece>(db).find(one.id), one);
      EXPECT_EQ(raw_cell(db, "select count(*) from pieces where id = " + std::to_string(one.id) + " and data = '" +
                                 quoted_text(one.data) + "'"), "1");
    }
  }
  static std::string quoted_text(const std::string& text) {
    std::string out;
    for (const char c : text) {
      out += c;
      if (c == '\'' || (c == '\\' && engine == quark::Engine::mysql)) out += c;
    }
    return out;
  }
  /// Creates until the disk is full, and adds what went in. The error is one of a full disk.
  template <class Target>
  void fill(Target& target, std::vector<Piece>& pieces) const {
    for (int i = 0; i < 10'000; ++i) {
      Piece one = piece();
      try {
        For<Piece>(target).create(one);
        pieces.push_back(one);
      } catch (const quark::StorageError& error) {
        check(error);
        EXPECT_EQ(one.id, 0) << "a key of a row that isn't there";
        return;
      }
    }
    ADD_FAILURE() << "the disk has too much room";
  }

  std::string folder;
  Shared shared;
  Db::Options options;
};

TEST_F(FullDisk, LosesNothingAndTheConnectionGoesOn) {
  Ballast ballast(folder + "/ballast", std::size_t{16} << 20);
  Db db(options);
  std::vector<Piece> pieces;
  fill(db, pieces);
  ASSERT_GT(pieces.size(), 10u);
  expect_stored(pieces);
  // It is still full, and still one error for each call.
  check(error_of<quark::StorageError>([&] {
    std::vector<Piece> more;
    for (std::size_t bytes = 0; bytes < 5'000'000; bytes += piece_size) more.push_back(piece());
    try {
      For<Piece>(db).create_batch(more);
    } catch (...) {
      for (const Piece& one : more) EXPECT_EQ(one.id, 0);
      throw;
    }
  }));
  EXPECT_EQ(For<Piece>(db).count(), static_cast<std::int64_t>(pieces.size()));

  ballast.remove();
  pieces.push_back(piece());
  For<Piece>(db).create(pieces.back());
  std::vector<Piece> batch{piece(), piece()};
  For<Piece>(db).create_batch(batch);
  pieces.insert(pieces.end(), batch.begin(), batch.end());
  expect_stored(pieces);
}

TEST_F(FullDisk, UndoesATransactionAndThePoolGoesOn) {
  Ballast ballast(folder + "/ballast", std::size_t{16} << 20);
  Pool pool(options, {.min = 1, .max = 1});
  std::vector<Piece> pieces{piece()};
  For<Piece>(pool).create(pieces[0]);
  expect_stored(pieces);  // SQLite keeps a file that another connection has locked, and takes it again
  const auto files = open_files();
  for (int round = 0; round < 2; ++round) {
    check(error_of<quark::StorageError>([&] {
      pool.transaction([&](auto& tx) {
        for (int i = 0; i < 10'000; ++i) {
          Piece one = piece();
          For<Piece>(tx).create(one);
        }
      });
    }));
    EXPECT_EQ(For<Piece>(pool).count(), 1);
  }
  {
    // Who goes on after the error commits nothing that he believes to be there.
    auto tx = pool.begin();
    std::vector<Piece> lost;
    fill(tx, lost);
    tx.rollback();
  }
  expect_stored(pieces);
  ballast.remove();
  pool.transaction([&](auto& tx) {
    pieces.push_back(piece());
    For<Piece>(tx).create(pieces.back());
  });
  expect_stored(pieces);
  EXPECT_EQ(pool.stats().created, 1u);
  EXPECT_EQ(open_files(), files);
}

}  // namespace
