// The bridge to libpqxx: For<T>(tx) on a pqxx::work that a service already has. Include it beside <pqxx/pqxx>.
#pragma once

#include <quark/engine/pqxx/connection.hpp>
#include <quark/engine/pqxx/cursor.hpp>
#include <quark/quark.hpp>
