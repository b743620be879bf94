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
    return model(updated_at(&Row::b));
#else
    return model(index(&Row::b));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
