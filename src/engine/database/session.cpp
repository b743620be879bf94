// What a session whose engine is chosen at run time passes on.
#include "quark/engine/database/session.hpp"

#include <quark/exec/error.hpp>

#include <string>

namespace quark::database {
namespace {

[[noreturn]] void refuse(std::string_view why) { quark::detail::throw_unsupported({}, why); }

struct RowCall {
  RowFunction rows;
  void* context;
};

template <class Native>
void hand_over(Native& native, void* call) {
  Cursor cursor(native);
  static_cast<RowCall*>(call)->rows(cursor, static_cast<RowCall*>(call)->context);
}

#if defined(QUARK_DATABASE_SQLITE)
sqlite::Begin begin_of(Begin mode, const sqlite::Session&) {
  if (mode.read_only) refuse("SQLite has no read-only transactions");
  if (mode.deferrable) refuse("SQLite has no deferrable transactions");
  return sqlite::Begin::immediate;
}
#endif

#if defined(QUARK_DATABASE_POSTGRES)
postgres::Begin begin_of(Begin mode, const postgres::Session&) {
  using To = postgres::Isolation;
  constexpr To levels[] = {To::server_default, To::read_committed, To::read_committed, To::repeatable_read,
                           To::serializable};
  return {.isolation = levels[static_cast<std::size_t>(mode.isolation)],
          .read_only = mode.read_only,
          .deferrable = mode.deferrable};
}
#endif

#if defined(QUARK_DATABASE_MYSQL)
mysql::Begin begin_of(Begin mode, const mysql::Session&) {
  using To = mysql::Isolation;
  constexpr To levels[] = {To::standard, To::read_uncommitted, To::read_committed, To::repeatable_read,
                           To::serializable};
  if (mode.deferrable) refuse("MySQL has no deferrable transactions");
  return {.isolation = levels[static_cast<std::size_t>(mode.isolation)], .read_only = mode.read_only};
}
#endif

}  // namespace

Session::Session(const DatabaseOptions& options) {
#if defined(QUARK_DATABASE_SQLITE)
  if (const auto* o = options.get_if<sqlite::Options>()) hold(new sqlite::Connection(*o));
#endif
#if defined(QUARK_DATABASE_POSTGRES)
  if (const auto* o = options.get_if<postgres::Options>()) hold(new postgres::Connection(*o));
#endif
#if defined(QUARK_DATABASE_MYSQL)
  if (const auto* o = options.get_if<mysql::Options>()) hold(new mysql::Connection(*o));
#endif
}

Session::~Session() {
  pick_connection([](auto& connection) { delete &connection; });
}

Outcome Session::run(const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
                     RowFunction rows, void* context) {
  const Statement* spelled = &statement;
  if (statement.spellings != nullptr) {
    const Spelling& spelling = statement.spellings[static_cast<std::size_t>(chosen_)];
    if (spelling.statement == nullptr) [[unlikely]]
      quark::detail::throw_unsupported(statement.table, spelling.refusal);
    spelled = spelling.statement;
    slot = spelling.slot;
  }
  RowCall call{rows, context};
  return pick([&]<class S>(S& session) {
    return session.run(*spelled, slot, params, count,
                       rows != nullptr ? &hand_over<typename S::Cursor> : nullptr, &call);
  });
}

std::uint64_t Session::begin(Begin mode) {
  return pick([&](auto& session) {
    // A savepoint takes no mode: nor does it refuse one.
    if (!session.transactions().empty()) return session.begin({});
    return session.begin(begin_of(mode, session));
  });
}
void Session::commit(std::uint64_t id) {
  pick([&](auto& session) { session.commit(id); });
}
void Session::rollback(std::uint64_t id) {
  pick([&](auto& session) { session.rollback(id); });
}
void Session::abandon(std::uint64_t id) noexcept {
  pick([&](auto& session) { session.abandon(id); });
}
void Session::check_transaction(std::uint64_t id) const {
  pick([&](auto& session) { session.check_transaction(id); });
}
TransactionStack& Session::transactions() {
  return pick([](auto& session) -> TransactionStack& { return session.transactions(); });
}

bool Session::reset() noexcept {
  return pick([](auto& session) { return session.reset(); });
}
bool Session::ping() noexcept {
  return pick([](auto& session) { return session.ping(); });
}
bool Session::looks_alive() noexcept {
  return pick([](auto& session) {
    if constexpr (requires { session.looks_alive(); }) return session.looks_alive();
    return true;
  });
}
bool Session::settings_changed() const {
  return pick([](auto& session) { return session.settings_changed(); });
}
void Session::accept_settings() {
  pick([](auto& session) { session.accept_settings(); });
}
MiddlewareChain& Session::chain() {
  return pick([](auto& session) -> MiddlewareChain& { return session.chain(); });
}
std::size_t Session::cached_statements() const {
  return pick([](auto& session) { return session.cached_statements(); });
}

}  // namespace quark::database
