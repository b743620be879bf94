// expect: quark: times are stored to the microsecond
// errors: 1
#include <quark/quark.hpp>

#include <chrono>

struct Row {
  std::int64_t id{};
#ifdef QUARK_MISTAKE
  std::chrono::sys_time<std::chrono::nanoseconds> at;
#else
  std::chrono::sys_time<std::chrono::microseconds> at;
#endif
};

static_assert(quark::sql_text<quark::Engine::sqlite>(quark::For<Row>(quark::no_database)).size() >
              0);

int main() {}
