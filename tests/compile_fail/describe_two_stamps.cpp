// expect: quark: a model has at most one created_at
// within: 1
#include <quark/quark.hpp>

#include <chrono>

struct Row {
  int id{};
  std::chrono::sys_time<std::chrono::seconds> a, b;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(created_at(&Row::a), created_at(&Row::b));
#else
    return model(created_at(&Row::a), updated_at(&Row::b));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
