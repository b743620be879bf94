// expect: quark: a class template needs its table's name
// within: 1
// Box<int> and Box<long> would share a table.
#include <quark/quark.hpp>

template <class T>
struct Box {
  int id{};
  T value{};
#ifndef QUARK_MISTAKE
  static consteval auto orm() { return quark::model(quark::table("boxes")); }
#endif
};

static_assert(quark::table_of<Box<int>>.count > 0);

int main() {}
