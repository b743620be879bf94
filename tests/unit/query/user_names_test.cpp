// A user's models have the names of the user's world: with `using namespace quark` none of ours may stand in their way.
#include <quark/quark.hpp>

#include <gtest/gtest.h>

struct Order { std::int64_t id{}; };
struct Table { std::int64_t id{}; };
struct Column { std::int64_t id{}; };
struct Index { std::int64_t id{}; };
struct Reference { std::int64_t id{}; };
struct Check { std::int64_t id{}; };
struct Action { std::int64_t id{}; };
struct Update { std::int64_t id{}; };
struct Node { std::int64_t id{}; };
struct Code { std::int64_t id{}; };
struct Field { std::int64_t id{}; };
struct Assignment { std::int64_t id{}; };
struct Limit { std::int64_t id{}; };
struct Shape { std::int64_t id{}; };
struct Writer { std::int64_t id{}; };
struct Literal { std::int64_t id{}; };
struct Text { std::int64_t id{}; };

using namespace quark;

namespace {

template <class Model>
void expect_usable(std::string_view table) {
  const auto query = For<Model>(no_database).where(field<&Model::id> > 1).order_by(desc<&Model::id>);
  EXPECT_NE(sql_text<Engine::sqlite>(query).find(table), std::string_view::npos);
}

TEST(UserNames, DontCollideWithOurs) {
  expect_usable<Order>("\"orders\"");
  expect_usable<Table>("\"tables\"");
  expect_usable<Column>("\"columns\"");
  expect_usable<Index>("\"indexes\"");
  expect_usable<Reference>("\"references\"");
  expect_usable<Check>("\"checks\"");
  expect_usable<Action>("\"actions\"");
  expect_usable<Update>("\"updates\"");
  expect_usable<Node>("\"nodes\"");
  expect_usable<Code>("\"codes\"");
  expect_usable<Field>("\"fields\"");
  expect_usable<Assignment>("\"assignments\"");
  expect_usable<Limit>("\"limits\"");
  expect_usable<Shape>("\"shapes\"");
  expect_usable<Writer>("\"writers\"");
  expect_usable<Literal>("\"literals\"");
  expect_usable<Text>("\"texts\"");
}

}  // namespace
