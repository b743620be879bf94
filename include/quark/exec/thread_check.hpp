// Debug builds: two threads inside one connection are a bug of the caller's; one after the other is fine.
// Used by engines around each statement.
#pragma once

#include <quark/exec/error.hpp>

#include <atomic>

namespace quark {

class ThreadCheck {
 public:
  /// `user` is the connection's: which thread is inside; 0 is nobody. Throws Misuse.
  explicit ThreadCheck(std::atomic<std::size_t>& user) : user_(user) {
    static std::atomic<std::size_t> next{1};
    static thread_local const std::size_t me = next.fetch_add(1);
    std::size_t nobody = 0;
    mine_ = user_.compare_exchange_strong(nobody, me);
    if (!mine_ && nobody != me) detail::throw_misuse("two threads use one connection at the same time");
  }
  ThreadCheck(const ThreadCheck&) = delete;
  ThreadCheck& operator=(const ThreadCheck&) = delete;
  ~ThreadCheck() {
    if (mine_) user_.store(0);
  }

 private:
  std::atomic<std::size_t>& user_;
  bool mine_ = false;
};

}  // namespace quark
