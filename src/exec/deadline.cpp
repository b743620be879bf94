// The thread that watches over a connection's deadlines, and what becomes of a statement that it stops.
#include <quark/exec/deadline.hpp>
#include <quark/exec/error.hpp>

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace quark {
namespace detail {
namespace {

using Clock = std::chrono::steady_clock;
using Moment = Clock::time_point;
using std::chrono::microseconds;

// Between one attempt to stop a statement and the next: it may have come before the statement had begun.
constexpr std::chrono::milliseconds between_attempts{200}, between_immediate_attempts{5};

Moment later(Moment from, std::int64_t micros) {
  // A limit of centuries must not wrap.
  const auto most = std::chrono::duration_cast<microseconds>(Moment::max() - from).count();
  return micros >= most ? Moment::max() : from + microseconds(micros);
}

/// A thread that takes none of the process's signals: they are for the program's own.
template <class F>
std::thread quiet_thread(F&& run) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  struct Restore {
    const sigset_t& mask;
    ~Restore() { pthread_sigmask(SIG_SETMASK, &mask, nullptr); }
  } const restore{before};
  return std::thread(std::forward<F>(run));
}

struct Limit {
  std::uint64_t id;
  Moment end;
  std::int64_t grace_micros;
};

}  // namespace

struct DeadlineState {
  std::atomic<int> users{1};
  std::mutex mutex;
  std::condition_variable wake;  // for the thread
  std::condition_variable over;  // for the connection's thread: an attempt has ended

  // Guarded by the mutex.
  std::vector<Limit> limits;  // of the guards, in no order
  std::uint64_t last_id = 0;
  std::shared_ptr<Interrupter> interrupter;  // there while there are limits
  int depth = 0;                             // statements that run, one inside the other's callback
  std::uint64_t run = 0;                     // number of the outermost
  Moment due = Moment::max();                // when the outermost must have finished
  std::int64_t grace_micros = 0;
  Moment planned = Moment::max();  // when the thread will look again by itself
  int attempts = 0;                // of stopping that are on their way
  bool interrupted = false;        // the statement was told to stop
  bool cut = false;                // the connection was ended
  bool stopping = false;
  std::thread thread;

  // The connection's own; null when it is gone.
  MiddlewareChain* chain = nullptr;
  Watcher* watcher = nullptr;

  void remove(std::uint64_t id) noexcept;
  void retire() noexcept;
  void loop();
  void expire(std::unique_lock<std::mutex>& lock);
  void attempt();
};

namespace {

void release(DeadlineState* state) noexcept {
  if (state != nullptr && state->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete state;
}

DeadlineState* share(DeadlineState* state) noexcept {
  state->users.fetch_add(1, std::memory_order_relaxed);
  return state;
}

bool undoes(const Operation& operation) {
  return operation.kind() == StatementKind::rollback ||
         (operation.kind() == StatementKind::savepoint && operation.name() == "rollback");
}

[[noreturn]] void refuse(const Operation& operation) {
  ErrorInfo info;
  info.kind = ErrorKind::timeout;
  info.table = operation.table();
  info.statement = operation.text();
  info.message = "quark: the deadline has passed: the statement was not sent";
  throw_error(std::move(info));
}

[[noreturn]] void throw_expired(const Error& error, bool cut) {
  ErrorInfo info;
  info.kind = ErrorKind::timeout;
  info.message = cut ? "quark: the deadline passed and the server did not stop: the connection is closed. "
                     : "quark: the deadline passed and the statement was stopped. ";
  info.message += error.what();
  info.table = error.table();
  info.statement = error.statement();
  info.sqlstate = error.sqlstate();
  info.engine_code = error.engine_code();
  throw_error(std::move(info));
}

}  // namespace

Interrupter::~Interrupter() = default;
void Interrupter::limit_waiting(std::int64_t) noexcept {}
void Interrupter::unlimit_waiting() noexcept {}

// Without limits there is nothing to watch: the chain is as empty as it was.
void DeadlineState::retire() noexcept {
  if (!limits.empty() || depth > 0) return;
  if (chain != nullptr && watcher != nullptr) chain->remove(*watcher);
  interrupter.reset();
}

void DeadlineState::remove(std::uint64_t id) noexcept {
  const std::lock_guard<std::mutex> lock(mutex);
  std::erase_if(limits, [id](const Limit& limit) { return limit.id == id; });
  retire();
}

void DeadlineState::loop() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!stopping) {
    const bool waiting = depth == 0 || cut || Clock::now() < due;
    if (!waiting) {
      expire(lock);
      continue;
    }
    planned = depth > 0 && !cut ? due : Moment::max();
    if (planned == Moment::max()) {
      wake.wait(lock);
    } else {
      wake.wait_until(lock, planned);
    }
  }
}

/// Tells the engine to stop, in a thread of its own where that can take long: a dead network must not keep the one that
/// ends the connection. The lock is held, so the statement is still running, and its connection there.
void DeadlineState::attempt() {
  interrupted = true;
  if (interrupter->immediate()) return interrupter->interrupt();
  ++attempts;
  DeadlineState* const shared = share(this);
  try {
    quiet_thread([shared, kept = interrupter] {
      kept->interrupt();
      {
        const std::lock_guard<std::mutex> done(shared->mutex);
        --shared->attempts;
        shared->wake.notify_all();
        shared->over.notify_all();
      }
      release(shared);
    }).detach();
  } catch (...) {
    // No thread to be had: it is tried again.
    --attempts;
    release(shared);
  }
}

void DeadlineState::expire(std::unique_lock<std::mutex>& lock) {
  const auto between = interrupter->immediate() ? between_immediate_attempts : between_attempts;
  const Moment end = later(Clock::now(), grace_micros);
  Moment again = Clock::now();
  // By the time that this thread wakes, the statement may have ended and the next one begun.
  const auto runs = [this, late = run] { return depth > 0 && run == late; };
  while (!stopping && (runs() || attempts > 0)) {
    const Moment now = Clock::now();
    if (now >= end && interrupter->cut()) {
      cut = true;
      over.notify_all();
      return;
    }
    if (runs() && attempts == 0 && now >= again) {
      attempt();
      again = now + between;
    }
    Moment next = now < end ? end : now + between;
    if (attempts == 0) next = std::min(next, again);
    wake.wait_until(lock, next);
  }
}

void Watcher::run(Operation& operation, const Next& next) {
  DeadlineState& state = *state_;
  {
    const std::lock_guard<std::mutex> lock(state.mutex);
    // A deadline that began in a row's callback does not hold for the statement whose rows these are.
    if (!state.limits.empty() && state.depth == 0) {
      const auto& first = *std::min_element(state.limits.begin(), state.limits.end(),
                                            [](const Limit& a, const Limit& b) { return a.end < b.end; });
      state.due = first.end;
      state.grace_micros = first.grace_micros;
      state.interrupted = false;
    }
    const Moment now = Clock::now();
    if (undoes(operation)) {
      // It takes its time from the grace: what happens next can only be that the connection is ended.
      if (state.depth == 0) state.due = std::max(state.due, later(now, state.grace_micros));
    } else if (now >= state.due && !state.cut) {
      refuse(operation);
    }
    if (state.depth == 0 && state.interrupter != nullptr)
      state.interrupter->limit_waiting(
          std::chrono::duration_cast<std::chrono::milliseconds>(state.due - now).count());
    if (state.depth++ == 0) ++state.run;
    if (state.due < state.planned) {
      state.planned = state.due;
      state.wake.notify_all();
    }
  }
  // What it says when it has ended: whether it was stopped, and how.
  const auto leave = [&state](bool& cut) {
    std::unique_lock<std::mutex> lock(state.mutex);
    if (--state.depth > 0) return false;
    if (state.interrupter != nullptr) state.interrupter->unlimit_waiting();
    state.wake.notify_all();
    // An attempt to stop it that is late would stop the next statement.
    state.over.wait(lock, [&state] { return state.attempts == 0 || state.cut; });
    cut = state.cut;
    state.due = Moment::max();
    state.retire();
    return state.interrupted;
  };
  bool cut = false;
  try {
    next();
  } catch (const Error& error) {
    const bool stopped = leave(cut);
    const ErrorKind kind = error.kind();
    if (!stopped || (kind != ErrorKind::timeout && kind != ErrorKind::lock_timeout &&
                     !(cut && kind == ErrorKind::connection)))
      throw;
    throw_expired(error, cut);
  } catch (...) {
    leave(cut);
    throw;
  }
  leave(cut);
}

void Watcher::stop_thread() noexcept {
  {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    state_->stopping = true;
    state_->limits.clear();
    state_->chain = nullptr;
    state_->watcher = nullptr;
    state_->wake.notify_all();
  }
  if (state_->thread.joinable()) state_->thread.join();
  state_->interrupter.reset();
  release(std::exchange(state_, nullptr));
}

void Watcher::forget_all() noexcept {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  state_->limits.clear();
  state_->retire();
}

}  // namespace detail

Deadline::Deadline(detail::Watcher& watcher, MiddlewareChain& chain, std::int64_t limit_micros,
                   std::int64_t grace_micros, detail::Interrupter* (*make)(void* session), void* session) {
  using namespace detail;
  if (grace_micros < 0) throw_misuse("the grace of a deadline can't be negative");
  const Moment end = later(Clock::now(), limit_micros);
  end_ = std::chrono::duration_cast<microseconds>(end.time_since_epoch()).count();
  if (watcher.state_ == nullptr) watcher.state_ = new DeadlineState;
  DeadlineState& state = *watcher.state_;
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (!state.thread.joinable()) state.thread = quiet_thread([&state] { state.loop(); });
  state.limits.reserve(state.limits.size() + 1);
  if (state.interrupter == nullptr) {
    std::shared_ptr<Interrupter> made(make(session));
    chain.remove(watcher);  // a pool may have cut it off, or not
    chain.use(watcher);
    state.interrupter = std::move(made);
  }
  state.chain = &chain;
  state.watcher = &watcher;
  id_ = ++state.last_id;
  state.limits.push_back({id_, end, grace_micros});
  state_ = share(&state);
}

Deadline::~Deadline() {
  state_->remove(id_);
  detail::release(state_);
}

std::int64_t Deadline::remaining_microseconds() const {
  using namespace detail;
  return end_ - std::chrono::duration_cast<microseconds>(Clock::now().time_since_epoch()).count();
}

}  // namespace quark
