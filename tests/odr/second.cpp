// The other unit; see units.hpp. `Local` has three columns here, and the same name as in the first.
#include "odr/units.hpp"

namespace {

struct Local {
  std::int64_t id{};
  double number{};
  std::string text;

  static consteval auto orm() { return quark::model(quark::table("second_rows")); }
};

}  // namespace

bool second_unit(quark::sqlite::Connection& db) {
  auto shared = quark::For<Shared>(db);
  Shared eve{.name = "eve"};
  Shared ada{.name = "ada"};
  shared.create(eve);
  shared.create(ada);

  quark::create_table<Local>(db);
  auto locals = quark::For<Local>(db);
  Local row{.number = 2.5, .text = "second"};
  locals.create(row);
  const auto found = locals.where(quark::field<&Local::text> == "second").list();
  return found.size() == 1 && found[0].number == 2.5 &&
         shared.where(quark::field<&Shared::name> == "ada").list().size() == 2;
}
