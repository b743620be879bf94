// expect: quark: update<...>\(x\) can't set a key, version, created_at or generated column
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
  users.update<&User::made>(User{});
#else
  users.update<&User::age>(User{});
#endif
}

int main() {}
