#include "engines/sqlite/hand_written.hpp"

#include <quark/quark.hpp>

#include <stdexcept>

namespace bench {
namespace {

std::string text_of(sqlite3_stmt* s, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(s, column));
  return std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(s, column)));
}

// Text that is NULL has a null pointer: no sqlite3_column_type() is needed.
std::optional<std::string> optional_text_of(sqlite3_stmt* s, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(s, column));
  if (text == nullptr) return std::nullopt;
  return std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(s, column)));
}

BenchUser read_user(sqlite3_stmt* s) {
  return {.id = sqlite3_column_int64(s, 0),
          .name = text_of(s, 1),
          .email = optional_text_of(s, 2),
          .age = sqlite3_column_int(s, 3),
          .active = sqlite3_column_int(s, 4) != 0};
}

}  // namespace

HandWritten::HandWritten() {
  const int flags =
      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  check(sqlite3_open_v2(":memory:", &db_, flags, nullptr));
  check(sqlite3_exec(db_, "PRAGMA foreign_keys=ON", nullptr, nullptr, nullptr));
  // The same table to the letter.
  for (const std::string& sql : quark::create_table_sql<BenchUser>(quark::Engine::sqlite))
    check(sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr));

  find_ = prepare("SELECT id, name, email, age, active FROM bench_users WHERE id = ?");
  list_ = prepare(
      "SELECT id, name, email, age, active FROM bench_users WHERE age > ? AND active = ? "
      "ORDER BY id ASC LIMIT ?");
  update_ = prepare("UPDATE bench_users SET name = ?, email = ?, age = ?, active = ? WHERE id = ?");
  insert_ = prepare("INSERT INTO bench_users (name, email, age, active) VALUES (?, ?, ?, ?)");
  begin_ = prepare("BEGIN IMMEDIATE");
  commit_ = prepare("COMMIT");
  drop_ = prepare("DELETE FROM bench_users WHERE id > ?");
  for (int i = 0; i < chunk_sizes; ++i) {
    std::string sql = "INSERT INTO bench_users (name, email, age, active) VALUES (?, ?, ?, ?)";
    for (int row = 1; row < 1 << i; ++row) sql += ", (?, ?, ?, ?)";
    chunks_[i] = prepare(sql.c_str());
  }
  auto users = make_users(stored_users);
  insert_rows(users);
}

HandWritten::~HandWritten() {
  for (sqlite3_stmt* s : {find_, list_, update_, insert_, begin_, commit_, drop_}) sqlite3_finalize(s);
  for (sqlite3_stmt* s : chunks_) sqlite3_finalize(s);
  sqlite3_close(db_);
}

std::optional<BenchUser> HandWritten::find(std::int64_t id) {
  check(sqlite3_bind_int64(find_, 1, id));
  std::optional<BenchUser> user;
  const int code = sqlite3_step(find_);
  if (code == SQLITE_ROW) {
    user.emplace(read_user(find_));
  } else if (code != SQLITE_DONE) {
    check(code);
  }
  sqlite3_reset(find_);
  return user;
}

std::vector<BenchUser> HandWritten::list(std::int32_t older_than, bool active) {
  constexpr int limit = 50;
  check(sqlite3_bind_int(list_, 1, older_than));
  check(sqlite3_bind_int(list_, 2, active ? 1 : 0));
  check(sqlite3_bind_int(list_, 3, limit));
  std::vector<BenchUser> users;
  users.reserve(limit);
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(list_)) == SQLITE_ROW) users.push_back(read_user(list_));
  sqlite3_reset(list_);
  if (code != SQLITE_DONE) check(code);
  return users;
}

std::uint64_t HandWritten::update(const BenchUser& user) {
  bind_user(update_, 1, user);
  check(sqlite3_bind_int64(update_, 5, user.id));
  execute(update_);
  return static_cast<std::uint64_t>(sqlite3_changes64(db_));
}

void HandWritten::insert(BenchUser& user) {
  bind_user(insert_, 1, user);
  execute(insert_);
  user.id = sqlite3_last_insert_rowid(db_);
}

void HandWritten::insert_rows(std::vector<BenchUser>& users) {
  execute(begin_);
  for (BenchUser& user : users) insert(user);
  execute(commit_);
}

void HandWritten::insert_chunks(std::vector<BenchUser>& users) {
  execute(begin_);
  int size = chunk_sizes - 1;
  for (std::size_t at = 0; at < users.size();) {
    while (at + (std::size_t{1} << size) > users.size()) --size;
    const std::size_t rows = std::size_t{1} << size;
    for (std::size_t row = 0; row < rows; ++row)
      bind_user(chunks_[size], static_cast<int>(4 * row) + 1, users[at + row]);
    execute(chunks_[size]);
    const std::int64_t last = sqlite3_last_insert_rowid(db_);
    for (std::size_t row = 0; row < rows; ++row)
      users[at + row].id = last - static_cast<std::int64_t>(rows - row - 1);
    at += rows;
  }
  execute(commit_);
}

void HandWritten::drop_inserted() {
  check(sqlite3_bind_int64(drop_, 1, static_cast<std::int64_t>(stored_users)));
  execute(drop_);
}

sqlite3_stmt* HandWritten::prepare(const char* sql) const {
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v3(db_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
  return statement;
}

void HandWritten::execute(sqlite3_stmt* statement) const {
  const int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  if (code != SQLITE_DONE) check(code);
}

void HandWritten::bind_user(sqlite3_stmt* s, int first, const BenchUser& user) const {
  check(sqlite3_bind_text(s, first, user.name.data(), static_cast<int>(user.name.size()), SQLITE_STATIC));
  if (user.email) {
    check(sqlite3_bind_text(s, first + 1, user.email->data(), static_cast<int>(user.email->size()),
                            SQLITE_STATIC));
  } else {
    check(sqlite3_bind_null(s, first + 1));
  }
  check(sqlite3_bind_int(s, first + 2, user.age));
  check(sqlite3_bind_int(s, first + 3, user.active ? 1 : 0));
}

void HandWritten::check(int code) const {
  if (code != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(db_));
}

}  // namespace bench
