// Batches: one INSERT ... SELECT from quark_rows over the caller's rows, all or nothing.
// Keys are computed from last_insert_rowid() only where that is certain; else rows go in one by one, which SQLite's
// documentation of last_insert_rowid() makes exact even under triggers.
#include "quark/engine/sqlite/session.hpp"

#include <quark/exec/error.hpp>
#include <quark/exec/transaction.hpp>
#include <quark/types/scratch.hpp>

#include <limits>
#include <string>

#include "quark/engine/sqlite/cursor.hpp"
#include "values.hpp"

namespace quark::sqlite {
namespace {

std::string largest_key_text(const Statement& insert) {
  std::string text = "SELECT max(\"";
  const auto quoted = [&](std::string_view name) {
    for (char c : name) {
      text += c;
      if (c == '"') text += c;
    }
    text += '"';
  };
  quoted(insert.made_key);
  text += ") FROM \"";
  quoted(insert.table);
  return text;
}

// Above this no table is in practice; within `count` of the end SQLite picks keys at random (sqlite.org/autoinc.html).
bool room_for_keys(Session& session, const Statement& insert, std::size_t count) {
  const std::string text = largest_key_text(insert);
  Statement statement;
  statement.text = text;
  statement.table = insert.table;
  statement.operation = "create_batch";
  statement.kind = StatementKind::select;
  std::int64_t largest = 0;
  session.run(
      statement, nullptr, nullptr, 0,
      [](Cursor& cursor, void* out) {
        if (cursor.step() && !cursor.cell(0).is_null())
          *static_cast<std::int64_t*>(out) = cursor.cell(0).integer();
      },
      &largest);
  return largest < std::numeric_limits<std::int64_t>::max() - static_cast<std::int64_t>(count);
}

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

// `one` names the columns for error reports: its parameters are those of a row.
Outcome run_rows(Session& session, const Statement& many, const Slot& slot, const Statement& one,
                 const RowSource& source) {
  // The one parameter of quark_rows: the rows themselves.
  RowsArgument argument;
  argument.source = &source;
  argument.count = source.count;
  argument.times = session.times();
  Param param;
  param.form = Form::array;
  param.head.object = &argument;
  param.tail.size = rows_of_batch;
  try {
    return session.run(many, &slot, &param, 1, nullptr, nullptr);
  } catch (const Error&) {
    // What the callback met is the real error; SQLite only knows that it met one.
    if (argument.thrown) std::rethrow_exception(argument.thrown);
    if (argument.refused == nullptr) throw;
    ErrorInfo info;
    info.kind = ErrorKind::conversion;
    info.table = many.table;
    if (one.param_column != nullptr) info.column = one.param_column(one, argument.refused_column);
    info.statement = many.text;
    info.message = "quark: " + std::string(argument.refused) + " (" + info.table + "." + info.column + ")";
    throw_error(std::move(info));
  }
}

/// One statement for all rows; false when it can't be proved which row got which key: then nothing may stay.
bool insert_at_once(Session& session, const Statement& many, const Slot& slot, const Statement& one,
                    const BatchInsert& batch) {
  const std::size_t count = batch.source.count;
  const bool keys = batch.set_key != nullptr;
  if (keys && !room_for_keys(session, one, count)) return false;
  const sqlite3_int64 before = sqlite3_total_changes64(session.native());
  const Outcome outcome = run_rows(session, many, slot, one, batch.source);
  if (outcome.affected != count) return false;
  if (!keys) return true;
  // A trigger that writes makes the total differ, one that drops rows the direct count.
  if (sqlite3_total_changes64(session.native()) - before != static_cast<sqlite3_int64>(count)) return false;
  const std::int64_t first = outcome.last_key - static_cast<std::int64_t>(count) + 1;
  for (std::size_t i = 0; i < count; ++i) batch.set_key(batch.rows, i, first + static_cast<std::int64_t>(i));
  return true;
}

}  // namespace

void Session::insert_rows(const Statement& many, const Slot& many_slot, const Statement& one,
                          const Slot& one_slot, const BatchInsert& batch) {
  if (batch.source.count == 0) return;
  try {
    Transaction<Session> whole(*this, Begin::immediate);
    if (!insert_at_once(*this, many, many_slot, one, batch)) {
      whole.rollback();
      whole = Transaction<Session>(*this, Begin::immediate);
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
