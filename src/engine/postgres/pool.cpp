// What a pool asks of a connection: to be as good as new, and whether it lives.
#include <poll.h>

#include <cerrno>
#include <chrono>

#include "quark/engine/postgres/session.hpp"

namespace quark::postgres {
namespace {

/// Whether there is something to read, after so long at most: 1 yes, 0 no, -1 the socket is gone.
int readable(PGconn* connection, int milliseconds) noexcept {
  pollfd wanted{};
  wanted.fd = PQsocket(connection);
  wanted.events = POLLIN;
  if (wanted.fd < 0) return -1;
  const int count = poll(&wanted, 1, milliseconds);
  if (count < 0) return errno == EINTR ? 0 : -1;
  return count;
}

void forget_notifications(PGconn* connection) noexcept {
  while (PGnotify* notification = PQnotifies(connection)) PQfreemem(notification);
}

// DISCARD ALL without what drops prepared statements and plans.
constexpr const char* undo_settings =
    "CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ALL; UNLISTEN *; SELECT pg_advisory_unlock_all(); "
    "DISCARD TEMP; DISCARD SEQUENCES";

}  // namespace

bool Session::reset() noexcept {
  watcher_.forget();
  transactions_.cut(0);
  outermost_is_savepoint_ = false;
  pending_.clear();
  if (connection_ == nullptr || PQstatus(connection_) != CONNECTION_OK) return false;
  if (PQpipelineStatus(connection_) != PQ_PIPELINE_OFF) return false;
  // What the server says, not what we know: a transaction may have been begun through native().
  switch (PQtransactionStatus(connection_)) {
    case PQTRANS_IDLE: break;
    case PQTRANS_INTRANS:
    case PQTRANS_INERROR: {
      const Result result(PQexec(connection_, "ROLLBACK"));
      if (!result.good() || PQtransactionStatus(connection_) != PQTRANS_IDLE) return false;
      break;
    }
    case PQTRANS_ACTIVE:
    case PQTRANS_UNKNOWN: return false;
  }
  if (!settings_changed_) return true;
  const Result result(PQexec(connection_, undo_settings));
  if (!result.good()) return false;
  forget_notifications(connection_);
  settings_changed_ = false;
  return true;
}

bool Session::looks_alive() noexcept {
  // Between statements a server talks only to say that a setting has changed, to notify, or to say why it hangs up.
  for (;;) {
    const int state = readable(connection_, 0);
    if (state == 0) return PQstatus(connection_) == CONNECTION_OK;
    if (state < 0 || PQconsumeInput(connection_) == 0) return false;
    if (PQisBusy(connection_) != 0) return false;
    forget_notifications(connection_);
  }
}

bool Session::ping() noexcept {
  if (!looks_alive() || PQsendQuery(connection_, "") == 0) return false;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (PQisBusy(connection_) != 0) {
    const auto left = deadline - std::chrono::steady_clock::now();
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
    // A dead network would keep a blocking read for many minutes.
    if (milliseconds <= 0) return false;
    if (readable(connection_, static_cast<int>(milliseconds)) < 0 || PQconsumeInput(connection_) == 0) return false;
  }
  while (PGresult* result = PQgetResult(connection_)) PQclear(result);
  return PQstatus(connection_) == CONNECTION_OK && PQtransactionStatus(connection_) == PQTRANS_IDLE;
}

}  // namespace quark::postgres
