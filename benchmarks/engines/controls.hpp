// The controls of one engine, each by hand and by Quark. Used by the table, the Google Benchmark program, the instruction
// count and the allocation test, so that all of them speak of the same work. Each engine's controls.cpp defines them.
#pragma once

#include "harness/arms.hpp"

namespace bench {

/// Hand-written first, Quark last; `again` adds the hand-written arm a second time, to show what equal code measures.
std::vector<Control> controls(bool again);

/// What is measured: the library's or server's version, and how it is opened.
std::string engine_line();

/// Whether the time that an operation takes is more than the client's own.
bool waits_for_server();

}  // namespace bench
