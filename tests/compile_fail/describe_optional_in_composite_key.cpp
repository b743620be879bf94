// expect: quark: a key can't be a std::optional
// within: 1
#include <quark/quark.hpp>

struct Row {
#ifdef QUARK_MISTAKE
  std::optional<int> number;
#else
  int number{};
#endif
  std::string text;
  static consteval auto orm() {
    using namespace quark;
    return model(key(&Row::number, &Row::text));
  }
};

void run() { (void)quark::create_table_sql<Row>(quark::Engine::sqlite); }

int main() {}
