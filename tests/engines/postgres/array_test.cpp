// Arrays: there and back for elements of every type, what the server holds, and what is refused.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/random_seed.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

namespace {

using namespace under_test;
using namespace std::chrono_literals;
using quark::field;
using quark::For;
using Micros = std::chrono::sys_time<std::chrono::microseconds>;

enum class Level : std::int16_t { low = 1, high = 2 };

struct Code {
  std::string text;
  bool operator==(const Code&) const = default;
};

}  // namespace

// A type of the user's, whose wire form is made when it is sent.
template <>
struct quark::type_of<Code> {
  using wire = std::string;
  static std::string to_wire(const Code& code) { return "c-" + code.text; }
  static Code from_wire(const std::string& text) {
    if (!text.starts_with("c-")) throw quark::ConversionError("no code");
    return Code{text.substr(2)};
  }
};

namespace {

template <class T>
using List = std::vector<T>;

struct Everything {
  std::int64_t id{};
  List<std::int8_t> i8;
  List<std::uint8_t> u8;
  List<std::int16_t> i16;
  List<std::int32_t> i32;
  List<std::uint32_t> u32;
  List<std::int64_t> i64;
  List<std::uint64_t> u64;
  List<bool> flags;
  List<float> f32;
  List<double> f64;
  List<std::string> texts;
  List<std::vector<std::byte>> blobs;
  List<quark::Uuid> uuids;
  List<Micros> times;
  List<std::chrono::year_month_day> dates;
  List<std::chrono::milliseconds> spans;
  List<quark::Decimal<20, 4>> decimals;
  List<Level> levels;
  List<Code> codes;
  List<quark::Json> documents;
  List<std::optional<std::int32_t>> maybe_i32;
  List<std::optional<std::string>> maybe_text;
  std::optional<List<std::int64_t>> maybe_list;
};

struct Small {
  std::int64_t id{};
  List<std::int32_t> numbers{};
  std::optional<List<std::string>> tags{};
};

struct Narrow {
  std::int64_t id{};
  List<std::uint8_t> few{};
};

std::string cell(const Db& db, const std::string& column, const std::string& table = "smalls") {
  return raw_cell(db, "select " + column + " from " + table);
}

TEST(PostgresArrays, HaveTheTypesOfTheirElements) {
  auto db = fresh();
  quark::create_table<Everything>(db);
  const auto rows = raw(db,
                        "select a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull from pg_attribute a where "
                        "attrelid = 'everythings'::regclass and attnum > 1 order by attnum");
  const std::vector<std::string> types{
      "smallint[]", "smallint[]", "smallint[]", "integer[]", "bigint[]", "bigint[]", "numeric(20,0)[]", "boolean[]",
      "real[]", "double precision[]", "text[]", "bytea[]", "uuid[]", "timestamp with time zone[]", "date[]",
      "interval[]", "numeric(20,4)[]", "smallint[]", "text[]", "jsonb[]", "integer[]", "text[]", "bigint[]"};
  ASSERT_EQ(rows.size(), types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    EXPECT_EQ(rows[i][1], types[i]) << rows[i][0].value();
    EXPECT_EQ(rows[i][2], i + 1 < types.size() ? "1" : "0");
  }
  // What the column's type would let through and the member could not hold.
  quark::create_table<Narrow>(db);
  raw(db, "insert into narrows (few) values ('{}'), ('{0, 255}')");
  EXPECT_THROW(raw(db, "insert into narrows (few) values ('{1, 256}')"), RawError);
  EXPECT_THROW(raw(db, "insert into narrows (few) values ('{-1}')"), RawError);
}

TEST(PostgresArrays, WhatIsStoredIsWhatTheServerSays) {
  auto db = fresh();
  quark::create_table<Small>(db);
  const auto smalls = For<Small>(db);
  Small one{.numbers = {3, -1, 2}, .tags = List<std::string>{"a", "", "b,\"c\" {d} \\ NULL"}};
  smalls.create(one);
  EXPECT_EQ(cell(db, "array_to_string(numbers, '|')"), "3|-1|2");
  EXPECT_EQ(cell(db, "array_length(numbers, 1)"), "3");
  EXPECT_EQ(cell(db, "array_lower(numbers, 1)"), "1");
  EXPECT_EQ(cell(db, "cardinality(tags)"), "3");
  EXPECT_EQ(cell(db, "tags[3]"), "b,\"c\" {d} \\ NULL");
  EXPECT_EQ(smalls.one().numbers, one.numbers);
  EXPECT_EQ(smalls.one().tags, one.tags);
  one.numbers.clear();
  one.tags.reset();
  smalls.update(one);
  EXPECT_EQ(cell(db, "cardinality(numbers)"), "0");
  EXPECT_EQ(cell(db, "tags is null"), "1");
  EXPECT_TRUE(smalls.one().numbers.empty());
  EXPECT_FALSE(smalls.one().tags.has_value());
  one.tags.emplace();
  smalls.update(one);
  EXPECT_EQ(cell(db, "tags is null"), "0");
  EXPECT_TRUE(smalls.one().tags.has_value() && smalls.one().tags->empty());
}

TEST(PostgresArrays, InConditionsAssignmentsAndBatches) {
  auto db = fresh();
  quark::create_table<Small>(db);
  const auto smalls = For<Small>(db);
  List<Small> batch;
  for (int i = 0; i < 20; ++i) batch.push_back({.numbers = List<std::int32_t>(static_cast<std::size_t>(i), i), .tags = List<std::string>{"t"}});
  batch[3].tags.reset();
  smalls.create_batch(batch);
  EXPECT_EQ(batch[19].id, 20);
  EXPECT_EQ(raw_cell(db, "select count(*) from smalls where cardinality(numbers) = id - 1"), "20");
  const List<std::int32_t> twos{2, 2};
  EXPECT_EQ(smalls.where(field<&Small::numbers> == twos).one().id, 3);
  EXPECT_EQ(smalls.where(field<&Small::numbers> == List<std::int32_t>{}).one().id, 1);
  EXPECT_EQ(smalls.where(field<&Small::numbers> != twos).count(), 19);
  EXPECT_EQ(smalls.where(field<&Small::tags> == std::nullopt).one().id, 4);
  EXPECT_EQ(smalls.where(field<&Small::tags> == std::optional(List<std::string>{"t"})).count(), 19);
  EXPECT_EQ(smalls.where(field<&Small::tags> == std::optional<List<std::string>>()).count(), 1);
  // A kept filter owns its values.
  quark::Filter<Small> filter;
  {
    const List<std::string> gone{std::string(100, 'x'), "t"};
    filter = field<&Small::tags> == gone;
  }
  EXPECT_EQ(smalls.where(filter).count(), 0);
  EXPECT_EQ(smalls.where(field<&Small::id> == 5).set(field<&Small::tags> = List<std::string>{std::string(100, 'x'), "t"}).update(), 1u);
  EXPECT_EQ(smalls.where(filter).one().id, 5);
  EXPECT_EQ(smalls.where(field<&Small::id> == 5).set(field<&Small::numbers> = List<std::int32_t>{}).update(), 1u);
  EXPECT_EQ(raw_cell(db, "select cardinality(numbers) from smalls where id = 5"), "0");
  int seen = 0;
  smalls.each([&](const Small& small) { seen += static_cast<int>(small.numbers.size()); });
  EXPECT_EQ(seen, 190 - 4);
  EXPECT_EQ(smalls.where(field<&Small::id> == 3).pluck<&Small::numbers>().at(0), twos);
}

TEST(PostgresArrays, WhatTheMemberCanNotHoldIsRefused) {
  auto db = fresh();
  quark::create_table<Small>(db);
  const auto refused = [&](const std::string& value, std::string_view why) {
    raw(db, "delete from smalls");
    raw(db, "insert into smalls (numbers) values (" + value + ")");
    for (int again = 0; again < 2; ++again) {
      const auto error = error_of<quark::ConversionError>([&] { (void)For<Small>(db).list(); });
      EXPECT_NE(std::string_view(error.what()).find(why), std::string_view::npos) << error.what();
      EXPECT_EQ(error.table(), "smalls");
      EXPECT_EQ(error.column(), "numbers");
    }
  };
  refused("'{{1,2},{3,4}}'", "several dimensions");
  refused("'[0:1]={1,2}'", "first index is not 1");
  refused("'{1,NULL}'", "element 2: NULL");
  raw(db, "alter table smalls alter numbers type bigint[]");
  refused("'{1,99999999999}'", "element 2: the integer does not fit the member");
  raw(db, "alter table smalls alter numbers type text[] using '{}'");
  refused("'{1}'", "element 1: the member takes an integer");
  raw(db, "alter table smalls alter numbers type text");
  refused("'{1}'", "the member takes an array and the row has text");
  // And no array where the member is none.
  raw(db, "drop table smalls; create table smalls (id bigint[], numbers int[], tags text[]); insert into smalls values "
          "('{1}', '{}', '{}')");
  const auto error = error_of<quark::ConversionError>([&] { (void)For<Small>(db).list(); });
  EXPECT_NE(std::string_view(error.what()).find("takes an integer and the row has an array"), std::string_view::npos)
      << error.what();
}

TEST(PostgresArrays, WhatTheColumnCanNotHoldIsRefused) {
  const Shared shared;
  auto owner = shared.connect();
  quark::create_table<Small>(owner);
  for (const char* type : {"smallint[]", "text[]", "integer"}) {
    raw(owner, std::string("alter table smalls drop column numbers; alter table smalls add column numbers ") + type);
    auto db = shared.connect();
    for (int again = 0; again < 2; ++again) {
      const auto error = error_of<quark::ConversionError>(
          [&] { For<Small>(db).create(Small{.numbers = {1, 70000}, .tags = List<std::string>{"1"}}); });
      EXPECT_EQ(error.column(), "numbers") << type;
    }
    EXPECT_EQ(raw_cell(db, "select count(*) from smalls"), "0");
  }
  raw(owner, "alter table smalls drop column numbers; alter table smalls add column numbers bigint[]");
  auto db = shared.connect();
  For<Small>(db).create(Small{.numbers = {1, 70000}});
  const auto zero = error_of<quark::ConversionError>(
      [&] { For<Small>(db).create(Small{.tags = List<std::string>{std::string("a\0b", 3)}}); });
  EXPECT_EQ(zero.column(), "tags");
  EXPECT_EQ(raw_cell(db, "select count(*) from smalls"), "1");
}

TEST(PostgresArrays, EnumsAndDomainsOfTheDatabase) {
  auto db = fresh();
  raw(db, "create type colour as enum ('red', 'green')");
  raw(db, "create domain few as int[] check (cardinality(value) < 3)");
  raw(db, "create table smalls (id bigint generated by default as identity, numbers few, tags colour[])");
  const auto smalls = For<Small>(db);
  smalls.create(Small{.numbers = {1, 2}, .tags = List<std::string>{"red", "green", "red"}});
  EXPECT_EQ(smalls.one().tags->at(1), "green");
  EXPECT_EQ(smalls.one().numbers.size(), 2u);
  EXPECT_THROW(smalls.create(Small{.numbers = {1, 2, 3}}), quark::CheckViolation);
  EXPECT_THROW(smalls.create(Small{.tags = List<std::string>{"blue"}}), quark::ConversionError);
  EXPECT_EQ(smalls.where(field<&Small::tags> == List<std::string>{"red", "green", "red"}).count(), 1);
}

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  std::int64_t number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  template <class F>
  auto list(F&& make) {
    List<decltype(make())> out;
    const auto size = number(0, 3) == 0 ? number(0, 300) : number(0, 3);
    for (std::int64_t i = 0; i < size; ++i) out.push_back(make());
    return out;
  }
  template <class T>
  T integer() {
    const int kind = static_cast<int>(number(0, 4));
    if (kind == 0) return std::numeric_limits<T>::min();
    if (kind == 1) return std::numeric_limits<T>::max();
    return static_cast<T>(random_());
  }
  std::string text() {
    std::string out;
    for (auto size = number(0, 20); size > 0; --size) out += std::string_view("ab{}\",\\ \n'%_")[static_cast<std::size_t>(number(0, 11))];
    return out + (number(0, 3) == 0 ? "ä€😀" : "");
  }

 private:
  std::mt19937_64 random_;
};

TEST(PostgresArrays, RandomOnesComeBack) {
  SCOPED_TRACE(seed_text());
  Dice dice(random_seed());
  auto db = fresh();
  quark::create_table<Everything>(db);
  const auto all = For<Everything>(db);
  const auto bytes = [&] {
    std::vector<std::byte> out(static_cast<std::size_t>(dice.number(0, 9)));
    for (auto& b : out) b = static_cast<std::byte>(dice.number(0, 255));
    return out;
  };
  const auto uuid = [&] {
    quark::Uuid out;
    for (auto& b : out.bytes) b = static_cast<std::byte>(dice.number(0, 255));
    return out;
  };
  for (int round = 0; round < 60; ++round) {
    Everything e;
    e.i8 = dice.list([&] { return dice.integer<std::int8_t>(); });
    e.u8 = dice.list([&] { return dice.integer<std::uint8_t>(); });
    e.i16 = dice.list([&] { return dice.integer<std::int16_t>(); });
    e.i32 = dice.list([&] { return dice.integer<std::int32_t>(); });
    e.u32 = dice.list([&] { return dice.integer<std::uint32_t>(); });
    e.i64 = dice.list([&] { return dice.integer<std::int64_t>(); });
    e.u64 = dice.list([&] { return dice.integer<std::uint64_t>(); });
    e.flags = dice.list([&] { return dice.number(0, 1) == 1; });
    e.f32 = dice.list([&] { return static_cast<float>(dice.number(-1000000, 1000000)) / 64; });
    e.f64 = dice.list([&] { return dice.number(0, 9) == 0 ? HUGE_VAL : std::ldexp(static_cast<double>(dice.number(-999999, 999999)), static_cast<int>(dice.number(-900, 900))); });
    e.texts = dice.list([&] { return dice.text(); });
    e.blobs = dice.list(bytes);
    e.uuids = dice.list(uuid);
    e.times = dice.list([&] { return Micros(std::chrono::microseconds(dice.number(-99999999999999999, 99999999999999999))); });
    e.dates = dice.list([&] { return std::chrono::year_month_day(std::chrono::sys_days(std::chrono::days(dice.number(-700000, 2000000)))); });
    e.spans = dice.list([&] { return std::chrono::milliseconds(dice.number(-99999999999, 99999999999)); });
    e.decimals = dice.list([&] { return quark::Decimal<20, 4>::from_scaled(dice.number(-999999999999999999, 999999999999999999)).value(); });
    e.levels = dice.list([&] { return dice.number(0, 1) == 0 ? Level::low : Level::high; });
    e.codes = dice.list([&] { return Code{dice.text()}; });
    e.documents = dice.list([&] { return quark::Json::parse("[" + std::to_string(dice.number(0, 99)) + "]").value(); });
    e.maybe_i32 = dice.list([&]() -> std::optional<std::int32_t> { return dice.number(0, 1) == 0 ? std::nullopt : std::optional(dice.integer<std::int32_t>()); });
    e.maybe_text = dice.list([&]() -> std::optional<std::string> { return dice.number(0, 1) == 0 ? std::nullopt : std::optional(dice.text()); });
    if (dice.number(0, 1) == 0) e.maybe_list = dice.list([&] { return dice.integer<std::int64_t>(); });
    all.create(e);
    const Everything back = all.get(e.id);
    EXPECT_EQ(back.i8, e.i8);
    EXPECT_EQ(back.u8, e.u8);
    EXPECT_EQ(back.i16, e.i16);
    EXPECT_EQ(back.i32, e.i32);
    EXPECT_EQ(back.u32, e.u32);
    EXPECT_EQ(back.i64, e.i64);
    EXPECT_EQ(back.u64, e.u64);
    EXPECT_EQ(back.flags, e.flags);
    EXPECT_EQ(back.f32, e.f32);
    EXPECT_EQ(back.f64, e.f64);
    EXPECT_EQ(back.texts, e.texts);
    EXPECT_EQ(back.blobs, e.blobs);
    EXPECT_EQ(back.uuids, e.uuids);
    EXPECT_EQ(back.times, e.times);
    EXPECT_EQ(back.dates, e.dates);
    EXPECT_EQ(back.spans, e.spans);
    EXPECT_EQ(back.decimals, e.decimals);
    EXPECT_EQ(back.levels, e.levels);
    EXPECT_EQ(back.codes, e.codes);
    ASSERT_EQ(back.documents.size(), e.documents.size());
    for (std::size_t i = 0; i < e.documents.size(); ++i) EXPECT_EQ(back.documents[i].text(), e.documents[i].text());
    EXPECT_EQ(back.maybe_i32, e.maybe_i32);
    EXPECT_EQ(back.maybe_text, e.maybe_text);
    EXPECT_EQ(back.maybe_list, e.maybe_list);
    // And the server agrees on what they are.
    const std::string where = " from everythings where id = " + std::to_string(e.id);
    EXPECT_EQ(raw_cell(db, "select cardinality(texts)" + where), std::to_string(e.texts.size()));
    std::string numbers, nulls;
    for (const auto n : e.i64) numbers += (numbers.empty() ? "" : ",") + std::to_string(n);
    EXPECT_EQ(raw_cell(db, "select array_to_string(i64, ',')" + where), numbers);
    for (const auto& n : e.maybe_i32) nulls += (nulls.empty() ? "" : ",") + (n ? std::to_string(*n) : "-");
    EXPECT_EQ(raw_cell(db, "select array_to_string(maybe_i32, ',', '-')" + where), nulls);
    EXPECT_EQ(all.where(field<&Everything::texts> == e.texts && field<&Everything::id> == e.id).count(), 1);
    EXPECT_EQ(all.where(field<&Everything::u64> == e.u64 && field<&Everything::id> == e.id).count(), 1);
  }
}

}  // namespace
