// expect: quark: default_value\(&T::member, v\).* of the member.s type
// within: 1
// Each engine writes such a literal in its own way.
#include <quark/quark.hpp>

struct Row {
  int id{};
  quark::Decimal<5, 2> a;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(default_value(&Row::a, "1.50"));
#else
    return model(type(&Row::a, "numeric"));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
