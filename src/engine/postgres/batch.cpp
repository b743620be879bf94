// Batches: an array per column, which the server unnests into rows: one statement text for any number of them.
// Keys come back by RETURNING and go to the rows in order, when the order is one that only a sequence in step with the
// rows can have made; else, and where a column's type can't be sent in an array, rows go in one by one.
#include <quark/engine/postgres_batch.hpp>
#include <quark/engine/postgres_values.hpp>
#include <quark/exec/error.hpp>
#include <quark/exec/refusal.hpp>
#include <quark/exec/transaction.hpp>

#include <string>

#include "quark/engine/postgres/cursor.hpp"
#include "quark/engine/postgres/session.hpp"
#include "stream.hpp"

namespace quark::postgres {

/// The INSERT of one row, prepared: the server says which types the columns have. Null where it is in use.
Prepared* Session::prepared_row(const Statement& one, const Slot& slot, const BatchInsert& batch) {
  std::vector<Param> params(batch.source.columns);
  Scratch scratch;
  batch.source.fill(batch.source.rows, 0, params.data(), scratch);
  resolve(params.data(), params.size(), scratch);
  Place& place = *place_of(one, &slot);
  if (place.handle == nullptr) place.handle = new Prepared;
  if (!is_prepared_for(*place.handle, params.data(), params.size())) {
    if (place.busy) return nullptr;
    prepare(*place.handle, one, params.data(), params.size());
  }
  return place.handle;
}

/// Whether the keys that came back tell which row has which: in step, up or down. Then the rows have them.
bool Session::take_keys(const Result& result, const Prepared& prepared, const BatchInsert& batch, std::size_t first,
                        std::size_t count) {
  Statement statement;
  Cursor cursor(result.get(), prepared.columns, statement);
  std::int64_t previous = 0, direction = 0;
  for (std::size_t i = 0; i < count && cursor.step(); ++i) {
    const std::int64_t key = cursor.cell(0).integer();
    if (i == 1) direction = key > previous ? 1 : -1;
    if (i > 0 && (direction > 0 ? key <= previous : key >= previous)) return false;
    previous = key;
    batch.set_key(batch.rows, first + i, key);
  }
  return true;
}

bool Session::insert_arrays(const Statement& many, const Slot& slot, const Statement& one, const Prepared& row,
                            const BatchInsert& batch) {
  std::vector<Type> types = row.parameters;
  for (const Type& type : types)
    if (type.kind == Kind::other || type.kind == Kind::array || type.kind == Kind::inet) return false;
  Place& place = *place_of(many, &slot);
  if (place.handle == nullptr) place.handle = new Prepared;
  Prepared& prepared = *place.handle;
  std::vector<Oid> arrays;
  for (const Type& type : types) {
    arrays.push_back(array_of(type.oid));
    if (arrays.back() == 0) return false;
  }
  bool fits = prepared.ready && prepared.parameters.size() == arrays.size();
  for (std::size_t c = 0; fits && c < arrays.size(); ++c) fits = prepared.parameters[c].oid == arrays[c];
  if (!fits) prepare_as(prepared, many, arrays);

  ArrayColumns columns;  // taken from the connection: a middleware may send a batch of its own meanwhile
  columns.swap(columns_);
  for (std::size_t first = 0; first < batch.source.count;) {
    const std::size_t rows = fill_arrays(columns, one, types, batch, first);
    if (rows == 0) return false;
    bool in_step = true;
    const auto send = [&]() -> Outcome {
      arguments_.resize(types.size());
      for (std::size_t c = 0; c < types.size(); ++c) {
        arguments_.values[c] = columns[c].data();
        arguments_.lengths[c] = static_cast<int>(columns[c].size());
        arguments_.formats[c] = 1;
      }
      const Result result = execute(prepared, many, types.size());
      if (!result.good()) {
        if (forget_if_stale(prepared, result)) refuse_stale(result, many);
        fail(result.get(), many);
      }
      const Outcome outcome = outcome_of(result, many);
      if (outcome.affected != rows) throw_dropped(one);
      if (batch.set_key != nullptr) in_step = take_keys(result, prepared, batch, first, rows);
      return outcome;
    };
    if (chain_.empty()) {
      send();
    } else {
      chain_.run_statement(many, nullptr, 0, send);
    }
    if (!in_step) return false;
    first += rows;
  }
  columns.swap(columns_);
  return true;
}

void Session::insert_once(const Statement& many, const Slot& many_slot, const Statement& one, const Slot& one_slot,
                          const BatchInsert& batch) {
  Transaction<Session> whole(*this, Begin{});
  const Prepared* row = batch.source.columns > 0 ? prepared_row(one, one_slot, batch) : nullptr;
  if (row == nullptr || !insert_arrays(many, many_slot, one, *row, batch)) {
    whole.rollback();
    whole = Transaction<Session>(*this, Begin{});
    insert_one_by_one(*this, one, one_slot, batch);
  }
  whole.commit();
}

void Session::insert_rows(const Statement& many, const Slot& many_slot, const Statement& one,
                          const Slot& one_slot, const BatchInsert& batch) {
  if (batch.source.count == 0) return;
  check_alive();
  if (stream_ != nullptr) free_connection();
  for (bool again = false;; again = true) {
    try {
      return insert_once(many, many_slot, one, one_slot, batch);
    } catch (const TransactionAborted&) {
      // A plan that no longer fits: in a transaction of our own nothing else is lost, and it begins once more.
      if (!again && transactions_.empty()) continue;
      forget_keys(batch);
      throw;
    } catch (...) {
      forget_keys(batch);
      throw;
    }
  }
}

}  // namespace quark::postgres
