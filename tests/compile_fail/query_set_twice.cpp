// expect: quark: set\(\) names a column twice
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
  users.everything().set(field<& User::age> = 1, field<& User::age> = 2).update();
#else
  users.everything().set(field<& User::age> = 1, field<& User::name> = "x").update();
#endif
}

int main() {}
