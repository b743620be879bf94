// expect: quark: a middleware is a quark::Middleware or a callable
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct User {
  std::int64_t id{};
  std::string name;
  int age{};
  bool active{};
};

using namespace quark;

void run(sqlite::Connection& db) {
  (void)db;
#ifdef QUARK_MISTAKE
  db.use([](int) {});
#else
  db.use([](Operation&, const Next& next) { next(); });
#endif
}

int main() {}
