// expect: quark: this model has a base class, which Boost.PFR cannot see past
// within: 1
// Boost.PFR stops at bases, also at empty ones.
#include <quark/model/fields.hpp>

#if defined(QUARK_MISTAKE) && !defined(QUARK_REFLECTION_PFR)
#error native takes it; only Boost.PFR: "quark: this model has a base class, which Boost.PFR cannot see past"
#endif

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
