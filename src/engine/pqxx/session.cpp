// Running statements: finding the prepared one, sending values, handing out rows.
#include "quark/engine/pqxx/session.hpp"

#include <quark/engine/postgres_values.hpp>
#include <quark/exec/error.hpp>
#include <quark/exec/refusal.hpp>
#include <quark/types/scratch.hpp>

#include <atomic>

#include "errors.hpp"
#include "quark/engine/pqxx/connection.hpp"
#include "quark/engine/pqxx/cursor.hpp"
#include "scan.hpp"
#include "source.hpp"
#include "state.hpp"

namespace quark::pqxx_bridge {
namespace {

constexpr bool is_command(StatementKind kind) {
  return kind == StatementKind::begin || kind == StatementKind::commit || kind == StatementKind::rollback ||
         kind == StatementKind::savepoint;
}

Arguments encode(const Prepared& prepared, const Statement& statement, const Param* params, std::size_t count) {
  Scratch scratch;
  Arguments out;
  for (std::size_t i = 0; i < count; ++i) {
    char room[40];
    postgres::Encoded encoded;
    const char* reason = postgres::encode(params[i], prepared.parameters[i], room, scratch, encoded);
    if (reason != nullptr) quark::detail::refuse_parameter(statement, i, reason);
    out.add(encoded);
  }
  return out;
}

}  // namespace

Session::~Session() { State::release(state_); }

State& Session::state() {
  const auto& connection = transaction_->conn();
  if (state_ == nullptr || state_->connection != &connection || state_->backend != connection.backendpid()) {
    State* const found = State::of(*transaction_);
    State::release(state_);
    state_ = found;
  }
  return *state_;
}

void Session::check_usable() const {
  if (!is_open(*transaction_))
    quark::detail::throw_misuse("the libpqxx transaction has ended: it was committed or aborted");
  if (is_busy(*transaction_))
    quark::detail::throw_misuse("a pipeline or stream of libpqxx has the connection: complete it first");
  const std::string encoding = translated(Statement(), [this] {
    activate(*transaction_);
    return std::string(transaction_->conn().get_client_encoding());
  });
  if (encoding != "UTF8") quark::detail::throw_misuse("the connection's client_encoding must be UTF8");
}

Prepared& Session::prepared(const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
                            bool as_records) {
  State& known = state();
  State::Place* const place = known.place_of(*transaction_, statement, slot);
  if (place->handle == nullptr) place->handle = new Prepared;
  Prepared& out = *place->handle;
  if (!is_prepared_for(out, params, count, as_records)) {
    known.prepare(*transaction_, out, statement, declared_types(statement, params, count), as_records);
    out.forms.resize(count);
    for (std::size_t i = 0; i < count; ++i) out.forms[i] = postgres::prepared_form(params[i]);
  }
  return out;
}

Outcome Session::run_direct(const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
                            RowFunction rows, void* context) {
  check_usable();
  if (is_command(statement.kind)) return run_command(statement);
  if (was_ended()) throw_ended("nothing runs until the transaction is rolled back");
  const bool plain = statement.kind == StatementKind::ddl || statement.kind == StatementKind::other;
  if (plain && count == 0) return run_plain(statement, rows, context);

  const bool records = rows != nullptr;
  for (bool again = false;; again = true) {
    Prepared& known = prepared(statement, slot, params, count, records);
    if (statement.streams && records) return run_stream(statement, known, params, count, rows, context);
    const Arguments arguments = encode(known, statement, params, count);
    ::pqxx::result result;
    try {
      result = translated(statement, [&] { return arguments.execute_prepared(*transaction_, known.name); });
    } catch (const Error& error) {
      if (!has_vanished(error)) throw;
      known.ready = false;
      // Where the server hasn't given up a transaction for it, the statement is prepared anew, once.
      const bool lost = error.sqlstate() == state_undefined_statement && in_transaction();
      if (lost) throw_lost(error);
      if (again) throw;
      continue;
    }
    Outcome outcome;
    if (!records) {
      outcome.affected = static_cast<std::uint64_t>(result.affected_rows());
      return outcome;
    }
    const auto size = static_cast<std::uint64_t>(result.size());
    Source source(std::move(result));
    quark::pqxx_bridge::Cursor cursor(source, *this, statement);
    rows(cursor, context);
    const bool reads = statement.kind == StatementKind::select;
    outcome.affected = reads ? 0 : size;
    outcome.rows = reads ? cursor.rows() : size;
    return outcome;
  }
}

Outcome Session::run_stream(const Statement& statement, const Prepared& prepared, const Param* params,
                            std::size_t count, RowFunction rows, void* context) {
  static std::atomic<std::uint64_t> number{0};
  const std::string name = "quark_rows_" + std::to_string(++number);
  // In no transaction a cursor ends with the statement that makes it, unless the server keeps its rows.
  const std::string text = "DECLARE " + name + " NO SCROLL CURSOR " + (in_transaction() ? "" : "WITH HOLD ") + "FOR " +
                           prepared.text;
  const Arguments arguments = encode(prepared, statement, params, count);
  translated(statement, [&] { arguments.execute(*transaction_, text); });
  ServerCursor source(*transaction_, statement, name);
  quark::pqxx_bridge::Cursor cursor(source, *this, statement);
  rows(cursor, context);
  Outcome outcome;
  outcome.rows = cursor.rows();
  return outcome;
}

// Text without parameters that runs once: not worth preparing. With an empty list of parameters libpqxx sends it by the
// protocol that takes one statement only.
Outcome Session::run_plain(const Statement& statement, RowFunction rows, void* context) {
  const int statements = count_statements(statement.text);
  constexpr std::string_view not_one = "execute() takes one statement of SQL, not none and not several";
  if (statements == 0) quark::detail::throw_misuse(not_one);
  if (copies_to_client(statement.text))
    quark::detail::throw_misuse("COPY has data to send or receive: use pqxx::stream_to and stream_from for it");
  const bool ends = ends_transaction(statement.text);
  if (ends && !is_autocommit())
    quark::detail::throw_misuse("the transaction is libpqxx's: end it by its commit() or abort()");
  const bool records = rows != nullptr;
  const std::string text =
      records ? as_records(statement, statement.text) : std::string(statement.text);
  ::pqxx::result result;
  try {
    result = translated(statement, [&] { return Arguments().execute(*transaction_, text); });
  } catch (const SyntaxError& error) {
    if (statements > 1 && error.sqlstate() == state_syntax_error) quark::detail::throw_misuse(not_one);
    throw;
  }
  if (ends) {
    begun_ = false;
    savepoints_.clear();
  }
  Outcome outcome;
  outcome.affected = static_cast<std::uint64_t>(result.affected_rows());
  if (!records) return outcome;
  Source source(std::move(result));
  quark::pqxx_bridge::Cursor cursor(source, *this, statement);
  rows(cursor, context);
  outcome.rows = cursor.rows();
  return outcome;
}

Outcome Session::run_wrapped(const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
                             RowFunction rows, void* context) {
  return chain_.run_statement(statement, params, count, [&] {
    return run_direct(statement, slot, params, count, rows, context);
  });
}

std::size_t Session::cached_statements() {
  State& known = state();
  std::size_t n = known.texts.size();
  for (const State::Place* place : known.slots)
    if (place != nullptr && place->handle != nullptr && place->handle->ready) ++n;
  return n;
}

std::uint64_t Connection::execute(std::string_view sql) {
  Statement statement;
  statement.text = sql;
  statement.operation = "execute";
  return session().run(statement, nullptr, nullptr, 0, nullptr, nullptr).affected;
}

}  // namespace quark::pqxx_bridge
