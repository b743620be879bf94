// Batches as PostgreSQL takes them fastest: an array per column, which the server unnests into rows.
// Shared by all that speaks to a PostgreSQL server, whichever client library it uses; knows none of them.
#pragma once

#include <quark/engine/postgres_wire.hpp>
#include <quark/exec/row_source.hpp>
#include <quark/sql/statement.hpp>
#include <quark/types/scratch.hpp>

#include <vector>

namespace quark::postgres {

/// The binary form of an array for each column.
using ArrayColumns = std::vector<std::vector<char>>;

/// Puts rows from `first` on into `columns`, as many as one statement takes; returns how many, 0 where a value can't be
/// sent in an array.
std::size_t fill_arrays(ArrayColumns& columns, const Statement& one, const std::vector<Type>& types,
                        const BatchInsert& batch, std::size_t first);

/// Throws: a row did not go in.
[[noreturn]] void throw_dropped(const Statement& one);

/// No row went in, so no object may keep a key.
void forget_keys(const BatchInsert& batch);

/// The way for what can't be sent as arrays: a statement per row. Throws like throw_dropped, too.
template <class Session>
void insert_one_by_one(Session& session, const Statement& one, const Slot& slot, const BatchInsert& batch) {
  using Cursor = typename Session::Cursor;
  constexpr auto read_key = [](Cursor& cursor, void* key) {
    if (cursor.step()) *static_cast<std::int64_t*>(key) = cursor.cell(0).integer();
  };
  const bool made = batch.set_key != nullptr;
  std::vector<Param> params(batch.source.columns);
  for (std::size_t i = 0; i < batch.source.count; ++i) {
    Scratch scratch;
    batch.source.fill(batch.source.rows, i, params.data(), scratch);
    resolve(params.data(), params.size(), scratch);
    std::int64_t key = 0;
    const auto outcome = session.run(one, &slot, params.data(), params.size(), made ? +read_key : nullptr, &key);
    if (outcome.affected != 1) throw_dropped(one);
    if (made) batch.set_key(batch.rows, i, key);
  }
}

}  // namespace quark::postgres
