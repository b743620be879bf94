// What the two units share: one model, and a function of each unit.
#pragma once

#include <cstdint>
#include <string>

#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct Shared {
  std::int64_t id{};
  std::string name;
};

/// Each creates two rows of `Shared` and rows of its own model `Local`; false when one comes back wrong.
bool first_unit(quark::sqlite::Connection& db);
bool second_unit(quark::sqlite::Connection& db);
