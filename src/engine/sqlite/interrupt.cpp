// Stopping what runs, from another thread.
#include "quark/engine/sqlite/connection.hpp"

namespace quark::sqlite {
namespace {

class Interrupt final : public quark::detail::Interrupter {
 public:
  Interrupt(sqlite3* db, int busy_timeout) : db_(db), busy_timeout_(busy_timeout) {}
  void interrupt() noexcept override { sqlite3_interrupt(db_); }
  bool immediate() const noexcept override { return true; }
  bool cut() noexcept override { return false; }
  // An interrupt ends no wait for a lock.
  void limit_waiting(std::int64_t milliseconds) noexcept override {
    shortened_ = milliseconds < busy_timeout_;
    // A little longer than the deadline, which is what ends it then, and is what the error says.
    if (shortened_) sqlite3_busy_timeout(db_, static_cast<int>(milliseconds < 0 ? 0 : milliseconds) + 20);
  }
  void unlimit_waiting() noexcept override {
    if (shortened_) sqlite3_busy_timeout(db_, busy_timeout_);
  }

 private:
  sqlite3* db_;
  int busy_timeout_;
  bool shortened_ = false;
};

}  // namespace

quark::detail::Interrupter* Session::interrupter() { return new Interrupt(db_, busy_timeout_); }

void Connection::interrupt() noexcept {
  if (session_ != nullptr) sqlite3_interrupt(session_->native());
}

}  // namespace quark::sqlite
