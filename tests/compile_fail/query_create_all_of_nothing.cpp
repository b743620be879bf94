// expect: quark: create_all<Model, \.\.\.>\(db\) needs models
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
  create_all<>(db);
#else
  create_all<User>(db);
#endif
}

int main() {}
