// expect: quark: a name in the description is empty or contains a zero byte
// within: 1
// PostgreSQL ends a name at a zero byte (fault B15).
#include <quark/quark.hpp>

struct Row {
  int id{};
  int a{};
  std::string b;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(table(""));
#else
    return model(table("rows"));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
