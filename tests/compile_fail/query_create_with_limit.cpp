// expect: quark: a write takes conditions, but no order, limit, offset or distinct
// within: 1
// A limit would be left out without a word.
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct User {
  std::int64_t id{};
  int age{};
};

using namespace quark;

void run(sqlite::Connection& db, User& user) {
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  users.limit(1).create(user);
#else
  users.create(user);
#endif
}

int main() {}
