// expect: quark::no_column_type_for<Row, .*"geo"
// within: 1
#include <quark/quark.hpp>

struct Geo {
  double lat, lon;
};

struct Row {
  std::int64_t id{};
#ifdef QUARK_MISTAKE
  Geo geo;
#else
  quark::Uuid geo;
#endif
};

static_assert(quark::sql_text<quark::Engine::sqlite>(quark::For<Row>(quark::no_database)).size() >
              0);

int main() {}
