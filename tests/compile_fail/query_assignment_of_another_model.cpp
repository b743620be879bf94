// expect: quark: this assignment is about another model than the query
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
struct Post {
  std::int64_t id{};
  std::string title;
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  users.everything().set(field<& Post::title> = "x").update();
#else
  users.everything().set(field<& User::name> = "x").update();
#endif
}

int main() {}
