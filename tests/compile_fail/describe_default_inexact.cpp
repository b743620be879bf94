// expect: quark: default_value\(&T::member, v\): the member can't hold that number exactly, or it isn't finite
// within: 1
#include <quark/quark.hpp>

#include <limits>

struct Row {
  int id{};
  float a{};
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(default_value(&Row::a, 0.1));
#else
    return model(default_value(&Row::a, 0.5));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
