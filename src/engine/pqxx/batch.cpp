// Batches: an array per column, which the server unnests into rows: one statement text for any number of them.
// Keys come back by RETURNING and go to the rows in order, when the order is one that only a sequence in step with the
// rows can have made; else, and where a column's type can't be sent in an array, rows go in one by one.
#include <quark/engine/postgres_batch.hpp>
#include <quark/exec/error.hpp>
#include <quark/exec/transaction.hpp>
#include <quark/types/scratch.hpp>

#include "errors.hpp"
#include "quark/engine/pqxx/cursor.hpp"
#include "source.hpp"
#include "state.hpp"

namespace quark::pqxx_bridge {
namespace {

/// Whether the keys that came back tell which row has which: in step, up or down. Then the rows have them.
bool take_keys(Cursor& cursor, const BatchInsert& batch, std::size_t first, std::size_t count) {
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

}  // namespace

/// The types of the columns that rows go into: those of the INSERT of one row, which is prepared for it.
std::vector<postgres::Type> Session::column_types(const Statement& one, const Slot& slot, const BatchInsert& batch) {
  std::vector<Param> params(batch.source.columns);
  Scratch scratch;
  batch.source.fill(batch.source.rows, 0, params.data(), scratch);
  resolve(params.data(), params.size(), scratch);
  return prepared(one, &slot, params.data(), params.size(), batch.set_key != nullptr).parameters;
}

bool Session::insert_arrays(const Statement& many, const Slot& slot, const std::vector<postgres::Type>& types,
                            const Statement& one, const BatchInsert& batch) {
  std::vector<std::string> arrays;
  for (const postgres::Type& type : types) {
    if (type.kind == postgres::Kind::other || type.kind == postgres::Kind::array ||
        type.kind == postgres::Kind::inet) return false;
    arrays.push_back(state().array_name(*transaction_, type.oid));
    if (arrays.back().empty()) return false;
  }
  State::Place& place = *state().place_of(*transaction_, many, &slot);
  if (place.handle == nullptr) place.handle = new Prepared;
  Prepared& statement = *place.handle;
  const bool records = batch.set_key != nullptr;
  bool fits = statement.ready && statement.parameters.size() == types.size() && statement.as_records == records;
  for (std::size_t c = 0; fits && c < types.size(); ++c) fits = statement.parameters[c].element == types[c].oid;
  if (!fits) state().prepare(*transaction_, statement, many, arrays, records);

  postgres::ArrayColumns columns;
  for (std::size_t first = 0; first < batch.source.count;) {
    const std::size_t rows = postgres::fill_arrays(columns, one, types, batch, first);
    if (rows == 0) return false;
    bool in_step = true;
    const auto send = [&]() -> Outcome {
      check_usable();
      Arguments arguments;
      for (std::size_t c = 0; c < types.size(); ++c)
        arguments.add({columns[c].data(), static_cast<int>(columns[c].size()), true});
      ::pqxx::result result;
      const auto execute = [&] { return arguments.execute_prepared(*transaction_, statement.name); };
      try {
        result = translated(many, execute);
      } catch (const Error& error) {
        if (!has_vanished(error)) throw;
        statement.ready = false;
        if (error.sqlstate() == state_undefined_statement) throw_lost(error);
        // Only libpqxx didn't know it.
        state().prepare(*transaction_, statement, many, arrays, records);
        result = translated(many, execute);
      }
      Outcome outcome;
      outcome.affected =
          records ? static_cast<std::uint64_t>(result.size()) : static_cast<std::uint64_t>(result.affected_rows());
      if (outcome.affected != rows) postgres::throw_dropped(one);
      if (!records) return outcome;
      outcome.rows = outcome.affected;
      Source source(std::move(result));
      quark::pqxx_bridge::Cursor cursor(source, *this, many);
      in_step = take_keys(cursor, batch, first, rows);
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
  return true;
}

void Session::insert_rows(const Statement& many, const Slot& many_slot, const Statement& one, const Slot& one_slot,
                          const BatchInsert& batch) {
  if (batch.source.count == 0) return;
  try {
    check_usable();
    Transaction<Session> whole(*this, Begin{});
    const bool has_columns = batch.source.columns > 0;
    if (!has_columns || !insert_arrays(many, many_slot, column_types(one, one_slot, batch), one, batch)) {
      whole.rollback();
      whole = Transaction<Session>(*this, Begin{});
      postgres::insert_one_by_one(*this, one, one_slot, batch);
    }
    whole.commit();
  } catch (...) {
    postgres::forget_keys(batch);
    throw;
  }
}

}  // namespace quark::pqxx_bridge
