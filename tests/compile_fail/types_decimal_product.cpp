// expect: quark: the exact product of these Decimals can have more than 38 digits
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>


using namespace quark;

#ifdef QUARK_MISTAKE
const auto product = Decimal<30, 2>(2) * Decimal<20, 2>(3);
#else
const auto product = Decimal<18, 2>(2) * Decimal<20, 2>(3);
#endif

int main() {}
