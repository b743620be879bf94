// The pool: who gets a connection when, and when one is closed. Opening, asking and closing happen outside of the lock.
#include <quark/exec/error.hpp>
#include <quark/exec/pool.hpp>

#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <string>

namespace quark::detail {
namespace {

constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t second = 1'000'000;

std::int64_t steady_microseconds() {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void check(const PoolOptions& options) {
  constexpr std::int64_t most = 1'000'000'000;  // what is longer is a mistake, and could overflow
  const auto is_time = [](std::int64_t value) { return value >= 0 && value <= most; };
  if (options.max < 1 || options.max > 10'000) throw_misuse("a pool's max must be 1 to 10000");
  if (options.min > options.max) throw_misuse("a pool's min can't be greater than its max");
  if (!is_time(options.checkout_timeout_milliseconds))
    throw_misuse("a pool's checkout_timeout_milliseconds must be 0 to 1000000000");
  if (!is_time(options.max_lifetime_seconds)) throw_misuse("a pool's max_lifetime_seconds must be 0 to 1000000000");
  if (!is_time(options.idle_timeout_seconds)) throw_misuse("a pool's idle_timeout_seconds must be 0 to 1000000000");
  if (!is_time(options.check_after_idle_seconds))
    throw_misuse("a pool's check_after_idle_seconds must be 0 to 1000000000");
}

/// A thread that waits; on its stack.
struct Waiter {
  std::condition_variable woken{};
  Waiter* next = nullptr;
  PooledConnection* connection = nullptr;  // what it was given; null: the right to open one
  bool granted = false;
  bool refused = false;  // the pool was closed
};

}  // namespace

PooledConnection::~PooledConnection() = default;
PoolSource::~PoolSource() = default;

/// While threads wait, none is idle and the pool is full: what becomes free goes to the first of them.
class PoolState final : public PoolCore {
 public:
  PoolState(PoolSource* from, const PoolOptions& with) : source(from), options(with) {}
  ~PoolState() { delete source; }
  PoolState(const PoolState&) = delete;
  PoolState& operator=(const PoolState&) = delete;

  using Lock = std::unique_lock<std::mutex>;

  std::int64_t now() const { return options.clock != nullptr ? options.clock() : steady_microseconds(); }

  PooledConnection* open() {
    PooledConnection* made = source->open();
    try {
      const Lock lock(mutex);
      made->share(chain);
      made->expires_ = forever;
      const std::int64_t lifetime = options.max_lifetime_seconds * second;
      // Connections that were opened together shall not have to be opened anew together.
      if (lifetime > 0) made->expires_ = now() + lifetime - next_random() % (lifetime / 10 + 1);
      ++created;
    } catch (...) {
      delete made;
      throw;
    }
    return made;
  }

  /// The connection that a thread was given, or another in its place.
  PooledConnection* ready(PooledConnection* given) {
    if (given != nullptr) {
      const std::int64_t at = now();
      if (at < given->expires_ && lives(*given, at)) return given;
      delete given;
      const Lock lock(mutex);
      ++closed_count;
    }
    try {
      return open();
    } catch (...) {
      Lock lock(mutex);
      give(nullptr);
      unlock(lock);
      throw;
    }
  }

  bool lives(PooledConnection& connection, std::int64_t at) const noexcept {
    if (at - connection.idle_since_ >= options.check_after_idle_seconds * second) return connection.ping();
    return connection.looks_alive();
  }

  /// Waits for a connection, or for the right to open one.
  PooledConnection* wait(Lock& lock) {
    Waiter me;
    (last_waiter != nullptr ? last_waiter->next : first_waiter) = &me;
    last_waiter = &me;
    ++waiting;
    const auto start = std::chrono::steady_clock::now();
    const auto deadline = start + std::chrono::milliseconds(options.checkout_timeout_milliseconds);
    me.woken.wait_until(lock, deadline, [&me] { return me.granted || me.refused; });
    const auto waited = std::chrono::steady_clock::now() - start;
    const std::int64_t micros = std::chrono::duration_cast<std::chrono::microseconds>(waited).count();
    if (micros > longest_wait) longest_wait = micros;
    if (me.granted) return me.connection;
    if (me.refused) {
      --waiting;
      unlock(lock);
      throw_closed();
    }
    leave(me);
    ++timeouts;
    ErrorInfo info = describe_timeout();
    lock.unlock();  // from here on the pool may be gone
    throw_error(std::move(info));
  }

  void leave(const Waiter& who) {
    Waiter* before = nullptr;
    for (Waiter* w = first_waiter; w != &who; w = w->next) before = w;
    (before != nullptr ? before->next : first_waiter) = who.next;
    if (last_waiter == &who) last_waiter = before;
    --waiting;
  }

  /// A connection that is free again, or, when null, the place of one that is gone.
  void give(PooledConnection* connection) {
    if (Waiter* const first = first_waiter; first != nullptr) {
      first_waiter = first->next;
      if (first_waiter == nullptr) last_waiter = nullptr;
      --waiting;
      first->connection = connection;
      first->granted = true;
      first->woken.notify_one();  // under the lock: the waiter is gone soon after it
    } else if (connection != nullptr) {
      idle.push_back(connection);  // there is room for all
    } else {
      --size;
    }
  }

  void take_out(std::size_t index, PooledConnection*& list) {
    PooledConnection* const out = idle[index];
    idle.erase(idle.begin() + static_cast<std::ptrdiff_t>(index));
    out->next_ = list;
    list = out;
    --size;
    ++closed_count;
  }

  /// Those that have idled too long: the first ones, since they lie in the order of their return.
  PooledConnection* surplus(std::int64_t at) {
    PooledConnection* list = nullptr;
    if (options.idle_timeout_seconds == 0) return list;
    const std::int64_t since = at - options.idle_timeout_seconds * second;
    while (size > options.min && !idle.empty() && idle.front()->idle_since_ <= since) take_out(0, list);
    return list;
  }

  static void close_all(PooledConnection* list) noexcept {
    while (list != nullptr) delete std::exchange(list, list->next_);
  }

  /// Unlocks, and ends what nobody can reach any more.
  void unlock(Lock& lock) noexcept {
    const bool over = dropped && size == 0 && waiting == 0;
    lock.unlock();
    if (over) delete this;
  }

  std::int64_t next_random() {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::int64_t>(random >> 33);
  }

  [[noreturn]] static void throw_closed() { throw_misuse("the pool is closed"); }
  ErrorInfo describe_timeout() const {
    ErrorInfo info;
    info.kind = ErrorKind::timeout;
    info.message = "quark: no connection was free within " + std::to_string(options.checkout_timeout_milliseconds) +
                   " ms: all " + std::to_string(options.max) + " of the pool are in use";
    if (waiting > 0) info.message += ", and " + std::to_string(waiting) + " more threads wait";
    return info;
  }

  PoolSource* const source;
  const PoolOptions options;
  MiddlewareChain chain;  // of all connections; those that outlive the Pool need it still
  mutable std::mutex mutex;
  std::vector<PooledConnection*> idle;  // the one that was used last is the last
  Waiter* first_waiter = nullptr;
  Waiter* last_waiter = nullptr;
  std::size_t size = 0;  // open, or about to be
  std::size_t waiting = 0;
  std::uint64_t created = 0, closed_count = 0, timeouts = 0;
  std::int64_t longest_wait = 0;
  std::uint64_t random = static_cast<std::uint64_t>(steady_microseconds());
  bool used = false, closed = false, dropped = false;
};

namespace {
PoolState& state_of(PoolCore& core) { return static_cast<PoolState&>(core); }
const PoolState& state_of(const PoolCore& core) { return static_cast<const PoolState&>(core); }
}  // namespace

PoolCore* PoolCore::make(PoolSource* source, const PoolOptions& options) {
  PoolState* state = nullptr;
  try {
    check(options);
    state = new PoolState(source, options);
  } catch (...) {
    delete source;
    throw;
  }
  try {
    state->idle.reserve(options.max);  // so that a return can't fail
    state->maintain();
  } catch (...) {
    state->drop();
    throw;
  }
  return state;
}

PooledConnection* PoolCore::acquire() {
  PoolState& s = state_of(*this);
  PoolState::Lock lock(s.mutex);
  s.used = true;
  if (s.closed) {
    lock.unlock();
    PoolState::throw_closed();
  }
  PooledConnection* given = nullptr;
  if (!s.idle.empty()) {
    given = s.idle.back();
    s.idle.pop_back();
  } else if (s.size < s.options.max) {
    ++s.size;
  } else {
    given = s.wait(lock);
  }
  lock.unlock();
  return s.ready(given);
}

void PoolCore::release(PooledConnection* connection) noexcept {
  PoolState& s = state_of(*this);
  const std::int64_t at = s.now();
  PooledConnection* kept = at < connection->expires_ && connection->reset() ? connection : nullptr;
  // Closed before its place is given away: the server never sees more than `max`.
  if (kept == nullptr) delete connection;
  PoolState::Lock lock(s.mutex);
  if (s.closed && kept != nullptr) {
    lock.unlock();
    delete std::exchange(kept, nullptr);
    lock.lock();
  }
  if (kept != nullptr) {
    kept->idle_since_ = at;
  } else {
    ++s.closed_count;
  }
  s.give(kept);
  PooledConnection* const surplus = s.surplus(at);
  s.unlock(lock);
  PoolState::close_all(surplus);
}

void PoolCore::maintain() {
  PoolState& s = state_of(*this);
  const std::int64_t at = s.now();
  PoolState::Lock lock(s.mutex);
  PooledConnection* list = s.surplus(at);
  for (std::size_t i = s.idle.size(); i-- > 0;)
    if (s.idle[i]->expires_ <= at) s.take_out(i, list);
  lock.unlock();
  PoolState::close_all(list);
  for (;;) {
    lock.lock();
    if (s.closed || s.size >= s.options.min) return;
    ++s.size;
    lock.unlock();
    PooledConnection* const made = s.ready(nullptr);
    lock.lock();
    if (s.closed) {
      --s.size;
      ++s.closed_count;
      lock.unlock();
      delete made;
      return;
    }
    made->idle_since_ = s.now();
    s.give(made);
    lock.unlock();
  }
}

void PoolCore::close() noexcept {
  PoolState& s = state_of(*this);
  PooledConnection* list = nullptr;
  PoolState::Lock lock(s.mutex);
  s.closed = true;
  while (!s.idle.empty()) s.take_out(s.idle.size() - 1, list);
  for (Waiter* w = s.first_waiter; w != nullptr;) {
    Waiter* const next = w->next;
    w->refused = true;
    w->woken.notify_one();
    w = next;
  }
  s.first_waiter = s.last_waiter = nullptr;
  lock.unlock();
  PoolState::close_all(list);
}

void PoolCore::drop() noexcept {
  PoolState& s = state_of(*this);
  s.close();
  PoolState::Lock lock(s.mutex);
  s.dropped = true;
  s.unlock(lock);
}

PoolStats PoolCore::stats() const {
  const PoolState& s = state_of(*this);
  const PoolState::Lock lock(s.mutex);
  PoolStats out;
  out.size = s.size;
  out.idle = s.idle.size();
  out.in_use = s.size - s.idle.size();
  out.waiting = s.waiting;
  out.created = s.created;
  out.closed = s.closed_count;
  out.timeouts = s.timeouts;
  out.longest_wait_microseconds = s.longest_wait;
  return out;
}

void PoolCore::check_unused() const {
  const PoolState& s = state_of(*this);
  const PoolState::Lock lock(s.mutex);
  if (s.used) throw_misuse("a pool is set up before its first connection is handed out, not later");
}

MiddlewareChain& PoolCore::chain() { return state_of(*this).chain; }

void PoolCore::share_chain() {
  PoolState& s = state_of(*this);
  const PoolState::Lock lock(s.mutex);
  for (PooledConnection* connection : s.idle) connection->share(s.chain);
}

void PoolCore::set_up_all() {
  PoolState& s = state_of(*this);
  PoolState::Lock lock(s.mutex);
  try {
    for (PooledConnection* connection : s.idle) connection->set_up();
  } catch (...) {
    // Some are as they should be, some are not: new ones will be.
    PooledConnection* list = nullptr;
    while (!s.idle.empty()) s.take_out(s.idle.size() - 1, list);
    lock.unlock();
    PoolState::close_all(list);
    throw;
  }
}

}  // namespace quark::detail
