// The conformance suite on MySQL or MariaDB: the server of QUARK_TEST_MYSQL, and what it answers to plain SQL.
#include "support/engine_under_test.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace under_test {
namespace {

const std::string& url() {
  static const std::string text = [] {
    const char* const given = std::getenv("QUARK_TEST_MYSQL");
    if (given == nullptr || *given == '\0') {
      std::fputs("QUARK_TEST_MYSQL names no server: run the tests with tests/support/with_servers.sh mariadb --\n",
                 stderr);
      std::exit(1);
    }
    return std::string(given);
  }();
  return text;
}

/// The connection that makes and drops the tests' databases, and what it has made.
class Databases {
 public:
  ~Databases() {
    for (const std::string& name : names_) drop(name);
  }
  std::string make() {
    const std::scoped_lock lock(mutex_);
    const std::string name = "quark_test_" + std::to_string(getpid()) + "_" + std::to_string(++count_);
    db().execute("CREATE DATABASE " + name);
    names_.push_back(name);
    return name;
  }
  /// The databases of earlier tests: nobody uses them any more.
  void drop_all() {
    const std::scoped_lock lock(mutex_);
    for (const std::string& name : names_) drop(name);
    names_.clear();
  }

 private:
  void drop(const std::string& name) {
    try {
      db().execute("DROP DATABASE IF EXISTS " + name);
    } catch (const quark::Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
  }
  Db& db() {
    if (mysql_ping(db_.native()) != 0) db_ = quark::mysql::open(url());  // a test has restarted the server
    return db_;
  }
  Db db_{quark::mysql::open(url())};
  std::mutex mutex_;
  std::vector<std::string> names_;
  std::size_t count_ = 0;
};

Databases& databases() {
  static Databases all;
  return all;
}

class DropAfterEachTest : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo&) override { databases().drop_all(); }
};

}  // namespace

namespace {
// As a server without RETURNING and arrays of parameters would be met.
bool without_returning = false;
}  // namespace

quark::mysql::Options server() {
  quark::mysql::Options options = quark::mysql::parse_url(url());
  if (without_returning) options.returning = options.bulk = false;
  return options;
}

quark::mysql::Options fresh_options() {
  quark::mysql::Options options = server();
  options.database = databases().make();
  options.lock_timeout_seconds = 5;
  return options;
}

Db fresh() { return quark::mysql::open(fresh_options()); }

Shared::Shared() : place_(databases().make()) {}
Shared::~Shared() = default;
Db::Options Shared::options() const {
  quark::mysql::Options options = server();
  options.database = place_;
  options.lock_timeout_seconds = 5;
  return options;
}

void lose(const Shared& shared, const Db& victim) {
  auto other = shared.connect();
  const std::string id = std::to_string(mysql_thread_id(victim.native()));
  other.execute("KILL " + id);
  while (raw_cell(other, "select count(*) from information_schema.processlist where id = " + id) != "0") usleep(1000);
}
std::string slow_statement() { return "select sleep(30)"; }
Setting some_setting() {
  return {"set @@session.group_concat_max_len = 4321", "select @@session.group_concat_max_len", "4321"};
}

// On the same connection: what is not committed is seen, too.
std::vector<std::vector<Cell>> raw(const Db& db, std::string_view sql) {
  MYSQL* const connection = db.native();
  const auto fail = [&] { throw RawError{mysql_error(connection)}; };
  if (mysql_real_query(connection, sql.data(), static_cast<unsigned long>(sql.size())) != 0) fail();
  std::vector<std::vector<Cell>> rows;
  MYSQL_RES* const result = mysql_store_result(connection);
  if (result == nullptr) {
    if (mysql_errno(connection) != 0) fail();
    return rows;
  }
  const unsigned columns = mysql_num_fields(result);
  while (const MYSQL_ROW cells = mysql_fetch_row(result)) {
    const unsigned long* const lengths = mysql_fetch_lengths(result);
    auto& row = rows.emplace_back();
    for (unsigned i = 0; i < columns; ++i) {
      if (cells[i] == nullptr) {
        row.emplace_back();
      } else {
        row.emplace_back(std::string(cells[i], lengths[i]));
      }
    }
  }
  mysql_free_result(result);
  return rows;
}

std::string hex_of(std::string_view column) { return "hex(" + std::string(column) + ")"; }
std::string byte_length_of(std::string_view column) { return "octet_length(" + std::string(column) + ")"; }
std::string quoted(std::string_view name) {
  std::string out = "`";
  for (const char c : name) {
    out += c;
    if (c == '`') out += c;
  }
  return out + '`';
}

std::string char_length_of(std::string_view column) { return "char_length(" + std::string(column) + ")"; }
std::string drop_index(std::string_view index, std::string_view table) { return "drop index " + std::string(index) + " on " + std::string(table); }
std::string boolean_type() { return "tinyint"; }
std::string truth(bool value) { return value ? "1" : "0"; }
std::string made_key() { return "bigint auto_increment primary key"; }
bool in_transaction(const Db& db) { return (db.native()->server_status & SERVER_STATUS_IN_TRANS) != 0; }
void after_given_keys(const Db&, std::string_view) {}

}  // namespace under_test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--without-returning") under_test::without_returning = true;
  testing::UnitTest::GetInstance()->listeners().Append(new under_test::DropAfterEachTest);
  return RUN_ALL_TESTS();
}
