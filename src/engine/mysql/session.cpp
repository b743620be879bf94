// Running statements: the cache, binding, reading to the end.
#include "quark/engine/mysql/connection.hpp"
#include "quark/engine/mysql/cursor.hpp"

#include <quark/engine/mysql_errors.hpp>
#include <quark/engine/mysql_text.hpp>
#include <quark/exec/error.hpp>
#include <quark/exec/thread_check.hpp>
#include <quark/types/scratch.hpp>

#include <new>
#include <string>
#include <utility>

#include "use.hpp"

namespace quark::mysql {
namespace {

constexpr bool writes(StatementKind kind) {
  return kind == StatementKind::insert || kind == StatementKind::update || kind == StatementKind::remove ||
         kind == StatementKind::upsert;
}

// MariaDB (10.11) answers NOT IN wrong, rows with NULL included, when a statement is executed again after its list was
// empty once: such an execution gets a statement of its own.
constexpr bool has_empty_list(const Param* params, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (params[i].form == Form::array && params[i].tail.size == 0 && !params[i].null) [[unlikely]] return true;
  return false;
}

// What is sent as text: the server prepares few of these, and each runs rarely or costs little.
constexpr bool is_plain(StatementKind kind) {
  return kind == StatementKind::ddl || kind == StatementKind::begin || kind == StatementKind::commit ||
         kind == StatementKind::rollback || kind == StatementKind::savepoint || kind == StatementKind::other;
}

}  // namespace

void Session::execute(Prepared& prepared, const Statement& statement) {
  Result& result = prepared.result;
  result.pending = false;
  result.lost = false;
  if (mysql_stmt_execute(prepared.handle()) != 0) [[unlikely]] fail(statement, prepared.handle());
  if (mysql_stmt_field_count(prepared.handle()) == 0) return;
  result.pending = true;
  unread_ = &result;
  if (!bind_result(result)) [[unlikely]] fail(statement, prepared.handle());
}

Outcome Session::finish(Prepared& prepared, const Statement& statement, std::uint64_t rows) {
  Outcome outcome;
  outcome.rows = rows;
  if (!writes(statement.kind)) return outcome;
  const bool returned = mysql_stmt_field_count(prepared.handle()) > 0;
  outcome.affected = returned ? rows : mysql_stmt_affected_rows(prepared.handle());
  // An upsert counts a changed row twice.
  if (statement.kind == StatementKind::upsert && outcome.affected > 1) outcome.affected = 1;
  if (!statement.made_key.empty() && !returned) {
    outcome.last_key = static_cast<std::int64_t>(mysql_stmt_insert_id(prepared.handle()));
    // Of an upsert that changed a row nobody asks for it.
    if (statement.kind != StatementKind::insert) return outcome;
    if (outcome.last_key < 0) [[unlikely]] {
      ErrorInfo info;
      info.kind = ErrorKind::conversion;
      info.table = statement.table;
      info.column = statement.made_key;
      info.message = "quark: the row is written, but its key is larger than 9223372036854775807";
      throw_error(std::move(info));
    }
    if (outcome.last_key == 0 && outcome.affected > 0) [[unlikely]]
      quark::detail::throw_misuse("MySQL made no key: " + std::string(statement.table) + "." +
                                  std::string(statement.made_key) +
                                  " is not AUTO_INCREMENT. Give the key yourself, or change the table");
  }
  return outcome;
}

Outcome Session::run_direct(const Statement& statement, const Slot* slot, const Param* params,
                            std::size_t count, RowFunction rows, void* context) {
#ifndef NDEBUG
  const ThreadCheck check(user_);
#endif
  if (lost_code_ != 0) [[unlikely]] refuse_lost(statement);
  // Whatever it is, it would run on its own and be kept, though its caller takes it for a part of the transaction.
  if (is_aborted()) [[unlikely]] refuse_aborted("nothing runs until the transaction is rolled back");
  if (unread_ != nullptr) [[unlikely]] buffer_unread();
  if (slot == nullptr && count == 0 && rows == nullptr && is_plain(statement.kind)) return run_plain(statement);
  if (count == 1 && params[0].form == Form::array && params[0].tail.size == rows_of_batch) [[unlikely]]
    return run_bulk(statement, slot, params[0]);
  Use use(*this, statement, slot, statement, has_empty_list(params, count));
  Prepared& prepared = use.prepared();
  if (!bind_params(prepared, statement, params, count)) [[unlikely]] fail(statement, prepared.handle());
  execute(prepared, statement);
  quark::mysql::Cursor cursor(*this, prepared.result, statement);
  if (rows != nullptr) rows(cursor, context);
  if (statement.kind != StatementKind::select) {
    while (cursor.step()) {
    }
  }
  Outcome outcome = finish(prepared, statement, cursor.rows());
  outcome.unread = !returning_ && rows != nullptr && statement.returning < statement.text.size();
  return outcome;
}

Outcome Session::run_wrapped(const Statement& statement, const Slot* slot, const Param* params,
                             std::size_t count, RowFunction rows, void* context) {
  return chain_.run_statement(statement, params, count, [&] {
    return run_direct(statement, slot, params, count, rows, context);
  });
}

Outcome Session::run_plain(const Statement& statement) {
  // The server would commit what is open, and its caller could not undo it any more.
  if (statement.kind == StatementKind::ddl && !transactions_.empty())
    refuse_unsupported(statement,
                       "MySQL commits the open transaction when tables are made, changed or dropped: do that outside");
  if (statement.operation == "execute" && !transactions_.empty() && begins_transaction(statement.text))
    quark::detail::throw_misuse("MySQL would commit the open transaction, and begin another one");
  if (mysql_real_query(db_, statement.text.data(), static_cast<unsigned long>(statement.text.size())) != 0) {
    const unsigned code = mysql_errno(db_);
    if (statement.operation == "execute" && code == 1064 && count_statements(statement.text) > 1)
      quark::detail::throw_misuse("one call runs one SQL statement, and this text has more");
    fail(statement, nullptr);
  }
  Outcome outcome;
  for (;;) {
    if (mysql_field_count(db_) > 0) {
      MYSQL_RES* rows = mysql_store_result(db_);
      if (rows == nullptr) fail(statement, nullptr);
      outcome.rows += mysql_num_rows(rows);
      mysql_free_result(rows);
    } else {
      outcome.affected = mysql_affected_rows(db_);
    }
    // A procedure may have several results.
    const int more = mysql_next_result(db_);
    if (more < 0) break;
    if (more > 0) fail(statement, nullptr);
  }
  return outcome;
}

void Session::buffer_unread() {
  Result& result = *unread_;
  unread_ = nullptr;
  // What the current row has of long cells is in the connection's buffer still.
  for (std::size_t i = 0; i < result.columns.size(); ++i) {
    const ResultColumn& column = result.columns[i];
    if (column.is_null == 0 && column.length > column.capacity) fetch_whole(result, i);
  }
  if (mysql_stmt_store_result(result.handle) == 0) {
    result.buffered = true;
    return;
  }
  result.lost = true;
  Statement none;
  fail(none, result.handle);
}

void Session::note_failure(unsigned code) {
  if (is_fatal(code)) {
    lost_code_ = code;
    unread_ = nullptr;
    return;
  }
  if (transactions_.empty()) return;
  const ErrorKind kind = kind_of(code);
  if (kind == ErrorKind::deadlock) {
    given_up_ = true;
    return;
  }
  // An error doesn't say whether the transaction went with it; the answer to a ping does.
  const bool may_have_ended = kind == ErrorKind::lock_timeout || kind == ErrorKind::serialization ||
                              kind == ErrorKind::timeout || kind == ErrorKind::storage || kind == ErrorKind::other;
  if (!may_have_ended || unread_ != nullptr) return;
  if (mysql_ping(db_) != 0 && is_fatal(mysql_errno(db_))) lost_code_ = mysql_errno(db_);
}

void Session::fail(const Statement& statement, MYSQL_STMT* handle) {
  // Copied before anything else can overwrite it (fault B43).
  // Some errors of a statement are only in its connection (libmariadb 3.3: of an array of rows).
  if (handle != nullptr && mysql_stmt_errno(handle) == 0) handle = nullptr;
  const unsigned code = handle != nullptr ? mysql_stmt_errno(handle) : mysql_errno(db_);
  const std::string state = handle != nullptr ? mysql_stmt_sqlstate(handle) : mysql_sqlstate(db_);
  const std::string message = handle != nullptr ? mysql_stmt_error(handle) : mysql_error(db_);
  if (code == 2008) throw std::bad_alloc();
  note_failure(code);
  throw_error(describe_error(code, state, message, statement));
}

void Session::refuse_lost(const Statement& statement) const {
  ErrorInfo info;
  info.kind = ErrorKind::connection;
  info.engine_code = static_cast<int>(lost_code_);
  info.table = statement.table;
  info.statement = statement.text;
  info.message = "quark: the connection to MySQL was lost (error " + std::to_string(lost_code_) +
                 "); what an open transaction had done is undone";
  throw_error(std::move(info));
}

std::size_t Session::cached_statements() const { return prepared_; }

std::uint64_t Connection::execute(std::string_view sql) {
  // The server takes a comment alone for a statement.
  if (count_statements(sql) == 0) detail::throw_misuse("the SQL text holds no statement");
  session().note_settings();
  Statement statement;
  statement.text = sql;
  statement.operation = "execute";
  return session().run(statement, nullptr, nullptr, 0, nullptr, nullptr).affected;
}

}  // namespace quark::mysql
