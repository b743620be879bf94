// A progress bar on standard output, only where that is a terminal: a file or pipe gets the results and nothing else.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <string>

class Progress {
 public:
  explicit Progress(std::size_t total) : total_(total) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  /// `done` more of the total are through; `what` is said beside the bar.
  void add(std::size_t done, const char* what) {
    done_ += done;
    if (!shown_) return;
    constexpr std::size_t width = 40;
    const std::size_t full = total_ == 0 ? width : done_ * width / total_;
    std::string bar(full < width ? full : width, '#');
    bar.resize(width, '.');
    std::printf("\r  [%s] %3zu %%  %-16s", bar.c_str(), total_ == 0 ? 100 : done_ * 100 / total_, what);
    std::fflush(stdout);
  }

  /// Takes the bar away, so that a line can be printed.
  void clear() const {
    if (shown_) std::printf("\r%70s\r", "");
  }

 private:
  std::size_t total_;
  std::size_t done_ = 0;
  bool shown_ = isatty(STDOUT_FILENO) != 0;
};
