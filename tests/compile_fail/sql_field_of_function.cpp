// expect: quark: field<&T::member> needs a data member of the model itself
// within: 1
#include <quark/quark.hpp>

struct User {
  std::int64_t id{};
  int age{};
  int twice() const { return 2 * age; }
};

#ifdef QUARK_MISTAKE
constexpr auto column = quark::field<&User::twice>;
#else
constexpr auto column = quark::field<&User::age>;
#endif

int main() {}
