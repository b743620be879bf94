// What a pool asks of a connection: to be as good as new, and whether it lives. And interrupting,
// which takes another one.
#include <poll.h>

#include <string>

#include "quark/engine/mysql/connection.hpp"

namespace quark::mysql {
namespace {

int socket_of(MYSQL* db) noexcept {
#ifdef LIBMARIADB
  return static_cast<int>(mysql_get_socket(db));
#else
  return static_cast<int>(db->net.fd);
#endif
}

}  // namespace

void Session::interrupt() noexcept {
  try {
    const Session other(*options_);
    const std::string text = "KILL QUERY " + std::to_string(mysql_thread_id(db_));
    mysql_real_query(other.db_, text.data(), static_cast<unsigned long>(text.size()));
  } catch (...) {
    // Nobody to tell: the statement goes on.
  }
}

bool Session::reset() noexcept {
  transactions_.cut(0);
  outermost_is_savepoint_ = false;
  given_up_ = false;
  if (db_ == nullptr || is_lost() || unread_ != nullptr || settings_changed_) return false;
  // What the server says, not what we know: a transaction may have been begun through native().
  if (!in_transaction()) return true;
  return mysql_real_query(db_, "ROLLBACK", 8) == 0 && !in_transaction();
}

bool Session::looks_alive() noexcept {
  if (is_lost()) return false;
  // Between statements a server says nothing but good-bye.
  pollfd wanted{};
  wanted.fd = socket_of(db_);
  wanted.events = POLLIN;
  return wanted.fd >= 0 && poll(&wanted, 1, 0) == 0;
}

// Not mysql_ping(): a dead network would keep it for many minutes.
bool Session::ping() noexcept {
  if (!looks_alive() || mysql_send_query(db_, "DO 0", 4) != 0) return false;
  pollfd wanted{};
  wanted.fd = socket_of(db_);
  wanted.events = POLLIN;
  constexpr int milliseconds = 5000;
  return poll(&wanted, 1, milliseconds) == 1 && mysql_read_query_result(db_) == 0;
}

}  // namespace quark::mysql
