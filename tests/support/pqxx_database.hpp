// What the suite takes for a database on the bridge to libpqxx: a connection of libpqxx, a pqxx::nontransaction on it,
// and the bridge that joins that. In a pqxx::work every error would end the test's only transaction;
// tests/engines/pqxx has what is to be said of those.
#pragma once

#include <quark/pqxx.hpp>

#include <pqxx/pqxx>

#include <memory>
#include <string>

namespace under_test {

class PqxxDatabase {
 public:
  struct Options {
    std::string url{};
    std::string search_path{};
  };
  explicit PqxxDatabase(const Options& options)
      : connection_(std::make_unique<::pqxx::connection>(options.url)),
        transaction_(std::make_unique<::pqxx::nontransaction>(*connection_)),
        bridge_(*transaction_) {
    if (!options.search_path.empty()) transaction_->exec("set search_path = " + options.search_path);
  }

  template <class F>
  decltype(auto) transaction(F&& fn, quark::pqxx_bridge::Begin mode = {}) {
    return bridge_.transaction(std::forward<F>(fn), mode);
  }
  auto begin(quark::pqxx_bridge::Begin mode = {}) { return bridge_.begin(mode); }
  template <class M>
  void use(M&& middleware) {
    bridge_.use(std::forward<M>(middleware));
  }
  std::uint64_t execute(std::string_view sql) { return bridge_.execute(sql); }
  auto handle() const { return bridge_.handle(); }
  quark::pqxx_bridge::Session& session() const { return bridge_.session(); }
  ::pqxx::transaction_base& native() const { return bridge_.native(); }

 private:
  std::unique_ptr<::pqxx::connection> connection_;
  std::unique_ptr<::pqxx::nontransaction> transaction_;
  quark::pqxx_bridge::Connection bridge_;
};

}  // namespace under_test
