// expect: quark: SQLite has no arrays: give the elements a table of their own
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct Row {
  std::int64_t id{};
#ifdef QUARK_MISTAKE
  std::vector<std::int32_t> numbers;
#else
  std::vector<std::byte> numbers;
#endif
};

void work(quark::sqlite::Connection& db) {
  quark::For<Row>(db).create(Row{});
  quark::For<Row>(db).list();
}

int main() {}
