// expect: quark: enum_label<E>::names must list each value once
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

enum class Mood : int { bad, good };
template <>
struct quark::enum_label<Mood> {
#ifdef QUARK_MISTAKE
  static constexpr quark::EnumName<Mood> names[] = {{Mood::bad, "same"}, {Mood::good, "same"}};
#else
  static constexpr quark::EnumName<Mood> names[] = {{Mood::bad, "bad"}, {Mood::good, "good"}};
#endif
};

using namespace quark;

#ifdef QUARK_MISTAKE
constexpr auto name = enum_name(Mood::good);
#else
constexpr auto name = enum_name(Mood::good);
#endif

int main() {}
