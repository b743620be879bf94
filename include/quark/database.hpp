// The database whose engine is chosen at run time: quark::Database, quark::open(url). Include it
// instead of the engines' headers, or beside them.
#pragma once

#include <quark/engine/database/connection.hpp>
#include <quark/engine/database/cursor.hpp>
#include <quark/exec/pool.hpp>
#include <quark/quark.hpp>
