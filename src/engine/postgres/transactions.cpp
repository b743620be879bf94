// BEGIN, COMMIT, ROLLBACK and savepoints. A BEGIN waits for the first statement and travels with it.
#include <quark/exec/error.hpp>

#include "errors.hpp"
#include "quark/engine/postgres/session.hpp"
#include "stream.hpp"

namespace quark::postgres {
namespace {

Statement plain(std::string_view text, std::string_view operation, StatementKind kind) {
  Statement s;
  s.text = text;
  s.operation = operation;
  s.kind = kind;
  return s;
}

std::string begin_text(const Begin& mode) {
  constexpr std::string_view levels[] = {"", " ISOLATION LEVEL READ COMMITTED", " ISOLATION LEVEL REPEATABLE READ",
                                         " ISOLATION LEVEL SERIALIZABLE"};
  std::string out = "BEGIN";
  out += levels[static_cast<std::size_t>(mode.isolation)];
  if (mode.read_only) out += " READ ONLY";
  if (mode.deferrable) out += " DEFERRABLE";
  return out;
}

std::string undo_text(std::size_t depth) {
  const std::string name = TransactionStack::savepoint_name(depth);
  return "ROLLBACK TO SAVEPOINT " + name + "; RELEASE SAVEPOINT " + name;
}

[[noreturn]] void throw_aborted(std::string_view what) {
  ErrorInfo info;
  info.kind = ErrorKind::aborted;
  info.message = "quark: " + std::string(what) +
                 ": PostgreSQL has given up the transaction after an earlier error (or SQL of your own ended it)";
  info.retryable = true;
  throw_error(std::move(info));
}

}  // namespace

bool Session::is_aborted() const {
  if (transactions_.empty() || begin_waits()) return false;
  const PGTransactionStatusType state = PQtransactionStatus(connection_);
  return state == PQTRANS_INERROR || state == PQTRANS_IDLE;
}

void Session::refuse_aborted() const { throw_aborted("nothing runs until the transaction is rolled back"); }

void Session::check_transaction(std::uint64_t id) const {
  transactions_.depth_of(id);
  check_alive();
  if (is_aborted()) refuse_aborted();
  transactions_.check_innermost(id);
}

void Session::command(std::string_view text, std::string_view operation, StatementKind kind) {
  run(plain(text, operation, kind), nullptr, nullptr, 0, nullptr, nullptr);
}

// What only opens or closes a level waits for the next statement, and goes with it in one flush: a nested transaction
// costs no round trip.
Outcome Session::run_command(const Statement& statement) {
  const std::string text(statement.text);
  const std::string_view name = std::string_view(text).substr(text.rfind(' ') + 1);  // of a savepoint
  if (statement.kind == StatementKind::begin || statement.operation == "savepoint") {
    pending_.push_back(text);
    if (statement.operation == "savepoint") savepoints_.emplace_back(name);
    return {};
  }
  const bool unsent = begin_waits();
  if (statement.kind == StatementKind::savepoint) {
    if (!forget_savepoint(name) || drop_pending_savepoint(name)) return {};
    if (statement.operation != "rollback") {
      pending_.push_back(text);
      return {};
    }
  } else {
    savepoints_.clear();
  }
  // The end of a level ends what is inside it.
  pending_.clear();
  if (unsent) return {};  // nothing was sent in this transaction
  const Result result(PQexec(connection_, text.c_str()));
  if (!result.good()) fail(result.get(), statement);
  // Of a failed transaction the server takes a COMMIT without a word, and rolls back.
  if (statement.kind == StatementKind::commit && std::string_view(PQcmdStatus(result.get())) != "COMMIT")
    throw_aborted("nothing was committed");
  return {};
}

/// Whether a savepoint is set, or waits to be: it and those inside it are so no more.
bool Session::forget_savepoint(std::string_view name) {
  for (auto it = savepoints_.begin(); it != savepoints_.end(); ++it) {
    if (*it != name) continue;
    savepoints_.erase(it, savepoints_.end());
    return true;
  }
  return false;
}

/// Whether a savepoint has not been sent yet: then nothing has happened since, and it is forgotten.
bool Session::drop_pending_savepoint(std::string_view name) {
  for (auto it = pending_.begin(); it != pending_.end(); ++it) {
    if (!it->starts_with("SAVEPOINT ") || !it->ends_with(name)) continue;
    pending_.erase(it, pending_.end());
    return true;
  }
  return false;
}

std::uint64_t Session::begin(Begin mode) {
  const std::size_t depth = transactions_.depth();
  check_alive();
  if (stream_ != nullptr) free_connection();  // the server tells its state only then
  if (is_aborted()) refuse_aborted();
  if (depth == 0) savepoints_.clear();
  if (depth == 0) outermost_is_savepoint_ = PQtransactionStatus(connection_) != PQTRANS_IDLE;
  transactions_.reserve_one();
  try {
    if (is_savepoint(depth)) {
      command("SAVEPOINT " + TransactionStack::savepoint_name(depth), "savepoint", StatementKind::savepoint);
    } else {
      command(begin_text(mode), "begin", StatementKind::begin);
    }
  } catch (...) {
    // A middleware may throw after the statement took effect.
    undo_quietly(depth, is_savepoint(depth));
    throw;
  }
  return transactions_.push();
}

void Session::commit(std::uint64_t id) {
  const std::size_t depth = transactions_.depth_of(id);
  transactions_.check_innermost(id);
  check_alive();
  // The guards stay open, so that nothing runs by mistake outside of what was to be one transaction.
  if (is_aborted()) throw_aborted("nothing was committed");
  if (is_savepoint(depth)) {
    command("RELEASE SAVEPOINT " + TransactionStack::savepoint_name(depth), "release", StatementKind::savepoint);
    transactions_.cut(depth);
    // What comes next may be the caller's own, past us.
    if (depth == 0) send_pending();
    return;
  }
  // Forgotten before it ends: what a middleware asks after the COMMIT is in no transaction.
  transactions_.cut(0);
  try {
    command("COMMIT", "commit", StatementKind::commit);
  } catch (...) {
    // A COMMIT that fails (a deferred constraint) has rolled back. One that a middleware kept from the server has not.
    const PGTransactionStatusType state = PQtransactionStatus(connection_);
    if (begin_waits() || state == PQTRANS_INTRANS || state == PQTRANS_INERROR) {
      transactions_.push_again(id);
      outermost_is_savepoint_ = false;
    }
    throw;
  }
}

void Session::rollback(std::uint64_t id) {
  const std::size_t depth = transactions_.depth_of(id);
  transactions_.cut(depth);
  const PGTransactionStatusType state = PQtransactionStatus(connection_);
  if (!begin_waits() && state == PQTRANS_IDLE) {  // it has ended already
    pending_.clear();
    return;
  }
  try {
    if (is_savepoint(depth)) {
      command(undo_text(depth), "rollback", StatementKind::savepoint);
    } else {
      command("ROLLBACK", "rollback", StatementKind::rollback);
    }
  } catch (...) {
    // Whoever threw, a middleware at worst: work that was to be undone must not become part of a later commit.
    undo_quietly(depth, is_savepoint(depth));
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

// Past middleware, straight to the server. A savepoint that isn't set (any more) is left alone:
// rolling back to it would be an error.
void Session::undo_quietly(std::size_t depth, bool savepoint) noexcept {
  try {
    const std::string name = TransactionStack::savepoint_name(depth);
    if (savepoint && (!forget_savepoint(name) || drop_pending_savepoint(name))) return;
    if (!savepoint) savepoints_.clear();
    const bool unsent = begin_waits();
    pending_.clear();
    if (unsent || PQstatus(connection_) != CONNECTION_OK || PQtransactionStatus(connection_) == PQTRANS_IDLE) return;
    PQclear(PQexec(connection_, savepoint ? undo_text(depth).c_str() : "ROLLBACK"));
  } catch (...) {
    PQclear(PQexec(connection_, "ROLLBACK"));  // no memory for a name: undo everything
  }
}

}  // namespace quark::postgres
