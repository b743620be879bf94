// Files: opening them, what is wrong with them, and what SQLite's own types do to values.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>

namespace {

using quark::field;
using quark::For;
using under_test::error_of;
using under_test::raw_cell;
using under_test::raw_row;

struct Room {
  std::int64_t id{};
  std::string code;
  double w{};
};

class Place {
 public:
  Place() {
    static std::atomic<int> next{0};
    folder_ = std::filesystem::temp_directory_path() /
              ("quark_file_" + std::to_string(::getpid()) + "_" + std::to_string(next++));
    std::filesystem::create_directories(folder_);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() { std::filesystem::remove_all(folder_); }
  std::string operator/(std::string_view name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

TEST(SqliteFile, IsMadeWalAndKeepsItsRows) {
  const Place place;
  {
    auto db = quark::sqlite::open(place / "a.db");
    quark::create_table<Room>(db);
    For<Room>(db).create(Room{.code = "008"});
    EXPECT_EQ(raw_cell(db, "PRAGMA journal_mode"), "wal");
    EXPECT_EQ(raw_cell(db, "PRAGMA synchronous"), "1");
  }
  auto db = quark::sqlite::open(place / "a.db");
  EXPECT_EQ(For<Room>(db).one().code, "008");
}

TEST(SqliteFile, AMissingFolderOrFileIsAConnectionError) {
  const Place place;
  const auto error = error_of<quark::ConnectionError>([&] { quark::sqlite::open(place / "no/such/folder/a.db"); });
  EXPECT_NE(std::string(error.what()).find("no/such/folder"), std::string::npos);
  EXPECT_THROW(quark::sqlite::open({.path = place / "b.db", .create = false}), quark::ConnectionError);
  EXPECT_FALSE(std::filesystem::exists(place / "b.db"));
  EXPECT_THROW(quark::sqlite::open({.path = place / "c.db", .read_only = true}), quark::ConnectionError);
}

TEST(SqliteFile, AReadOnlyDatabaseRefusesWritesAndAnswersReads) {
  const Place place;
  {
    auto db = quark::sqlite::open(place / "a.db");
    quark::create_table<Room>(db);
    For<Room>(db).create(Room{.code = "a"});
  }
  auto db = quark::sqlite::open({.path = place / "a.db", .read_only = true});
  auto rooms = For<Room>(db);
  const auto error = error_of<quark::PermissionDenied>([&] { rooms.create(Room{.code = "b"}); });
  EXPECT_EQ(error.kind(), quark::ErrorKind::permission);
  EXPECT_THROW(rooms.everything().remove(), quark::PermissionDenied);
  EXPECT_EQ(rooms.count(), 1);
  EXPECT_EQ(db.transaction([](auto& tx) { return For<Room>(tx).count(); }), 1);
}

TEST(SqliteFile, AForeignFileIsAStorageError) {
  const Place place;
  std::ofstream(place / "text.db") << std::string(5000, 'x');
  const auto error = error_of<quark::StorageError>([&] { quark::sqlite::open(place / "text.db"); });
  EXPECT_EQ(error.engine_code() & 0xff, SQLITE_NOTADB);
}

TEST(SqliteFile, ACorruptTableIsAStorageErrorAndOthersCanStillBeRead) {
  const Place place;
  int page = 0;
  {
    auto db = quark::sqlite::open({.path = place / "a.db", .wal = false});
    quark::create_table<Room>(db);
    db.execute("CREATE TABLE other(x INTEGER)");
    db.execute("INSERT INTO other VALUES (5)");
    std::vector<Room> many(3000);
    for (Room& r : many) r.code = std::string(50, 'c');
    For<Room>(db).create_batch(many);
    page = std::stoi(raw_cell(db, "SELECT rootpage FROM sqlite_schema WHERE name = 'rooms'"));
  }
  {
    std::fstream file(place / "a.db", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp((page - 1) * 4096);
    file << std::string(4096, '\xff');
  }
  auto db = quark::sqlite::open({.path = place / "a.db", .wal = false});
  const auto error = error_of<quark::StorageError>([&] { For<Room>(db).list(); });
  EXPECT_EQ(error.engine_code() & 0xff, SQLITE_CORRUPT);
  EXPECT_EQ(raw_cell(db, "SELECT x FROM other"), "5");
}

TEST(SqliteFile, AFullDiskIsAStorageErrorAndNothingOfTheBatchStays) {
  const Place place;
  auto db = quark::sqlite::open({.path = place / "a.db", .wal = false});
  quark::create_table<Room>(db);
  auto rooms = For<Room>(db);
  rooms.create(Room{.code = "first"});
  db.execute("PRAGMA max_page_count = 20");
  std::vector<Room> many(5000);
  for (Room& r : many) r.code = std::string(100, 'c');
  const auto error = error_of<quark::StorageError>([&] { rooms.create_batch(many); });
  EXPECT_EQ(error.engine_code() & 0xff, SQLITE_FULL);
  for (const Room& r : many) ASSERT_EQ(r.id, 0);
  EXPECT_EQ(rooms.count(), 1);
  rooms.create(Room{.code = "second"});
  EXPECT_EQ(rooms.count(), 2);
}

TEST(SqliteFile, APathWithAZeroByteAndBadOptionsAreMisuse) {
  EXPECT_THROW(quark::sqlite::open(std::string("a\0b", 3)), quark::Misuse);
  EXPECT_THROW(quark::sqlite::open({.cached_texts = 0}), quark::Misuse);
}

TEST(SqliteFile, B48_OurTablesKeepTextAsTextAndRefuseOtherTypes) {
  auto db = under_test::fresh();
  quark::create_table<Room>(db);
  For<Room>(db).create(Room{.id = 1, .code = "008", .w = 1});
  EXPECT_EQ(raw_row(db, "SELECT typeof(code), code, typeof(w) FROM rooms"), "text|008|real");
  EXPECT_THROW(db.execute("INSERT INTO rooms VALUES (2, 'x', 'abc')"), quark::CheckViolation);
}

TEST(SqliteFile, B48_WrongStorageInAForeignTableIsRefusedWithItsColumn) {
  auto db = under_test::fresh();
  db.execute("CREATE TABLE rooms(id INTEGER PRIMARY KEY, code, w)");
  db.execute("INSERT INTO rooms VALUES (1, 'a', 1.5), (2, 'b', 'abc'), (3, 5, 2.0), (4, 'd', x'00')");
  auto rooms = For<Room>(db);
  EXPECT_EQ(rooms.get(1).w, 1.5);
  EXPECT_EQ(error_of<quark::ConversionError>([&] { rooms.get(2); }).column(), "w");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { rooms.get(3); }).column(), "code");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { rooms.get(4); }).column(), "w");
  const auto error = error_of<quark::ConversionError>([&] { rooms.order_by(quark::asc<&Room::id>).list(); });
  EXPECT_NE(std::string(error.what()).find("row 2"), std::string::npos);
  EXPECT_EQ(rooms.get(1).code, "a");
}

TEST(SqliteFile, B16_AMisspeltColumnIsAnErrorAndNotItsOwnName) {
  auto db = under_test::fresh();
  db.execute("CREATE TABLE rooms(id INTEGER PRIMARY KEY, cod TEXT, w REAL)");
  db.execute("INSERT INTO rooms VALUES (1, 'a', 1)");
  EXPECT_THROW(For<Room>(db).list(), quark::SyntaxError);
  EXPECT_THROW(For<Room>(db).where(field<&Room::code> != "").count(), quark::SyntaxError);
  EXPECT_THROW(db.execute("SELECT \"code\" FROM rooms"), quark::SyntaxError);
  EXPECT_EQ(raw_cell(db, "SELECT cod FROM rooms"), "a");
}

TEST(SqliteFile, B26_AKeyThatSqliteDoesNotMakeIsNotGuessed) {
  auto db = under_test::fresh();
  db.execute("CREATE TABLE rooms(id INT PRIMARY KEY, code TEXT, w REAL)");
  auto rooms = For<Room>(db);
  EXPECT_THROW(rooms.create(Room{.code = "a"}), quark::Misuse);
  EXPECT_EQ(rooms.count(), 0);
  rooms.create(Room{.id = 7, .code = "given"});
  EXPECT_EQ(raw_cell(db, "SELECT id FROM rooms"), "7");
}



}  // namespace
