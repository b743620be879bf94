// expect: quark: this column's type has no such comparison
// within: 1
// Names have no order but the alphabet's.
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

enum class Rank { low, high };
struct User {
  std::int64_t id{};
  Rank rank{};
  static consteval auto orm() { return quark::model(quark::by_name(&User::rank)); }
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto users = For<User>(db);
#ifdef QUARK_MISTAKE
  users.where(field<&User::rank> < Rank::high).list();
#else
  users.where(field<&User::rank> != Rank::high).list();
#endif
}

int main() {}
