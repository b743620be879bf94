// expect: quark: this model has more than 4 base classes
// within: 1
// Bases are counted, to a limit.
#include <quark/model/fields.hpp>

template <int>
struct Tag {};
#ifdef QUARK_MISTAKE
struct Row : Tag<1>, Tag<2>, Tag<3>, Tag<4>, Tag<5> {
#else
struct Row {
#endif
  int id;
};

int main() { quark::reflect::check_model_shape<Row>(); }
