// One of two units; see units.hpp. `Local` has two columns here.
#include "odr/units.hpp"

namespace {

struct Local {
  std::int64_t id{};
  std::string text;

  static consteval auto orm() { return quark::model(quark::table("first_rows")); }
};

}  // namespace

bool first_unit(quark::sqlite::Connection& db) {
  auto shared = quark::For<Shared>(db);
  Shared ada{.name = "ada"};
  Shared bob{.name = "bob"};
  shared.create(ada);
  shared.create(bob);

  quark::create_table<Local>(db);
  auto locals = quark::For<Local>(db);
  Local row{.text = "first"};
  locals.create(row);
  const auto found = locals.where(quark::field<&Local::text> == "first").list();
  return found.size() == 1 && found[0].text == "first" &&
         shared.where(quark::field<&Shared::name> == "ada").list().size() == 1;
}
