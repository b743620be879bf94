// Prints the quickstart's answers, each under the SQL that gave it. Plain standard output, UTF-8.
#pragma once

#include <quark/exec/middleware.hpp>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

/// Writes `text` in lines of at most 100 characters; the first begins with `head`, the others with
/// blanks.
inline void print_wrapped(std::string_view head, std::string_view text) {
  constexpr std::size_t width = 100;
  std::string line(head);
  const std::string indent(head.size(), ' ');
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    if (line.size() > indent.size() && line.size() + 1 + word.size() > width) {
      std::printf("%s\n", line.c_str());
      line = indent;
    }
    if (line.size() > indent.size()) line += ' ';
    line += word;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  std::printf("%s\n", line.c_str());
}

/// `text` with blanks up to `width` columns. Counts code points, not bytes: "Åland" has five.
inline std::string padded(std::string_view text, std::size_t width) {
  std::size_t columns = 0;
  for (char c : text) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  std::string out(text);
  if (columns < width) out.append(width - columns, ' ');
  return out;
}

/// Sections of output: what a StatementRecorder saw since the section's title, then the answer.
class Report {
 public:
  explicit Report(quark::StatementRecorder& recorder) : recorder_(recorder) {}

  void section(std::string_view title) {
    std::printf("\n%.*s\n", static_cast<int>(title.size()), title.data());
    recorder_.clear();
  }

  /// The recorded statements, equal ones in a row once, with their number.
  void sql() {
    const auto& entries = recorder_.entries();
    for (std::size_t i = 0; i < entries.size();) {
      std::size_t next = i + 1;
      while (next < entries.size() && entries[next].text == entries[i].text) ++next;
      std::string text = entries[i].text;
      if (next - i > 1) text += "   -- " + std::to_string(next - i) + " times";
      print_wrapped("  sql | ", text);
      i = next;
    }
    recorder_.clear();
  }

  void answer(std::string_view line) {
    std::printf("    %.*s\n", static_cast<int>(line.size()), line.data());
  }

 private:
  quark::StatementRecorder& recorder_;
};
