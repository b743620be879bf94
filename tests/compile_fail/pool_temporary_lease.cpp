// expect: quark: keep what acquire\(\) gives in a variable: at the end of this expression it goes back
// within: 1
// errors: 1
// The transaction would be one on a connection that is somebody else's.
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

void run(quark::sqlite::Pool& pool) {
#ifdef QUARK_MISTAKE
  auto tx = pool.acquire()->begin();
#else
  auto db = pool.acquire();
  auto tx = db->begin();
#endif
  tx.commit();
}

int main() {}
