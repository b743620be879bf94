// expect: quark: a query does nothing before a terminal
// within: 1
// A query alone sends nothing; a warning, made an error here.
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
  users.where(field<&User::age> == 1);
#else
  users.where(field<&User::age> == 1).remove();
#endif
}

int main() {}
