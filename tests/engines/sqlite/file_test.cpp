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
  const auto error =
      error_of<quark::ConnectionError>([&] { (void)quark::sqlite::open(place / "no/such/folder/a.db"); });
  EXPECT_NE(std::string(error.what()).find("no/such/folder"), std::string::npos);
  EXPECT_THROW((void)quark::sqlite::open({.path = place / "b.db", .create = false}), quark::ConnectionError);
  EXPECT_FALSE(std::filesystem::exists(place / "b.db"));
  EXPECT_THROW((void)quark::sqlite::open({.path = place / "c.db", .read_only = true}), quark::ConnectionError);
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

// Permissions count for an ordinary user: root, who may do everything, becomes one for a moment.
class AsOrdinaryUser {
 public:
  AsOrdinaryUser() : before_(::geteuid()), is_(before_ != 0 || ::seteuid(65534) == 0) {}
  AsOrdinaryUser(const AsOrdinaryUser&) = delete;
  AsOrdinaryUser& operator=(const AsOrdinaryUser&) = delete;
  ~AsOrdinaryUser() {
    if (is_ && ::seteuid(before_) != 0) std::abort();
  }
  explicit operator bool() const { return is_; }

 private:
  uid_t before_;
  bool is_;
};

TEST(SqliteFile, AFileThatCantBeWrittenIsPermissionDeniedWhenItIsOpened) {
  using std::filesystem::perms;
  for (const bool wal : {false, true}) {
    const Place place;
    {
      auto db = quark::sqlite::open({.path = place / "a.db", .wal = false});
      quark::create_table<Room>(db);
    }
    std::filesystem::permissions(place / "a.db", perms::owner_read | perms::group_read | perms::others_read);
    const AsOrdinaryUser user;
    if (!user) GTEST_SKIP() << "root can't become another user here";
    const auto error =
        error_of<quark::PermissionDenied>([&] { (void)quark::sqlite::open({.path = place / "a.db", .wal = wal}); });
    EXPECT_NE(std::string(error.what()).find("a.db"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("read_only"), std::string::npos);
    auto db = quark::sqlite::open({.path = place / "a.db", .read_only = true});
    EXPECT_EQ(For<Room>(db).count(), 0);
  }
}

TEST(SqliteFile, AFolderOrFileThatIsClosedIsPermissionDenied) {
  using std::filesystem::perms;
  const Place place;
  { auto db = quark::sqlite::open(place / "a.db"); }
  std::filesystem::permissions(place / "a.db", perms::none);
  std::filesystem::create_directory(place / "closed");
  std::filesystem::permissions(place / "closed", perms::owner_read | perms::owner_exec);
  const AsOrdinaryUser user;
  if (!user) GTEST_SKIP() << "root can't become another user here";
  const auto error = error_of<quark::PermissionDenied>([&] { (void)quark::sqlite::open(place / "a.db"); });
  EXPECT_EQ(error.kind(), quark::ErrorKind::permission);
  EXPECT_EQ(error.engine_code() & 0xff, SQLITE_CANTOPEN);
  EXPECT_THROW((void)quark::sqlite::open(place / "closed/new.db"), quark::PermissionDenied);
}

TEST(SqliteFile, APathMayBeAFilesystemPath) {
  const Place place;
  const std::filesystem::path path = place / "\xC3\xA4.db";
  {
    auto db = quark::sqlite::open(path);
    quark::create_table<Room>(db);
  }
  EXPECT_TRUE(std::filesystem::exists(path));
  auto db = quark::sqlite::open(path);
  EXPECT_EQ(For<Room>(db).count(), 0);
}

TEST(SqliteFile, AssigningOverAConnectionClosesIt) {
  const Place place;
  auto a = quark::sqlite::open({.path = place / "a.db", .wal = false});
  auto b = quark::sqlite::open({.path = place / "b.db", .wal = false});
  quark::create_table<Room>(a);
  a.execute("BEGIN IMMEDIATE");
  a = std::move(b);
  EXPECT_THROW((void)b.execute("SELECT 1"), quark::Misuse) << "nothing is left in it, a's file least of all";
  auto again = quark::sqlite::open({.path = place / "a.db", .busy_timeout_milliseconds = 0, .wal = false});
  For<Room>(again).create(Room{.code = "a"});
  EXPECT_THROW(For<Room>(a).count(), quark::SyntaxError) << "b.db has no rooms";
}

TEST(SqliteFile, AForeignFileIsAStorageError) {
  const Place place;
  std::ofstream(place / "text.db") << std::string(5000, 'x');
  const auto error = error_of<quark::StorageError>([&] { (void)quark::sqlite::open(place / "text.db"); });
  EXPECT_EQ(error.engine_code() & 0xff, SQLITE_NOTADB);
}

TEST(SqliteFile, ACorruptTableIsAStorageErrorAndOthersCanStillBeRead) {
  const Place place;
  std::streamoff at = 0;
  std::size_t page_size = 0;
  {
    auto db = quark::sqlite::open({.path = place / "a.db", .wal = false});
    quark::create_table<Room>(db);
    db.execute("CREATE TABLE other(x INTEGER)");
    db.execute("INSERT INTO other VALUES (5)");
    std::vector<Room> many(3000);
    for (Room& r : many) r.code = std::string(50, 'c');
    For<Room>(db).create_batch(many);
    page_size = std::stoul(raw_cell(db, "PRAGMA page_size"));
    const auto page = std::stol(raw_cell(db, "SELECT rootpage FROM sqlite_schema WHERE name = 'rooms'"));
    at = (page - 1) * static_cast<std::streamoff>(page_size);
  }
  {
    std::fstream file(place / "a.db", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(at);
    file << std::string(page_size, '\xff');
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
  EXPECT_THROW((void)quark::sqlite::open(std::string("a\0b", 3)), quark::Misuse);
  EXPECT_THROW((void)quark::sqlite::open({.cached_texts = 0}), quark::Misuse);
  EXPECT_THROW((void)quark::sqlite::open({.busy_timeout_milliseconds = -1}), quark::Misuse);
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

// What holds for every engine is in suite/error_test.cpp; this is SQLite's own habit, switched off.
TEST(SqliteFile, B16_AQuotedNameIsNeverText) {
  auto db = under_test::fresh();
  db.execute("CREATE TABLE rooms(id INTEGER PRIMARY KEY, cod TEXT, w REAL)");
  EXPECT_THROW(db.execute("SELECT \"code\" FROM rooms"), quark::SyntaxError);
  EXPECT_THROW(db.execute("CREATE INDEX i ON rooms(cod) WHERE cod = \"code\""), quark::SyntaxError);
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

// All of these have a column `id INTEGER` in their key, and none of them is the row id.
TEST(SqliteFile, B26_AKeyThatIsNotTheRowIdIsNotGuessed) {
  for (const char* table : {"CREATE TABLE rooms(id INTEGER, code TEXT, w REAL, PRIMARY KEY (id, code))",
                            "CREATE TABLE rooms(id INTEGER PRIMARY KEY DESC, code TEXT, w REAL)",
                            "CREATE TABLE rooms(id INTEGER PRIMARY KEY, code TEXT, w REAL) WITHOUT ROWID",
                            "CREATE TABLE rooms(id INTEGER, code TEXT PRIMARY KEY, w REAL)"}) {
    auto db = under_test::fresh();
    db.execute(table);
    auto rooms = For<Room>(db);
    Room room{.code = "a"};
    EXPECT_THROW(rooms.create(room), quark::Misuse) << table;
    EXPECT_EQ(room.id, 0);
    EXPECT_EQ(rooms.count(), 0);
    rooms.create(Room{.id = 7, .code = "given"});
    EXPECT_EQ(raw_cell(db, "SELECT id FROM rooms"), "7");
  }
  auto db = under_test::fresh();
  db.execute("CREATE TABLE Rooms(w REAL, ID integer PRIMARY KEY NOT NULL, code TEXT)");
  EXPECT_EQ(For<Room>(db).create(Room{.code = "a"}).id, 1);
}

TEST(SqliteFile, B26_ATableThatWasMadeAnewIsLookedAtAgain) {
  auto db = under_test::fresh();
  quark::create_table<Room>(db);
  auto rooms = For<Room>(db);
  rooms.create(Room{.code = "a"});
  db.execute("CREATE INDEX by_code ON rooms(code)");
  EXPECT_EQ(rooms.create(Room{.code = "b"}).id, 2) << "another schema, and nothing wrong with it";
  db.execute("DROP TABLE rooms");
  db.execute("CREATE TABLE rooms(id INTEGER, code TEXT, w REAL, PRIMARY KEY (id, code))");
  for (int again = 0; again < 2; ++again) {
    Room room{.code = "c"};
    EXPECT_THROW(rooms.create(room), quark::Misuse);
    EXPECT_EQ(room.id, 0);
    EXPECT_EQ(rooms.count(), 0) << "nothing was written";
  }
}

TEST(SqliteFile, OneCallRunsOneStatementAndAnyNumberOfComments) {
  auto db = under_test::fresh();
  db.execute("CREATE TABLE rooms(id INTEGER PRIMARY KEY, code TEXT, w REAL); -- a room");
  EXPECT_EQ(db.execute("INSERT INTO rooms(code) VALUES ('a'); /* one */ ; -- and no more\n  -- at all"), 1u);
  EXPECT_EQ(db.execute("-- first a word\nDELETE FROM rooms WHERE code = ';'; ;\n"), 0u);
  EXPECT_THROW(db.execute("DELETE FROM rooms; -- a\n; DELETE FROM rooms"), quark::Misuse);
  EXPECT_THROW(db.execute("DELETE FROM rooms; nonsense"), quark::Misuse);
  EXPECT_THROW(db.execute("DELETE FROM rooms; /* one */ SELECT 1"), quark::Misuse);
  EXPECT_THROW(db.execute("-- nothing"), quark::Misuse);
  EXPECT_EQ(raw_cell(db, "SELECT count(*) FROM rooms"), "1");
}

}  // namespace
