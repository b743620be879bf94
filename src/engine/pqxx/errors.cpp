// Kinds come from SQLSTATE. libpqxx hands on no other field of the server's report but the message as libpq lays it
// out: names are taken from its English form, where it has that, and decide nothing.
#include "errors.hpp"

#include <quark/engine/postgres_errors.hpp>

namespace quark::pqxx_bridge {
namespace {

// "ERROR:  message\nDETAIL:  ...\n": what comes after the first line may hold values.
std::string_view primary(std::string_view message) {
  message = message.substr(0, message.find('\n'));
  // One word, in the server's language.
  const std::size_t colon = message.find(":  ");
  if (colon != std::string_view::npos && message.find(' ') > colon) message.remove_prefix(colon + 3);
  return message;
}

std::string_view quoted_behind(std::string_view message, std::string_view words) {
  const std::size_t at = message.rfind(words);
  if (at == std::string_view::npos) return {};
  message.remove_prefix(at + words.size());
  return message.substr(0, message.find('"'));
}

void take_names(ErrorInfo& info, std::string_view message) {
  const std::string_view first = primary(message);
  info.constraint = quoted_behind(first, "constraint \"");
  std::string_view table = quoted_behind(first, " on table \"");
  if (table.empty()) table = quoted_behind(first, "relation \"");
  if (!table.empty()) info.table = table;
  if (info.kind == ErrorKind::not_null) info.column = quoted_behind(first, "in column \"");
  if (info.kind == ErrorKind::unique || info.kind == ErrorKind::foreign_key) {
    const std::size_t detail = message.find('\n');
    if (detail != std::string_view::npos) info.column = postgres::columns_of_key(message.substr(detail));
  }
}

[[noreturn]] void throw_server_error(const Statement& statement, std::string_view message, std::string state) {
  ErrorInfo info;
  info.sqlstate = std::move(state);
  info.kind = postgres::kind_of_state(info.sqlstate);
  info.table = statement.table;
  info.statement = statement.text;
  if (info.kind == ErrorKind::unique || info.kind == ErrorKind::foreign_key || info.kind == ErrorKind::not_null ||
      info.kind == ErrorKind::check)
    take_names(info, message);
  info.retryable = info.kind == ErrorKind::serialization || info.kind == ErrorKind::deadlock ||
                   info.kind == ErrorKind::lock_timeout || info.kind == ErrorKind::aborted;
  info.message = "PostgreSQL: " + std::string(primary(message));
  postgres::append_statement(info);
  throw_error(std::move(info));
}

[[noreturn]] void throw_as(ErrorKind kind, const Statement& statement, std::string_view message) {
  ErrorInfo info;
  info.kind = kind;
  info.table = statement.table;
  info.statement = statement.text;
  info.message = "libpqxx: " + std::string(message.substr(0, message.find('\n')));
  throw_error(std::move(info));
}

}  // namespace

void throw_lost(const Error& error) {
  ErrorInfo info;
  info.kind = ErrorKind::aborted;
  info.table = error.table();
  info.sqlstate = error.sqlstate();
  info.statement = error.statement();
  info.message = error.what();
  info.retryable = true;
  throw_error(std::move(info));
}

void throw_translated(const Statement& statement) {
  try {
    throw;
  } catch (const ::pqxx::broken_connection& error) {
    throw_as(ErrorKind::connection, statement, error.what());
  } catch (const ::pqxx::sql_error& error) {
    throw_server_error(statement, error.what(), error.sqlstate());
  } catch (const ::pqxx::in_doubt_error& error) {
    throw_as(ErrorKind::connection, statement, error.what());
#if PQXX_VERSION_MAJOR < 7
    // These carry no SQLSTATE here.
  } catch (const ::pqxx::serialization_failure& error) {
    throw_server_error(statement, error.what(), "40001");
  } catch (const ::pqxx::deadlock_detected& error) {
    throw_server_error(statement, error.what(), "40P01");
  } catch (const ::pqxx::transaction_rollback& error) {
    throw_server_error(statement, error.what(), "40000");
#endif
  } catch (const ::pqxx::usage_error& error) {
    throw_as(ErrorKind::misuse, statement, error.what());
  } catch (const ::pqxx::argument_error& error) {
    throw_as(ErrorKind::misuse, statement, error.what());
  } catch (const ::pqxx::failure& error) {
    throw_as(ErrorKind::other, statement, error.what());
  }
}

}  // namespace quark::pqxx_bridge
