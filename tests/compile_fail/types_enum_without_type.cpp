// expect: quark: an enumeration needs a fixed underlying integer type
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

enum class Letter : char { a = 1 };
enum class Number : int { one = 1 };

using namespace quark;

#ifdef QUARK_MISTAKE
struct Row {
  std::int64_t id{};
  Letter member{};
};
#else
struct Row {
  std::int64_t id{};
  Number member{};
};
#endif

void run(sqlite::Connection& db) { For<Row>(db).list(); }

int main() {}
