// expect: quark: a value of that type can't be part of this arithmetic
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
  users.where(field<&User::age> + "1" > 3).list();
#else
  users.where(field<&User::age> + 1 > 3).list();
#endif
}

int main() {}
