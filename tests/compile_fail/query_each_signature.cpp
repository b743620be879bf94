// expect: quark: each\(fn\) calls fn\(T&\), fn\(const T&\) or fn\(T\)
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
  users.each([](int) {});
#else
  users.each([](const User&) {});
#endif
}

int main() {}
