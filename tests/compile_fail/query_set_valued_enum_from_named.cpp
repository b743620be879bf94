// expect: quark: the expression has another type than the column it is assigned to
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

enum class Colour : int { red = 1, green };
struct Shirt {
  std::int64_t id{};
  Colour named{};
  Colour also_named{};
  Colour valued{};
  static consteval auto orm() {
    return quark::model(quark::by_name(&Shirt::named), quark::by_name(&Shirt::also_named));
  }
};

using namespace quark;

void run(sqlite::Connection& db) {
#ifdef QUARK_MISTAKE
  For<Shirt>(db).everything().set(field<& Shirt::valued> = field<&Shirt::named>).update();
#else
  For<Shirt>(db).everything().set(field<& Shirt::also_named> = field<&Shirt::named>).update();
#endif
}

int main() {}
