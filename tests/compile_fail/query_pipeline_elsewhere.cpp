// expect: quark: only PostgreSQL has pipelines: write the objects one by one, or by create_batch\(\)
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct User {
  std::int64_t id{};
  std::string name;
};

void run(quark::sqlite::Connection& db, User& user) {
  db.transaction([&](auto& tx) {
#ifdef QUARK_MISTAKE
    tx.pipeline([&](auto& p) { p.create(user); });
#else
    quark::For<User>(tx).create(user);
#endif
  });
}

int main() {}
