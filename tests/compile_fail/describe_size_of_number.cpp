// expect: quark: size\(&T::member, n\) needs a member of text or bytes
// within: 1
// It would be ignored.
#include <quark/quark.hpp>

struct Row {
  int id{};
  int a{};
  std::string b;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(size(&Row::a, 4));
#else
    return model(size(&Row::b, 4));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
