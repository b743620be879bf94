// expect: quark: upsert\(x, on<\.\.\.>, set<\.\.\.>\) can't set a key, version, created_at or generated column
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
  User user;
  users.upsert(user, on<&User::id>, set<&User::id>);
#else
  User user;
  users.upsert(user, on<&User::id>, set<&User::age>);
#endif
}

int main() {}
