// expect: quark: unique\(\.\.\.\) needs at least one member
// within: 1
#include <quark/quark.hpp>

struct Row {
  int id{};
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(quark::unique<Row>());
#else
    return model(quark::unique(&Row::id));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
