// expect: quark: this model has a base class with members
// within: 1
// A struct that only inherits has no columns of its own.
#include <quark/model/fields.hpp>

struct Base {
  int id;
};
#ifdef QUARK_MISTAKE
struct Row : Base {};
#else
struct Row {
  Base id;
};
#endif

int main() { quark::reflect::check_model_shape<Row>(); }
