// The controls: six operations, each by hand and by Quark. Used by the table, the Google Benchmark program, the
// instruction count and the allocation test, so that all of them speak of the same work.
#pragma once

#include "harness/arms.hpp"

namespace bench {

/// Hand-written first, Quark last; `again` adds the hand-written arm a second time, to show what equal code measures.
std::vector<Control> sqlite_controls(bool again);

}  // namespace bench
