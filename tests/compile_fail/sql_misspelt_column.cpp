// expect: 'agee' is not a member of|no member named 'agee' in
// within: 1
// The compiler's own words are the best here.
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
  users.where(field<&User::agee> >= 18).list();
#else
  users.where(field<&User::age> >= 18).list();
#endif
}

int main() {}
