// Where the figures were taken: a table without its machine says nothing.
#pragma once

#include <string>

namespace bench {

/// CPU, cores, kernel and compiler with its flags, as lines of markdown.
std::string machine();

}  // namespace bench
