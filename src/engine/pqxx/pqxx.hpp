// libpqxx, in one place: what 6.4 and 7 call differently. Private to src/engine/pqxx.
#pragma once

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
#include <pqxx/pqxx>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <quark/engine/postgres_values.hpp>

#include <deque>
#include <string>
#include <vector>

namespace quark::pqxx_bridge {

/// Parameters as libpqxx takes them. Copied.
class Arguments {
 public:
  Arguments() = default;
  Arguments(Arguments&&) = default;
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  void add(const postgres::Encoded& value);
  ::pqxx::result execute(::pqxx::transaction_base& transaction, const std::string& text) const;
  ::pqxx::result execute_prepared(::pqxx::transaction_base& transaction, const std::string& name) const;

 private:
#if PQXX_VERSION_MAJOR < 7
  ::pqxx::internal::params params_;
#else
  ::pqxx::params params_;
  std::deque<std::string> kept_;  // params_ refers to it
#endif
};

/// Prepares a statement at the server, now, under a name that is new on this connection.
void prepare(::pqxx::transaction_base& transaction, const std::string& name, const std::string& text);
/// Forgets it, here and at the server.
void unprepare(::pqxx::transaction_base& transaction, const std::string& name);

/// Whether the transaction takes statements: it has neither been committed nor aborted.
bool is_open(const ::pqxx::transaction_base& transaction);
/// Has libpqxx 6 do what it puts off, and forgets for statements with parameters: a subtransaction's savepoint, and
/// opening a pqxx::lazyconnection.
void activate(::pqxx::transaction_base& transaction);
/// Whether something else has the connection: a pipeline, a COPY stream.
bool is_busy(const ::pqxx::transaction_base& transaction);

}  // namespace quark::pqxx_bridge
