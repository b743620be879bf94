// expect: quark: this column.s type has no such comparison
// within: 1
#include <quark/quark.hpp>

struct Row {
  std::int64_t id{};
  std::vector<std::int32_t> numbers;
};

static_assert(quark::sql_text<quark::Engine::postgres>(quark::For<Row>(quark::no_database)).size() > 0);

void condition(const std::vector<std::int32_t>& numbers) {
#ifdef QUARK_MISTAKE
  (void)(quark::field<&Row::numbers> < numbers);
#else
  (void)(quark::field<&Row::numbers> == numbers);
#endif
}

int main() {}
