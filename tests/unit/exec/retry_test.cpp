// retry(): what is tried again, how often, and how long it waits.
#include <quark/exec/retry.hpp>

#include <gtest/gtest.h>

#include <chrono>

namespace {

using quark::ErrorKind;
using quark::RetryPolicy;

[[noreturn]] void fail(ErrorKind kind) {
  quark::ErrorInfo info;
  info.kind = kind;
  quark::throw_error(std::move(info));
}

int attempts(RetryPolicy policy, ErrorKind kind, int failures) {
  int calls = 0;
  try {
    policy.first_delay_milliseconds = 0;
    quark::retry(policy, [&] {
      if (++calls <= failures) fail(kind);
    });
  } catch (const quark::Error&) {
    return -calls;
  }
  return calls;
}

TEST(Retry, TriesAgainWhatMayGoAway) {
  EXPECT_EQ(attempts({}, ErrorKind::deadlock, 0), 1);
  EXPECT_EQ(attempts({}, ErrorKind::deadlock, 2), 3);
  EXPECT_EQ(attempts({}, ErrorKind::serialization, 4), 5);
  EXPECT_EQ(attempts({}, ErrorKind::serialization, 5), -5);
  EXPECT_EQ(attempts({.attempts = 1}, ErrorKind::deadlock, 1), -1);
  for (const ErrorKind kind : {ErrorKind::unique, ErrorKind::connection, ErrorKind::timeout, ErrorKind::aborted,
                               ErrorKind::lock_timeout, ErrorKind::misuse})
    EXPECT_EQ(attempts({}, kind, 1), -1) << to_string(kind);
  EXPECT_EQ(attempts({.lock_timeouts = true}, ErrorKind::lock_timeout, 1), 2);
}

TEST(Retry, ReturnsWhatTheCallReturns) {
  int calls = 0;
  EXPECT_EQ(quark::retry({.first_delay_milliseconds = 0}, [&] {
              if (++calls < 3) fail(ErrorKind::deadlock);
              return calls;
            }), 3);
  int value = 0;
  EXPECT_EQ(&quark::retry({}, [&]() -> int& { return value; }), &value);
}

TEST(Retry, WaitsLongerEachTimeButNotTooLong) {
  const auto start = std::chrono::steady_clock::now();
  int calls = 0;
  const RetryPolicy policy{.attempts = 4, .first_delay_milliseconds = 8, .most_delay_milliseconds = 16};
  EXPECT_THROW(quark::retry(policy, [&] {
    ++calls;
    fail(ErrorKind::deadlock);
  }), quark::Deadlock);
  EXPECT_EQ(calls, 4);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(4 + 8 + 8));
}

TEST(Retry, RefusesAPolicyThatMakesNoSense) {
  EXPECT_THROW(quark::retry({.attempts = 0}, [] {}), quark::Misuse);
  EXPECT_THROW(quark::retry({.first_delay_milliseconds = -1}, [] { fail(ErrorKind::deadlock); }), quark::Misuse);
}

}  // namespace
