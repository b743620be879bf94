// Streaming: one result after the other from the connection, or from memory once somebody else needed it.
#include "stream.hpp"

#include <quark/exec/error.hpp>

namespace quark::postgres {

Stream::Stream(Session& session, Result first, const Statement& statement, bool may_cancel)
    : session_(session), statement_(statement), current_(std::move(first)), may_cancel_(may_cancel) {
  session_.stream_ = this;
  if (current_.status() == PGRES_TUPLES_OK) end();
}

Stream::~Stream() {
  if (done_) return;
  // What is left must be read. The server is told to stop where that can't undo anything.
  constexpr int patience = 500;
  for (int i = 0; !done_; ++i) {
    receive();
    if (i == patience && may_cancel_ && !done_) session_.interrupt();
  }
}

// Past the last row there is one more result, and then none.
void Stream::end() {
  done_ = true;
  session_.stream_ = nullptr;
  while (PGresult* more = PQgetResult(session_.connection_)) PQclear(more);
}

Result Stream::receive() {
  if (done_) return Result();
  Result result(PQgetResult(session_.connection_));
  const ExecStatusType status = result.status();
  const bool rows = status == PGRES_SINGLE_TUPLE || status == PGRES_TUPLES_OK;
  if (!rows || PQntuples(result.get()) == 0) end();
  return result;
}

bool Stream::next() {
  if (!waiting_.empty()) {
    current_ = std::move(waiting_.front());
    waiting_.pop_front();
  } else if (done_) {
    return false;
  } else {
    current_ = receive();
  }
  if (!current_.good()) session_.fail(current_.get(), statement_);
  return PQntuples(current_.get()) > 0;
}

void Session::free_connection() {
  if (stream_ == copying()) refuse_copying();
  stream_->buffer_rest();
}

void Stream::buffer_rest() {
  while (!done_) waiting_.push_back(receive());
}

}  // namespace quark::postgres
