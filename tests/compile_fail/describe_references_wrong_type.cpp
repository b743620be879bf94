// expect: quark: references<&Other::key>\(&T::member\): the member must have the key
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
    return model(references<&Other::id>(&Row::b));
#else
    return model(references<&Other::id>(&Row::a));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
