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

// Savepoints are named by depth: a few texts, cached like any run-time text.
std::string savepoint_name(std::size_t depth) { return "quark_" + std::to_string(depth); }

// Past middleware and cache, straight to the engine.
void undo_quietly(sqlite3* db, std::size_t depth) noexcept {
  if (sqlite3_get_autocommit(db) != 0) return;
  if (depth == 0) {
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

}  // namespace

void Session::command(const Statement& statement, const Slot& slot) {
  run(statement, &slot, nullptr, 0, nullptr, nullptr);
}

std::size_t Session::depth_of(std::uint64_t id) const {
  for (std::size_t i = 0; i < transactions_.size(); ++i)
    if (transactions_[i] == id) return i;
  quark::detail::throw_misuse("the transaction has ended");
}

void Session::check_transaction(std::uint64_t id) const {
  depth_of(id);
  // Some errors (a full disk, a failed write) make SQLite roll back on its own.
  if (sqlite3_get_autocommit(db_) != 0) {
    ErrorInfo info;
    info.kind = ErrorKind::other;
    info.message = "quark: SQLite has rolled back the transaction after an earlier error";
    info.retryable = true;
    throw_error(std::move(info));
  }
}

std::uint64_t Session::begin(Begin mode) {
  if (transactions_.empty()) {
    const auto i = static_cast<std::size_t>(mode);
    command(begin_statements[i], begin_slots[i]);
  } else {
    check_transaction(transactions_.back());
    const std::string text = "SAVEPOINT " + savepoint_name(transactions_.size());
    run(plain(text, "savepoint", StatementKind::savepoint), nullptr, nullptr, 0, nullptr, nullptr);
  }
  transactions_.push_back(next_transaction_);
  return next_transaction_++;
}

void Session::commit(std::uint64_t id) {
  const std::size_t depth = depth_of(id);
  if (depth + 1 != transactions_.size())
    quark::detail::throw_misuse("an inner transaction is still open: end it before the outer one");
  if (sqlite3_get_autocommit(db_) != 0) {
    transactions_.clear();
    ErrorInfo info;
    info.kind = ErrorKind::other;
    info.message = "quark: nothing was committed: SQLite had rolled back the transaction after an earlier error";
    info.retryable = true;
    throw_error(std::move(info));
  }
  if (depth == 0) {
    try {
      command(commit_statement, commit_slot);
    } catch (...) {
      // A busy COMMIT leaves the transaction open (fault B33): the caller may try again or roll back.
      if (sqlite3_get_autocommit(db_) != 0) transactions_.clear();
      throw;
    }
  } else {
    const std::string text = "RELEASE " + savepoint_name(depth);
    run(plain(text, "release", StatementKind::savepoint), nullptr, nullptr, 0, nullptr, nullptr);
  }
  transactions_.resize(depth);
}

void Session::rollback(std::uint64_t id) {
  const std::size_t depth = depth_of(id);
  transactions_.resize(depth);
  if (sqlite3_get_autocommit(db_) != 0) return;  // SQLite did it already
  try {
    if (depth == 0) return command(rollback_statement, rollback_slot);
    // Undo, then forget the savepoint: two statements.
    const std::string name = savepoint_name(depth);
    const std::string undo = "ROLLBACK TO " + name;
    const std::string release = "RELEASE " + name;
    run(plain(undo, "rollback", StatementKind::savepoint), nullptr, nullptr, 0, nullptr, nullptr);
    run(plain(release, "release", StatementKind::savepoint), nullptr, nullptr, 0, nullptr, nullptr);
  } catch (...) {
    // Whoever threw, a middleware at worst: work that was to be undone must not become part of a later commit.
    undo_quietly(db_, depth);
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
