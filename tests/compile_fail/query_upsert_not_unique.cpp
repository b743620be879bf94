// expect: quark: upsert\(x, on<...>\) needs the primary key or columns that
// within: 1
// The engine would refuse it, or update another row.
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
  User u;
  users.upsert(u, on<&User::name>);
#else
  User u;
  users.upsert(u, on<&User::id>);
#endif
}

int main() {}
