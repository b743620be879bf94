// expect: quark: this model has a C array as a member
// within: 1
// Boost.PFR would count the elements.
#include <quark/model/fields.hpp>

#include <array>

#if defined(QUARK_MISTAKE) && !defined(QUARK_REFLECTION_PFR)
#error native takes it; only Boost.PFR has to say "quark: this model has a C array as a member"
#endif

struct Row {
  int id;
#ifdef QUARK_MISTAKE
  char code[8];
#else
  std::array<char, 8> code;
#endif
};

int main() { quark::reflect::check_model_shape<Row>(); }
