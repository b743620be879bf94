// Transactions: a guard that rolls back unless it was committed; nested ones are savepoints.
// Written once for every engine over calls of its session: begin, commit, rollback, abandon, check_transaction, and
// transactions(), which keeps what is to be called at the end.
#pragma once

#include <quark/exec/error.hpp>
#include <quark/exec/handle.hpp>
#include <quark/exec/transaction_stack.hpp>

#include <type_traits>
#include <utility>

namespace quark {

template <class Session, class Mode, class F>
decltype(auto) run_transaction(Session& session, Mode mode, F&& fn);
template <class Session>
class Pipeline;

/// An open transaction, or a savepoint in one. Movable; ends when it is committed, rolled back or
/// destroyed. For<T>(tx) runs in it; it refuses after its end, and while an inner one is open
/// (Misuse), or when the engine has undone the transaction (TransactionAborted).
template <class Session>
class [[nodiscard("quark: a transaction that nobody keeps is rolled back at once")]] Transaction {
 public:
  /// Begins; inside an open transaction it sets a savepoint. Throws what the engine reports.
  template <class Mode>
  Transaction(Session& session, Mode mode) : session_(&session), id_(session.begin(mode)) {}

  Transaction(Transaction&& other) noexcept
      : session_(std::exchange(other.session_, nullptr)), id_(std::exchange(other.id_, 0)) {}
  /// An open transaction that is assigned over is rolled back.
  Transaction& operator=(Transaction&& other) noexcept {
    if (this != &other) {
      abandon();
      session_ = std::exchange(other.session_, nullptr);
      id_ = std::exchange(other.id_, 0);
    }
    return *this;
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() { abandon(); }

  /// Makes the work permanent (of a savepoint: part of the outer transaction). A failed commit
  /// throws and leaves the transaction open where the engine does: commit again, or let the guard
  /// roll back.
  void commit() {
    check_active();
    const std::uint64_t id = id_;
    try {
      session_->commit(id);
    } catch (...) {
      if (!session_->transactions().is_open(id)) session_->transactions().rolled_back(id);
      throw;
    }
    id_ = 0;
    session_->transactions().committed(id);
  }
  /// Undoes the work, and that of inner transactions that are still open. Throws Misuse after the
  /// end, and what the engine reports.
  void rollback() {
    check_active();
    const std::uint64_t id = std::exchange(id_, 0);
    try {
      session_->rollback(id);
    } catch (...) {
      session_->transactions().rolled_back(id);
      throw;
    }
    session_->transactions().rolled_back(id);
  }
  /// Has `fn()` called once what this transaction did is permanent: after the COMMIT of the outermost one; not at all
  /// when this one, or one around it, is rolled back. Several run in their order. What it throws comes out of commit(),
  /// which has taken effect then; the others run all the same. For mails, caches, events.
  template <class F>
  void on_commit(F&& fn) {
    check();
    session_->transactions().call_after(id_, true, new Call<std::decay_t<F>>(std::forward<F>(fn)));
  }
  /// Has `fn()` called when this transaction, or one around it, has been rolled back. The last one runs first. What it
  /// throws comes out of rollback(), and gets lost in a destructor.
  template <class F>
  void on_rollback(F&& fn) {
    check();
    session_->transactions().call_after(id_, false, new Call<std::decay_t<F>>(std::forward<F>(fn)));
  }
  /// Whether commit() or rollback() is still to come.
  bool active() const { return id_ != 0; }

  /// Runs `fn(inner)` in a savepoint; see run_transaction.
  template <class F>
  decltype(auto) transaction(F&& fn) {
    check();
    return run_transaction(*session_, typename Session::Begin{}, std::forward<F>(fn));
  }
  /// A savepoint as a guard.
  Transaction begin() {
    check();
    return Transaction(*session_, typename Session::Begin{});
  }

  /// Runs `fn(pipeline)`, which queues writes, and sends them in one go: see Pipeline in
  /// query/pipeline.hpp. Returns the rows that each statement has affected. PostgreSQL only.
  template <class F>
  auto pipeline(F&& fn) {
    Pipeline<Session> queue(handle());
    fn(queue);
    return queue.flush();
  }

  /// What For<T>(tx) is made of. Throws Misuse after the end.
  Handle<Session> handle() const {
    check();
    return Handle<Session>(*session_, id_);
  }

 private:
  void check_active() const {
    if (id_ == 0) detail::throw_misuse("the transaction has ended: it was committed, rolled back or moved from");
  }
  void check() const {
    check_active();
    session_->check_transaction(id_);
  }
  void abandon() noexcept {
    if (id_ == 0) return;
    const std::uint64_t id = std::exchange(id_, 0);
    session_->abandon(id);
    try {
      session_->transactions().rolled_back(id);
    } catch (...) {
      // A destructor can't report.
    }
  }
  template <class F>
  struct Call final : TransactionStack::Callback {
    explicit Call(F f) : function(std::move(f)) {}
    void run() override { function(); }
    F function;
  };
  Session* session_;
  std::uint64_t id_;
};

/// Runs `fn(tx)`: commits when it returns, rolls back when it throws. A transaction that fn ended
/// itself stays as it is.
template <class Session, class Mode, class F>
decltype(auto) run_transaction(Session& session, Mode mode, F&& fn) {
  Transaction<Session> tx(session, mode);
  if constexpr (std::is_void_v<std::invoke_result_t<F&, Transaction<Session>&>>) {
    fn(tx);
    if (tx.active()) tx.commit();
  } else {
    decltype(auto) result = fn(tx);
    if (tx.active()) tx.commit();
    if constexpr (std::is_reference_v<decltype(result)>) {
      return static_cast<decltype(result)>(result);
    } else {
      return result;
    }
  }
}

}  // namespace quark
