// What the tests of this engine alone need of tests/engines/mysql_main.cpp.
#pragma once

#include "support/engine_under_test.hpp"

namespace under_test {

/// How the server is reached.
quark::mysql::Options server();
/// A new, empty database on it.
quark::mysql::Options fresh_options();

}  // namespace under_test
