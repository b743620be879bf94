// Savepoints inside the libpqxx transaction; on a pqxx::nontransaction, which has none, BEGIN and COMMIT.
#include <quark/exec/error.hpp>

#include <algorithm>

#include "errors.hpp"
#include "pqxx.hpp"
#include "quark/engine/pqxx/session.hpp"

namespace quark::pqxx_bridge {
namespace {

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

// Statements of ours. When one fails, exec() of libpqxx 6 sends a ROLLBACK for the whole transaction, of which a
// savepoint could have been kept: there they go one by one, by the other way.
void send(::pqxx::transaction_base& transaction, const std::string& text) {
  if (dynamic_cast<const ::pqxx::nontransaction*>(&transaction) != nullptr) {
    transaction.exec(text);
    return;
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("; ", at), text.size());
    Arguments().execute(transaction, text.substr(at, end - at));
    at = end + 2;
  }
}

}  // namespace

void throw_ended(std::string_view what) {
  ErrorInfo info;
  info.kind = ErrorKind::aborted;
  info.message = "quark: " + std::string(what) + ": SQL of your own ended the transaction";
  info.retryable = true;
  throw_error(std::move(info));
}

bool Session::is_autocommit() const { return dynamic_cast<const ::pqxx::nontransaction*>(transaction_) != nullptr; }

// On a nontransaction the caller may have sent a BEGIN, which libpqxx doesn't tell. Outside of a transaction each
// statement is one, and both clocks show when it came; inside, it began with an earlier message.
bool Session::joins_transaction() {
  if (!is_autocommit()) return true;
  const ::pqxx::result result = translated(Statement(), [this] {
    return transaction_->exec("SELECT pg_catalog.now() <> pg_catalog.statement_timestamp()");
  });
  return *result[0][0].c_str() == 't';
}

void Session::check_transaction(std::uint64_t id) const {
  transactions_.depth_of(id);
  if (!is_open(*transaction_))
    quark::detail::throw_misuse("the libpqxx transaction has ended: it was committed or aborted");
  transactions_.check_innermost(id);
}

void Session::command(std::string_view text, std::string_view operation, StatementKind kind) {
  Statement statement;
  statement.text = text;
  statement.operation = operation;
  statement.kind = kind;
  run(statement, nullptr, nullptr, 0, nullptr, nullptr);
}

Outcome Session::run_command(const Statement& statement) {
  const std::string text(statement.text);
  const std::string_view name = std::string_view(text).substr(text.rfind(' ') + 1);  // of a savepoint
  // A COMMIT of a failed transaction is answered by a silent ROLLBACK. What stands before it is refused there.
  const bool commits = statement.kind == StatementKind::commit;
  try {
    translated(statement, [&] { send(*transaction_, commits ? "SELECT 1; " + text : text); });
  } catch (const Error& error) {
    if (commits && error.sqlstate() != state_aborted) begun_ = false;  // it has rolled back
    throw;
  }
  if (statement.kind == StatementKind::begin) begun_ = true;
  if (commits || statement.kind == StatementKind::rollback) begun_ = false;
  if (statement.kind != StatementKind::savepoint) {
    savepoints_.clear();
  } else if (statement.operation == "savepoint") {
    savepoints_.emplace_back(name);
  } else {
    forget_savepoint(name);
  }
  return {};
}

/// Whether a savepoint is set: it and those inside it are so no more.
bool Session::forget_savepoint(std::string_view name) {
  for (auto it = savepoints_.begin(); it != savepoints_.end(); ++it) {
    if (*it != name) continue;
    savepoints_.erase(it, savepoints_.end());
    return true;
  }
  return false;
}

std::uint64_t Session::begin(Begin mode) {
  const std::size_t depth = transactions_.depth();
  check_usable();
  if (was_ended()) throw_ended("no transaction can begin");
  if (depth == 0) outermost_is_savepoint_ = joins_transaction();
  transactions_.reserve_one();
  try {
    if (is_savepoint(depth)) {
      command("SAVEPOINT " + TransactionStack::savepoint_name(depth), "savepoint", StatementKind::savepoint);
    } else {
      command(begin_text(mode), "begin", StatementKind::begin);
    }
  } catch (...) {
    // A middleware may throw after the statement took effect.
    undo_quietly(depth);
    throw;
  }
  return transactions_.push();
}

void Session::commit(std::uint64_t id) {
  const std::size_t depth = transactions_.depth_of(id);
  transactions_.check_innermost(id);
  check_usable();
  // The guards stay open, so that nothing runs by mistake outside of what was to be one transaction.
  if (was_ended()) throw_ended("nothing was committed");
  if (is_savepoint(depth)) {
    // In a failed transaction the server refuses it: the guards stay open.
    command("RELEASE SAVEPOINT " + TransactionStack::savepoint_name(depth), "release", StatementKind::savepoint);
    transactions_.cut(depth);
    return;
  }
  // Forgotten before it ends: what a middleware asks after the COMMIT is in no transaction.
  transactions_.cut(0);
  try {
    command("COMMIT", "commit", StatementKind::commit);
  } catch (...) {
    // A COMMIT that fails (a deferred constraint) has rolled back. One that the server didn't get,
    // or didn't try, has not.
    if (begun_) transactions_.push_again(id);
    throw;
  }
}

void Session::rollback(std::uint64_t id) {
  const std::size_t depth = transactions_.depth_of(id);
  transactions_.cut(depth);
  if (!is_open(*transaction_)) return;  // it has ended already, and this with it
  const bool savepoint = is_savepoint(depth);
  if (!savepoint && !begun_) return;
  try {
    if (savepoint) {
      command(undo_text(depth), "rollback", StatementKind::savepoint);
    } else {
      command("ROLLBACK", "rollback", StatementKind::rollback);
    }
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

// Past middleware, straight to the server. A savepoint that isn't set (any more) is left alone:
// rolling back to it would be an error.
void Session::undo_quietly(std::size_t depth) noexcept {
  try {
    if (!is_open(*transaction_)) return;
    if (is_savepoint(depth)) {
      if (forget_savepoint(TransactionStack::savepoint_name(depth))) send(*transaction_, undo_text(depth));
    } else if (begun_) {
      begun_ = false;
      savepoints_.clear();
      send(*transaction_, "ROLLBACK");
    }
  } catch (...) {
    // The connection is lost, and the transaction with it.
  }
}

}  // namespace quark::pqxx_bridge
