// expect: quark: create_batch\(\) takes no conditions
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
  std::vector<User> rows(2);
  users.where(field<&User::age> > 3).create_batch(rows);
#else
  std::vector<User> rows(2);
  users.create_batch(rows);
#endif
}

int main() {}
