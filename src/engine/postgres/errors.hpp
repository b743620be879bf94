// libpq's errors as ours. Private to src/engine/postgres.
#pragma once

#include <quark/exec/error.hpp>
#include <quark/sql/statement.hpp>

#include <libpq-fe.h>

namespace quark::postgres {

/// SQLSTATEs that are acted on.
inline constexpr std::string_view state_undefined_statement = "26000", state_duplicate_statement = "42P05",
                                  state_unsupported = "0A000";

std::string_view sqlstate(const PGresult* result);
/// What a failed result says; a null one, and a lost connection, speak through the connection.
ErrorInfo describe_error(const PGresult* result, PGconn* connection, const Statement& statement);
/// The error of an attempt to connect.
ErrorInfo describe_connect_error(PGconn* connection);
/// Takes the SQLSTATE, and the kind by it, from what libpq says with PQERRORS_SQLSTATE: "...FATAL:
/// 28P01". Nothing else is taken.
void set_connect_state(ErrorInfo& info, std::string_view report);
/// Whether a cached plan would have to return other columns than before (RevalidateCachedQuery in plancache.c).
bool is_changed_plan(const PGresult* result);
/// Whether the text was several statements (exec_parse_message in postgres.c).
bool is_several_statements(const PGresult* result);

}  // namespace quark::postgres
