// expect: quark: a mass update does nothing before its update\(\) is called
// within: 1
// .set(...) alone sends nothing; a warning, made an error here.
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

#pragma GCC diagnostic error "-Wunused-result"

struct User {
  std::int64_t id{};
  int age{};
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  users.everything().set(field<&User::age> = 1);
#else
  users.everything().set(field<&User::age> = 1).update();
#endif
}

int main() {}
