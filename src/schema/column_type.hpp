// How an engine spells one column of a table definition: its type, default and check. Private to src/schema.
#pragma once

#include <quark/schema/create.hpp>

namespace quark::schema {

/// The type. Throws Misuse for one of the model's that would change values (SQLite's affinity).
std::string column_type(const meta::Table& table, const TypeInfo& info, std::uint16_t column, Style style);

std::string literal(const meta::Literal& value, Engine engine);

/// The condition that keeps out what the type lets through and the member could not hold: the range of a narrow or
/// unsigned integer, the length of text. Empty when there is none. `name` is quoted.
std::string column_check(const meta::Column& column, const TypeInfo& info, const std::string& name, Style style);

}  // namespace quark::schema
