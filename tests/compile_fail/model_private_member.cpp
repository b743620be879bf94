// expect: quark: this model is not an aggregate
// within: 1
// Private members cannot be read from outside.
#include <quark/model/fields.hpp>

class Row {
 public:
  int id;
  int age;
#ifdef QUARK_MISTAKE
 private:
  [[maybe_unused]] int secret = 0;
#endif
};

int main() { quark::reflect::check_model_shape<Row>(); }
