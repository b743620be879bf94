// A schema of its own on the test's server, for connections of libpqxx that a test opens by itself.
#pragma once

#include "support/engine_under_test.hpp"

namespace under_test {

/// A connection as a service has one, which sees an empty schema.
struct Service {
  Service() : connection(shared.options().url) { enter(connection); }
  /// Has another connection use the same schema.
  void enter(::pqxx::connection& other) const {
    ::pqxx::nontransaction(other).exec("set search_path = " + shared.options().search_path);
  }
  std::string url() const { return shared.options().url; }

  Shared shared;
  ::pqxx::connection connection;
};

/// The only cell that a statement of libpqxx gives.
inline std::string cell(::pqxx::transaction_base& transaction, const std::string& sql) {
  const ::pqxx::result result = transaction.exec(sql);
  if (result.size() != 1 || result[0].size() != 1) return "(not one cell)";
  return result[0][0].is_null() ? "NULL" : result[0][0].c_str();
}

}  // namespace under_test
