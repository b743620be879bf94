// expect: quark: this model is not an aggregate
// within: 1
// A virtual function makes a struct more than its members.
#include <quark/model/fields.hpp>

struct Row {
#ifdef QUARK_MISTAKE
  virtual void save() {}
#endif
  int id;
  int age;
};

int main() { quark::reflect::check_model_shape<Row>(); }
