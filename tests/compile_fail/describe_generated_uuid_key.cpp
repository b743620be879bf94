// expect: quark: only an integer key can be generated
// within: 1
#include <quark/quark.hpp>

struct Row {
#ifdef QUARK_MISTAKE
  quark::Uuid number;
#else
  long number{};
#endif
  std::string text;
  static consteval auto orm() {
    using namespace quark;
    return model(key(&Row::number), generated(&Row::number));
  }
};

void run() { (void)quark::create_table_sql<Row>(quark::Engine::sqlite); }

int main() {}
