// Batches: rows go in one by one, through one prepared statement, in one transaction. The connector has no arrays of
// parameters.
#include <quark/exec/error.hpp>
#include <quark/exec/transaction.hpp>
#include <quark/types/scratch.hpp>

#include "prepared.hpp"

namespace quark::mysqlcppconn {
namespace {

[[noreturn]] void throw_not_all() {
  ErrorInfo info;
  info.kind = ErrorKind::other;
  info.message = "quark: a row of the batch was not inserted";
  throw_error(std::move(info));
}

void insert_one_by_one(Session& session, const Statement& one, const Slot& slot, const BatchInsert& batch) {
  std::vector<Param> params(batch.source.columns);
  for (std::size_t i = 0; i < batch.source.count; ++i) {
    Scratch scratch;
    batch.source.fill(batch.source.rows, i, params.data(), scratch);
    if (!batch.source.resolved) resolve(params.data(), params.size(), scratch);
    const Outcome outcome = session.run(one, &slot, params.data(), params.size(), nullptr, nullptr);
    if (outcome.affected != 1) throw_not_all();
    if (batch.set_key != nullptr) batch.set_key(batch.rows, i, outcome.last_key);
  }
}

}  // namespace

void Session::insert_rows(const Statement&, const Slot&, const Statement& one, const Slot& one_slot,
                          const BatchInsert& batch) {
  if (batch.source.count == 0) return;
  try {
    Transaction<Session> whole(*this, Begin{});
    insert_one_by_one(*this, one, one_slot, batch);
    whole.commit();
  } catch (...) {
    // No row went in, so no object may keep a key.
    if (batch.set_key != nullptr)
      for (std::size_t i = 0; i < batch.source.count; ++i) batch.set_key(batch.rows, i, 0);
    throw;
  }
}

}  // namespace quark::mysqlcppconn
