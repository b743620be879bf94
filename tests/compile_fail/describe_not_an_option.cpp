// expect: quark: model\(...\) takes options such as table
// within: 1
#include <quark/quark.hpp>

struct Row {
  int id{};
  int a{};
  std::string b;
  static consteval auto orm() {
    using namespace quark;
#ifdef QUARK_MISTAKE
    return model("rows");
#else
    return model(table("rows"));
#endif
  }
};

static_assert(quark::table_of<Row>.count > 0);

int main() {}
