// Opening and closing.
#include <quark/exec/error.hpp>

#include "errors.hpp"
#include "quark/engine/postgres/connection.hpp"

namespace quark::postgres {
namespace {

void set(std::string& out, std::string_view name, std::string_view value) {
  if (!out.empty()) out += ' ';
  out.append("-c ").append(name).append("=");
  // Blanks and backslashes are escaped in start-up options (manual 34.1.2, options).
  for (const char c : value) {
    if (c == ' ' || c == '\\') out += '\\';
    out += c;
  }
}

// Sent with the first packet: no round trip.
std::string startup_options(const Options& options) {
  std::string out;
  if (options.statement_timeout_milliseconds > 0)
    set(out, "statement_timeout", std::to_string(options.statement_timeout_milliseconds));
  if (options.lock_timeout_milliseconds > 0)
    set(out, "lock_timeout", std::to_string(options.lock_timeout_milliseconds));
  constexpr std::string_view modes[] = {"", "auto", "force_generic_plan", "force_custom_plan"};
  if (options.plan_cache_mode != PlanCacheMode::server_default)
    set(out, "plan_cache_mode", modes[static_cast<std::size_t>(options.plan_cache_mode)]);
  if (!options.search_path.empty()) set(out, "search_path", options.search_path);
  return out;
}

void check(const Options& options) {
  using quark::detail::throw_misuse;
  if (options.cached_texts == 0) throw_misuse("cached_texts must be at least 1");
  if (options.connect_timeout_seconds < 0) throw_misuse("connect_timeout_seconds can't be negative");
  if (options.statement_timeout_milliseconds < 0) throw_misuse("statement_timeout_milliseconds can't be negative");
  if (options.lock_timeout_milliseconds < 0) throw_misuse("lock_timeout_milliseconds can't be negative");
  for (const std::string* text : {&options.url, &options.search_path, &options.application_name})
    if (text->find('\0') != std::string::npos) throw_misuse("a connection option can't contain a zero byte");
}

// Of a refused login libpq tells no SQLSTATE unless it was asked to before, and a connection can be
// asked only when there is one. Where a password was used the state decides, since a wrong one and
// a full server are refused alike: then a second attempt asks for it. True when that attempt
// succeeds.
bool ask_for_state(PGconn* connection, ErrorInfo& info) {
  if (PQconnectionUsedPassword(connection) == 0) return false;
  const PGVerbosity before = PQsetErrorVerbosity(connection, PQERRORS_SQLSTATE);
  PQreset(connection);
  PQsetErrorVerbosity(connection, before);
  if (PQstatus(connection) == CONNECTION_OK) return true;
  set_connect_state(info, PQerrorMessage(connection));
  return false;
}

void ignore_notice(void*, const PGresult*) {}

}  // namespace

Session::Session(const Options& options)
    : keeps_statements_(options.prepare == Prepare::always), text_capacity_(options.cached_texts) {
  check(options);
  try {
    open(options);
  } catch (...) {
    close();
    throw;
  }
}

Session::Session(PGconn* borrowed, const Options& options)
    : connection_(borrowed),
      owned_(false),
      keeps_statements_(options.prepare == Prepare::always),
      text_capacity_(options.cached_texts) {
  check(options);
  if (borrowed == nullptr || PQstatus(borrowed) != CONNECTION_OK) refuse_dead();
  const char* encoding = PQparameterStatus(borrowed, "client_encoding");
  if (encoding == nullptr || std::string_view(encoding) != "UTF8")
    quark::detail::throw_misuse("the connection's client_encoding must be UTF8");
  cancel_ = PQgetCancel(connection_);
}

void Session::open(const Options& options) {
  const std::string startup = startup_options(options);
  const std::string timeout = std::to_string(options.connect_timeout_seconds);
  std::vector<const char*> names, values;
  const auto add = [&](const char* name, const std::string& value) {
    if (value.empty()) return;
    names.push_back(name);
    values.push_back(value.c_str());
  };
  const std::string utf8 = "UTF8";
  // What stands behind the URL wins over what is in it; the time-out is only a default, hence in front.
  add("connect_timeout", timeout);
  add("dbname", options.url);
  add("client_encoding", utf8);
  add("options", startup);
  add("application_name", options.application_name);
  names.push_back(nullptr);
  values.push_back(nullptr);
  connection_ = PQconnectdbParams(names.data(), values.data(), 1);
  if (connection_ == nullptr) throw std::bad_alloc();
  if (PQstatus(connection_) != CONNECTION_OK) {
    ErrorInfo info = describe_connect_error(connection_);
    if (!ask_for_state(connection_, info)) throw_error(std::move(info));
  }
  PQsetNoticeReceiver(connection_, &ignore_notice, nullptr);
  cancel_ = PQgetCancel(connection_);
}

void Session::close() noexcept {
  const bool alive = connection_ != nullptr && PQstatus(connection_) == CONNECTION_OK;
  for (Place* place : slots_) {
    if (place == nullptr) continue;
    // Closing the connection forgets them; a borrowed one is cleaned.
    if (!owned_ && alive) {
      release(place->handle);
    } else {
      delete place->handle;
    }
    delete place;
  }
  slots_.clear();
  texts_.clear([&](Prepared* prepared) {
    if (!owned_ && alive) {
      release(prepared);
    } else {
      delete prepared;
    }
  });
  if (cancel_ != nullptr) PQfreeCancel(cancel_);
  cancel_ = nullptr;
  if (owned_ && connection_ != nullptr) PQfinish(connection_);
  connection_ = nullptr;
}

Session::~Session() { close(); }

void Session::interrupt() noexcept {
  if (cancel_ == nullptr) return;
  char error[256];
  PQcancel(cancel_, error, sizeof error);
}

std::uint64_t Connection::execute(std::string_view sql) {
  Statement statement;
  statement.text = sql;
  statement.operation = "execute";
  session().note_settings();
  return session().run(statement, nullptr, nullptr, 0, nullptr, nullptr).affected;
}

}  // namespace quark::postgres
