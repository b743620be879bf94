// expect: quark: in\(\) doesn.t take arrays
// within: 1
#include <quark/quark.hpp>

struct Row {
  std::int64_t id{};
  std::vector<std::int32_t> numbers;
};

void condition(const std::vector<std::vector<std::int32_t>>& some) {
#ifdef QUARK_MISTAKE
  (void)quark::field<&Row::numbers>.in(some);
#else
  (void)(quark::field<&Row::numbers> == some[0]);
#endif
}

int main() {}
