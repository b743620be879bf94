// expect: quark: two members of the model have one column name
// within: 1
#include <quark/quark.hpp>

struct Row {
  int id{};
  int a{};
  std::string b;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(rename(&Row::a, "b"));
#else
    return model(rename(&Row::a, "c"));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
