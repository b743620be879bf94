// The conformance suite on connections of MySQL Connector/C++, through the bridge: the server of QUARK_TEST_MYSQL, and
// what it answers to the connector's own plain statements.
#include "support/engine_under_test.hpp"

#include <cppconn/driver.h>
#include <cppconn/exception.h>
#include <cppconn/resultset.h>
#include <cppconn/resultset_metadata.h>
#include <cppconn/statement.h>

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace under_test {
namespace {

// mysql://user:password@host:port/database, as with_servers.sh gives it.
DatabaseOptions parse(std::string url) {
  const auto take_until = [&](const char* mark) {
    const std::size_t at = url.find(mark);
    std::string part = url.substr(0, at);
    url.erase(0, at == std::string::npos ? at : at + std::string_view(mark).size());
    return part;
  };
  DatabaseOptions out;
  take_until("://");
  std::string who = take_until("@");
  out.user = who.substr(0, who.find(':'));
  if (who.find(':') != std::string::npos) out.password = who.substr(who.find(':') + 1);
  out.host = "tcp://" + take_until("/");
  out.database = url.substr(0, url.find('?'));
  return out;
}

const DatabaseOptions& given() {
  static const DatabaseOptions options = [] {
    const char* const url = std::getenv("QUARK_TEST_MYSQL");
    if (url == nullptr || *url == '\0') {
      std::fputs("QUARK_TEST_MYSQL names no server: run the tests with tests/support/with_servers.sh mariadb --\n",
                 stderr);
      std::exit(1);
    }
    return parse(url);
  }();
  return options;
}

// As a connection without CLIENT_FOUND_ROWS, and as a server without RETURNING, would be met.
bool without_found_rows = false, without_returning = false;

void run(sql::Connection& connection, const std::string& text) {
  const std::unique_ptr<sql::Statement> statement(connection.createStatement());
  statement->execute(text);
}

/// The connection that makes and drops the tests' databases, and what it has made.
class Databases {
 public:
  ~Databases() { drop_all(); }
  std::string make() {
    const std::scoped_lock lock(mutex_);
    const std::string name = "quark_test_" + std::to_string(getpid()) + "_" + std::to_string(++count_);
    run(*connection_, "CREATE DATABASE " + name);
    names_.push_back(name);
    return name;
  }
  /// The databases of earlier tests: nobody uses them any more.
  void drop_all() {
    const std::scoped_lock lock(mutex_);
    for (const std::string& name : names_) {
      try {
        run(*connection_, "DROP DATABASE IF EXISTS " + name);
      } catch (const sql::SQLException& error) {
        std::fprintf(stderr, "%s\n", error.what());
      }
    }
    names_.clear();
  }

 private:
  std::unique_ptr<sql::Connection> connection_ = connect(given());
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

std::unique_ptr<sql::Connection> connect(const DatabaseOptions& options) {
  sql::ConnectOptionsMap map;
  map["hostName"] = sql::SQLString(options.host);
  map["userName"] = sql::SQLString(options.user);
  map["password"] = sql::SQLString(options.password);
  map["schema"] = sql::SQLString(options.database);
  map["CLIENT_FOUND_ROWS"] = options.found_rows;
  if (options.several_statements) map["CLIENT_MULTI_STATEMENTS"] = true;
  std::unique_ptr<sql::Connection> connection(get_driver_instance()->connect(map));
  run(*connection, "SET SESSION innodb_lock_wait_timeout = 5");
  if (options.prepared) quark::mysqlcppconn::prepare_session(*connection);
  return connection;
}

DatabaseOptions server() {
  DatabaseOptions options = given();
  options.found_rows = !without_found_rows;
  options.bridge.returning = !without_returning;
  return options;
}

DatabaseOptions fresh_options() {
  DatabaseOptions options = server();
  options.database = databases().make();
  return options;
}

Db fresh() { return Db(fresh_options()); }

Shared::Shared() : place_(databases().make()) {}
Shared::~Shared() = default;
Db::Options Shared::options() const {
  DatabaseOptions options = server();
  options.database = place_;
  return options;
}

void lose(const Shared& shared, const Db& victim) {
  auto other = shared.connect();
  const std::string id = raw_cell(victim, "select connection_id()");
  other.execute("KILL " + id);
  while (raw_cell(other, "select count(*) from information_schema.processlist where id = " + id) != "0") usleep(1000);
}
Setting some_setting() {
  return {"set @@session.group_concat_max_len = 4321", "select @@session.group_concat_max_len", "4321"};
}

// On the same connection: what is not committed is seen, too. The server's own text: no value is converted on the way.
std::vector<std::vector<Cell>> raw(const Db& db, std::string_view text) {
  try {
    const std::unique_ptr<sql::Statement> statement(db.connection().createStatement());
    std::vector<std::vector<Cell>> rows;
    if (!statement->execute(std::string(text))) return rows;
    const std::unique_ptr<sql::ResultSet> result(statement->getResultSet());
    const unsigned columns = result->getMetaData()->getColumnCount();
    while (result->next()) {
      auto& row = rows.emplace_back();
      for (unsigned i = 1; i <= columns; ++i) {
        if (result->isNull(i)) {
          row.emplace_back();
        } else {
          row.emplace_back(result->getString(i).asStdString());
        }
      }
    }
    return rows;
  } catch (const sql::SQLException& error) {
    throw RawError{error.what()};
  }
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
std::string drop_index(std::string_view index, std::string_view table) {
  return "drop index " + std::string(index) + " on " + std::string(table);
}
std::string boolean_type() { return "tinyint"; }
std::string truth(bool value) { return value ? "1" : "0"; }
std::string made_key() { return "bigint auto_increment primary key"; }
bool in_transaction(const Db& db) { return raw_cell(db, "select @@in_transaction") == "1"; }
void after_given_keys(const Db&, std::string_view) {}

}  // namespace under_test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--without-found-rows") under_test::without_found_rows = true;
    if (std::string_view(argv[i]) == "--without-returning") under_test::without_returning = true;
  }
  testing::UnitTest::GetInstance()->listeners().Append(new under_test::DropAfterEachTest);
  return RUN_ALL_TESTS();
}
