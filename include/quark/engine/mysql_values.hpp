// Values as the text that MySQL reads exactly: days, moments and durations, and the lists of an `in`.
// For the adapters of MySQL and MariaDB.
#pragma once

#include <quark/types/cell.hpp>

#include <string>

namespace quark::mysql {

/// Appends a parameter of the form date, timestamp or time as "2024-05-06", "2024-05-06 07:08:09.000001" or
/// "-838:59:59.999999". A reason when it is outside of what the servers hold.
const char* add_moment(const Param& param, std::string& out);

/// The values of an `in` as JSON, for JSON_TABLE. A reason when one of them is refused.
const char* to_json(const Param* items, std::size_t count, std::string& out);

}  // namespace quark::mysql
