// libpqxx's exceptions as ours. Private to src/engine/pqxx.
#pragma once

#include <quark/exec/error.hpp>
#include <quark/sql/statement.hpp>

#include "pqxx.hpp"

namespace quark::pqxx_bridge {

/// SQLSTATEs that are acted on.
inline constexpr std::string_view state_undefined_statement = "26000", state_aborted = "25P02",
                                  state_syntax_error = "42601";

/// Whether a prepared statement is there no more: libpqxx doesn't know its name, or the server doesn't (DEALLOCATE,
/// DISCARD).
inline bool has_vanished(const Error& error) {
  return error.kind() == ErrorKind::misuse || error.sqlstate() == state_undefined_statement;
}

/// Throws the exception that is being handled as one of ours; ours as they are.
[[noreturn, gnu::cold]] void throw_translated(const Statement& statement);

/// Throws TransactionAborted: the server doesn't have the statement any more, and has given up the transaction for it.
/// That can be run again as a whole.
[[noreturn, gnu::cold]] void throw_lost(const Error& error);
/// Throws TransactionAborted.
[[noreturn, gnu::cold]] void throw_ended(std::string_view what);

/// What `call` returns; what it throws is translated.
template <class F>
decltype(auto) translated(const Statement& statement, F&& call) {
  try {
    return call();
  } catch (...) {
    throw_translated(statement);
  }
}

}  // namespace quark::pqxx_bridge
