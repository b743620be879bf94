// expect: quark: this model has a C array as a member
// within: 1
// only: pfr
// Boost.PFR would count the elements; native takes it.
#include <quark/model/fields.hpp>

#include <array>

struct Row {
  int id;
#ifdef QUARK_MISTAKE
  char code[8];
#else
  std::array<char, 8> code;
#endif
};

int main() { quark::reflect::check_model_shape<Row>(); }
