// expect: quark: in\(\) needs a range or values
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct User {
  std::int64_t id{};
  std::string name;
  int age{};
  bool active{};
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  users.where(field<&User::age>.in()).list();
#else
  users.where(field<&User::age>.in(1)).list();
#endif
}

int main() {}
