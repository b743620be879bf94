// expect: quark: this model has a bit-field or a reference as a member
// within: 1
// Values are read into members by address, which a bit-field has not.
#include <quark/model/fields.hpp>

struct Row {
  int id;
#ifdef QUARK_MISTAKE
  unsigned flags : 3;
#else
  unsigned flags;
#endif
};

int main() { quark::reflect::check_model_shape<Row>(); }
