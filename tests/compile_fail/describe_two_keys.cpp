// expect: quark: the description gives two keys; a composite key is key
// within: 1
#include <quark/quark.hpp>

struct Row {
  int id{};
  int a{};
  std::string b;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(key(&Row::id), key(&Row::a));
#else
    return model(key(&Row::id, &Row::a));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
