// The rows of one statement while they come in, for each(): never all of them in memory. Private to
// src/engine/postgres.
#pragma once

#include <deque>

#include "quark/engine/postgres/session.hpp"

namespace quark::postgres {

/// Rows in single-row mode. The connection can do nothing else meanwhile: a statement of
/// the caller's own in between has the rest read into memory first.
class Stream {
 public:
  /// `first` is what the server answered first: rows, or the end. `may_cancel`: no transaction is open, so that telling
  /// the server to stop undoes nothing.
  Stream(Session& session, Result first, const Statement& statement, bool may_cancel);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  /// Ends the statement, whatever is left of it.
  ~Stream();

  /// The rows at hand.
  PGresult* current() const { return current_.get(); }
  /// Goes on to the next rows; false at the end. Throws what the server reports.
  bool next();
  /// Reads what is left into memory: the connection is free then.
  void buffer_rest();

 private:
  Result receive();
  void end();

  Session& session_;
  const Statement& statement_;
  Result current_;
  std::deque<Result> waiting_;
  bool may_cancel_;
  bool done_ = false;  // the connection has nothing more for us
};

/// What stands for the stream while a COPY has the connection: never looked into.
inline Stream* copying() {
  alignas(Stream) static char place[sizeof(Stream)];
  return reinterpret_cast<Stream*>(place);
}

}  // namespace quark::postgres
