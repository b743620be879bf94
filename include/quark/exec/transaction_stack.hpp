// The open transactions of one connection, outermost first: their ids, which make use after the end an error, and what
// is to be called when they end.
// Owned by an engine's session, which knows what BEGIN, COMMIT and savepoints are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace quark {

class TransactionStack {
 public:
  /// Something to call once.
  class Callback {
   public:
    Callback() = default;
    Callback(const Callback&) = delete;
    Callback& operator=(const Callback&) = delete;
    virtual ~Callback();
    virtual void run() = 0;
  };

  TransactionStack() = default;
  TransactionStack(const TransactionStack&) = delete;
  TransactionStack& operator=(const TransactionStack&) = delete;
  ~TransactionStack();

  bool empty() const { return ids_.empty(); }
  std::size_t depth() const { return ids_.size(); }

  /// Where the transaction is, 0 the outermost. Throws Misuse when it has ended.
  std::size_t depth_of(std::uint64_t id) const;
  /// Throws Misuse unless it is the innermost one: what an outer one writes now would be lost when the inner one is
  /// rolled back.
  void check_innermost(std::uint64_t id) const;
  /// Makes room, so that push() can't fail once the transaction is open: one that nobody knows of would take all later
  /// writes with it.
  void reserve_one() { ids_.reserve(ids_.size() + 1); }
  /// Ids are never 0 and never repeat.
  std::uint64_t push() {
    ids_.push_back(next_);
    return next_++;
  }
  /// One that turned out to be open still.
  void push_again(std::uint64_t id) { ids_.push_back(id); }
  /// Forgets all but the outermost `depth`.
  void cut(std::size_t depth) { ids_.resize(depth); }

  /// Has `callback`, which is owned from now on, called when the transaction is committed, or rolled back.
  void call_after(std::uint64_t id, bool commit, Callback* callback);
  /// The transaction has been committed: of the outermost, the callbacks run, in the order in which they came; of an
  /// inner one they wait for the outer one's end. Throws what the first failing callback throws, after all have run.
  void committed(std::uint64_t id);
  /// The transaction, and what was inside it, has been rolled back: callbacks run, the last first. Throws likewise.
  void rolled_back(std::uint64_t id);
  /// All of it was rolled back, and nobody is left to hear of it: callbacks run, and what they throw gets lost.
  void abandoned() noexcept;
  /// Whether the transaction is still open.
  bool is_open(std::uint64_t id) const;

  /// Savepoints are named by depth: a few texts, which are cached like any run-time text.
  static std::string savepoint_name(std::size_t depth);

 private:
  struct Waiting {
    std::uint64_t id;
    bool commit;
    Callback* callback;
  };
  static void run_all(std::vector<Waiting>& ready, bool commit);
  std::vector<std::uint64_t> ids_;
  std::vector<Waiting> waiting_;
  std::uint64_t next_ = 1;
};

}  // namespace quark
