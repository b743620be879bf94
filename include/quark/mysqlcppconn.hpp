// The bridge to MySQL Connector/C++ 1.1: For<T>(connection) on the sql::Connection that a program
// has. Include it beside quark.hpp and the connector's own headers.
#pragma once

#include <quark/engine/mysqlcppconn/bridge.hpp>
#include <quark/engine/mysqlcppconn/cursor.hpp>
#include <quark/quark.hpp>
