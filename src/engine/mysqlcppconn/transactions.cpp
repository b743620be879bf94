// START TRANSACTION, COMMIT, ROLLBACK and savepoints on a connection that isn't ours alone: what its owner has open is
// joined, never committed; and that ours is still open when it is committed is asked, not assumed.
#include <quark/exec/error.hpp>

#include <string>

#include "prepared.hpp"

namespace quark::mysqlcppconn {
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

constexpr int no_such_savepoint = 1305;

}  // namespace

// Several sessions may work on one connection, one inside of the other: a savepoint of the same name would replace the
// outer one's. Above all depths is the mark: in the outermost transaction, when it is one of ours, and gone as soon as
// somebody ends it.
std::string Session::savepoint_name(std::size_t depth) const {
  return TransactionStack::savepoint_name(depth) + "_" + std::to_string(number_);
}
std::string Session::mark() const { return "quark_begin_" + std::to_string(number_); }

bool Session::in_transaction() {
  if (mariadb_) return ask("SELECT @@autocommit = 0 OR @@in_transaction").at(0) != "0";
  if (ask("SELECT @@autocommit").at(0) == "0") return true;
  // MySQL doesn't tell. Outside of a transaction a savepoint is gone with its statement.
  try {
    send("SAVEPOINT quark_probe");
    send("RELEASE SAVEPOINT quark_probe");
  } catch (const Error& error) {
    if (error.engine_code() == no_such_savepoint) return false;
    throw;
  }
  return true;
}

// Past middleware, straight to the server. A savepoint that isn't there (any more) is left alone.
void Session::undo_quietly(std::size_t depth) noexcept {
  if (is_lost()) return;
  try {
    send(is_savepoint(depth) ? "ROLLBACK TO SAVEPOINT " + savepoint_name(depth) : std::string("ROLLBACK"));
  } catch (...) {
    // No memory, or the connection went meanwhile: the next call will tell.
  }
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
  require();
  if (depth == 0) {
    outermost_is_savepoint_ = in_transaction();
    given_up_ = ended_ = false;
  }
  if (is_savepoint(depth) && mode != Begin{})
    quark::detail::throw_misuse("a savepoint has the isolation level and mode of its transaction");
  transactions_.reserve_one();
  bool begun = false;
  try {
    if (is_savepoint(depth)) {
      const std::string text = "SAVEPOINT " + savepoint_name(depth);
      begun = true;
      command(plain(text, "savepoint", StatementKind::savepoint));
    } else {
      if (mode.isolation != Isolation::standard)
        command(plain(isolation_texts[static_cast<std::size_t>(mode.isolation)], "begin", StatementKind::begin));
      begun = true;
      command(plain(mode.read_only ? "START TRANSACTION READ ONLY" : "START TRANSACTION", "begin",
                    StatementKind::begin));
      send("SAVEPOINT " + mark());
    }
  } catch (...) {
    // A middleware may throw after the statement took effect.
    if (begun) undo_quietly(depth);
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
  const auto end = [&](auto&& release) {
    try {
      release();
    } catch (const Error& error) {
      if (error.engine_code() != no_such_savepoint) throw;
      ended_ = true;
      refuse_aborted("there was nothing to commit any more");
    }
  };
  if (is_savepoint(depth)) {
    const std::string text = "RELEASE SAVEPOINT " + savepoint_name(depth);
    end([&] { command(plain(text, "release", StatementKind::savepoint)); });
    return transactions_.cut(depth);
  }
  end([&] { send("RELEASE SAVEPOINT " + mark()); });
  // Forgotten before it ends: what a middleware asks after the COMMIT is in no transaction.
  transactions_.cut(0);
  try {
    command(plain("COMMIT", "commit", StatementKind::commit));
  } catch (...) {
    // Refused by a middleware: the transaction is open still, and the caller may try again or roll back. Refused by the
    // server it may have ended.
    if (!is_lost() && in_transaction()) {
      send("SAVEPOINT " + mark());
      transactions_.push_again(id);
      outermost_is_savepoint_ = false;  // a middleware may have begun one of its own meanwhile
    }
    throw;
  }
}

void Session::rollback(std::uint64_t id) {
  const std::size_t depth = transactions_.depth_of(id);
  const bool gone = given_up_ || is_lost() || ended_;
  transactions_.cut(depth);
  if (depth == 0) given_up_ = ended_ = false;
  if (gone) return;  // the server did it already
  try {
    if (!is_savepoint(depth)) {
      // Whoever ended it may have begun another one, which is not ours to undo.
      try {
        send("RELEASE SAVEPOINT " + mark());
      } catch (const Error& error) {
        if (error.engine_code() == no_such_savepoint) return;
        throw;
      }
      return command(plain("ROLLBACK", "rollback", StatementKind::rollback));
    }
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

}  // namespace quark::mysqlcppconn
