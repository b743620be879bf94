// expect: quark: enum_range<E> must have min <= max
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

enum class Far : int { one = 1 };
#ifdef QUARK_MISTAKE
template <>
struct quark::enum_range<Far> {
  static constexpr int min = 9, max = 1;
};
#endif

using namespace quark;

#ifdef QUARK_MISTAKE
constexpr auto name = enum_name(Far::one);
#else
constexpr auto name = enum_name(Far::one);
#endif

int main() {}
