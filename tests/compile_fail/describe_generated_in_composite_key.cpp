// expect: quark: a column of a composite key can't be generated
// within: 1
#include <quark/quark.hpp>

struct Row {
  int id{};
  int a{};
  std::string b;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(key(&Row::id, &Row::a), generated(&Row::a));
#else
    return model(key(&Row::id, &Row::a));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
