// expect: quark::no_column_type_for<Row, .*"twice"
// within: 1
#include <quark/quark.hpp>

struct Row {
  std::int64_t id{};
#ifdef QUARK_MISTAKE
  std::optional<std::optional<int>> twice;
#else
  std::optional<int> twice;
#endif
};

static_assert(quark::sql_text<quark::Engine::sqlite>(quark::For<Row>(quark::no_database)).size() >
              0);

int main() {}
