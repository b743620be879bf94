// expect: quark: SQLite keeps a Decimal of more than 18 digits as text
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

using Wide = quark::Decimal<30, 2>;
struct User {
  std::int64_t id{};
  Wide wide;
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  users.everything().set(field<& User::wide> = field<&User::wide> + Wide::of("0.01")).update();
#else
  users.everything().set(field<& User::wide> = Wide::of("0.01")).update();
#endif
}

int main() {}
