// Batches as PostgreSQL takes them fastest: an array per column, which the server unnests into rows.
// Shared by all that speaks to a PostgreSQL server, whichever client library it uses; knows none of them.
#pragma once

#include <quark/engine/postgres_wire.hpp>
#include <quark/exec/row_source.hpp>
#include <quark/sql/statement.hpp>

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

}  // namespace quark::postgres
