// expect: quark: version\(&T::member\) needs an integer member
// within: 1
#include <quark/quark.hpp>

struct Row {
  int id{};
  int a{};
  std::string b;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(quark::version(&Row::b));
#else
    return model(quark::version(&Row::a));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
