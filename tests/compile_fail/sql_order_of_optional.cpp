// expect: quark: an optional value has no order
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
  std::optional<int> age = 3;
  users.where(field<&User::age> < age).list();
#else
  std::optional<int> age = 3;
  users.where(field<&User::age> < *age).list();
#endif
}

int main() {}
