// Default table names: snake_case and plural, from the type's own name wherever it is declared.
#include <quark/model/naming.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using quark::naming::plural;
using quark::naming::snake_case;
using quark::naming::table_name;

constexpr bool snake(std::string_view type, std::string_view expected) {
  return snake_case(type).view() == expected;
}
constexpr bool becomes(std::string_view word, std::string_view expected) {
  return plural(snake_case(word)).view() == expected;
}

static_assert(snake("User", "user"));
static_assert(snake("BlogPost", "blog_post"));
static_assert(snake("HTTPRequest", "http_request"));
static_assert(snake("MyHTTPRequest", "my_http_request"));
static_assert(snake("UserID", "user_id"));
static_assert(snake("Area51Sighting", "area51_sighting"));
static_assert(snake("X", "x"));
static_assert(snake("XY", "xy"));
static_assert(snake("XYz", "x_yz"));
static_assert(snake("already_snake", "already_snake"));
static_assert(snake("Mixed_Case", "mixed_case"));
static_assert(snake("userAccount", "user_account"));
static_assert(snake("_Hidden", "_hidden"));
static_assert(snake("V2", "v2"));
static_assert(snake("V2Model", "v2_model"));

static_assert(becomes("User", "users"));
static_assert(becomes("Category", "categories"));
static_assert(becomes("Day", "days"));
static_assert(becomes("Key", "keys"));
static_assert(becomes("Query", "queries"));
static_assert(becomes("Box", "boxes"));
static_assert(becomes("Bus", "buses"));
static_assert(becomes("Address", "addresses"));
static_assert(becomes("Batch", "batches"));
static_assert(becomes("Dish", "dishes"));
static_assert(becomes("Buzz", "buzzes"));
static_assert(becomes("Soliloquy", "soliloquys"));  // say table("soliloquies")
static_assert(becomes("Y", "ys"));
static_assert(becomes("Person", "persons"));  // irregular ones are said
static_assert(becomes("Route66", "route66s"));

}  // namespace

namespace shop {
struct OrderLine {};
enum class Colour { red };
namespace inner {
struct Item {};
}  // namespace inner
inline namespace v1 {
struct Basket {};
}  // namespace v1
struct Outer {
  struct Nested {};
  template <class T>
  struct InTemplate {};
};
template <class T>
struct Box {
  struct Label {};
};
template <int N, class... T>
struct Many {
  struct Part {};
};
struct Größe {};
template <class T>
auto local_of_template() {
  struct LocalEntry {};
  return LocalEntry{};
}
inline auto local() {
  struct LocalThing {};
  return LocalThing{};
}
auto local_of_overload(int, const char*) {
  struct Deep {};
  return Deep{};
}
}  // namespace shop

namespace {
struct Hidden {};
namespace deeper {
struct AlsoHidden {};
}  // namespace deeper
template <class T>
struct HiddenBox {
  struct Inside {};
};

template <class T>
constexpr bool named(std::string_view expected) {
  return table_name<T>.view() == expected;
}

static_assert(named<shop::OrderLine>("order_lines"));
static_assert(named<shop::inner::Item>("items"));
static_assert(named<shop::Basket>("baskets"));
static_assert(named<shop::Outer::Nested>("nesteds"));
static_assert(named<shop::Box<int>::Label>("labels"));
static_assert(named<shop::Box<shop::Box<shop::OrderLine>>::Label>("labels"));
static_assert(named<shop::Box<std::string>::Label>("labels"));
static_assert(named<shop::Many<3, int, std::string>::Part>("parts"));
static_assert(named<shop::Many<3, shop::Box<int>::Label, Hidden>::Part>("parts"));
static_assert(named<shop::Größe>("größes"));
static_assert(named<Hidden>("hiddens"));
static_assert(named<deeper::AlsoHidden>("also_hiddens"));
static_assert(named<HiddenBox<Hidden>::Inside>("insides"));
static_assert(named<decltype(shop::local())>("local_things"));
static_assert(named<decltype(shop::local_of_template<int>())>("local_entries"));
static_assert(named<decltype(shop::local_of_template<shop::Box<int>>())>("local_entries"));
static_assert(named<decltype(shop::local_of_overload(1, ""))>("deeps"));

static_assert(quark::naming::is_template_instance<shop::Box<int>>());
static_assert(quark::naming::is_template_instance<shop::Outer::InTemplate<int>>());
static_assert(!quark::naming::is_template_instance<shop::Box<int>::Label>());
static_assert(!quark::naming::is_template_instance<shop::OrderLine>());

TEST(Naming, OfAFunctionLocalTypeIsItsOwnName) {
  struct TestRow {};
  static_assert(named<TestRow>("test_rows"));
  const auto in_lambda = [] {
    struct LambdaRow {};
    return LambdaRow{};
  };
  static_assert(named<decltype(in_lambda())>("lambda_rows"));
}

}  // namespace
