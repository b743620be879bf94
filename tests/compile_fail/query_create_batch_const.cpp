// expect: quark: create_batch\(rows\) takes a range of T that it can write keys into
// errors: 1
// Made keys are written into the rows.
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
  const std::vector<User> rows(3);
  users.create_batch(rows);
#else
  std::vector<User> rows(3);
  users.create_batch(rows);
#endif
}

int main() {}
