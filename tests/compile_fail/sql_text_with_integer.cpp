// expect: quark::cannot_compare<User, .*"name".*, .*int>
// within: 1
// Model, column, its type and the value's are in the message.
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
  users.where(field<&User::name> == 18).list();
#else
  users.where(field<&User::name> == "18").list();
#endif
}

int main() {}
