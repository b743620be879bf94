// The SQLite engine: quark::sqlite::open, quark::sqlite::Pool. Include it beside quark.hpp.
#pragma once

#include <quark/engine/sqlite/connection.hpp>
#include <quark/engine/sqlite/cursor.hpp>
#include <quark/exec/pool.hpp>
#include <quark/quark.hpp>
