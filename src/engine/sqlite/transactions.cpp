// BEGIN, COMMIT, ROLLBACK and savepoints; the ids that make use after the end an error.
#include "quark/engine/sqlite/session.hpp"

#include <quark/exec/error.hpp>

#include <string>

namespace quark::sqlite {
namespace {

constexpr Statement plain(std::string_view text, std::string_view operation, StatementKind kind) {
  Statement s;
  s.text = text;
  s.operation = operation;
  s.kind = kind;
  return s;
}

constexpr Statement begin_statements[] = {plain("BEGIN IMMEDIATE", "begin", StatementKind::begin),
                                          plain("BEGIN", "begin", StatementKind::begin),
                                          plain("BEGIN EXCLUSIVE", "begin", StatementKind::begin)};
constinit Slot begin_slots[3];
constexpr Statement commit_statement = plain("COMMIT", "commit", StatementKind::commit);
constinit Slot commit_slot;
constexpr Statement rollback_statement = plain("ROLLBACK", "rollback", StatementKind::rollback);
constinit Slot rollback_slot;

std::string savepoint_name(std::size_t depth) { return TransactionStack::savepoint_name(depth); }

// Past middleware and cache, straight to the engine. A savepoint that isn't there (any more) is left alone.
void undo_quietly(sqlite3* db, std::size_t depth, bool savepoint) noexcept {
  if (sqlite3_get_autocommit(db) != 0) return;
  if (!savepoint) {
    sqlite3_exec(db, "ROLLBACK", nullptr, nullptr, nullptr);
    return;
  }
  try {
    const std::string name = savepoint_name(depth);
    sqlite3_exec(db, ("ROLLBACK TO " + name + "; RELEASE " + name).c_str(), nullptr, nullptr, nullptr);
  } catch (...) {
    sqlite3_exec(db, "ROLLBACK", nullptr, nullptr, nullptr);  // no memory for a name: undo everything
  }
}

[[noreturn]] void throw_aborted(std::string_view what) {
  ErrorInfo info;
  info.kind = ErrorKind::aborted;
  info.message = "quark: " + std::string(what) +
                 ": SQLite has undone the transaction after an earlier error (or SQL of your own ended it)";
  info.retryable = true;
  throw_error(std::move(info));
}

}  // namespace

void Session::refuse_aborted() const { throw_aborted("nothing runs until the transaction is rolled back"); }

void Session::command(const Statement& statement, const Slot& slot) {
  run(statement, &slot, nullptr, 0, nullptr, nullptr);
}

void Session::check_transaction(std::uint64_t id) const {
  transactions_.depth_of(id);
  if (is_aborted()) refuse_aborted();
  transactions_.check_innermost(id);
}

std::uint64_t Session::begin(Begin mode) {
  const std::size_t depth = transactions_.depth();
  if (is_aborted()) refuse_aborted();
  if (depth == 0) outermost_is_savepoint_ = sqlite3_get_autocommit(db_) == 0;
  transactions_.reserve_one();
  try {
    if (is_savepoint(depth)) {
      const std::string text = "SAVEPOINT " + savepoint_name(depth);
      run(plain(text, "savepoint", StatementKind::savepoint), nullptr, nullptr, 0, nullptr, nullptr);
    } else {
      const auto i = static_cast<std::size_t>(mode);
      command(begin_statements[i], begin_slots[i]);
    }
  } catch (...) {
    // A middleware may throw after the statement took effect.
    undo_quietly(db_, depth, is_savepoint(depth));
    throw;
  }
  return transactions_.push();
}

void Session::commit(std::uint64_t id) {
  const std::size_t depth = transactions_.depth_of(id);
  transactions_.check_innermost(id);
  // The guards stay open, so that nothing runs by mistake outside of what was to be one transaction.
  if (is_aborted()) throw_aborted("nothing was committed");
  if (!is_savepoint(depth)) {
    // Forgotten before it ends: what a middleware asks after the COMMIT is in no transaction.
    transactions_.cut(0);
    try {
      command(commit_statement, commit_slot);
    } catch (...) {
      // A busy COMMIT leaves the transaction open (fault B33): the caller may try again or roll back. (There is room.)
      if (sqlite3_get_autocommit(db_) == 0) {
        transactions_.push_again(id);
        outermost_is_savepoint_ = false;  // a middleware may have begun one of its own meanwhile
      }
      throw;
    }
  } else {
    const std::string text = "RELEASE " + savepoint_name(depth);
    run(plain(text, "release", StatementKind::savepoint), nullptr, nullptr, 0, nullptr, nullptr);
  }
  transactions_.cut(depth);
}

void Session::rollback(std::uint64_t id) {
  const std::size_t depth = transactions_.depth_of(id);
  transactions_.cut(depth);
  if (sqlite3_get_autocommit(db_) != 0) return;  // SQLite did it already
  try {
    if (!is_savepoint(depth)) return command(rollback_statement, rollback_slot);
    // Undo, then forget the savepoint: two statements.
    const std::string name = savepoint_name(depth);
    const std::string undo = "ROLLBACK TO " + name;
    const std::string release = "RELEASE " + name;
    run(plain(undo, "rollback", StatementKind::savepoint), nullptr, nullptr, 0, nullptr, nullptr);
    run(plain(release, "release", StatementKind::savepoint), nullptr, nullptr, 0, nullptr, nullptr);
  } catch (...) {
    // Whoever threw, a middleware at worst: work that was to be undone must not become part of a later commit.
    undo_quietly(db_, depth, is_savepoint(depth));
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

}  // namespace quark::sqlite
