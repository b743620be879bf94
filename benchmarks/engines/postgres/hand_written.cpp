#include "engines/postgres/hand_written.hpp"

#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace bench {
namespace {

constexpr std::int64_t epoch = 946'684'800'000'000;  // 2000-01-01 in microseconds since 1970
constexpr int columns = 6;                           // without the key
constexpr int chunk = 100;
constexpr int most = columns * chunk;
constexpr Oid types[] = {25, 25, 23, 16, 701, 1184, 20};  // text, text, int4, bool, float8, timestamptz; bigint

// All parameters are binary.
const int* formats() {
  static int ones[most];
  for (int& one : ones) one = 1;
  return ones;
}

void put(char* to, std::int64_t value) {
  const auto raw = __builtin_bswap64(static_cast<std::uint64_t>(value));
  std::memcpy(to, &raw, 8);
}
void put(char* to, std::int32_t value) {
  const auto raw = __builtin_bswap32(static_cast<std::uint32_t>(value));
  std::memcpy(to, &raw, 4);
}
std::int64_t get64(const char* from) {
  std::uint64_t raw;
  std::memcpy(&raw, from, 8);
  return static_cast<std::int64_t>(__builtin_bswap64(raw));
}
std::int32_t get32(const char* from) {
  std::uint32_t raw;
  std::memcpy(&raw, from, 4);
  return static_cast<std::int32_t>(__builtin_bswap32(raw));
}

// A row's parameters, with room for what is made.
struct Row {
  char room[40];
  void fill(const ServerUser& user, const char** values, int* lengths) {
    values[0] = user.name.data();
    lengths[0] = static_cast<int>(user.name.size());
    values[1] = user.email ? user.email->data() : nullptr;
    lengths[1] = user.email ? static_cast<int>(user.email->size()) : 0;
    put(room, user.age);
    values[2] = room;
    lengths[2] = 4;
    room[4] = user.active ? 1 : 0;
    values[3] = room + 4;
    lengths[3] = 1;
    put(room + 8, std::bit_cast<std::int64_t>(user.score));
    values[4] = room + 8;
    lengths[4] = 8;
    put(room + 16, static_cast<std::int64_t>(user.created_at.time_since_epoch().count()) - epoch);
    values[5] = room + 16;
    lengths[5] = 8;
  }
};

std::string text(const PGresult* r, int row, int column) {
  return std::string(PQgetvalue(r, row, column), static_cast<std::size_t>(PQgetlength(r, row, column)));
}

ServerUser read_user(const PGresult* r, int row) {
  ServerUser user{.id = get64(PQgetvalue(r, row, 0)), .name = text(r, row, 1)};
  if (PQgetisnull(r, row, 2) == 0) user.email = text(r, row, 2);
  user.age = get32(PQgetvalue(r, row, 3));
  user.active = *PQgetvalue(r, row, 4) != 0;
  user.score = std::bit_cast<double>(get64(PQgetvalue(r, row, 5)));
  user.created_at += std::chrono::microseconds{get64(PQgetvalue(r, row, 6)) + epoch};
  return user;
}

}  // namespace

HandWritten::HandWritten() {
  const char* url = std::getenv("QUARK_TEST_POSTGRES");
  connection_ = PQconnectdb(url != nullptr ? url : "");
  if (PQstatus(connection_) != CONNECTION_OK) throw std::runtime_error(PQerrorMessage(connection_));
  command(postgres_table);
  const auto prepare = [&](const char* name, const std::string& sql, int count, const Oid* oids) {
    PGresult* r = PQprepare(connection_, name, sql.c_str(), count, oids);
    if (PQresultStatus(r) != PGRES_COMMAND_OK) throw std::runtime_error(PQerrorMessage(connection_));
    PQclear(r);
  };
  const std::string select = "SELECT id, name, email, age, active, score, created_at FROM server_users ";
  const Oid key[] = {20}, aged[] = {23, 20};
  prepare("find", select + "WHERE id = $1", 1, key);
  prepare("list", select + "WHERE age >= $1 ORDER BY id LIMIT $2", 2, aged);
  prepare("update",
          "UPDATE server_users SET name = $1, email = $2, age = $3, active = $4, score = $5, created_at = $6 "
          "WHERE id = $7", 7, types);
  const std::string insert = "INSERT INTO server_users (name, email, age, active, score, created_at) VALUES ";
  prepare("insert", insert + "($1, $2, $3, $4, $5, $6) RETURNING id", columns, types);
  prepare("drop", "DELETE FROM server_users WHERE id > $1", 1, key);
  std::string rows;
  Oid oids[most];
  for (int i = 0; i < most; ++i) {
    rows += (i % columns == 0 ? (i > 0 ? "), ($" : "($") : ", $") + std::to_string(i + 1);
    oids[i] = types[i % columns];
  }
  prepare("chunk", insert + rows + ") RETURNING id", most, oids);
  auto users = make_server_users(stored_server_users);
  insert_chunks(users);
}

HandWritten::~HandWritten() { PQfinish(connection_); }

PGresult* HandWritten::execute(const char* name, int count, const char* const* values, const int* lengths,
                               ExecStatusType wanted) {
  static const int* const ones = formats();
  PGresult* r = PQexecPrepared(connection_, name, count, values, lengths, ones, 1);
  if (PQresultStatus(r) != wanted) throw std::runtime_error(PQerrorMessage(connection_));
  return r;
}

void HandWritten::command(const char* sql) {
  PGresult* r = PQexec(connection_, sql);
  if (PQresultStatus(r) != PGRES_COMMAND_OK) throw std::runtime_error(PQerrorMessage(connection_));
  PQclear(r);
}

std::optional<ServerUser> HandWritten::find(std::int64_t id) {
  char key[8];
  put(key, id);
  const char* const values[] = {key};
  const int lengths[] = {8};
  PGresult* r = execute("find", 1, values, lengths, PGRES_TUPLES_OK);
  std::optional<ServerUser> user;
  if (PQntuples(r) > 0) user.emplace(read_user(r, 0));
  PQclear(r);
  return user;
}

std::vector<ServerUser> HandWritten::list(std::int32_t from_age, bool) {
  char age[4], limit[8];
  put(age, from_age);
  put(limit, std::int64_t{100});
  const char* const values[] = {age, limit};
  const int lengths[] = {4, 8};
  PGresult* r = execute("list", 2, values, lengths, PGRES_TUPLES_OK);
  const int rows = PQntuples(r);
  std::vector<ServerUser> users;
  users.reserve(static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row) users.push_back(read_user(r, row));
  PQclear(r);
  return users;
}

std::uint64_t HandWritten::update(const ServerUser& user) {
  Row row;
  char key[8];
  const char* values[columns + 1];
  int lengths[columns + 1];
  row.fill(user, values, lengths);
  put(key, user.id);
  values[columns] = key;
  lengths[columns] = 8;
  PGresult* r = execute("update", columns + 1, values, lengths, PGRES_COMMAND_OK);
  const char* tuples = PQcmdTuples(r);
  std::uint64_t affected = 0;
  std::from_chars(tuples, tuples + std::strlen(tuples), affected);
  PQclear(r);
  return affected;
}

void HandWritten::insert(ServerUser& user) {
  Row row;
  const char* values[columns];
  int lengths[columns];
  row.fill(user, values, lengths);
  PGresult* r = execute("insert", columns, values, lengths, PGRES_TUPLES_OK);
  user.id = get64(PQgetvalue(r, 0, 0));
  PQclear(r);
}

void HandWritten::insert_rows(std::vector<ServerUser>& users) {
  command("BEGIN");
  for (ServerUser& user : users) insert(user);
  command("COMMIT");
}

void HandWritten::insert_chunks(std::vector<ServerUser>& users) {
  static Row rows[chunk];
  const char* values[most];
  int lengths[most];
  command("BEGIN");
  for (std::size_t at = 0; at < users.size(); at += chunk) {
    for (std::size_t i = 0; i < chunk; ++i)
      rows[i].fill(users[at + i], values + columns * i, lengths + columns * i);
    PGresult* r = execute("chunk", most, values, lengths, PGRES_TUPLES_OK);
    for (int i = 0; i < chunk; ++i) users[at + static_cast<std::size_t>(i)].id = get64(PQgetvalue(r, i, 0));
    PQclear(r);
  }
  command("COMMIT");
}

void HandWritten::drop_inserted() {
  char key[8];
  put(key, static_cast<std::int64_t>(stored_server_users));
  const char* const values[] = {key};
  const int lengths[] = {8};
  PQclear(execute("drop", 1, values, lengths, PGRES_COMMAND_OK));
}

}  // namespace bench
