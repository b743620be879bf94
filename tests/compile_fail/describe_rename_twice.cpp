// expect: quark: the description says one thing .* twice of a member
// within: 1
#include <quark/quark.hpp>

struct Row {
  int id{};
  int a{};
  std::string b;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(rename(&Row::a, "x"), rename(&Row::a, "y"));
#else
    return model(rename(&Row::a, "x"));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
