// expect: quark: a deadline ends with its object: keep it in a variable
// within: 1
// db.deadline(limit); alone would end at once; a warning, made an error here.
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

#include <chrono>

#pragma GCC diagnostic error "-Wunused-result"

void run(quark::sqlite::Connection& db) {
#ifdef QUARK_MISTAKE
  db.deadline(std::chrono::seconds(1));
#else
  const auto limit = db.deadline(std::chrono::seconds(1));
#endif
  quark::sqlite::Connection(quark::sqlite::Options{}).execute("SELECT 1");
}

int main() {}
