// Stopping what runs, from another thread: by KILL QUERY on a connection of its own, and for deadlines by ending the
// connection.
#include <sys/socket.h>
#include <unistd.h>

#include <fcntl.h>

#include <memory>
#include <string>

#include "quark/engine/mysql/connection.hpp"
#include "socket.hpp"

namespace quark::mysql {
namespace {

class KillQuery final : public quark::detail::Interrupter {
 public:
  // The socket's number may mean another file when the time comes: a copy can't.
  KillQuery(std::shared_ptr<const Options> options, MYSQL* db)
      : options_(std::move(options)), thread_(mysql_thread_id(db)), socket_(fcntl(socket_of(db), F_DUPFD_CLOEXEC, 0)) {}
  ~KillQuery() override {
    if (socket_ >= 0) ::close(socket_);
  }
  void interrupt() noexcept override {
    mysql_thread_init();
    Session::kill_query(*options_, thread_);
    mysql_thread_end();
  }
  // The client library, waiting for an answer in another thread, reads the end of it.
  bool cut() noexcept override {
    if (socket_ >= 0) shutdown(socket_, SHUT_RDWR);
    return true;
  }

 private:
  std::shared_ptr<const Options> options_;
  unsigned long thread_;
  int socket_;
};

}  // namespace

void Session::kill_query(const Options& options, unsigned long thread) noexcept {
  try {
    const Session other(options);
    const std::string text = "KILL QUERY " + std::to_string(thread);
    mysql_real_query(other.db_, text.data(), static_cast<unsigned long>(text.size()));
  } catch (...) {
    // Nobody to tell: the statement goes on.
  }
}

void Session::interrupt() noexcept { kill_query(*options_, mysql_thread_id(db_)); }

quark::detail::Interrupter* Session::interrupter() {
  return new KillQuery(std::make_shared<const Options>(*options_), db_);
}

}  // namespace quark::mysql
