// expect: quark: this pointer names a member of another struct
// within: 1
// &Row::created is a pointer to a member of Base.
#include <quark/model/fields.hpp>

struct Base {
  int created;
};
#ifdef QUARK_MISTAKE
struct Row : Base {
  int id;
};
#else
struct Row {
  int created;
  int id;
};
#endif

constexpr auto position = quark::reflect::index_of<Row>(&Row::created);
static_assert(position == 0);
