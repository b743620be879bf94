#include "harness/machine.hpp"

#include <fstream>
#include <sys/utsname.h>
#include <unistd.h>

#ifndef BENCH_FLAGS
#define BENCH_FLAGS "unknown flags"
#endif

namespace bench {

std::string machine() {
  std::string cpu = "unknown CPU";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    cpu = line.substr(line.find(':') + 2);
    break;
  }
  utsname name{};
  uname(&name);
  std::string out = "- machine: " + cpu + ", " + std::to_string(sysconf(_SC_NPROCESSORS_ONLN)) +
                    " cores, " + name.sysname + " " + name.release + " " + name.machine + "\n";
#if defined(__clang__)
  out += "- compiler: " __VERSION__;
#else
  out += "- compiler: g++ " __VERSION__;
#endif
  out += ", " BENCH_FLAGS "\n";
  return out;
}

}  // namespace bench
