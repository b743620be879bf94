// The socket below a connection, for waiting and for ending it. Private to src/engine/mysql.
#pragma once

#include "quark/engine/mysql/session.hpp"

namespace quark::mysql {

inline int socket_of(MYSQL* db) noexcept {
#ifdef LIBMARIADB
  return static_cast<int>(mysql_get_socket(db));
#else
  return static_cast<int>(db->net.fd);
#endif
}

}  // namespace quark::mysql
