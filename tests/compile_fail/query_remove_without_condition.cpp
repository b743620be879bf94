// expect: quark: update\(\) and remove\(\) without a condition would change
// within: 1
// The whole table is meant only where everything() says so (fault B22).
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
  users.remove();
#else
  users.everything().remove();
#endif
}

int main() {}
