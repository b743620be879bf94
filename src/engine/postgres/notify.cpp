// LISTEN and NOTIFY (manual 34.9): what the server sends unasked.
#include <quark/exec/error.hpp>

#include <poll.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <memory>

#include "quark/engine/postgres/connection.hpp"
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

std::string quoted(std::string_view channel) {
  if (channel.empty() || channel.find('\0') != std::string_view::npos)
    quark::detail::throw_misuse("a channel has a name, without a zero byte");
  std::string out = "\"";
  for (const char c : channel) {
    if (c == '"') out += c;
    out += c;
  }
  return out + '"';
}

void command(Session& session, const std::string& text, std::string_view operation) {
  session.note_settings();
  session.run(plain(text, operation, StatementKind::other), nullptr, nullptr, 0, nullptr, nullptr);
}

Param text_param(std::string_view text) {
  Param p;
  p.form = Form::text;
  p.head.text = text.data() != nullptr ? text.data() : "";
  p.tail.size = text.size();
  return p;
}

}  // namespace

bool Session::wait_for_notification(std::int64_t timeout_milliseconds, PGnotify*& out) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  check_alive();
  if (stream_ != nullptr) free_connection();
  for (;;) {
    if (PQconsumeInput(connection_) == 0 || PQstatus(connection_) != CONNECTION_OK) refuse_dead();
    out = PQnotifies(connection_);
    if (out != nullptr) return true;
    int wait = -1;
    if (timeout_milliseconds >= 0) {
      const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin).count();
      const std::int64_t left = timeout_milliseconds - passed;
      if (left <= 0) return false;
      wait = left > INT_MAX ? INT_MAX : static_cast<int>(left);
    }
    pollfd wanted{};
    wanted.fd = PQsocket(connection_);
    wanted.events = POLLIN;
    if (poll(&wanted, 1, wait) < 0 && errno != EINTR) refuse_dead();
  }
}

void Connection::listen(std::string_view channel) { command(session(), "LISTEN " + quoted(channel), "listen"); }
void Connection::unlisten(std::string_view channel) { command(session(), "UNLISTEN " + quoted(channel), "unlisten"); }
void Connection::unlisten_all() { command(session(), "UNLISTEN *", "unlisten"); }

void Connection::notify(std::string_view channel, std::string_view payload) {
  // The function, unlike the statement, takes parameters: neither name nor payload is ever part of the text.
  static constinit Slot slot;
  Statement statement = plain("SELECT pg_catalog.pg_notify($1, $2)", "notify", StatementKind::other);
  const Param params[] = {text_param(channel), text_param(payload)};
  session().run(statement, &slot, params, 2, nullptr, nullptr);
}

std::optional<Notification> Connection::wait_for_notification(std::int64_t timeout_milliseconds) {
  PGnotify* raw = nullptr;
  if (!session().wait_for_notification(timeout_milliseconds, raw)) return std::nullopt;
  const std::unique_ptr<PGnotify, void (*)(PGnotify*)> owner(raw, [](PGnotify* n) { PQfreemem(n); });
  return Notification{raw->relname, raw->extra, raw->be_pid};
}

}  // namespace quark::postgres
