// Running statements through the connector.
#include <quark/engine/mysql_errors.hpp>
#include <quark/engine/mysql_text.hpp>
#include <quark/engine/mysqlcppconn/cursor.hpp>
#include <quark/exec/error.hpp>
#include <quark/exec/thread_check.hpp>

#include <functional>

#include "prepared.hpp"

namespace quark::mysqlcppconn {
namespace {

constexpr bool writes(StatementKind kind) {
  return kind == StatementKind::insert || kind == StatementKind::update || kind == StatementKind::remove ||
         kind == StatementKind::upsert;
}

// MariaDB (10.11) answers NOT IN wrong, rows with NULL included, when a statement is executed again after its list was
// empty once: such an execution gets a statement of its own.
bool has_empty_list(const Param* params, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (params[i].form == Form::array && params[i].tail.size == 0 && !params[i].null) return true;
  return false;
}

// What is sent as text: the server prepares few of these, and each runs rarely or costs little.
constexpr bool is_plain(StatementKind kind) {
  return kind == StatementKind::ddl || kind == StatementKind::begin || kind == StatementKind::commit ||
         kind == StatementKind::rollback || kind == StatementKind::savepoint || kind == StatementKind::other;
}

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1);
}

[[noreturn]] void refuse_key(const Statement& statement) {
  ErrorInfo info;
  info.kind = ErrorKind::conversion;
  info.table = statement.table;
  info.column = statement.made_key;
  info.message = "quark: the row is written, but its key is larger than 9223372036854775807";
  throw_error(std::move(info));
}

}  // namespace

Session::Session(::sql::Connection& connection, const Options& options, bool kept)
    : connection_(connection), options_(options), number_(next_number()), kept_(kept) {
  if (options.cached_texts == 0 || options.cached_statements == 0)
    quark::detail::throw_misuse("cached_texts and cached_statements must be at least 1");
}

Session::~Session() {
  for (Place* place : slots_) {
    if (place == nullptr) continue;
    Use::close(*this, place->handle);
    delete place;
  }
  texts_.clear([this](Prepared* prepared) { Use::close(*this, prepared); });
}

Outcome Session::run(const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
                     RowFunction rows, void* context) {
  if (chain_.empty()) return run_direct(statement, slot, params, count, rows, context);
  return chain_.run_statement(statement, params, count,
                              [&] { return run_direct(statement, slot, params, count, rows, context); });
}

Outcome Session::run_direct(const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
                            RowFunction rows, void* context) {
#ifndef NDEBUG
  const ThreadCheck check(user_);
#endif
  if (is_lost()) refuse_lost(statement);
  // Whatever it is, it would run on its own and be kept, though its caller takes it for a part of the transaction.
  if (is_aborted()) refuse_aborted("nothing runs until the transaction is rolled back");
  require();
  if (slot == nullptr && count == 0 && rows == nullptr && is_plain(statement.kind)) return run_plain(statement);
  if (statement.kind == StatementKind::update && rows == nullptr && !counts_found())
    return run_counted(statement, slot, params, count);
  return run_prepared(statement, slot, params, count, rows, context);
}

Outcome Session::run_prepared(const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
                              RowFunction rows, void* context) {
  Use use(*this, statement, slot, params, count, has_empty_list(params, count));
  Prepared& prepared = use.prepared();
  Outcome outcome;
  std::unique_ptr<::sql::ResultSet> result;
  try {
    set_params(prepared, statement, params, count);
    if (prepared.has_rows) {
      result.reset(prepared.handle->executeQuery());
    } else {
      // The connector makes an int of it.
      outcome.affected = static_cast<unsigned>(prepared.handle->executeUpdate());
    }
  } catch (const ::sql::SQLException& error) {
    fail(statement, error);
  }
  if (result != nullptr) {
    mysqlcppconn::Cursor cursor(*this, *result, statement);
    if (prepared.returns_key) {
      // The key that the server made.
      while (cursor.step()) {
        const std::uint64_t key = cursor.cell(0).natural();
        if (key > static_cast<std::uint64_t>(INT64_MAX)) refuse_key(statement);
        outcome.last_key = static_cast<std::int64_t>(key);
      }
      outcome.affected = cursor.rows();
      return outcome;
    }
    if (rows != nullptr) rows(cursor, context);
    if (statement.kind != StatementKind::select) {
      while (cursor.step()) {
      }
    }
    outcome.rows = cursor.rows();
    if (writes(statement.kind)) outcome.affected = outcome.rows;
    return outcome;
  }
  // It has inserted a row, or found one: which of both depends on how the connection counts.
  if (statement.kind == StatementKind::upsert) outcome.affected = 1;
  if (!statement.made_key.empty()) outcome.last_key = made_key(statement);
  outcome.unread = !returning_ && rows != nullptr && statement.returning < statement.text.size();
  return outcome;
}

std::int64_t Session::made_key(const Statement& statement) {
  const std::uint64_t key = std::strtoull(ask("SELECT LAST_INSERT_ID()").at(0).c_str(), nullptr, 10);
  // Of an upsert that changed a row nobody asks for it.
  if (statement.kind == StatementKind::insert && key > static_cast<std::uint64_t>(INT64_MAX)) refuse_key(statement);
  return static_cast<std::int64_t>(key);
}

Outcome Session::run_counted(const Statement& statement, const Slot* slot, const Param* params, std::size_t count) {
  const mysql::Written written = mysql::find_written(statement.text);
  const std::string text = "SELECT COUNT(*) FROM " + mysql::quoted_name(statement.table) +
                           std::string(statement.text.substr(written.end)) + " FOR UPDATE";
  Statement look;
  look.text = text;
  look.table = statement.table;
  look.operation = statement.operation;
  look.kind = StatementKind::select;
  // The rows that were counted are locked until the UPDATE is done: in a transaction, a small one if there is none.
  const bool alone = transactions_.empty() && !in_transaction();
  if (alone) send("START TRANSACTION");
  try {
    std::uint64_t found = 0;
    run_prepared(look, nullptr, params + written.params, count - written.params,
                 [](mysqlcppconn::Cursor& cursor, void* context) {
                   if (cursor.step()) *static_cast<std::uint64_t*>(context) = cursor.cell(0).natural();
                 },
                 &found);
    Outcome outcome = run_prepared(statement, slot, params, count, nullptr, nullptr);
    if (alone) send("COMMIT");
    if (outcome.affected < found) outcome.affected = found;
    return outcome;
  } catch (...) {
    if (alone) undo_quietly(0);
    throw;
  }
}

void Session::check_single(std::string_view text) {
  if (mysql::count_statements(text) < 2) return;
  // Semicolons may be those of a procedure's body, and the caller's connection may take several statements: the server
  // prepares one only.
  try {
    const std::unique_ptr<::sql::PreparedStatement> one(connection_.prepareStatement(std::string(text)));
  } catch (const ::sql::SQLException& error) {
    if (error.getErrorCode() == 1064)
      quark::detail::throw_misuse("one call runs one SQL statement, and this text has more");
    Statement statement;
    statement.text = text;
    fail(statement, error);
  }
}

Outcome Session::run_plain(const Statement& statement) {
  const bool users = statement.operation == "execute";
  if (statement.kind == StatementKind::ddl && (!transactions_.empty() || in_transaction())) {
    // The server would commit what is open, and its caller could not undo it any more.
    ErrorInfo info;
    info.kind = ErrorKind::unsupported;
    info.message =
        "quark: MySQL commits the open transaction when tables are made, changed or dropped: do that outside";
    info.statement = statement.text;
    throw_error(std::move(info));
  }
  if (users) check_single(statement.text);
  if (users && !transactions_.empty() && mysql::begins_transaction(statement.text))
    quark::detail::throw_misuse("MySQL would commit the open transaction, and begin another one");
  Outcome outcome;
  try {
    const std::unique_ptr<::sql::Statement> plain(connection_.createStatement());
    plain->setResultSetType(::sql::ResultSet::TYPE_SCROLL_INSENSITIVE);
    // A procedure may have several results.
    bool more = plain->execute(std::string(statement.text));
    if (!more) outcome.affected = plain->getUpdateCount();
    while (more) {
      const std::unique_ptr<::sql::ResultSet> result(plain->getResultSet());
      if (result != nullptr) outcome.rows += result->rowsCount();
      more = plain->getMoreResults();
    }
  } catch (const ::sql::SQLException& error) {
    fail(statement, error);
  }
  if (users && !transactions_.empty() && !in_transaction()) ended_ = true;
  return outcome;
}

void Session::send(std::string_view text) {
  try {
    const std::unique_ptr<::sql::Statement> plain(connection_.createStatement());
    plain->execute(std::string(text));
  } catch (const ::sql::SQLException& error) {
    Statement statement;
    statement.text = text;
    fail(statement, error);
  }
}

std::vector<std::string> Session::ask(std::string_view question) {
  try {
    const std::unique_ptr<::sql::Statement> plain(connection_.createStatement());
    plain->setResultSetType(::sql::ResultSet::TYPE_SCROLL_INSENSITIVE);
    const std::unique_ptr<::sql::ResultSet> result(plain->executeQuery(std::string(question)));
    std::vector<std::string> cells;
    if (!result->next()) return cells;
    const unsigned count = result->getMetaData()->getColumnCount();
    for (unsigned i = 1; i <= count; ++i) cells.push_back(result->getString(i).asStdString());
    return cells;
  } catch (const ::sql::SQLException& error) {
    Statement statement;
    statement.text = question;
    fail(statement, error);
  }
}

}  // namespace quark::mysqlcppconn
