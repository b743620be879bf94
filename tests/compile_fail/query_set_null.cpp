// expect: quark: only a column whose member is a std::optional can be set to NULL
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
  users.everything().set(field<& User::age> = std::nullopt).update();
#else
  users.everything().set(field<& User::email> = std::nullopt).update();
#endif
}

int main() {}
