// What a pool asks of a connection: to be as good as new, and whether it lives.
#include <poll.h>

#include "quark/engine/mysql/session.hpp"
#include "socket.hpp"

namespace quark::mysql {

bool Session::reset() noexcept {
  watcher_.forget();
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
