// The waits between attempts: twice as long each time, and not the same for two that got in each other's way.
#include <quark/exec/retry.hpp>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

namespace quark::detail {

void check_policy(const RetryPolicy& policy) {
  if (policy.attempts < 1 || policy.first_delay_milliseconds < 0 || policy.most_delay_milliseconds < 0)
    throw_misuse("a retry policy needs at least one attempt, and delays that are not negative");
}

bool wait_for_retry(const RetryPolicy& policy, const Error& error, int attempt) {
  const ErrorKind kind = error.kind();
  const bool again = kind == ErrorKind::deadlock || kind == ErrorKind::serialization ||
                     (kind == ErrorKind::lock_timeout && policy.lock_timeouts);
  if (!again || attempt >= policy.attempts) return false;

  std::int64_t most = policy.first_delay_milliseconds;
  for (int i = 1; i < attempt && most < policy.most_delay_milliseconds; ++i) most *= 2;
  most = std::min(most, policy.most_delay_milliseconds) * 1000;
  static thread_local std::minstd_rand random(std::random_device{}());
  const std::int64_t wait = std::uniform_int_distribution<std::int64_t>(most / 2, most)(random);
  std::this_thread::sleep_for(std::chrono::microseconds(wait));
  return true;
}

}  // namespace quark::detail
