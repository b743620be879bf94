// Ids and depths of open transactions, which every engine refuses in the same words, and their callbacks.
#include <quark/exec/error.hpp>
#include <quark/exec/transaction_stack.hpp>

#include <algorithm>
#include <exception>

namespace quark {

TransactionStack::Callback::~Callback() = default;

TransactionStack::~TransactionStack() {
  for (const Waiting& w : waiting_) delete w.callback;
}

void TransactionStack::call_after(std::uint64_t id, bool commit, Callback* callback) {
  try {
    waiting_.push_back({id, commit, callback});
  } catch (...) {
    delete callback;
    throw;
  }
}

void TransactionStack::run_all(std::vector<Waiting>& ready, bool commit) {
  std::exception_ptr first;
  for (const Waiting& w : ready) {
    try {
      if (w.commit == commit) w.callback->run();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
    delete w.callback;
  }
  if (first) std::rethrow_exception(first);
}

void TransactionStack::committed(std::uint64_t id) {
  if (waiting_.empty()) return;
  if (!ids_.empty()) {
    // What an inner one did can still be undone with the outer one.
    for (Waiting& w : waiting_)
      if (w.id >= id) w.id = ids_.back();
    return;
  }
  // A callback may begin the next transaction.
  std::vector<Waiting> ready;
  ready.swap(waiting_);
  run_all(ready, true);
}

void TransactionStack::rolled_back(std::uint64_t id) {
  if (waiting_.empty()) return;
  std::vector<Waiting> ready, outside;
  for (const Waiting& w : waiting_) (w.id < id ? outside : ready).push_back(w);
  waiting_.swap(outside);
  std::reverse(ready.begin(), ready.end());
  run_all(ready, false);
}

void TransactionStack::abandoned() noexcept {
  ids_.clear();
  try {
    rolled_back(0);
  } catch (...) {
    // As in a destructor.
  }
}

bool TransactionStack::is_open(std::uint64_t id) const {
  return std::find(ids_.begin(), ids_.end(), id) != ids_.end();
}

std::size_t TransactionStack::depth_of(std::uint64_t id) const {
  for (std::size_t i = 0; i < ids_.size(); ++i)
    if (ids_[i] == id) return i;
  detail::throw_misuse("the transaction has ended");
}

void TransactionStack::check_innermost(std::uint64_t id) const {
  if (depth_of(id) + 1 != ids_.size())
    detail::throw_misuse("an inner transaction is open: use that one, or end it first");
}

std::string TransactionStack::savepoint_name(std::size_t depth) { return "quark_" + std::to_string(depth); }

}  // namespace quark
