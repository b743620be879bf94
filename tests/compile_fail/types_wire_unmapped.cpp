// expect: quark: type_of<T>::wire must be a type that Quark maps itself
// errors: 1
#include <quark/quark.hpp>

struct Colour {
  int red, green;
};
template <>
struct quark::type_of<Colour> {
#ifdef QUARK_MISTAKE
  using wire = char;
#else
  using wire = int;
#endif
  static wire to_wire(const Colour& c) { return static_cast<wire>(c.red); }
  static Colour from_wire(wire red) { return {red, 0}; }
};
struct Row {
  std::int64_t id{};
  Colour colour{};
};

static_assert(quark::sql_text<quark::Engine::sqlite>(quark::For<Row>(quark::no_database)).size() >
              0);

int main() {}
