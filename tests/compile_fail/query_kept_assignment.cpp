// expect: quark: this kept assignment borrows text that may be gone
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct User {
  std::int64_t id{};
  std::string name;
  int age{};
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  const auto change = (field<& User::name> = std::string(100, 'x'));
#else
  const auto change = (field<& User::age> = 3);
#endif
  users.everything().set(change).update();
}

int main() {}
