// expect: quark: references<...> names members of two structs
// within: 1
#include <quark/quark.hpp>

struct Other {
  int id{}, x{};
};
struct Third {
  int id{};
};
struct Row {
  int id{};
  int a{};
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(references<&Other::id, &Third::id>(&Row::id, &Row::a));
#else
    return model(references<&Other::id, &Other::x>(&Row::id, &Row::a));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
