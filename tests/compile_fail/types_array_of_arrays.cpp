// expect: quark::no_column_type_for<Matrix, .*"rows"
// within: 1
#include <quark/quark.hpp>

struct Row {
  std::int64_t id{};
  std::vector<std::int32_t> numbers;
};

struct Matrix {
  std::int64_t id{};
#ifdef QUARK_MISTAKE
  std::vector<std::vector<std::int32_t>> rows;
#else
  std::vector<std::int32_t> rows;
#endif
};

static_assert(quark::sql_text<quark::Engine::postgres>(quark::For<Matrix>(quark::no_database)).size() > 0);

int main() {}
