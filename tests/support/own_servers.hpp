// Stopping and starting the private servers of with_servers.sh from a test that has them for itself. Used by
// tests/engines/faults/.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

namespace under_test {

/// Asks the process that has the servers, and waits for its answer. Throws when it can't.
inline void order(const std::string& what) {
  static int number = 0;
  const char* const folder = std::getenv("QUARK_TEST_SERVERS");
  if (folder == nullptr) throw std::runtime_error("run this with tests/support/with_servers.sh");
  // Not waiting for a reader: without one there are no servers of ours.
  const int out = open((std::string(folder) + "/lifeline").c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  const std::string line = std::to_string(++number) + " " + what + "\n";
  if (out < 0 || write(out, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    throw std::runtime_error("the servers are not ours to " + what);
  close(out);
  const std::string answer = std::string(folder) + "/answer." + std::to_string(number);
  for (int i = 0; i < 10'000 && access(answer.c_str(), F_OK) != 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::ifstream in(answer);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (text != "done\n") throw std::runtime_error(what + ": " + text);
}

/// Open files and sockets of this process; nothing where the system does not tell.
inline std::optional<std::ptrdiff_t> open_files() {
  std::error_code error;
  const std::filesystem::directory_iterator files("/proc/self/fd", error);
  if (error) return std::nullopt;
  return std::distance(begin(files), end(files));
}

}  // namespace under_test
