// expect: quark: this model has no members of its own
// within: 1
// A table needs a column; static members are none.
#include <quark/model/fields.hpp>

struct Row {
  static constexpr int version = 1;
#ifndef QUARK_MISTAKE
  int id;
#endif
};

int main() { quark::reflect::check_model_shape<Row>(); }
