// The PostgreSQL engine: quark::postgres::open, quark::postgres::Pool. Include it beside quark.hpp.
#pragma once

#include <quark/engine/postgres/connection.hpp>
#include <quark/engine/postgres/cursor.hpp>
#include <quark/exec/pool.hpp>
#include <quark/quark.hpp>
