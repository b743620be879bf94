// expect: quark: the expression has another type than the column it is assigned to
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
  users.everything().set(field<& User::age> = field<&User::name>).update();
#else
  users.everything().set(field<& User::age> = field<&User::age> + 1).update();
#endif
}

int main() {}
