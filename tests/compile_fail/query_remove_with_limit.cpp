// expect: quark: a write takes conditions, but no order, limit, offset or distinct
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
  users.where(field<&User::age> == 1).limit(1).remove();
#else
  users.where(field<&User::age> == 1).remove();
#endif
}

int main() {}
