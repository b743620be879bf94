// Programs that say `using namespace std` and `using namespace quark`: what they need has a name that is ours alone.
#include <quark/quark.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace std;
using namespace quark;

namespace {

struct Person {
  int64_t id{};
  string email;
  string name;
  int age{};
  static consteval auto orm() {
    return model(table("people"), unique(&Person::email), index(&Person::name), size(&Person::name, 40),
                 check("grown", "age > 17"), default_value(&Person::age, 18));
  }
};

constexpr auto people = For<Person>(no_database);

TEST(StdNames, StandBesideOurs) {
  EXPECT_EQ((upsert_text<Engine::sqlite, Person>(on_conflict<&Person::email>, do_update<&Person::name>)),
            (upsert_text<Engine::sqlite, Person>(on<&Person::email>, quark::set<&Person::name>)));
  Filter<Person> filter;
  filter |= field<&Person::age> > 3 && field<&Person::name>.contains("a");
  const string text =
      sql_text<Engine::sqlite>(people.where(filter).order_by(asc<&Person::name>, by<Person>("age")).limit(3));
  EXPECT_NE(text.find("LIMIT"), string::npos);
  EXPECT_EQ(create_table_sql<Person>(Engine::sqlite).size(), 2u);
}

}  // namespace
