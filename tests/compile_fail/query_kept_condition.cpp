// expect: quark: this kept condition borrows text that may be gone
// within: 1
// The text is gone before the query runs (fault B44).
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
  const auto kept = field<&User::name> == std::string("x");
  users.where(kept).list();
#else
  const Filter<User> kept = field<&User::name> == std::string("x");
  users.where(kept).list();
#endif
}

int main() {}
