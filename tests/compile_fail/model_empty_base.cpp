// expect: quark: this model has a base class, which Boost.PFR cannot see past
// within: 1
// only: pfr
// Boost.PFR stops at bases, also at empty ones; native takes it.
#include <quark/model/fields.hpp>

template <class T>
struct Comparable {};
#ifdef QUARK_MISTAKE
struct Row : Comparable<Row> {
#else
struct Row {
#endif
  int id;
};

int main() { quark::reflect::check_model_shape<Row>(); }
