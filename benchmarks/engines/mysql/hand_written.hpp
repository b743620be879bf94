// The same operations on the MySQL C API, written by hand with care: each statement prepared and bound once, rows fetched
// unbuffered into buffers that stay. This is what Quark is measured by.
#pragma once

#include "engines/servers/users.hpp"

#include <mysql.h>

namespace bench {

/// The table of both arms, for their own connection only: no other work of the server comes between.
inline constexpr const char* mysql_table =
    "CREATE TEMPORARY TABLE server_users (id bigint AUTO_INCREMENT PRIMARY KEY, name longtext NOT NULL, email longtext, "
    "age int NOT NULL, active tinyint(1) NOT NULL, score double NOT NULL, created_at datetime(6) NOT NULL) "
    "ENGINE=InnoDB CHARACTER SET utf8mb4";

/// Connects to the server of QUARK_TEST_MYSQL as both arms do.
struct MysqlServer {
  std::string host, user, password, database;
  unsigned port = 0;
};
MysqlServer mysql_server();

class HandWritten {
 public:
  using User = ServerUser;
  static constexpr const char* chunks = "hand-written, VALUES of 100 rows";
  static std::vector<User> users(std::size_t count) { return make_server_users(count); }
  static std::vector<std::int64_t> keys() { return make_server_keys(); }

  HandWritten();
  HandWritten(const HandWritten&) = delete;
  HandWritten& operator=(const HandWritten&) = delete;
  ~HandWritten();

  std::optional<User> find(std::int64_t id);
  std::vector<User> list(std::int32_t from_age, bool);
  std::uint64_t update(const User& user);
  void insert(User& user);
  /// One INSERT per row in one transaction.
  void insert_rows(std::vector<User>& users);
  /// One INSERT with many VALUES per 100 rows, in one transaction; keys are consecutive from the first.
  void insert_chunks(std::vector<User>& users);
  void drop_inserted();

 private:
  static constexpr unsigned columns = 6;  // without the key
  static constexpr unsigned chunk = 100;
  static constexpr unsigned long room = 256;  // of text

  using Flag = std::remove_pointer_t<decltype(MYSQL_BIND::is_null)>;

  // The parameters of a row, where the statement is bound to.
  struct Row {
    char name[room], email[room];
    unsigned long name_size = 0, email_size = 0;
    Flag email_null = 0;
    std::int32_t age = 0;
    signed char active = 0;
    double score = 0;
    MYSQL_TIME created_at{};
    std::int64_t key = 0;
    void bind(MYSQL_BIND* to);
    void fill(const User& user);
  };
  // The cells of a row.
  struct Cells {
    std::int64_t id = 0;
    char name[room], email[room];
    unsigned long name_size = 0, email_size = 0;
    Flag email_null = 0;
    std::int32_t age = 0;
    signed char active = 0;
    double score = 0;
    MYSQL_TIME created_at{};
    void bind(MYSQL_STMT* statement);
    User read() const;
  };

  MYSQL_STMT* prepare(const std::string& sql, MYSQL_BIND* params);
  void execute(MYSQL_STMT* statement);
  void command(const char* sql);
  [[noreturn]] void fail() const;

  MYSQL* connection_ = nullptr;
  MYSQL_STMT *find_ = nullptr, *list_ = nullptr, *update_ = nullptr, *insert_ = nullptr, *chunk_ = nullptr,
             *drop_ = nullptr;
  std::int64_t key_ = 0, limit_ = 100;
  std::int32_t age_ = 0;
  Row row_;
  std::vector<Row> rows_{chunk};
  Cells found_, listed_;
};

}  // namespace bench
