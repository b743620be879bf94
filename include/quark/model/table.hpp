// What later layers read of a model: plain records without templates, one constant table_of<T> per model.
// Made from the struct's fields (model/fields.hpp) and its description (model/describe.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace quark {

/// The largest number of columns of one key, index or reference.
inline constexpr std::size_t max_key_columns = 8;

/// No such column.
inline constexpr std::uint16_t no_column = 0xffff;

/// What happens to the referring row when the referred row goes or changes its key.
enum class ReferenceAction : std::uint8_t { none, restrict, cascade, set_null };

// In a namespace of their own: a user's model may well be called Table, Index or Column.
namespace meta {

/// A constant in a table definition.
struct Literal {
  enum class Kind : std::uint8_t { none, integer, natural, real, text, boolean };
  Kind kind = Kind::none;
  std::int64_t integer = 0;  // the same bits for natural, which is beyond what an int64_t holds
  double real = 0;
  std::string_view text{};
};

/// One column.
struct Column {
  std::string_view name{};    // in the database
  std::string_view member{};  // in the struct
  std::string_view type{};    // the column type as the model gives it; empty: chosen by the dialect
  Literal default_value{};
  std::uint32_t size = 0;  // largest number of characters or bytes; 0: not limited
  bool key = false;
  bool generated = false;  // the database fills it
  bool unique = false;
  bool by_name = false;  // an enumeration stored as text
};

/// Some columns of a table, in the order given.
struct ColumnSet {
  std::uint16_t columns[max_key_columns]{};
  std::uint16_t count = 0;
};

struct Table;

/// What a reference points at.
struct ReferenceTarget {
  const Table* table = nullptr;
  ColumnSet columns{};
};

/// A foreign key. The target is asked for lazily, so that models may refer to each other.
struct Reference {
  ColumnSet columns{};
  ReferenceTarget (*target)() = nullptr;
  ReferenceAction on_delete = ReferenceAction::none;
  ReferenceAction on_update = ReferenceAction::none;
};

struct Index {
  ColumnSet columns{};
  std::string_view name{};  // empty: made from table and columns
  bool unique = false;
};

/// A check constraint; its text goes into the table definition as it is.
struct Check {
  std::string_view name{};
  std::string_view text{};
};

/// A model's table.
struct Table {
  std::string_view name{};
  const Column* columns = nullptr;
  std::uint16_t count = 0;
  ColumnSet key{};
  bool generated_key = false;  // one integer key that the database makes
  std::uint16_t version = no_column;
  std::uint16_t created_at = no_column;
  std::uint16_t updated_at = no_column;
  const Reference* references = nullptr;
  std::uint16_t reference_count = 0;
  const Index* indexes = nullptr;
  std::uint16_t index_count = 0;
  const Check* checks = nullptr;
  std::uint16_t check_count = 0;

  constexpr const Column& operator[](std::size_t i) const { return columns[i]; }

  /// The column of that name, as the database or the struct calls it; no_column when there is none.
  constexpr std::uint16_t find(std::string_view wanted) const {
    for (std::uint16_t i = 0; i < count; ++i)
      if (columns[i].name == wanted) return i;
    for (std::uint16_t i = 0; i < count; ++i)
      if (columns[i].member == wanted) return i;
    return no_column;
  }
};

}  // namespace meta
}  // namespace quark
