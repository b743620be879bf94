// START TRANSACTION, COMMIT, ROLLBACK and savepoints; the ids that make use after the end an error.
#include "quark/engine/mysql/session.hpp"

#include <quark/exec/error.hpp>

#include <string>

namespace quark::mysql {
namespace {

constexpr Statement plain(std::string_view text, std::string_view operation, StatementKind kind) {
  Statement s;
  s.text = text;
  s.operation = operation;
  s.kind = kind;
  return s;
}

constexpr std::string_view isolation_texts[] = {
    "", "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED", "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
    "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE"};

std::string savepoint_name(std::size_t depth) { return TransactionStack::savepoint_name(depth); }

}  // namespace

// Past middleware, straight to the server. A savepoint that isn't there (any more) is left alone.
void Session::undo_quietly(std::size_t depth) noexcept {
  if (is_lost()) return;
  try {
    if (unread_ != nullptr) buffer_unread();
    std::string text = "ROLLBACK";
    if (is_savepoint(depth)) text += " TO SAVEPOINT " + savepoint_name(depth);
    if (mysql_real_query(db_, text.data(), static_cast<unsigned long>(text.size())) != 0)
      note_failure(mysql_errno(db_));
  } catch (...) {
    // No memory, or the connection went meanwhile: the next call will tell.
  }
}

void Session::refuse_aborted(std::string_view what) const {
  ErrorInfo info;
  info.kind = ErrorKind::aborted;
  info.message = "quark: " + std::string(what);
  info.message += given_up_ ? ": the server has rolled the transaction back after an earlier error"
                            : ": a statement has ended the transaction (COMMIT, ROLLBACK, or one that makes or changes "
                              "tables, which commits)";
  info.retryable = given_up_;
  throw_error(std::move(info));
}

void Session::check_transaction(std::uint64_t id) const {
  transactions_.depth_of(id);
  if (is_lost()) refuse_lost(Statement{});
  if (is_aborted()) refuse_aborted("nothing runs until the transaction is rolled back");
  transactions_.check_innermost(id);
}

std::uint64_t Session::begin(Begin mode) {
  const std::size_t depth = transactions_.depth();
  if (is_lost()) refuse_lost(Statement{});
  if (is_aborted()) refuse_aborted("nothing runs until the transaction is rolled back");
  if (depth == 0) {
    outermost_is_savepoint_ = in_transaction();
    given_up_ = false;
  }
  if (is_savepoint(depth) && mode != Begin{})
    quark::detail::throw_misuse("a savepoint has the isolation level and mode of its transaction");
  transactions_.reserve_one();
  try {
    if (is_savepoint(depth)) {
      const std::string text = "SAVEPOINT " + savepoint_name(depth);
      command(plain(text, "savepoint", StatementKind::savepoint));
    } else {
      if (mode.isolation != Isolation::standard)
        command(plain(isolation_texts[static_cast<std::size_t>(mode.isolation)], "begin", StatementKind::begin));
      command(plain(mode.read_only ? "START TRANSACTION READ ONLY" : "START TRANSACTION", "begin",
                    StatementKind::begin));
    }
  } catch (...) {
    // A middleware may throw after the statement took effect.
    if (!is_lost() && in_transaction()) undo_quietly(depth);
    throw;
  }
  return transactions_.push();
}

void Session::commit(std::uint64_t id) {
  const std::size_t depth = transactions_.depth_of(id);
  transactions_.check_innermost(id);
  if (is_lost()) refuse_lost(Statement{});
  // The guards stay open, so that nothing runs by mistake outside of what was to be one transaction.
  if (is_aborted()) refuse_aborted(given_up_ ? "nothing was committed" : "there was nothing to commit any more");
  if (!is_savepoint(depth)) {
    // Forgotten before it ends: what a middleware asks after the COMMIT is in no transaction.
    transactions_.cut(0);
    try {
      command(plain("COMMIT", "commit", StatementKind::commit));
    } catch (...) {
      // Refused by a middleware: the transaction is open still, and the caller may try again or
      // roll back. Refused by the server it may have ended, which only the next answer tells.
      if (!is_lost()) mysql_ping(db_);
      if (!is_lost() && in_transaction()) {
        transactions_.push_again(id);
        outermost_is_savepoint_ = false;  // a middleware may have begun one of its own meanwhile
      }
      throw;
    }
  } else {
    const std::string text = "RELEASE SAVEPOINT " + savepoint_name(depth);
    command(plain(text, "release", StatementKind::savepoint));
  }
  transactions_.cut(depth);
}

void Session::rollback(std::uint64_t id) {
  const std::size_t depth = transactions_.depth_of(id);
  const bool gone = given_up_ || is_lost() || !in_transaction();
  transactions_.cut(depth);
  if (depth == 0) given_up_ = false;
  if (gone) {
    // The server did it already. An error tells the client library nothing of that: it would go on thinking that a
    // transaction is open, and the next one would be a savepoint in none.
    if (depth == 0 && !is_lost() && in_transaction()) mysql_real_query(db_, "ROLLBACK", 8);
    return;
  }
  try {
    if (!is_savepoint(depth)) return command(plain("ROLLBACK", "rollback", StatementKind::rollback));
    // Undo, then forget the savepoint: two statements.
    const std::string name = savepoint_name(depth);
    const std::string undo = "ROLLBACK TO SAVEPOINT " + name;
    const std::string release = "RELEASE SAVEPOINT " + name;
    command(plain(undo, "rollback", StatementKind::savepoint));
    command(plain(release, "release", StatementKind::savepoint));
  } catch (...) {
    // Whoever threw, a middleware at worst: work that was to be undone must not become part of a later commit.
    undo_quietly(depth);
    throw;
  }
}

void Session::abandon(std::uint64_t id) noexcept {
  try {
    rollback(id);
  } catch (...) {
    // A destructor can't report; rollback() has undone what there was.
  }
}

}  // namespace quark::mysql
