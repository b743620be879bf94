// expect: quark: a pipeline's update\(x\) writes the new version or updated_at into x: it must be a variable
// within: 1
#include <quark/quark.hpp>
#include <quark/postgres.hpp>

struct User {
  std::int64_t id{};
  int version{};
  static consteval auto orm() { return quark::model(quark::version(&User::version)); }
};

void run(quark::postgres::Connection& db, User& user) {
#ifdef QUARK_MISTAKE
  const User& object = user;
#else
  User& object = user;
#endif
  db.pipeline([&](auto& p) { p.update(object); });
}

int main() {}
