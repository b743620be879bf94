// expect: quark: size\(&T::member, n\) needs a member that is stored as text or bytes
// within: 1
#include <quark/quark.hpp>

struct Row {
#ifdef QUARK_MISTAKE
  quark::Uuid number;
#else
  std::string number;
#endif
  std::string text;
  static consteval auto orm() {
    using namespace quark;
    return model(size(&Row::number, 16));
  }
};

void run() { (void)quark::create_table_sql<Row>(quark::Engine::sqlite); }

int main() {}
