// table_of<T> without any description: names, key, columns; and what find() answers.
#include <quark/model/model.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace app {

struct BlogPost {
  std::int64_t id{};
  std::string title;
  std::optional<int> stars;
};
static_assert(quark::table_of<BlogPost>.name == "blog_posts");
static_assert(quark::table_of<BlogPost>.count == 3);
static_assert(quark::table_of<BlogPost>[0].name == "id");
static_assert(quark::table_of<BlogPost>[1].member == "title");
static_assert(quark::table_of<BlogPost>[2].name == "stars");
static_assert(quark::table_of<BlogPost>.key.count == 1 &&
              quark::table_of<BlogPost>.key.columns[0] == 0);
static_assert(quark::table_of<BlogPost>.generated_key);
static_assert(quark::table_of<BlogPost>[0].key && !quark::table_of<BlogPost>[1].key);
static_assert(quark::table_of<BlogPost>.version == quark::no_column);
static_assert(quark::table_of<BlogPost>.created_at == quark::no_column);
static_assert(quark::table_of<BlogPost>.updated_at == quark::no_column);
static_assert(quark::table_of<BlogPost>.reference_count == 0 &&
              quark::table_of<BlogPost>.index_count == 0);

// The key is the member `id`, wherever it stands; an integer one is made by the database (fault
// B26).
struct Last {
  std::string name;
  int id{};
};
static_assert(quark::table_of<Last>.key.columns[0] == 1 && quark::table_of<Last>.generated_key);

struct Strong {
  std::int64_t value{};
};
struct StrongId {
  Strong id;
};
static_assert(quark::table_of<StrongId>.generated_key);

struct TextKey {
  std::string id;
  int x{};
};
static_assert(quark::table_of<TextKey>.key.count == 1 && !quark::table_of<TextKey>.generated_key);

struct BoolKey {
  bool id{};
};
static_assert(!quark::table_of<BoolKey>.generated_key);

struct StrongText {
  std::string value;
};
struct StrongTextKey {
  StrongText id;
};
static_assert(!quark::table_of<StrongTextKey>.generated_key);

struct Keyless {
  std::string Id;  // not `id`
  int ID{};
};
static_assert(quark::table_of<Keyless>.key.count == 0 && !quark::table_of<Keyless>.generated_key);

template <class T>
struct Sample {
  std::int64_t id{};
  T value{};
  static consteval auto orm() { return quark::model(quark::table("samples_of_it")); }
};
static_assert(quark::table_of<Sample<int>>.name == "samples_of_it");
static_assert(quark::table_of<Sample<std::string>>[1].name == "value");

}  // namespace app

namespace {

struct Local {
  int id{};
};
static_assert(quark::table_of<Local>.name == "locals");

TEST(Table, OfAFunctionLocalModel) {
  struct Reading {
    std::int64_t id{};
    double celsius{};
  };
  static_assert(quark::table_of<Reading>.name == "readings");
  EXPECT_EQ(quark::table_of<Reading>[1].name, "celsius");
}

struct Renamed {
  int id{};
  std::string first;
  std::string second;
  static consteval auto orm() {
    return quark::model(quark::rename(&Renamed::first, "second_"),
                        quark::rename(&Renamed::second, "third"));
  }
};

TEST(Table, FindsByColumnNameThenByMember) {
  constexpr const quark::meta::Table& t = quark::table_of<Renamed>;
  EXPECT_EQ(t.find("second_"), 1);
  EXPECT_EQ(t.find("first"), 1);
  EXPECT_EQ(t.find("third"), 2);
  EXPECT_EQ(t.find("second"), 2);
  for (const char* name : {"", "ID", "Second", "third ", "fourth", "\"third\"", "renameds.third"})
    EXPECT_EQ(t.find(name), quark::no_column) << name;
}

// A column that is called as another member is: the database's name wins.
struct Swapped {
  int id{};
  int a{};
  int b{};
  static consteval auto orm() {
    return quark::model(quark::rename(&Swapped::a, "b"), quark::rename(&Swapped::b, "a"));
  }
};
static_assert(quark::table_of<Swapped>.find("a") == 2 && quark::table_of<Swapped>.find("b") == 1);

}  // namespace
