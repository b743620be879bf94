// expect: quark: the value has another type than the column it is assigned to
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct User {
  std::int64_t id{};
  std::string name;
  std::optional<int> age;
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  users.everything().set(field<& User::age> = std::optional<std::string>("1")).update();
#else
  users.everything().set(field<& User::age> = std::optional<int>(1)).update();
#endif
}

int main() {}
