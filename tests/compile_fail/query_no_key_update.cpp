// expect: quark: this model has no primary key: name a member `id` or say quark::key
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct User {
#ifdef QUARK_MISTAKE
  int number{};
#else
  int id{};
#endif
  int age{};
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto users = For<User>(db);
  users.update(User{});
}

int main() {}
