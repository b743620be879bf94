// Rows on their way into a statement: batches and `in` lists, handed to the engine one row at a time.
// Filled by query/, read by engines; a leaf.
#pragma once

#include <quark/types/cell.hpp>

namespace quark {

/// `count` rows of `columns` parameters each.
struct RowSource {
  std::size_t count = 0;
  std::size_t columns = 0;
  /// Writes the parameters of row `index`; text in them lives as long as the source. May throw.
  void (*fill)(const void* rows, std::size_t index, Param* out, Scratch& scratch) = nullptr;
  const void* rows = nullptr;
  bool resolved = false;  // `fill` leaves nothing to resolve(): it writes final forms
};

/// Rows that are made as they are asked for, of `columns` parameters each.
struct RowStream {
  std::size_t columns = 0;
  /// Writes the parameters of the next row; false at the end. What they borrow lives until the next call. May throw.
  bool (*next)(void* rows, Param* out, Scratch& scratch) = nullptr;
  void* rows = nullptr;
  void (*progress)(void* context, std::uint64_t rows) = nullptr;
  void* progress_context = nullptr;
};

/// A batch insert: two statements for it, and where the made keys go.
struct BatchInsert {
  RowSource source{};
  void (*set_key)(void* rows, std::size_t index, std::int64_t key) = nullptr;  // null: no key is made
  void* rows = nullptr;
  bool key_may_not_fit = false;  // set_key may throw: the member is narrower than a key can be
};

}  // namespace quark
