// expect: quark: this model is not an aggregate
// within: 1
// A union holds one of its members, not a row of them.
#include <quark/model/fields.hpp>

#ifdef QUARK_MISTAKE
union Row {
#else
struct Row {
#endif
  int id;
  float age;
};

int main() { quark::reflect::check_model_shape<Row>(); }
