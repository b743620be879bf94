// retry(): runs a whole transaction again when another one got in its way. Never by itself: only what is wrapped in it.
#pragma once

#include <quark/exec/error.hpp>

#include <cstdint>

namespace quark {

/// What is tried again, how often, and after what waits.
struct RetryPolicy {
  int attempts = 5;                              // altogether; at least 1
  std::int64_t first_delay_milliseconds = 10;    // doubled with each attempt; a random half of it is waited less
  std::int64_t most_delay_milliseconds = 1'000;  // no wait is longer
  bool lock_timeouts = false;  // LockTimeout as well: the wait for a lock has been long already
};

namespace detail {
/// Throws Misuse for a policy that makes no sense.
void check_policy(const RetryPolicy& policy);
/// Waits, when the error may go away and attempts are left; else returns false. `attempt` counts from 1.
bool wait_for_retry(const RetryPolicy& policy, const Error& error, int attempt);
}  // namespace detail

/// Calls `fn()` until it doesn't end with Deadlock or SerializationFailure (or LockTimeout, if the
/// policy says so), and returns what it returns. It must hold the whole transaction, and nothing
/// that can't be done twice: `retry({}, [&] { return db.transaction([&](auto& tx) { ... }); })`.
/// Inside another transaction it makes no sense: that one is lost with the error. Throws what the
/// last attempt throws, and Misuse for a policy without attempts.
template <class F>
decltype(auto) retry(const RetryPolicy& policy, F&& fn) {
  detail::check_policy(policy);
  for (int attempt = 1;; ++attempt) {
    try {
      return fn();
    } catch (const Error& error) {
      if (!detail::wait_for_retry(policy, error, attempt)) throw;
    }
  }
}

}  // namespace quark
