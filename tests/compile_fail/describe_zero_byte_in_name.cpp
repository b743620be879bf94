// expect: quark: a name in the description is empty or contains a zero byte
// within: 1
#include <quark/quark.hpp>

struct Row {
  int id{};
  int a{};
  std::string b;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(rename(&Row::a, std::string_view("a\0b", 3)));
#else
    return model(rename(&Row::a, "ab"));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
