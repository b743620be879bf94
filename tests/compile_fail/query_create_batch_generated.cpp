// expect: quark: create_batch\(\) can't read back generated\(\.\.\.\) columns
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct User {
  std::int64_t id{};
  std::string name;
  int words{};
#ifdef QUARK_MISTAKE
  static consteval auto orm() { return quark::model(quark::generated(&User::words)); }
#endif
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  std::vector<User> rows(2);
  users.create_batch(rows);
#else
  std::vector<User> rows(2);
  users.create_batch(rows);
#endif
}

int main() {}
