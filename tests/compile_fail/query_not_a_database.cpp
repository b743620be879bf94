// expect: quark: For<T>\(db\) takes a connection or a transaction
// errors: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct User {
  std::int64_t id{};
  std::string name;
  std::optional<std::string> email;
  int age{};
  bool active{};
};

void run(quark::sqlite::Connection& db) {
#ifdef QUARK_MISTAKE
  int number = 0;
  quark::For<User>(number);
  (void)db;
#else
  quark::For<User>(db);
#endif
}

int main() {}
