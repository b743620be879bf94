// The PostgreSQL engine: quark::postgres::open. Include it beside quark.hpp.
#pragma once

#include <quark/engine/postgres/connection.hpp>
#include <quark/engine/postgres/cursor.hpp>
#include <quark/quark.hpp>
