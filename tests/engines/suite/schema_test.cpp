// Tables from models: references in any order and in circles, constraints and indexes that hold,
// names of every kind.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

namespace {

using quark::asc;
using quark::field;
using quark::For;
using quark::IfExists;
using namespace under_test;

TEST(Schema, ReferredTablesComeFirstWhateverTheOrder) {
  auto db = fresh();
  quark::create_all<Account, User>(db);
  For<User>(db).create(User{1, "a", {}, 0, false});
  For<Account>(db).create(Account{.number = "1", .owner_id = 1});
  EXPECT_EQ(For<Account>(db).count(), 1);
}

TEST(Schema, ATableThatIsThereIsAnErrorUnlessSkipped) {
  auto db = fresh();
  quark::create_table<User>(db);
  For<User>(db).create(User{.name = "kept"});
  EXPECT_THROW(quark::create_table<User>(db), quark::SyntaxError);
  quark::create_table<User>(db, IfExists::skip);
  quark::create_all<User, Account>(db, IfExists::skip);
  quark::create_all<User, Account>(db, IfExists::skip);
  EXPECT_EQ(For<User>(db).count(), 1);
  EXPECT_EQ(For<Account>(db).count(), 0);
}

struct Short {
  std::int64_t id{};
  int b{};
  int c{};
  static consteval auto orm() {
    return quark::model(quark::table("a"), quark::index(&Short::b, &Short::c));
  }
};
struct Long {
  std::int64_t id{};
  int c{};
  static consteval auto orm() { return quark::model(quark::table("a_b"), quark::index(&Long::c)); }
};

TEST(Schema, AnIndexIsNotLeftOutBecauseAnotherTableHasOneOfItsName) {
  auto db = fresh();
  quark::create_table<Short>(db, IfExists::skip);
  quark::create_table<Short>(db, IfExists::skip);
  if (Can::name_indexes_per_table) {
    quark::create_table<Long>(db, IfExists::skip);
  } else {
    EXPECT_THROW(quark::create_table<Long>(db, IfExists::skip), quark::Misuse);
    EXPECT_THROW((quark::create_all<Short, Long>(db, IfExists::skip)), quark::Misuse);
    if (Can::roll_back_ddl) {
      EXPECT_THROW((void)For<Long>(db).count(), quark::SyntaxError);
    }
  }
}

TEST(Schema, AFailedCreateAllLeavesNothing) {
  auto db = fresh();
  quark::create_all<User, Account>(db);
  quark::drop_table<Account>(db);
  EXPECT_THROW((quark::create_all<Product, User>(db)), quark::SyntaxError);
  if (Can::roll_back_ddl) {
    EXPECT_THROW((void)For<Product>(db).count(), quark::SyntaxError);
  } else {
    EXPECT_EQ(For<Product>(db).count(), 0) << "it was made before the failure";
  }
  EXPECT_EQ(For<User>(db).count(), 0);
}

TEST(Schema, DropsATable) {
  auto db = fresh();
  quark::create_table<User>(db);
  For<User>(db).create(User{.name = "x"});
  quark::drop_table<User>(db);
  EXPECT_THROW((void)For<User>(db).count(), quark::SyntaxError);
  EXPECT_THROW(quark::drop_table<User>(db), quark::SyntaxError);
  quark::drop_table<User>(db, IfExists::skip);
  quark::create_table<User>(db);
  EXPECT_EQ(For<User>(db).count(), 0);
}

struct Node {
  std::int64_t id{};
  std::optional<std::int64_t> parent_id{};
  static consteval auto orm() {
    return quark::model(
        quark::references<&Node::id>(&Node::parent_id).on_delete(quark::ReferenceAction::cascade),
        quark::index(&Node::parent_id));
  }
};

TEST(B29, AModelThatRefersToItself) {
  auto db = fresh();
  quark::create_table<Node>(db);
  const auto nodes = For<Node>(db);
  nodes.create(Node{1, {}});
  nodes.create(Node{11, 1});
  nodes.create(Node{111, 11});
  nodes.create(Node{5, 5});
  EXPECT_THROW(nodes.create(Node{6, 7}), quark::ForeignKeyViolation);
  EXPECT_EQ(nodes.get(11).parent_id, 1);
  EXPECT_EQ(nodes.get(5).parent_id, 5);
  EXPECT_EQ(nodes.where(field<&Node::parent_id> == 1).one().id, 11);
  EXPECT_EQ(nodes.where(field<&Node::parent_id> == field<&Node::id>).one().id, 5);
  EXPECT_EQ(nodes.remove_by_key(1), 1u);
  EXPECT_EQ(raw_cell(db, "select count(*) from nodes"), "1") << "the children went with it";
  quark::drop_table<Node>(db);
}

struct Hen {
  std::int64_t id{};
  std::optional<std::int64_t> egg_id{};
};
struct Egg {
  std::int64_t id{};
  std::optional<std::int64_t> hen_id{};
};

}  // namespace

template <>
struct quark::describe<Hen> {
  static consteval auto orm() { return quark::model(quark::references<&Egg::id>(&Hen::egg_id)); }
};
template <>
struct quark::describe<Egg> {
  static consteval auto orm() { return quark::model(quark::references<&Hen::id>(&Egg::hen_id)); }
};

namespace {

TEST(B29, ModelsThatReferToEachOther) {
  auto db = fresh();
  quark::create_all<Hen, Egg>(db);
  Hen hen{1, {}};
  For<Hen>(db).create(hen);
  For<Egg>(db).create(Egg{2, 1});
  hen.egg_id = 2;
  EXPECT_EQ(For<Hen>(db).update(hen), 1u);
  EXPECT_THROW(For<Egg>(db).create(Egg{3, 9}), quark::ForeignKeyViolation);
  hen.egg_id = 9;
  EXPECT_THROW(For<Hen>(db).update(hen), quark::ForeignKeyViolation);
  hen.egg_id.reset();
  EXPECT_EQ(For<Hen>(db).update(hen), 1u);
  EXPECT_EQ(For<Egg>(db).everything().remove(), 1u);
  quark::drop_all<Egg, Hen>(db);
}

struct Meter {
  std::int64_t id{};
  std::string place{};
  int number{};
  std::optional<std::string> note{};
  static consteval auto orm() {
    return quark::model(quark::unique(&Meter::place, &Meter::number),
                        quark::size(&Meter::place, 20),
                        quark::index(&Meter::number).named("meters_by_number"),
                        quark::check("number_positive", "number > 0"),
                        quark::check("note_short", "length(note) < 5"));
  }
};

TEST(B29, TablesThatReferToEachOtherAreDroppedTogether) {
  auto db = fresh();
  for (int again = 0; again < 2; ++again) {
    quark::create_all<Hen, Egg>(db);
    For<Hen>(db).create(Hen{1, {}});
    For<Egg>(db).create(Egg{2, 1});
    EXPECT_EQ(For<Hen>(db).update(Hen{1, 2}), 1u);
    quark::drop_all<Egg, Hen>(db);
    EXPECT_THROW((void)For<Hen>(db).count(), quark::SyntaxError);
    EXPECT_THROW((void)For<Egg>(db).count(), quark::SyntaxError);
  }
  EXPECT_THROW((quark::drop_all<Egg, Hen>(db)), quark::SyntaxError);
  quark::drop_all<Egg, Hen>(db, IfExists::skip);
  // Referring tables go first, whatever the order; and all go or none.
  quark::create_all<User, Account, Product>(db);
  For<User>(db).create(User{1, "a", {}, 0, false});
  For<Account>(db).create(Account{.number = "1", .owner_id = 1});
  EXPECT_THROW(quark::drop_all<User>(db), quark::Error);
  if (Can::roll_back_ddl) {
    EXPECT_THROW((quark::drop_all<Product, User>(db)), quark::Error);
    EXPECT_EQ(For<Product>(db).count(), 0);
  }
  quark::drop_all<Product, User, Account>(db);
  EXPECT_THROW((void)For<User>(db).count(), quark::SyntaxError);
}

TEST(Schema, ConstraintsHold) {
  auto db = fresh();
  quark::create_table<Meter>(db);
  const auto meters = For<Meter>(db);
  meters.create(Meter{0, "a", 1, {}});
  meters.create(Meter{0, "a", 2, "1234"});
  meters.create(Meter{0, "b", 1, {}});
  const auto unique = error_of<quark::UniqueViolation>([&] {
    meters.create(Meter{0, "a", 2, {}});
  });
  if (Can::name_unique_columns) {
    EXPECT_EQ(unique.column(), "place, number");
  }
  EXPECT_EQ(unique.constraint(), "meters_place_number_key");
  EXPECT_EQ(error_of<quark::CheckViolation>([&] {
              meters.create(Meter{0, "c", 0, {}});
            }).constraint(),
            "number_positive");
  EXPECT_EQ(error_of<quark::CheckViolation>([&] {
              meters.create(Meter{0, "c", 1, "12345"});
            }).constraint(),
            "note_short");
  EXPECT_THROW(raw(db, "insert into meters (place, number) values (null, 1)"), RawError);
  EXPECT_EQ(meters.count(), 3);
  Meter again{0, "a", 1, "new"};
  meters.upsert(again, quark::on<&Meter::number, &Meter::place>);
  EXPECT_EQ(meters.count(), 3);
  raw(db, under_test::drop_index("meters_by_number", "meters"));
}

struct Ordered {
  std::int64_t group{};
  std::string select{};
  std::string mixed{};
  int blank{};
  std::string quote{};
  std::string tick{};
  std::optional<std::int64_t> accent{};
  static consteval auto orm() {
    return quark::model(
        quark::table("Order"), quark::key(&Ordered::group), quark::generated(&Ordered::group),
        quark::rename(&Ordered::mixed, "MixedCase"), quark::rename(&Ordered::blank, "space d"),
        quark::rename(&Ordered::quote, "quo\"te"), quark::rename(&Ordered::tick, "ti`ck"),
        quark::rename(&Ordered::accent, "\xC3\xADndice"),
        quark::unique(&Ordered::quote, &Ordered::tick), quark::size(&Ordered::quote, 20),
        quark::size(&Ordered::tick, 20), quark::index(&Ordered::blank),
        quark::references<&Ordered::group>(&Ordered::accent));
  }
};
struct Referring {
  std::int64_t id{};
  std::int64_t order{};
  static consteval auto orm() {
    return quark::model(quark::table("user"),
                        quark::references<&Ordered::group>(&Referring::order));
  }
};

TEST(B15, NamesAreTakenAsTheyAre) {
  auto db = fresh();
  quark::create_all<Referring, Ordered>(db);
  const auto orders = For<Ordered>(db);
  Ordered one{0, "s", "m", 1, "q", "t", {}};
  for (int again = 0; again < 2; ++again) {
    orders.create(one);
    std::vector<Ordered> batch{{0, "s", "m", 2, "q2", "t", one.group},
                               {0, "s", "m", 3, "q3", "t", {}}};
    orders.create_batch(batch);
    For<Referring>(db).create(Referring{.order = batch[0].group});
    EXPECT_EQ(orders.get(batch[0].group).accent, one.group);
    EXPECT_EQ(raw_cell(db, "select " + quoted("MixedCase") + " from " + quoted("Order") +
                               " where " + quoted("space d") + " = 3"),
              "m");
    EXPECT_EQ(orders.where(field<&Ordered::quote> == "q2" && field<&Ordered::mixed>.contains("m"))
                  .count(),
              1);
    EXPECT_EQ(orders.order_by(quark::desc<&Ordered::blank>, asc<&Ordered::select>).first()->blank,
              3);
    EXPECT_EQ(
        orders.order_by(quark::by<Ordered>("quo\"te", quark::Direction::descending)).first()->quote,
        "q3");
    EXPECT_EQ(orders.order_by(quark::by<Ordered>("space d")).pluck<&Ordered::blank>(),
              (std::vector<int>{1, 2, 3}));
    one.select = "changed";
    EXPECT_EQ(orders.update(one), 1u);
    Ordered same{0, "upserted", "m", 1, "q", "t", {}};
    orders.upsert(same, quark::on<&Ordered::quote, &Ordered::tick>, quark::set<&Ordered::select>);
    EXPECT_EQ(same.group, one.group);
    EXPECT_EQ(orders.where(field<&Ordered::blank> == 1)
                  .set(field<& Ordered::mixed> = field<&Ordered::select> + "!")
                  .update(),
              1u);
    EXPECT_EQ(orders.get(one.group).mixed, "upserted!");
    EXPECT_EQ((orders.max<&Ordered::blank>()), 3);
    EXPECT_THROW(orders.create(Ordered{0, "", "", 1, "q", "t", {}}), quark::UniqueViolation);
    EXPECT_THROW(orders.remove_by_key(batch[0].group), quark::ForeignKeyViolation);
    EXPECT_EQ(For<Referring>(db).everything().remove(), 1u);
    EXPECT_EQ(orders.where(field<&Ordered::accent>.is_not_null()).remove(), 1u);
    EXPECT_EQ(orders.everything().remove(), 2u);
    one.group = 0;
  }
  quark::drop_table<Referring>(db);
  quark::drop_table<Ordered>(db);
}

}  // namespace
