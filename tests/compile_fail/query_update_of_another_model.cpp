// expect: quark: update\(x\) takes an object of the query's model
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct User {
  std::int64_t id{};
  std::string name;
  int age{};
  bool active{};
};
struct Other {
  std::int64_t id{};
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  users.update(Other{1});
#else
  users.update(User{});
#endif
}

int main() {}
