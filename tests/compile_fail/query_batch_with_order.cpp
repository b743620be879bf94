// expect: quark: a write takes conditions, but no order, limit, offset or distinct
// within: 1
// An order would be left out without a word.
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct User {
  std::int64_t id{};
  int age{};
};

using namespace quark;

void run(sqlite::Connection& db, std::vector<User>& batch) {
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  users.order_by(desc<&User::age>).create_batch(batch);
#else
  users.create_batch(batch);
#endif
}

int main() {}
