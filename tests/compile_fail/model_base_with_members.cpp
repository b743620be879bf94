// expect: quark: this model has a base class with members
// within: 1
// Inherited members are not read, so that a row would be incomplete.
#include <quark/model/fields.hpp>

struct Base {
  int created;
};
#ifdef QUARK_MISTAKE
struct Row : Base {
#else
struct Row {
#endif
  int id;
};

int main() { quark::reflect::check_model_shape<Row>(); }
