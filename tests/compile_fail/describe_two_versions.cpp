// expect: quark: a model has at most one version
// within: 1
#include <quark/quark.hpp>

struct Row {
  int id{};
  int a{};
  int b{};
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(version(&Row::a), version(&Row::b));
#else
    return model(version(&Row::a));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
