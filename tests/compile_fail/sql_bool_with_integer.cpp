// expect: quark::cannot_compare<User, .*"active".*, .*int>
// within: 1
// A bool column holds no 2 (fault B11).
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
  users.where(field<&User::active> == 1).list();
#else
  users.where(field<&User::active> == true).list();
#endif
}

int main() {}
