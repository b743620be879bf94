// The MySQL and MariaDB engine: quark::mysql::open. Include it beside quark.hpp.
#pragma once

#include <quark/engine/mysql/connection.hpp>
#include <quark/engine/mysql/cursor.hpp>
#include <quark/quark.hpp>
