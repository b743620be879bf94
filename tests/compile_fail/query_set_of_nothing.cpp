// expect: quark: set\(\) needs assignments
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
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  users.everything().set();
#else
  users.everything().set(field<& User::age> = 3).update();
#endif
}

int main() {}
