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
  // Of the kernel's version the first two numbers say something; the rest is the name of a build.
  const std::string release = name.release;
  const std::string kernel = release.substr(0, release.find_first_not_of("0123456789", release.find('.') + 1));
  std::string out = "- machine: " + cpu + ", " + std::to_string(sysconf(_SC_NPROCESSORS_ONLN)) +
                    " cores, " + name.sysname + " " + kernel + " " + name.machine + "\n";
#if defined(__clang__)
  out += "- compiler: " __VERSION__;
#else
  out += "- compiler: g++ " __VERSION__;
#endif
  out += ", " BENCH_FLAGS "\n";
  return out;
}

}  // namespace bench
