// expect: quark: this kept condition borrows text that may be gone
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct User {
  std::int64_t id{};
  std::string name;
  std::optional<std::string> email;
  int age{};
  bool active{};
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  const auto kept = field<&User::name> == std::string("x");
  users.where(kept && field<&User::age> == 1).list();
#else
  const auto kept = field<&User::age> == 2;
  users.where(kept && field<&User::age> == 1).list();
#endif
}

int main() {}
