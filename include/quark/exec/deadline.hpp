// Deadlines: a guard during whose life every statement of a connection must have finished by a moment.
// A thread of the connection watches, which starts with its first deadline; without one nothing is asked or counted.
// Made by connections; written once for every engine over what it says in an Interrupter.
#pragma once

#include <quark/exec/middleware.hpp>

#include <cstdint>

namespace quark {

class Deadline;

namespace detail {

/// How a statement is stopped from another thread; an engine makes one when a deadline begins.
class Interrupter {
 public:
  Interrupter() = default;
  Interrupter(const Interrupter&) = delete;
  Interrupter& operator=(const Interrupter&) = delete;
  virtual ~Interrupter();
  /// Tells the engine to stop what is running. May take long, unless it is immediate(); then the connection may be gone
  /// before it returns: it must hold all that it needs.
  virtual void interrupt() noexcept = 0;
  /// Whether interrupt() takes no time, and needs the connection.
  virtual bool immediate() const noexcept { return false; }
  /// Ends the connection, whatever it waits for; false when it can't: then it will be interrupted again and again.
  virtual bool cut() noexcept = 0;
  /// In the connection's thread, around a statement: what it may wait for must not take longer than
  /// so many milliseconds.
  virtual void limit_waiting(std::int64_t milliseconds) noexcept;
  virtual void unlimit_waiting() noexcept;
};

struct DeadlineState;

/// What watches over one connection. Part of every session.
class Watcher final : public Middleware {
 public:
  Watcher() = default;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher() override { stop(); }

  /// Ends the watching, before the connection goes. Guards that are left do nothing any more.
  void stop() noexcept {
    if (state_ != nullptr) [[unlikely]] stop_thread();
  }
  /// For pools: deadlines of the connection's last user are none of the next one.
  void forget() noexcept {
    if (state_ != nullptr) [[unlikely]] forget_all();
  }
  void run(Operation& operation, const Next& next) override;

 private:
  friend class quark::Deadline;
  void stop_thread() noexcept;
  void forget_all() noexcept;
  DeadlineState* state_ = nullptr;  // shared with guards; <memory> would cost every user its time
};

/// A std::chrono::duration, known by its members: <chrono> is a large header, and who has one has included it.
template <class D>
concept AnyDuration = requires(const D& d) {
  d.count();
  D::period::num;
  D::period::den;
};

template <AnyDuration D>
constexpr std::int64_t whole_micros(const D& d) {
  constexpr double most = 9e15;  // almost 300 years
  const double micros =
      static_cast<double>(d.count()) * 1e6 * static_cast<double>(D::period::num) / static_cast<double>(D::period::den);
  return static_cast<std::int64_t>(micros > most ? most : micros < -most ? -most : micros);
}

}  // namespace detail

/// A deadline, as `db.deadline(...)` gives it; it ends with the object. Of several the earliest
/// holds. A statement that has not finished by then is told to stop, and throws Timeout; the
/// connection stays usable, and a transaction is as it is after any other error. One that begins
/// later is not sent, and throws Timeout, a COMMIT too; what undoes (ROLLBACK) is sent, and has the
/// grace for its time. When the server has not even stopped at the end of the grace (it hangs, the
/// network is dead), the connection is ended: that Timeout says so, and later calls throw
/// ConnectionError.
class [[nodiscard("quark: a deadline ends with its object: keep it in a variable")]] Deadline {
 public:
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  ~Deadline();

  /// Microseconds that are left; negative when the deadline has passed.
  std::int64_t remaining_microseconds() const;

 private:
  template <class Session>
  friend Deadline make_deadline(Session& session, std::int64_t limit_micros, std::int64_t grace_micros);
  Deadline(detail::Watcher& watcher, MiddlewareChain& chain, std::int64_t limit_micros, std::int64_t grace_micros,
           detail::Interrupter* (*make)(void* session), void* session);
  detail::DeadlineState* state_;
  std::uint64_t id_ = 0;
  std::int64_t end_;  // of the steady clock, in microseconds
};

/// For connections.
template <class Session>
Deadline make_deadline(Session& session, std::int64_t limit_micros, std::int64_t grace_micros) {
  return Deadline(
      session.watcher(), session.chain(), limit_micros, grace_micros,
      [](void* s) -> detail::Interrupter* { return static_cast<Session*>(s)->interrupter(); }, &session);
}

/// How long a server may take to stop what it was told to stop, unless it is said.
inline constexpr std::int64_t default_grace_micros = 2'000'000;

}  // namespace quark
