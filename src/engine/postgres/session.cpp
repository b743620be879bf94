// Running statements: finding the prepared one, sending values, handing out rows.
#include "quark/engine/postgres/session.hpp"

#include <quark/engine/postgres_values.hpp>
#include <quark/exec/error.hpp>
#include <quark/exec/refusal.hpp>
#include <quark/exec/thread_check.hpp>
#include <quark/types/scratch.hpp>

#include <charconv>
#include <functional>

#include "errors.hpp"
#include "quark/engine/postgres/cursor.hpp"
#include "stream.hpp"
#include "use.hpp"

namespace quark::postgres {

namespace {

constexpr bool is_command(StatementKind kind) {
  return kind == StatementKind::begin || kind == StatementKind::commit || kind == StatementKind::rollback ||
         kind == StatementKind::savepoint;
}

std::uint64_t affected_rows(PGresult* result) {
  const char* text = PQcmdTuples(result);
  std::uint64_t out = 0;
  std::from_chars(text, text + std::strlen(text), out);
  return out;
}

}  // namespace

Session::Place* Session::place_of(const Statement& statement, const Slot* slot) {
  if (slot != nullptr) [[likely]] {
    const std::size_t number = slot->get();
    if (number >= slots_.size()) [[unlikely]] slots_.resize(number + 16, nullptr);
    Place*& place = slots_[number];
    if (place == nullptr) [[unlikely]] place = new Place{};
    return place;
  }
  return texts_.find(statement.text, std::hash<std::string_view>{}(statement.text), text_capacity_,
                     [this](Prepared* prepared) { release(prepared); });
}

void Session::Arguments::resize(std::size_t count) {
  if (count <= values.size()) return;
  storage.resize(count);
  values.resize(count);
  lengths.resize(count);
  formats.resize(count, 1);
}

void Session::encode(const Prepared& prepared, const Statement& statement, const Param* params, std::size_t count,
                     Scratch& scratch) {
  arguments_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    Encoded encoded;
    const char* reason = nullptr;
    if (params[i].form == Form::i64 && !params[i].null && prepared.parameters[i].kind == Kind::i64) [[likely]] {
      store<std::int64_t>(arguments_.storage[i].bytes, params[i].head.integer);
      encoded.data = arguments_.storage[i].bytes;
      encoded.size = 8;
    } else {
      reason = postgres::encode(params[i], prepared.parameters[i], arguments_.storage[i].bytes, scratch, encoded);
    }
    if (reason != nullptr) [[unlikely]] quark::detail::refuse_parameter(statement, i, reason);
    arguments_.values[i] = encoded.data;
    arguments_.lengths[i] = encoded.size;
    arguments_.formats[i] = encoded.binary ? 1 : 0;
  }
}

int Session::send(const Prepared& prepared, const Statement& statement, std::size_t count) {
  const int n = static_cast<int>(count);
  if (keeps_statements_)
    return PQsendQueryPrepared(connection_, prepared.name.c_str(), n, arguments_.values.data(),
                               arguments_.lengths.data(), arguments_.formats.data(), 1);
  std::vector<Oid> oids;
  for (const Type& type : prepared.parameters) oids.push_back(type.oid);
  const std::string text(statement.text);
  return PQsendQueryParams(connection_, text.c_str(), n, oids.data(), arguments_.values.data(),
                           arguments_.lengths.data(), arguments_.formats.data(), 1);
}

Result Session::execute(const Prepared& prepared, const Statement& statement, std::size_t count) {
  if (!pending_.empty()) {
    if (!statement.streams) return in_pipeline([&] { return send(prepared, statement, count) != 0; });
    send_pending();
  }
  if (keeps_statements_ && !statement.streams) [[likely]]
    return Result(PQexecPrepared(connection_, prepared.name.c_str(), static_cast<int>(count), arguments_.values.data(),
                                 arguments_.lengths.data(), arguments_.formats.data(), 1));
  if (send(prepared, statement, count) == 0) return Result();
  if (statement.streams) PQsetSingleRowMode(connection_);
  Result result = next_result();
  if (statement.streams && result.good()) return result;  // the Stream reads on
  while (PGresult* more = PQgetResult(connection_)) result = Result(more);
  return result;
}

bool Session::begin_pipeline() {
  bool good = PQenterPipelineMode(connection_) != 0;
  for (const std::string& text : pending_)
    good = good && PQsendQueryParams(connection_, text.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 1) != 0;
  pending_.clear();
  return good;
}

Result Session::finish_pipeline(bool sent, Result* columns) {
  Result out, before, long_before;
  // The server answers nothing without a Sync.
  const bool synced = PQpipelineSync(connection_) != 0;
  bool failed = !sent || !synced;
  // Each command's results end with a null one; only the Sync's is alone.
  for (int nulls = 0; synced && nulls < 2 && PQstatus(connection_) == CONNECTION_OK;) {
    Result result = next_result();
    nulls = result.get() == nullptr ? nulls + 1 : 0;
    if (result.status() == PGRES_PIPELINE_SYNC) break;
    if (failed || result.get() == nullptr) continue;
    failed = !result.good();
    long_before = std::move(before);
    before = std::move(out);
    out = std::move(result);
  }
  PQexitPipelineMode(connection_);
  if (failed || columns == nullptr) return failed && out.good() ? Result() : std::move(out);
  *columns = std::move(out);
  return long_before;
}

void Session::send_pending() {
  if (pending_.empty()) return;
  std::string text;
  for (const std::string& waiting : pending_) text.append(text.empty() ? "" : "; ").append(waiting);
  pending_.clear();
  Statement statement;
  statement.text = text;
  const Result result(PQexec(connection_, text.c_str()));
  if (!result.good()) fail(result.get(), statement);
}

Outcome Session::outcome_of(const Result& result, const Statement& statement) {
  Outcome outcome;
  if (statement.kind == StatementKind::select) return outcome;
  outcome.affected = affected_rows(result.get());
  outcome.rows = static_cast<std::uint64_t>(PQntuples(result.get()));
  return outcome;
}

Outcome Session::finish(const Result& result, const Statement& statement, const std::vector<Kind>& columns,
                        RowFunction rows, void* context) {
  quark::postgres::Cursor cursor(result.get(), columns, statement);
  if (rows != nullptr) rows(cursor, context);
  Outcome outcome = outcome_of(result, statement);
  if (statement.kind == StatementKind::select) outcome.rows = cursor.rows();
  return outcome;
}

Outcome Session::run_direct(const Statement& statement, const Slot* slot, const Param* params,
                            std::size_t count, RowFunction rows, void* context) {
#ifndef NDEBUG
  const ThreadCheck check(user_);
#endif
  check_alive();
  if (stream_ != nullptr) [[unlikely]] free_connection();
  if (is_command(statement.kind)) return run_command(statement);
  if (is_aborted()) [[unlikely]] refuse_aborted();
  const bool plain = statement.kind == StatementKind::ddl || statement.kind == StatementKind::other;
  if (plain && count == 0) return run_plain(statement, rows, context);
  for (bool again = false;; again = true) {
    Use use(*this, statement, slot, params, count);
    Prepared& prepared = use.prepared();
    Result result;
    bool idle = false;
    {
      Scratch scratch;
      encode(prepared, statement, params, count, scratch);
      std::vector<std::string> begin;
      if (begin_waits()) begin = pending_;
      idle = begin.empty() && PQtransactionStatus(connection_) == PQTRANS_IDLE;
      result = execute(prepared, statement, count);
      if (!result.good()) [[unlikely]] {
        if (!forget_if_stale(prepared, result)) fail(result.get(), statement);
        // Where nothing has happened yet it is prepared anew, once: outside a transaction, and at its beginning.
        const bool alone = transactions_.empty() && PQtransactionStatus(connection_) == PQTRANS_IDLE;
        if (again || !(alone || !begin.empty())) refuse_stale(result, statement);
        if (!alone) PQclear(PQexec(connection_, "ROLLBACK"));
        pending_ = std::move(begin);
        continue;
      }
    }
    if (statement.streams && rows != nullptr) {
      if (!keeps_statements_) check_columns(prepared, result);
      Stream stream(*this, std::move(result), statement, idle);
      quark::postgres::Cursor cursor(stream.current(), prepared.columns, statement, &stream);
      rows(cursor, context);
      Outcome outcome;
      outcome.rows = cursor.rows();
      return outcome;
    }
    if (!keeps_statements_) check_columns(prepared, result);
    return finish(result, statement, prepared.columns, rows, context);
  }
}

// Text without parameters that runs once: not worth preparing. The extended protocol takes one statement only.
Outcome Session::run_plain(const Statement& statement, RowFunction rows, void* context) {
  send_pending();
  const std::string text(statement.text);
  Result result(PQexecParams(connection_, text.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 1));
  if (const ExecStatusType status = result.status();
      status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH) {
    if (status == PGRES_COPY_IN) PQputCopyEnd(connection_, "not through this call");
    char* data = nullptr;
    while (status != PGRES_COPY_IN && PQgetCopyData(connection_, &data, 0) > 0) PQfreemem(data);
    while (PGresult* more = PQgetResult(connection_)) PQclear(more);
    quark::detail::throw_misuse("COPY has data to send or receive: use native() for it");
  }
  if (result.status() == PGRES_EMPTY_QUERY || is_several_statements(result.get()))
    quark::detail::throw_misuse("execute() takes one statement of SQL, not none and not several");
  if (!result.good()) fail(result.get(), statement);
  std::vector<Kind> columns;
  for (int i = 0; rows != nullptr && i < PQnfields(result.get()); ++i)
    columns.push_back(type_of(PQftype(result.get(), i)).column());
  return finish(result, statement, columns, rows, context);
}

// Statements that are not kept may return other columns each time.
void Session::check_columns(Prepared& prepared, const Result& result) {
  prepared.columns.clear();
  for (int i = 0; i < PQnfields(result.get()); ++i)
    prepared.columns.push_back(type_of(PQftype(result.get(), i)).column());
}

Outcome Session::run_wrapped(const Statement& statement, const Slot* slot, const Param* params,
                             std::size_t count, RowFunction rows, void* context) {
  return chain_.run_statement(statement, params, count, [&] {
    return run_direct(statement, slot, params, count, rows, context);
  });
}

void Session::fail(PGresult* result, const Statement& statement) const {
  ErrorInfo info = describe_error(result, connection_, statement);
  throw_error(std::move(info));
}

void Session::refuse_stale(const Result& result, const Statement& statement) const {
  ErrorInfo info = describe_error(result.get(), connection_, statement);
  info.kind = ErrorKind::aborted;
  info.retryable = true;
  throw_error(std::move(info));
}

void Session::refuse_dead() const {
  ErrorInfo info;
  info.kind = ErrorKind::connection;
  info.message = "quark: the connection to PostgreSQL is lost";
  throw_error(std::move(info));
}

std::size_t Session::cached_statements() const {
  std::size_t n = texts_.size();
  for (const Place* place : slots_)
    if (place != nullptr && place->handle != nullptr && place->handle->ready) ++n;
  return n;
}

}  // namespace quark::postgres
