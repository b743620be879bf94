// expect: quark: this model has no column to update
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct User {
  std::int64_t id{};
#ifndef QUARK_MISTAKE
  int age{};
#endif
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  users.update(User{1});
#else
  users.update(User{1, 2});
#endif
}

int main() {}
