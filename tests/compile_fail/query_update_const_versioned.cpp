// expect: quark: update\(x\) writes the new version or updated_at into x
// errors: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct User {
  std::int64_t id{};
  int changes{};
  std::string name;
  static consteval auto orm() { return quark::model(quark::version(&User::changes)); }
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  const User u{};
  users.update(u);
#else
  User u{};
  users.update(u);
#endif
}

int main() {}
