// expect: quark: this column's type has no order
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

enum class Colour : int { red = 1, green };
struct Shirt {
  std::int64_t id{};
  Colour named{};
  Colour valued{};
  quark::Json json{};
  static consteval auto orm() { return quark::model(quark::by_name(&Shirt::named)); }
};

using namespace quark;

void run(sqlite::Connection& db) {
#ifdef QUARK_MISTAKE
  For<Shirt>(db).order_by(desc<&Shirt::json>).list();
#else
  For<Shirt>(db).order_by(desc<&Shirt::valued>).list();
#endif
}

int main() {}
