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

/// A batch insert: two statements for it, and where the made keys go.
struct BatchInsert {
  RowSource source{};
  void (*set_key)(void* rows, std::size_t index, std::int64_t key) = nullptr;  // null: no key is made
  void* rows = nullptr;
  bool key_may_not_fit = false;  // set_key may throw: the member is narrower than a key can be
};

}  // namespace quark
