// Does one operation of one arm N times, for callgrind.sh: the difference of two N is free of set-up.
#include "engines/controls.hpp"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  if (argc != 4) {
    std::printf("usage: %s CONTROL ARM TIMES\n", argv[0]);
    for (const auto& control : bench::controls(false))
      for (const auto& arm : control.arms) std::printf("%s\t%s\n", control.name.c_str(), arm.name.c_str());
    return argc == 1 ? 0 : 2;
  }
  const std::string control_name = argv[1], arm_name = argv[2];
  for (const auto& control : bench::controls(false)) {
    for (const auto& maker : control.arms) {
      if (control.name != control_name || maker.name != arm_name) continue;
      const auto arm = maker.make();
      const auto times = static_cast<std::size_t>(std::strtoull(argv[3], nullptr, 10));
      arm->run(8);
      arm->clean();
      arm->run(times);
      return 0;
    }
  }
  std::fprintf(stderr, "no such control and arm\n");
  return 2;
}
