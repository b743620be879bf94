// expect: quark::no_column_type_for<Row, .*"text"
// within: 1
#include <quark/quark.hpp>

struct Row {
  std::int64_t id{};
#ifdef QUARK_MISTAKE
  const char* text{};
#else
  std::string text{};
#endif
};

static_assert(quark::sql_text<quark::Engine::sqlite>(quark::For<Row>(quark::no_database)).size() >
              0);

int main() {}
