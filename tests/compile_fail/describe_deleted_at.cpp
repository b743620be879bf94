// expect: quark: deleted_at\(...\) is not implemented yet
// within: 1
// Silently ignored, rows would be lost.
#include <quark/quark.hpp>

#include <chrono>

struct Row {
  int id{};
  std::optional<std::chrono::sys_time<std::chrono::seconds>> gone;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model(deleted_at(&Row::gone));
#else
    return model(updated_at(&Row::gone));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
