// expect: anonymous union
// within: 1
// The members of an anonymous union share their place. The compiler says so itself, before we can.
#include <quark/model/fields.hpp>

struct Row {
  int id;
#ifdef QUARK_MISTAKE
  union {
    int number;
    float fraction;
  };
#else
  int number;
#endif
};

int main() { quark::reflect::check_model_shape<Row>(); }
