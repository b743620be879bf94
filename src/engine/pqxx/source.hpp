// Where a cursor's records come from: a result that is here, or a server-side cursor that hands them out in portions.
// Private to src/engine/pqxx.
#pragma once

#include "pqxx.hpp"
#include "quark/engine/pqxx/session.hpp"

namespace quark::pqxx_bridge {

class Source {
 public:
  explicit Source(::pqxx::result rows) : rows_(std::move(rows)) {}
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  /// The next record as the server's text of a bytea; false at the end. Throws what the server reports.
  bool next(std::string_view& record);
  std::size_t waiting() const { return static_cast<std::size_t>(rows_.size()) - at_; }

 protected:
  /// Goes on to the next portion; false when there is none.
  virtual bool fetch() { return false; }
  ::pqxx::result rows_;
  std::size_t at_ = 0;
};

/// A cursor at the server, which holds the rows that are not here.
class ServerCursor final : public Source {
 public:
  /// `declared`: a DECLARE that has been executed. `outlives`: it is WITH HOLD, in no transaction.
  ServerCursor(::pqxx::transaction_base& transaction, const Statement& statement, std::string name)
      : Source(::pqxx::result{}), transaction_(transaction), statement_(statement), name_(std::move(name)) {}
  ServerCursor(const ServerCursor&) = delete;
  ServerCursor& operator=(const ServerCursor&) = delete;
  ~ServerCursor() override;

 private:
  bool fetch() override;

  ::pqxx::transaction_base& transaction_;
  const Statement& statement_;
  std::string name_;
  std::size_t portion_ = 32;
  bool failed_ = false;
  bool over_ = false;
};

}  // namespace quark::pqxx_bridge
