// expect: quark: Decimal<P, S> has S = 0 to P places after the point\.
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>


using namespace quark;

#ifdef QUARK_MISTAKE
Decimal<4, 5> number;
#else
Decimal<4, 4> number;
#endif

int main() {}
