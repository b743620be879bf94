// Batches: one INSERT ... SELECT from quark_rows over the caller's rows, all or nothing.
// Made keys are read row by row while it runs (rows.cpp); where that can't be done, rows go in one
// by one, which SQLite's documentation of last_insert_rowid() makes exact even under triggers.
#include "quark/engine/sqlite/session.hpp"

#include <quark/exec/error.hpp>
#include <quark/exec/refusal.hpp>
#include <quark/exec/transaction.hpp>
#include <quark/types/scratch.hpp>

#include <string>

#include "values.hpp"

namespace quark::sqlite {
namespace {

void insert_one_by_one(Session& session, const Statement& one, const Slot& slot, const BatchInsert& batch) {
  std::vector<Param> params(batch.source.columns);
  for (std::size_t i = 0; i < batch.source.count; ++i) {
    Scratch scratch;
    batch.source.fill(batch.source.rows, i, params.data(), scratch);
    resolve(params.data(), params.size(), scratch);
    const Outcome outcome = session.run(one, &slot, params.data(), params.size(), nullptr, nullptr);
    if (outcome.affected != 1) {
      ErrorInfo info;
      info.kind = ErrorKind::other;
      info.table = one.table;
      info.message = "quark: a row of the batch was not inserted (a trigger dropped it)";
      throw_error(std::move(info));
    }
    if (batch.set_key != nullptr) batch.set_key(batch.rows, i, outcome.last_key);
  }
}

/// One statement for all rows; false when it ended because a row's key can't be told: then nothing was written.
/// `one` names the columns for error reports: its parameters are those of a row.
bool insert_at_once(Session& session, const Statement& many, const Slot& slot, const Statement& one,
                    const BatchInsert& batch) {
  // The one parameter of quark_rows: the rows themselves.
  RowsArgument argument;
  argument.batch = &batch;
  argument.one = &one;
  argument.count = batch.source.count;
  argument.forms = session.forms();
  if (batch.set_key != nullptr) {
    argument.db = session.native();
    argument.session = &session;
    // What an earlier statement left must not look like this one's first key.
    sqlite3_set_last_insert_rowid(argument.db, 0);
  }
  Param param;
  param.form = Form::array;
  param.head.object = &argument;
  param.tail.size = rows_of_batch;
  try {
    return session.run(many, &slot, &param, 1, nullptr, nullptr).affected == batch.source.count;
  } catch (const Error&) {
    // What the callback met is the real error; SQLite only knows that it met one.
    if (argument.thrown) std::rethrow_exception(argument.thrown);
    if (argument.key_unknown) return false;
    if (argument.refused == nullptr) throw;
    Statement named = one;  // knows the columns
    named.text = many.text;
    quark::detail::refuse_parameter(named, argument.refused_column, argument.refused);
  }
}

}  // namespace

void Session::insert_rows(const Statement& many, const Slot& many_slot, const Statement& one,
                          const Slot& one_slot, const BatchInsert& batch) {
  if (batch.source.count == 0) return;
  // Outside a transaction one statement is all or nothing by itself: it says OR ABORT, which
  // overrides what a constraint of the table says, and with made keys it ends before its first row
  // where there are triggers. Elsewhere the rows need a transaction or savepoint.
  const bool alone = batch.set_key != nullptr && sqlite3_get_autocommit(db_) != 0 && transactions_.empty();
  try {
    if (alone && insert_at_once(*this, many, many_slot, one, batch)) return;
    Transaction<Session> whole(*this, Begin::immediate);
    if (alone || !insert_at_once(*this, many, many_slot, one, batch)) {
      if (!alone) {
        whole.rollback();
        whole = Transaction<Session>(*this, Begin::immediate);
      }
      insert_one_by_one(*this, one, one_slot, batch);
    }
    whole.commit();
  } catch (...) {
    // No row went in, so no object may keep a key.
    if (batch.set_key != nullptr)
      for (std::size_t i = 0; i < batch.source.count; ++i) batch.set_key(batch.rows, i, 0);
    throw;
  }
}

}  // namespace quark::sqlite
