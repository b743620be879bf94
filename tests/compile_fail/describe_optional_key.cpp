// expect: quark: a key can't be a std::optional
// within: 1
#include <quark/quark.hpp>

struct Row {
#ifdef QUARK_MISTAKE
  std::optional<std::int64_t> id;
#else
  std::int64_t id{};
#endif
  std::string text;
  static consteval auto orm() {
    using namespace quark;
    return model();
  }
};

void run() { (void)quark::create_table_sql<Row>(quark::Engine::sqlite); }

int main() {}
