// expect: quark: the members of this model cannot be counted.*it is a reference
// within: 1
// A reference has nothing of its own to read a value into.
#include <quark/model/fields.hpp>

struct Row {
  int id;
#ifdef QUARK_MISTAKE
  int& age;
#else
  int age;
#endif
};

int main() { quark::reflect::check_model_shape<Row>(); }
