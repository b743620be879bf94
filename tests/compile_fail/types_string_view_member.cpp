// expect: quark::no_column_type_for<Row, .*"view"
// within: 1
// It would outlive the row that it points into (fault B44).
#include <quark/quark.hpp>

struct Row {
  std::int64_t id{};
#ifdef QUARK_MISTAKE
  std::string_view view;
#else
  std::string view;
#endif
};

static_assert(quark::sql_text<quark::Engine::sqlite>(quark::For<Row>(quark::no_database)).size() >
              0);

int main() {}
