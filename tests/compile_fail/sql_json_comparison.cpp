// expect: quark: this column's type has no such comparison
// within: 1
// Engines disagree on when two JSON values are equal.
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

using quark::Json;
struct User {
  std::int64_t id{};
  Json data;
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  users.where(field<&User::data> == Json("1")).list();
#else
  users.where(field<&User::data>.is_not_null()).list();
#endif
}

int main() {}
