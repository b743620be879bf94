// expect: quark: MySQL has no arrays: give the elements a table of their own
// within: 1
#include <quark/quark.hpp>

struct Row {
  std::int64_t id{};
  std::vector<std::int32_t> numbers;
};

#ifdef QUARK_MISTAKE
constexpr auto engine = quark::Engine::mysql;
#else
constexpr auto engine = quark::Engine::postgres;
#endif

static_assert(quark::sql_text<engine>(quark::For<Row>(quark::no_database)).size() > 0);

int main() {}
