// expect: quark::no_column_type_for<Row, .*"letter"
// within: 1
// char is a character, an 8-bit integer is signed char (fault B11).
#include <quark/quark.hpp>

struct Row {
  std::int64_t id{};
#ifdef QUARK_MISTAKE
  char letter{};
#else
  signed char letter{};
#endif
};

static_assert(quark::sql_text<quark::Engine::sqlite>(quark::For<Row>(quark::no_database)).size() >
              0);

int main() {}
