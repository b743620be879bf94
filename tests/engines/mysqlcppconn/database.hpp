// A connection of MySQL Connector/C++ with a bridge on it: what the suite, which knows connections of ours, is run on.
#pragma once

#include <quark/mysqlcppconn.hpp>

#include <cppconn/connection.h>

#include <memory>
#include <string>
#include <utility>

namespace under_test {

struct DatabaseOptions {
  std::string host{}, user{}, password{}, database{};
  bool found_rows = true;  // CLIENT_FOUND_ROWS
  bool several_statements = false;  // CLIENT_MULTI_STATEMENTS
  bool prepared = true;    // prepare_session() has been called
  quark::mysqlcppconn::Options bridge{};
};

/// A new connection, as a user of the connector opens it.
std::unique_ptr<sql::Connection> connect(const DatabaseOptions& options);

/// Owns both. The functions are those of Bridge.
class Database {
 public:
  using Options = DatabaseOptions;
  explicit Database(const Options& options)
      : connection_(under_test::connect(options)), bridge_(*connection_, options.bridge) {}
  Database(Database&&) noexcept = default;
  Database& operator=(Database&& other) noexcept {
    bridge_ = std::move(other.bridge_);  // before what it is on
    connection_ = std::move(other.connection_);
    return *this;
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() = default;

  template <class F>
  decltype(auto) transaction(F&& fn, quark::mysqlcppconn::Begin mode = {}) {
    return bridge_.transaction(std::forward<F>(fn), mode);
  }
  auto begin(quark::mysqlcppconn::Begin mode = {}) { return bridge_.begin(mode); }
  template <class M>
  void use(M&& middleware) {
    bridge_.use(std::forward<M>(middleware));
  }
  std::uint64_t execute(std::string_view text) { return bridge_.execute(text); }
  bool is_lost() const { return bridge_.is_lost(); }
  auto handle() const { return bridge_.handle(); }
  quark::mysqlcppconn::Session& session() const { return bridge_.session(); }
  sql::Connection& connection() const { return *connection_; }
  quark::mysqlcppconn::Bridge& bridge() { return bridge_; }

 private:
  std::unique_ptr<sql::Connection> connection_;
  quark::mysqlcppconn::Bridge bridge_;
};

/// How the server is reached, and a new, empty database on it.
DatabaseOptions server();
DatabaseOptions fresh_options();

}  // namespace under_test
