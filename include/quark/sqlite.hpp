// The SQLite engine: quark::sqlite::open. Include it beside quark.hpp.
#pragma once

#include <quark/engine/sqlite/connection.hpp>
#include <quark/engine/sqlite/cursor.hpp>
#include <quark/quark.hpp>
