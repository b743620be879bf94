// expect: quark::no_column_type_for<Row, .*"at"
// within: 1
// A steady clock means nothing to another process.
#include <quark/quark.hpp>

#include <chrono>

struct Row {
  std::int64_t id{};
#ifdef QUARK_MISTAKE
  std::chrono::steady_clock::time_point at;
#else
  std::chrono::system_clock::duration::rep at{};
#endif
};

static_assert(quark::sql_text<quark::Engine::sqlite>(quark::For<Row>(quark::no_database)).size() >
              0);

int main() {}
