// Copies Chinook, a database that nobody made for this library, from its SQLite file into PostgreSQL and MySQL or
// MariaDB, reads everything back and compares every value. Run it with `bash docs/examples/chinook.sh`, or beside
// servers of your own; the tests run it where the file is (docs/chinook.md).
#include <quark/mysql.hpp>
#include <quark/postgres.hpp>
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

#include "chinook_copy.hpp"
#include "progress.hpp"

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

constexpr const char* usage =
    "usage: chinook [--replace] FILE URL...\n"
    "  FILE       Chinook_Sqlite.sqlite; it is only read\n"
    "  URL        where to copy it: postgres://... or mysql://...; a new, empty database is best\n"
    "  --replace  drop Chinook's tables there first\n"
    "Exit codes: 0 copied and equal, 1 an error or a difference, 2 wrong arguments.\n";

double per_second(const chinook::Timing& timing) {
  return timing.seconds > 0 ? static_cast<double>(timing.rows) / timing.seconds : 0;
}

/// Copies into `to`, compares, prints; whether all is equal.
template <class To>
bool run(quark::sqlite::Connection& from, To& to, bool replace) {
  std::size_t rows = 0;
  chinook::Tables::each([&]<class Table>() {
    rows += static_cast<std::size_t>(quark::For<typename Table::Row>(from).count());
  });

  Progress progress(2 * rows);
  const auto tick = [&](std::size_t done, std::string_view table) { progress.add(done, std::string(table).c_str()); };
  if (replace) chinook::Tables::drop(to);
  const auto written = chinook::copy(from, to, tick);
  std::vector<std::string> differences;
  const auto read = chinook::compare(from, to, differences, tick);
  progress.clear();

  std::printf("  %-14s %7s %14s %14s\n", "table", "rows", "written/s", "read/s");
  chinook::Timing all_written{.table = "all"}, all_read{.table = "all"};
  const auto line = [](const chinook::Timing& w, const chinook::Timing& r) {
    std::printf("  %-14.*s %7zu %14.0f %14.0f\n", static_cast<int>(w.table.size()), w.table.data(), r.rows, per_second(w),
                per_second(r));
  };
  for (std::size_t i = 0; i < written.size(); ++i) {
    line(written[i], read[i]);
    all_written.rows += written[i].rows, all_written.seconds += written[i].seconds;
    all_read.rows += read[i].rows, all_read.seconds += read[i].seconds;
  }
  line(all_written, all_read);
  for (const std::string& difference : differences) std::printf("  DIFFERENT: %s\n", difference.c_str());
  if (differences.empty()) std::printf("  every value is equal to the original's\n");
  return differences.empty();
}

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && (arguments[0] == "-h" || arguments[0] == "--help")) {
    std::fputs(usage, stdout);
    return 0;
  }
  const bool replace = !arguments.empty() && arguments[0] == "--replace";
  if (replace) arguments.erase(arguments.begin());
  const auto is_postgres = [](std::string_view url) { return url.starts_with("postgres"); };
  bool known = arguments.size() >= 2;
  for (std::size_t i = 1; i < arguments.size(); ++i)
    known = known && (is_postgres(arguments[i]) || arguments[i].starts_with("mysql://"));
  if (!known) {
    std::fputs(usage, stderr);
    return 2;
  }

  const char* where = "the file";
  try {
    auto from = quark::sqlite::open(chinook::file_options(arguments[0]));
    bool equal = true;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      where = is_postgres(arguments[i]) ? "PostgreSQL" : "MySQL or MariaDB";
      std::printf("%s\n", where);
      if (is_postgres(arguments[i])) {
        auto to = quark::postgres::open(arguments[i]);
        equal = run(from, to, replace) && equal;
      } else {
        auto to = quark::mysql::open(arguments[i]);
        equal = run(from, to, replace) && equal;
      }
    }
    return equal ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "chinook: %s: %s\n", where, error.what());
  }
  return 1;
}
