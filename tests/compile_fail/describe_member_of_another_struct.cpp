// expect: quark: the description names a member of another struct
// within: 1
#include <quark/quark.hpp>

struct Other {
  int id{};
};
struct Row {
  int id{};
  int a{};
  std::string b;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(key(&Other::id));
#else
    return model(key(&Row::id));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
