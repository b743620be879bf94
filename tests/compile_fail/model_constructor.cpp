// expect: quark: this model is not an aggregate
// within: 1
// With a constructor a struct can no longer be built from its members.
#include <quark/model/fields.hpp>

struct Row {
#ifdef QUARK_MISTAKE
  explicit Row(int i) : id(i) {}
#endif
  int id;
  int age = 0;
};

int main() { quark::reflect::check_model_shape<Row>(); }
