// COPY in binary: rows go out in pieces as they are made, and the server has all of them or none.
#include <quark/engine/postgres_values.hpp>
#include <quark/exec/error.hpp>
#include <quark/exec/refusal.hpp>
#include <quark/exec/thread_check.hpp>
#include <quark/exec/transaction.hpp>

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <string>

#include "columns.hpp"
#include "errors.hpp"
#include "quark/engine/postgres/session.hpp"
#include "stream.hpp"

namespace quark::postgres {
namespace {

constexpr std::size_t piece = 64 << 10, most = 1 << 20;

void append(std::vector<char>& out, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(data);
  out.insert(out.end(), bytes, bytes + size);
}

template <class Signed>
void append_number(std::vector<char>& out, Signed value) {
  char bytes[sizeof value];
  store(bytes, value);
  append(out, bytes, sizeof bytes);
}

// A type whose binary form we don't make would have to be sent as text, which this COPY doesn't take.
[[noreturn]] void refuse_column(const Statement& one, std::size_t column) {
  ErrorInfo info;
  info.kind = ErrorKind::unsupported;
  info.table = one.table;
  if (one.param_column != nullptr) info.column = one.param_column(one, column);
  info.message = "quark: the type of column " + info.table + "." + info.column +
                 " has no binary form here, so COPY can't send it: use create_batch()";
  throw_error(std::move(info));
}

[[noreturn]] void throw_dropped(const Statement& one) {
  ErrorInfo info;
  info.kind = ErrorKind::other;
  info.table = one.table;
  info.message = "quark: a row of the COPY was not inserted (a trigger dropped it)";
  throw_error(std::move(info));
}

/// Whether the server has ended the COPY, or the connection. libpq looks at an error only when the
/// COPY is over, and all rows would have been made for nothing: so the first byte that waits is
/// looked at, which says what message it is. Not through TLS: there it is noticed at the end.
bool has_failed(PGconn* connection) {
  if (PQstatus(connection) != CONNECTION_OK) return true;
  pollfd wanted{};
  wanted.fd = PQsocket(connection);
  wanted.events = POLLIN;
  if (poll(&wanted, 1, 0) <= 0) return false;
  char message = 0;
  if (PQsslInUse(connection) == 0) {
    const ssize_t size = recv(wanted.fd, &message, 1, MSG_PEEK | MSG_DONTWAIT);
    if (size == 0 || message == 'E') return true;
  }
  // A notice, or what has been read of one: it makes room for what comes behind it.
  return PQconsumeInput(connection) == 0;
}

}  // namespace

void Session::refuse_copying() const {
  quark::detail::throw_misuse("a COPY has the connection: its rows can't come from statements on it");
}

/// What the columns are now, asked in the transaction of the COPY: parsing the INSERT locks the table against ALTER, so
/// that bytes are never taken for another type.
std::vector<Type> Session::columns_of(const Statement& one) {
  const std::string text(one.text), look = look_at_columns(one);
  Result columns;
  const Result result = in_pipeline(
      [&] {
        return PQsendPrepare(connection_, "", text.c_str(), 0, nullptr) != 0 &&
               PQsendDescribePrepared(connection_, "") != 0 && send_look(connection_, look);
      },
      &columns);
  if (!result.good()) fail(result.get(), one);
  std::vector<Type> types;
  for (int i = 0; i < PQnparams(result.get()); ++i) {
    types.push_back(type_of(PQparamtype(result.get(), i)));
    const Kind kind = types.back().kind == Kind::array ? types.back().element_kind : types.back().kind;
    if (kind == Kind::other || kind == Kind::inet) refuse_column(one, static_cast<std::size_t>(i));
  }
  take_modifiers(types, one, columns);
  return types;
}

/// Sends the rows; what it throws the COPY ends with.
std::uint64_t Session::fill_copy(const Statement& one, const std::vector<Type>& types, RowStream& rows) {
  std::vector<char> buffer;
  buffer.reserve(piece + (piece >> 2));
  std::vector<Param> params(types.size());
  std::uint64_t count = 0;
  // False when the server has ended it: its answer says why.
  const auto flush = [&] {
    // The server takes no message of more than a gigabyte.
    for (std::size_t at = 0; at < buffer.size(); at += most) {
      const std::size_t size = std::min(most, buffer.size() - at);
      if (PQputCopyData(connection_, buffer.data() + at, static_cast<int>(size)) != 1) return false;
    }
    buffer.clear();
    return !has_failed(connection_);
  };
  append(buffer, "PGCOPY\n\377\r\n\0", 11);
  append_number<std::int32_t>(buffer, 0);  // flags
  append_number<std::int32_t>(buffer, 0);  // size of an extension
  for (;;) {
    Scratch scratch;
    if (!rows.next(rows.rows, params.data(), scratch)) break;
    resolve(params.data(), params.size(), scratch);
    append_number<std::int16_t>(buffer, static_cast<std::int16_t>(types.size()));
    for (std::size_t c = 0; c < types.size(); ++c) {
      char room[40];
      Encoded encoded;
      const char* reason = postgres::encode(params[c], types[c], room, scratch, encoded);
      if (reason == nullptr && !encoded.binary) reason = "COPY can't send the type of the column";
      if (reason != nullptr) quark::detail::refuse_parameter(one, c, reason);
      append_number<std::int32_t>(buffer, encoded.data == nullptr ? -1 : encoded.size);
      if (encoded.data != nullptr) append(buffer, encoded.data, static_cast<std::size_t>(encoded.size));
    }
    ++count;
    if (buffer.size() < piece) continue;
    if (!flush()) return count;
    if (rows.progress != nullptr) rows.progress(rows.progress_context, count);
  }
  append_number<std::int16_t>(buffer, -1);
  flush();
  if (rows.progress != nullptr) rows.progress(rows.progress_context, count);
  return count;
}

std::uint64_t Session::send_copy(const Statement& copy, const Statement& one, const std::vector<Type>& types,
                                 RowStream& rows) {
#ifndef NDEBUG
  const ThreadCheck check(user_);
#endif
  const std::string text(copy.text);
  Result result(PQexec(connection_, text.c_str()));
  if (result.status() != PGRES_COPY_IN) fail(result.get(), copy);
  std::uint64_t count = 0;
  // Whatever ends it: the server has to hear of it, and its answer must be read.
  const auto end = [&](const char* why) {
    PQputCopyEnd(connection_, why);
    Result answer = next_result();
    while (PGresult* more = PQgetResult(connection_)) PQclear(more);
    return answer;
  };
  stream_ = copying();
  try {
    count = fill_copy(one, types, rows);
  } catch (...) {
    stream_ = nullptr;
    end("the client has refused a row");
    throw;
  }
  stream_ = nullptr;
  result = end(nullptr);
  if (!result.good() || PQstatus(connection_) != CONNECTION_OK) fail(result.get(), copy);
  if (outcome_of(result, copy).affected != count) throw_dropped(one);
  return count;
}

std::uint64_t Session::copy_rows(std::string_view text, const Statement& one, RowStream& rows) {
  if (rows.columns == 0) quark::detail::throw_misuse("copy_in() needs a column that the database doesn't fill");
  check_alive();
  if (stream_ != nullptr) free_connection();
  if (rows.columns > INT16_MAX) quark::detail::throw_misuse("copy_in() takes 32767 columns at most");
  Statement copy = one;
  copy.text = text;
  copy.operation = "copy_in";
  copy.made_key = {};
  Transaction<Session> whole(*this, Begin{});
  const std::vector<Type> types = columns_of(one);
  bool sent = false;
  const auto send = [&]() -> Outcome {
    if (std::exchange(sent, true))
      quark::detail::throw_misuse("a middleware can't run a COPY again: its rows are gone");
    Outcome outcome;
    outcome.affected = send_copy(copy, one, types, rows);
    return outcome;
  };
  const Outcome outcome = chain_.empty() ? send() : chain_.run_statement(copy, nullptr, 0, send);
  whole.commit();
  return outcome.affected;
}

}  // namespace quark::postgres
