// expect: quark: this model has a bit-field or a reference as a member
// within: 1
// A reference has nothing of its own to read a value into.
#include <quark/model/fields.hpp>

#include <string>

struct Row {
  int id;
#ifdef QUARK_MISTAKE
  const std::string& name;
#else
  const std::string name;
#endif
};

int main() { quark::reflect::check_model_shape<Row>(); }
