// expect: quark: created_at and updated_at need a std::chrono::sys_time
// within: 1
#include <quark/quark.hpp>

struct Row {
  int id{};
  int a{};
  std::string b;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(created_at(&Row::a));
#else
    return model(index(&Row::a));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
