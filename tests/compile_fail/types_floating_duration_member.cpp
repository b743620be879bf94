// expect: quark: a duration needs an integer rep
// within: 1
#include <quark/quark.hpp>

#include <chrono>

struct Row {
  std::int64_t id{};
#ifdef QUARK_MISTAKE
  std::chrono::duration<double> span{};
#else
  std::chrono::duration<int> span{};
#endif
};

static_assert(quark::sql_text<quark::Engine::sqlite>(quark::For<Row>(quark::no_database)).size() >
              0);

int main() {}
