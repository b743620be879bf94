// Values that are refused, with the place where they were: the words are the same for every engine.
#pragma once

#include <quark/sql/statement.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace quark::detail {

/// Throws a ConversionError: parameter `index` can't be sent. The message names table and column.
[[noreturn, gnu::cold]] void refuse_parameter(const Statement& statement, std::size_t index, std::string_view why);

/// Throws a ConversionError: a cell can't be read into its member. `row` counts from 1.
[[noreturn, gnu::cold]] void refuse_cell(const Statement& statement, std::string_view column, std::uint64_t row,
                                         std::string_view why);

}  // namespace quark::detail
