// expect: quark: a transaction that nobody keeps is rolled back at once
// within: 1
// db.begin(); alone would begin and roll back; a warning, made an error here.
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

#pragma GCC diagnostic error "-Wunused-result"

void run(quark::sqlite::Connection& db) {
#ifdef QUARK_MISTAKE
  db.begin();
#else
  auto tx = db.begin();
  tx.commit();
#endif
}

int main() {}
