// expect: quark: Decimal<P, S> holds P = 1 to 38 digits
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>


using namespace quark;

#ifdef QUARK_MISTAKE
Decimal<39, 2> number;
#else
Decimal<38, 2> number;
#endif

int main() {}
