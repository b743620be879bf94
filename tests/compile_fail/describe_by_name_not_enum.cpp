// expect: quark: by_name\(&T::member\) needs an enumeration
// within: 1
#include <quark/quark.hpp>

struct Row {
  int id{};
  int a{};
  std::string b;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(by_name(&Row::a));
#else
    return model(index(&Row::a));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
