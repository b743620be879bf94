// expect: quark: no enumerator of this enumeration was found
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

enum class Empty : int {};
enum class Number : int { one = 1 };

using namespace quark;

#ifdef QUARK_MISTAKE
struct Row {
  std::int64_t id{};
  Empty member{};
};
#else
struct Row {
  std::int64_t id{};
  Number member{};
};
#endif

void run(sqlite::Connection& db) { For<Row>(db).list(); }

int main() {}
