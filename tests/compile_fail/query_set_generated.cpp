// expect: quark: a generated column can't be set
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct User {
  std::int64_t id{};
  std::string name;
  std::optional<std::string> email;
  int age{};
  int made{};
  bool active{};
  static consteval auto orm() { return quark::model(quark::generated(&User::made)); }
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  users.everything().set(field<& User::made> = 1).update();
#else
  users.everything().set(field<& User::age> = 1).update();
#endif
}

int main() {}
