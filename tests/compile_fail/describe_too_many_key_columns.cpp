// expect: quark: a key, index or reference has at most 8 columns
// within: 1
#include <quark/quark.hpp>

struct Row {
  int a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{}, i{};
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(index(&Row::a, &Row::b, &Row::c, &Row::d, &Row::e, &Row::f, &Row::g, &Row::h, &Row::i));
#else
    return model(index(&Row::a, &Row::b, &Row::c, &Row::d, &Row::e, &Row::f, &Row::g, &Row::h));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
