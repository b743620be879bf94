// Stopping what runs, from another thread: by a cancel request, and for deadlines by ending the connection.
#include <sys/socket.h>
#include <unistd.h>

#include <fcntl.h>

#include <new>

#include "quark/engine/postgres/session.hpp"

namespace quark::postgres {

/// What a cancel request takes; deadlines that are passing keep it when the connection goes.
struct SharedCancel {
  explicit SharedCancel(PGcancel* h) : handle(h) {}
  SharedCancel(const SharedCancel&) = delete;
  SharedCancel& operator=(const SharedCancel&) = delete;
  ~SharedCancel() { PQfreeCancel(handle); }
  void send() noexcept {
    char error[256];
    PQcancel(handle, error, sizeof error);
  }

  PGcancel* handle;
  std::atomic<int> users{1};
};

namespace {

SharedCancel* share(SharedCancel* cancel) noexcept {
  if (cancel != nullptr) cancel->users.fetch_add(1, std::memory_order_relaxed);
  return cancel;
}

void drop(SharedCancel* cancel) noexcept {
  if (cancel != nullptr && cancel->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete cancel;
}

class CancelRequest final : public quark::detail::Interrupter {
 public:
  // The socket's number may mean another file when the time comes: a copy can't.
  CancelRequest(SharedCancel* cancel, PGconn* connection)
      : cancel_(share(cancel)), socket_(fcntl(PQsocket(connection), F_DUPFD_CLOEXEC, 0)) {}
  ~CancelRequest() override {
    drop(cancel_);
    if (socket_ >= 0) ::close(socket_);
  }
  void interrupt() noexcept override {
    if (cancel_ != nullptr) cancel_->send();
  }
  // libpq, waiting for an answer in another thread, reads the end of it.
  bool cut() noexcept override {
    if (socket_ >= 0) shutdown(socket_, SHUT_RDWR);
    return true;
  }

 private:
  SharedCancel* cancel_;
  int socket_;
};

}  // namespace

quark::detail::Interrupter* Session::interrupter() { return new CancelRequest(cancel_, connection_); }

void Session::interrupt() noexcept {
  if (cancel_ != nullptr) cancel_->send();
}

void Session::prepare_to_cancel() {
  PGcancel* const handle = PQgetCancel(connection_);
  if (handle == nullptr) return;
  try {
    cancel_ = new SharedCancel(handle);
  } catch (...) {
    PQfreeCancel(handle);
    throw;
  }
}

void Session::forget_cancel() noexcept { drop(std::exchange(cancel_, nullptr)); }

}  // namespace quark::postgres
