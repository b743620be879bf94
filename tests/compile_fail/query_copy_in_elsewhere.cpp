// expect: quark: only PostgreSQL has COPY: create_batch\(\) writes many rows on every engine
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct User {
  std::int64_t id{};
  std::string name;
};

void run(quark::sqlite::Connection& db, std::vector<User>& users) {
#ifdef QUARK_MISTAKE
  quark::copy_in(db, users);
#else
  quark::For<User>(db).create_batch(users);
#endif
}

int main() {}
