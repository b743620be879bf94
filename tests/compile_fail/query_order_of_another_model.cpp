// expect: quark: this order is about another model than the query
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
  users.order_by(asc<&Post::title>).list();
#else
  users.order_by(asc<&User::name>).list();
#endif
}

int main() {}
