#include "engines/mysql/hand_written.hpp"

#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace bench {
namespace {

void bind(MYSQL_BIND& to, enum_field_types type, void* buffer, unsigned long room, unsigned long* size = nullptr) {
  to.buffer_type = type;
  to.buffer = buffer;
  to.buffer_length = room;
  to.length = size;
}

MYSQL_TIME time_of(std::chrono::sys_time<std::chrono::microseconds> at) {
  using namespace std::chrono;
  const auto days = floor<std::chrono::days>(at);
  const year_month_day date{days};
  const auto rest = (at - days).count();
  MYSQL_TIME out{};
  out.year = static_cast<unsigned>(static_cast<int>(date.year()));
  out.month = static_cast<unsigned>(date.month());
  out.day = static_cast<unsigned>(date.day());
  out.hour = static_cast<unsigned>(rest / 3'600'000'000);
  out.minute = static_cast<unsigned>(rest / 60'000'000 % 60);
  out.second = static_cast<unsigned>(rest / 1'000'000 % 60);
  out.second_part = static_cast<unsigned long>(rest % 1'000'000);
  out.time_type = MYSQL_TIMESTAMP_DATETIME;
  return out;
}

std::chrono::sys_time<std::chrono::microseconds> moment_of(const MYSQL_TIME& t) {
  using namespace std::chrono;
  return sys_days{year{static_cast<int>(t.year)} / static_cast<int>(t.month) / static_cast<int>(t.day)} +
         hours{t.hour} + minutes{t.minute} + seconds{t.second} + microseconds{t.second_part};
}

}  // namespace

MysqlServer mysql_server() {
  const char* given = std::getenv("QUARK_TEST_MYSQL");
  std::string url = given != nullptr ? given : "";
  MysqlServer out;
  const auto take = [&url](char end) {
    const std::size_t at = url.find(end);
    std::string part = url.substr(0, at);
    url.erase(0, at == std::string::npos ? at : at + 1);
    return part;
  };
  url.erase(0, std::strlen("mysql://"));
  out.user = take(':');
  out.password = take('@');
  out.host = take(':');
  out.port = static_cast<unsigned>(std::strtoul(take('/').c_str(), nullptr, 10));
  out.database = url;
  return out;
}

void HandWritten::Row::bind(MYSQL_BIND* to) {
  bench::bind(to[0], MYSQL_TYPE_STRING, name, room, &name_size);
  bench::bind(to[1], MYSQL_TYPE_STRING, email, room, &email_size);
  to[1].is_null = &email_null;
  bench::bind(to[2], MYSQL_TYPE_LONG, &age, sizeof age);
  bench::bind(to[3], MYSQL_TYPE_TINY, &active, sizeof active);
  bench::bind(to[4], MYSQL_TYPE_DOUBLE, &score, sizeof score);
  bench::bind(to[5], MYSQL_TYPE_DATETIME, &created_at, sizeof created_at);
}

void HandWritten::Row::fill(const User& user) {
  name_size = user.name.size();
  std::memcpy(name, user.name.data(), name_size);
  email_null = user.email ? 0 : 1;
  email_size = user.email ? user.email->size() : 0;
  if (user.email) std::memcpy(email, user.email->data(), email_size);
  age = user.age;
  active = user.active ? 1 : 0;
  score = user.score;
  created_at = time_of(user.created_at);
  key = user.id;
}

void HandWritten::Cells::bind(MYSQL_STMT* statement) {
  MYSQL_BIND to[columns + 1]{};
  bench::bind(to[0], MYSQL_TYPE_LONGLONG, &id, sizeof id);
  bench::bind(to[1], MYSQL_TYPE_STRING, name, room, &name_size);
  bench::bind(to[2], MYSQL_TYPE_STRING, email, room, &email_size);
  to[2].is_null = &email_null;
  bench::bind(to[3], MYSQL_TYPE_LONG, &age, sizeof age);
  bench::bind(to[4], MYSQL_TYPE_TINY, &active, sizeof active);
  bench::bind(to[5], MYSQL_TYPE_DOUBLE, &score, sizeof score);
  bench::bind(to[6], MYSQL_TYPE_DATETIME, &created_at, sizeof created_at);
  if (mysql_stmt_bind_result(statement, to) != 0) throw std::runtime_error(mysql_stmt_error(statement));
}

ServerUser HandWritten::Cells::read() const {
  User user;
  user.id = id;
  user.name.assign(name, name_size);
  if (email_null == 0) user.email.emplace(email, email_size);
  user.age = age;
  user.active = active != 0;
  user.score = score;
  user.created_at = moment_of(created_at);
  return user;
}

HandWritten::HandWritten() {
  const MysqlServer server = mysql_server();
  connection_ = mysql_init(nullptr);
  mysql_options(connection_, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  if (mysql_real_connect(connection_, server.host.c_str(), server.user.c_str(), server.password.c_str(),
                         server.database.c_str(), server.port, nullptr, CLIENT_FOUND_ROWS) == nullptr)
    fail();
  command("SET time_zone='+00:00', sql_mode='STRICT_ALL_TABLES'");
  command(mysql_table);

  const std::string select = "SELECT id, name, email, age, active, score, created_at FROM server_users ";
  MYSQL_BIND key[1]{};
  bind(key[0], MYSQL_TYPE_LONGLONG, &key_, sizeof key_);
  find_ = prepare(select + "WHERE id = ?", key);
  found_.bind(find_);
  drop_ = prepare("DELETE FROM server_users WHERE id > ?", key);
  MYSQL_BIND aged[2]{};
  bind(aged[0], MYSQL_TYPE_LONG, &age_, sizeof age_);
  bind(aged[1], MYSQL_TYPE_LONGLONG, &limit_, sizeof limit_);
  list_ = prepare(select + "WHERE age >= ? ORDER BY id LIMIT ?", aged);
  listed_.bind(list_);
  MYSQL_BIND row[columns + 1]{};
  row_.bind(row);
  bind(row[columns], MYSQL_TYPE_LONGLONG, &row_.key, sizeof row_.key);
  update_ = prepare("UPDATE server_users SET name = ?, email = ?, age = ?, active = ?, score = ?, created_at = ? "
                    "WHERE id = ?", row);
  std::string insert = "INSERT INTO server_users (name, email, age, active, score, created_at) VALUES (?, ?, ?, ?, ?, ?)";
  insert_ = prepare(insert, row);
  std::vector<MYSQL_BIND> many(columns * chunk);
  for (unsigned i = 0; i < chunk; ++i) {
    std::memset(&many[columns * i], 0, columns * sizeof(MYSQL_BIND));
    rows_[i].bind(&many[columns * i]);
    if (i > 0) insert += ", (?, ?, ?, ?, ?, ?)";
  }
  chunk_ = prepare(insert, many.data());
  auto users = make_server_users(stored_server_users);
  insert_chunks(users);
}

HandWritten::~HandWritten() {
  for (MYSQL_STMT* s : {find_, list_, update_, insert_, chunk_, drop_})
    if (s != nullptr) mysql_stmt_close(s);
  mysql_close(connection_);
}

MYSQL_STMT* HandWritten::prepare(const std::string& sql, MYSQL_BIND* params) {
  MYSQL_STMT* s = mysql_stmt_init(connection_);
  if (mysql_stmt_prepare(s, sql.data(), static_cast<unsigned long>(sql.size())) != 0 ||
      mysql_stmt_bind_param(s, params) != 0)
    throw std::runtime_error(mysql_stmt_error(s));
  return s;
}

void HandWritten::execute(MYSQL_STMT* statement) {
  if (mysql_stmt_execute(statement) != 0) throw std::runtime_error(mysql_stmt_error(statement));
}

void HandWritten::command(const char* sql) {
  if (mysql_real_query(connection_, sql, static_cast<unsigned long>(std::strlen(sql))) != 0) fail();
}

void HandWritten::fail() const { throw std::runtime_error(mysql_error(connection_)); }

std::optional<ServerUser> HandWritten::find(std::int64_t id) {
  key_ = id;
  execute(find_);
  std::optional<User> user;
  int code = mysql_stmt_fetch(find_);
  if (code == 0) {
    user.emplace(found_.read());
    code = mysql_stmt_fetch(find_);
  }
  if (code != MYSQL_NO_DATA) throw std::runtime_error(mysql_stmt_error(find_));
  return user;
}

std::vector<ServerUser> HandWritten::list(std::int32_t from_age, bool) {
  age_ = from_age;
  execute(list_);
  std::vector<User> users;
  users.reserve(100);
  int code = 0;
  while ((code = mysql_stmt_fetch(list_)) == 0) users.push_back(listed_.read());
  if (code != MYSQL_NO_DATA) throw std::runtime_error(mysql_stmt_error(list_));
  return users;
}

std::uint64_t HandWritten::update(const User& user) {
  row_.fill(user);
  execute(update_);
  return mysql_stmt_affected_rows(update_);
}

void HandWritten::insert(User& user) {
  row_.fill(user);
  execute(insert_);
  user.id = static_cast<std::int64_t>(mysql_stmt_insert_id(insert_));
}

void HandWritten::insert_rows(std::vector<User>& users) {
  command("START TRANSACTION");
  for (User& user : users) insert(user);
  command("COMMIT");
}

void HandWritten::insert_chunks(std::vector<User>& users) {
  command("START TRANSACTION");
  for (std::size_t at = 0; at < users.size(); at += chunk) {
    for (std::size_t i = 0; i < chunk; ++i) rows_[i].fill(users[at + i]);
    execute(chunk_);
    auto key = static_cast<std::int64_t>(mysql_stmt_insert_id(chunk_));
    for (std::size_t i = 0; i < chunk; ++i) users[at + i].id = key++;
  }
  command("COMMIT");
}

void HandWritten::drop_inserted() {
  key_ = static_cast<std::int64_t>(stored_server_users);
  execute(drop_);
}

}  // namespace bench
