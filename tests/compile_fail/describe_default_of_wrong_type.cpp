// expect: quark: default_value\(&T::member, v\).* of the member.s type
// within: 1
#include <quark/quark.hpp>

struct Row {
  int id{};
  int a{};
  std::string b;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(default_value(&Row::a, "1"));
#else
    return model(default_value(&Row::a, 1));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
