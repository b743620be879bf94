// expect: quark: this model has more than 64 members, the limit
// within: 1
// The limit is that of the generated table model/arity.hpp.
#include <quark/model/fields.hpp>

struct Row {
  int m00, m01, m02, m03, m04, m05, m06, m07, m08, m09, m10, m11, m12, m13, m14, m15;
  int m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31;
  int m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42, m43, m44, m45, m46, m47;
  int m48, m49, m50, m51, m52, m53, m54, m55, m56, m57, m58, m59, m60, m61, m62, m63;
#ifdef QUARK_MISTAKE
  int one_more;
#endif
};

int main() { quark::reflect::check_model_shape<Row>(); }
