// expect: quark: key\(\.\.\.\) needs at least one member
// within: 1
#include <quark/quark.hpp>

struct Row {
  int id{};
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(quark::key<Row>());
#else
    return model(quark::key(&Row::id));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
