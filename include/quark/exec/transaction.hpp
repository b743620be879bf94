// Transactions: a guard that rolls back unless it was committed; nested ones are savepoints.
// Written once for every engine over four calls of its session: begin, commit, rollback, check_transaction.
#pragma once

#include <quark/exec/error.hpp>
#include <quark/exec/handle.hpp>

#include <type_traits>
#include <utility>

namespace quark {

template <class Session, class Mode, class F>
decltype(auto) run_transaction(Session& session, Mode mode, F&& fn);

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
    session_->commit(id_);
    id_ = 0;
  }
  /// Undoes the work, and that of inner transactions that are still open. Throws Misuse after the
  /// end, and what the engine reports.
  void rollback() {
    check_active();
    session_->rollback(std::exchange(id_, 0));
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
    if (id_ != 0) session_->abandon(std::exchange(id_, 0));
  }
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
