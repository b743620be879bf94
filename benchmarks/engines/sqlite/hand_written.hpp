// The same operations on sqlite3, written by hand with care: each statement prepared once, text bound without a copy,
// reset right after the row. This is what Quark is measured by.
#pragma once

#include "engines/sqlite/users.hpp"

#include <sqlite3.h>

namespace bench {

class HandWritten {
 public:
  using User = BenchUser;
  static constexpr const char* chunks = "hand-written, chunks of 32";
  static std::vector<User> users(std::size_t count) { return make_users(count); }
  static std::vector<std::int64_t> keys() { return make_keys(); }

  HandWritten();
  HandWritten(const HandWritten&) = delete;
  HandWritten& operator=(const HandWritten&) = delete;
  ~HandWritten();

  std::optional<BenchUser> find(std::int64_t id);
  std::vector<BenchUser> list(std::int32_t older_than, bool active);
  std::uint64_t update(const BenchUser& user);
  void insert(BenchUser& user);
  /// One INSERT per row in one transaction.
  void insert_rows(std::vector<BenchUser>& users);
  /// The best that we know by hand: INSERTs of 32 rows, the rest in powers of two; keys from last_insert_rowid().
  void insert_chunks(std::vector<BenchUser>& users);
  void drop_inserted();

 private:
  static constexpr int chunk_sizes = 6;  // 1, 2, 4, ... 32 rows

  sqlite3_stmt* prepare(const char* sql) const;
  void execute(sqlite3_stmt* statement) const;
  void bind_user(sqlite3_stmt* statement, int first, const BenchUser& user) const;
  void check(int code) const;

  sqlite3* db_ = nullptr;
  sqlite3_stmt* find_ = nullptr;
  sqlite3_stmt* list_ = nullptr;
  sqlite3_stmt* update_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  sqlite3_stmt* begin_ = nullptr;
  sqlite3_stmt* commit_ = nullptr;
  sqlite3_stmt* drop_ = nullptr;
  sqlite3_stmt* chunks_[chunk_sizes] = {};
};

}  // namespace bench
