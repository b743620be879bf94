// expect: quark: a key, index or reference names a member twice
// within: 1
#include <quark/quark.hpp>

struct Row {
  int id{};
  int a{};
  std::string b;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(key(&Row::a, &Row::a));
#else
    return model(key(&Row::a, &Row::id));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
