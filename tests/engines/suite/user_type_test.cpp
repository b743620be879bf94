// Types that a user adds with type_of: one whose wire form is self-contained, one whose wire form
// is text.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace user_types {

struct Celsius {
  double degrees{};
  bool operator==(const Celsius&) const = default;
};
struct Colour {
  int r{}, g{}, b{};
  bool operator==(const Colour&) const = default;
};

/// A strong id over such a type.
struct ColourId {
  Colour colour{};
  bool operator==(const ColourId&) const = default;
};
/// May be nothing, which is NULL.
struct Note {
  std::string text{};
  bool operator==(const Note&) const = default;
};

}  // namespace user_types

// Stored in whole thousandths.
template <>
struct quark::type_of<user_types::Celsius> {
  using wire = std::int32_t;
  static wire to_wire(const user_types::Celsius& c) { return static_cast<wire>(c.degrees * 1000); }
  static user_types::Celsius from_wire(wire w) {
    if (w < -273150) throw quark::ConversionError("colder than possible");
    return {w / 1000.0};
  }
};
// Stored as "r,g,b".
template <>
struct quark::type_of<user_types::Colour> {
  using wire = std::string;
  static wire to_wire(const user_types::Colour& c) {
    return std::to_string(c.r) + ',' + std::to_string(c.g) + ',' + std::to_string(c.b);
  }
  static user_types::Colour from_wire(const wire& text) {
    user_types::Colour c;
    char end = 0;
    if (std::sscanf(text.c_str(), "%d,%d,%d%c", &c.r, &c.g, &c.b, &end) != 3)
      throw quark::ConversionError("no colour");
    return c;
  }
};
template <>
struct quark::type_of<user_types::Note> {
  using wire = std::optional<std::string>;
  static wire to_wire(const user_types::Note& note) {
    return note.text.empty() ? std::nullopt : wire(note.text + std::string(100, '.'));
  }
  static user_types::Note from_wire(const wire& text) {
    return {text ? text->substr(0, text->size() - 100) : std::string()};
  }
};

namespace {

using namespace under_test;
using quark::asc;
using quark::field;
using quark::For;
using user_types::Celsius;
using user_types::Colour;
using user_types::ColourId;
using user_types::Note;

struct Lamp {
  std::int64_t id{};
  Celsius heat{};
  std::optional<Celsius> limit{};
  Colour colour{};
  std::optional<Colour> other{};
  friend bool operator==(const Lamp&, const Lamp&) = default;
};

const Lamp one{1, {21.5}, std::nullopt, {1, 2, 3}, std::nullopt};
const Lamp two{2, {-273.15}, Celsius{99}, {255, 255, 255}, Colour{0, 0, 0}};

Db two_lamps() {
  auto db = fresh();
  quark::create_table<Lamp>(db);
  For<Lamp>(db).create(one);
  std::vector<Lamp> batch{two};
  For<Lamp>(db).create_batch(batch);
  return db;
}

TEST(UserType, TravelsInItsWireForm) {
  auto db = two_lamps();
  EXPECT_EQ(raw_row(db, "select heat, colour, other from lamps where id = 1"), "21500|1,2,3|NULL");
  EXPECT_EQ(raw_row(db, "select heat, colour, other from lamps where id = 2"),
            "-273150|255,255,255|0,0,0");
  for (int again = 0; again < 2; ++again)
    EXPECT_EQ(For<Lamp>(db).order_by(asc<&Lamp::id>).list(), (std::vector{one, two}));
}

TEST(UserType, StandsInEveryPlaceOfAStatement) {
  auto db = two_lamps();
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(For<Lamp>(db).where(field<&Lamp::heat> == Celsius{21.5}).one().id, 1);
    EXPECT_EQ(For<Lamp>(db).where(field<&Lamp::heat> < Celsius{0}).one().id, 2);
    EXPECT_EQ(For<Lamp>(db).where(field<&Lamp::colour> == Colour{1, 2, 3}).one().id, 1);
    EXPECT_EQ(For<Lamp>(db).where(field<&Lamp::other> == Colour{0, 0, 0}).one().id, 2);
    EXPECT_EQ(For<Lamp>(db).where(field<&Lamp::other> == std::optional<Colour>{}).one().id, 1);
    EXPECT_EQ(For<Lamp>(db)
                  .where(field<&Lamp::colour>.in(std::vector{Colour{1, 2, 3}, Colour{9, 9, 9}}))
                  .one()
                  .id,
              1);
    EXPECT_EQ(For<Lamp>(db)
                  .where(field<&Lamp::colour>.in(Colour{1, 2, 3}, Colour{255, 255, 255}))
                  .count(),
              2);
    EXPECT_EQ(For<Lamp>(db).where(field<&Lamp::limit> == Celsius{99}).one().id, 2);
  }
  quark::Filter<Lamp> f;
  for (int i = 0; i < 3; ++i) f |= field<&Lamp::colour> == Colour{i, i + 1, i + 2};
  EXPECT_EQ(For<Lamp>(db).where(f).one().id, 1);
  const auto kept = [&] {
    return For<Lamp>(db).where(field<&Lamp::colour> == Colour{255, 255, 255});
  }();
  EXPECT_EQ(kept.one().id, 2);
}

TEST(UserType, IsUpdatedAndUpserted) {
  auto db = two_lamps();
  Lamp lamp = one;
  lamp.colour = {7, 7, 7};
  lamp.other = Colour{8, 8, 8};
  lamp.limit = Celsius{1};
  EXPECT_EQ(For<Lamp>(db).update(lamp), 1u);
  EXPECT_EQ(For<Lamp>(db).get(1), lamp);
  lamp.colour = {6, 6, 6};
  EXPECT_EQ((For<Lamp>(db).update<&Lamp::colour>(lamp)), 1u);
  EXPECT_EQ(For<Lamp>(db)
                .where(field<&Lamp::id> == 1)
                .set(field<& Lamp::other> = Colour{5, 5, 5}, field<& Lamp::heat> = Celsius{3})
                .update(),
            1u);
  EXPECT_EQ(raw_row(db, "select heat, colour, other from lamps where id = 1"), "3000|6,6,6|5,5,5");
  lamp.other.reset();
  For<Lamp>(db).upsert(lamp);
  EXPECT_EQ(For<Lamp>(db).get(1), lamp);
  EXPECT_EQ((For<Lamp>(db).order_by(asc<&Lamp::id>).pluck<&Lamp::colour>()),
            (std::vector{Colour{6, 6, 6}, Colour{255, 255, 255}}));
  EXPECT_EQ(For<Lamp>(db).remove(lamp), 1u);
}

TEST(UserType, ARefusalNamesTheColumn) {
  auto db = two_lamps();
  raw(db, "update lamps set colour = 'red' where id = 1");
  const auto colour = error_of<quark::ConversionError>([&] { (void)For<Lamp>(db).find(1); });
  EXPECT_EQ(colour.column(), "colour");
  EXPECT_EQ(colour.table(), "lamps");
  EXPECT_NE(std::string_view(colour.what()).find("no colour"), std::string_view::npos);
  raw(db, "update lamps set heat = -300000 where id = 2");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)For<Lamp>(db).find(2); }).column(),
            "heat");
  EXPECT_EQ(For<Lamp>(db).count(), 2);
}

struct Paint {
  Colour colour{};
  int litres{};
  static consteval auto orm() {
    return quark::model(quark::key(&Paint::colour), quark::size(&Paint::colour, 20));
  }
};

TEST(UserType, IsAKey) {
  auto db = fresh();
  quark::create_table<Paint>(db);
  For<Paint>(db).create(Paint{{1, 2, 3}, 4});
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(For<Paint>(db).get(Colour{1, 2, 3}).litres, 4);
    EXPECT_FALSE(For<Paint>(db).find(Colour{3, 2, 1}));
  }
  EXPECT_EQ(For<Paint>(db).update(Paint{{1, 2, 3}, 5}), 1u);
  EXPECT_EQ(For<Paint>(db).remove_by_key(Colour{3, 2, 1}), 0u);
  EXPECT_EQ(For<Paint>(db).remove_by_key(Colour{1, 2, 3}), 1u);
}

struct Pigment {
  ColourId id{};
  std::optional<ColourId> base{};
  Note note{};
  friend bool operator==(const Pigment&, const Pigment&) = default;
  static consteval auto orm() {
    return quark::model(quark::key(&Pigment::id), quark::size(&Pigment::id, 20));
  }
};

TEST(UserType, MayBeInsideAStrongIdAndMayBeNull) {
  auto db = fresh();
  quark::create_table<Pigment>(db);
  const auto pigments = For<Pigment>(db);
  const Pigment red{{{255, 0, 0}}, std::nullopt, {}};
  const Pigment pink{{{255, 99, 99}}, ColourId{{255, 0, 0}}, {"mixed"}};
  pigments.create(red);
  std::vector<Pigment> batch{pink};
  pigments.create_batch(batch);
  EXPECT_EQ(raw_cell(db, "select count(*) from pigments where note is null"), "1");
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(pigments.get(ColourId{{255, 0, 0}}), red);
    EXPECT_EQ(pigments.find(pink.id), pink);
    EXPECT_EQ(pigments.where(field<&Pigment::id> == pink.id).one(), pink);
    EXPECT_EQ(pigments.where(field<&Pigment::base> == red.id).one(), pink);
    EXPECT_EQ(pigments.where(field<&Pigment::base> == std::optional(red.id)).one(), pink);
    EXPECT_EQ(pigments.where(field<&Pigment::id>.in(red.id, pink.id)).count(), 2);
    EXPECT_EQ(pigments.where(field<&Pigment::id>.in(std::vector{red.id})).one(), red);
    EXPECT_EQ(pigments.where(field<&Pigment::note> == Note{"mixed"}).one(), pink);
    EXPECT_EQ(pigments.where(field<&Pigment::note> == Note{}).one(), red);
    EXPECT_EQ(pigments.where(field<&Pigment::note> != Note{}).one(), pink);
    quark::Filter<Pigment> f = field<&Pigment::base> == red.id;
    EXPECT_EQ(pigments.where(f).one(), pink);
  }
  EXPECT_EQ(pigments.update(pink), 1u);
  EXPECT_EQ(pigments.where(field<&Pigment::id> == red.id)
                .set(field<& Pigment::base> = pink.id, field<& Pigment::note> = Note{"x"})
                .update(),
            1u);
  EXPECT_EQ(pigments.get(red.id), (Pigment{red.id, pink.id, {"x"}}));
  EXPECT_EQ(pigments.everything().set(field<& Pigment::note> = Note{}).update(), 2u);
  EXPECT_EQ(raw_cell(db, "select count(*) from pigments where note is null"), "2");
  Pigment changed = red;
  pigments.upsert(changed);
  EXPECT_EQ(pigments.remove_by_key(red.id), 1u);
  EXPECT_EQ(pigments.remove(pink), 1u);
}

}  // namespace
