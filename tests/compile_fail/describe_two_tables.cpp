// expect: quark: the description gives two table names
// within: 1
#include <quark/quark.hpp>

struct Row {
  int id{};
  int a{};
  std::string b;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(table("a"), table("b"));
#else
    return model(table("a"));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
