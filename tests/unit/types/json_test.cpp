// JSON as a value: what is accepted, what is refused, and that a Json always holds JSON.
#include <quark/exec/error.hpp>
#include <quark/types/json_value.hpp>

#include <gtest/gtest.h>

#include <locale>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using quark::Json;
using namespace std::string_literals;

static_assert(!std::is_convertible_v<std::string, Json> &&
              !std::is_convertible_v<const char*, Json>);
static_assert(std::is_nothrow_move_constructible_v<Json> &&
              std::is_nothrow_move_assignable_v<Json>);
static_assert(!std::is_aggregate_v<Json>);

TEST(Json, KeepsTheTextAsItIs) {
  for (const auto& text :
       {"null"s, "true"s, "0"s, "-0"s, "1.50"s, "1e5"s, "-1E-7"s, R"("")"s,
        R"("a\"b\\\/\b\f\n\r\t\u00e4")"s, "[]"s, "{}"s, " [ 1 , 2 ]\n"s,
        R"({"b":1,"a":{"b":[null,false]}})"s, R"({"a":1,"a":2})"s, "\"ä漢😀\""s,
        R"("\ud83d\ude00")"s, R"("\u0000")"s, "123456789012345678901234567890"s, "1e-999"s}) {
    const auto json = Json::parse(text);
    ASSERT_TRUE(json) << text;
    EXPECT_EQ(json->text(), text);
    EXPECT_EQ(Json(text).text(), text);
  }
}

TEST(Json, RefusesWhatIsNotJson) {
  for (const auto& text : {""s,         " "s,          "nul"s,         "NULL"s,
                           "None"s,     "nan"s,        "NaN"s,         "Infinity"s,
                           "-"s,        "+1"s,         "01"s,          "1."s,
                           ".5"s,       "1e"s,         "0x1"s,         "1,5"s,
                           "'a'"s,      "a"s,          "[1,]"s,        "[,1]"s,
                           "[1 2]"s,    "[1"s,         "]"s,           "{\"a\"}"s,
                           "{\"a\":}"s, "{\"a\":1,}"s, "{a:1}"s,       "{1:1}"s,
                           "\"a"s,      "\"\\x\""s,    "\"\\u12g4\""s, "\"a\nb\""s,
                           "\"\x01\""s, "1 2"s,        "{} {}"s,       "{}x"s,
                           "[]//x"s,    "/*x*/[]"s,    R"("\ud83d")"s, R"("\ude00\ud83d")"s}) {
    EXPECT_FALSE(Json::parse(text)) << text;
    EXPECT_THROW(Json{text}, quark::ConversionError) << text;
  }
}

TEST(Json, RefusesWhatAParserWouldPassOverButADatabaseWouldNot) {
  EXPECT_FALSE(Json::parse("\xEF\xBB\xBF{}"));
  EXPECT_FALSE(Json::parse("{}\0"s));
  EXPECT_FALSE(Json::parse("{}\0garbage"s));
  EXPECT_FALSE(Json::parse("\0{}"s));
  EXPECT_FALSE(Json::parse("\"a\0b\""s));
  EXPECT_FALSE(Json::parse("1e999"));
}

TEST(Json, RefusesTextThatIsNotUtf8) {
  for (const auto& bytes : {"\xff"s, "\xc3"s, "\xc0\x80"s, "\xe0\x80\x80"s, "\xed\xa0\x80"s,
                            "\xf4\x90\x80\x80"s, "\xf0\x82\x82\xac"s, "\x80"s, "\xe4\xbc"s}) {
    EXPECT_FALSE(Json::parse("\"" + bytes + "\""));
    EXPECT_FALSE(Json::parse("{\"" + bytes + "\":1}"));
  }
}

TEST(Json, DeepNestingIsNoStackOverflow) {
  constexpr std::size_t depth = 1'000'000;
  EXPECT_TRUE(Json::parse(std::string(depth, '[') + std::string(depth, ']')));
  EXPECT_FALSE(Json::parse(std::string(depth, '[')));
}

TEST(Json, DefaultIsNull) {
  EXPECT_EQ(Json{}.text(), "null");
  EXPECT_EQ(Json{}, Json("null"));
}

TEST(Json, TrustedTextIsNotChecked) {
  EXPECT_EQ(Json::trusted("from the engine").text(), "from the engine");
}

TEST(Json, EqualityIsThatOfTheText) {
  EXPECT_EQ(Json(R"({"a":1})"), Json(R"({"a":1})"));
  EXPECT_NE(Json(R"({"a":1})"), Json(R"({"a": 1})"));
  EXPECT_NE(Json("1.0"), Json("1"));
}

TEST(Json, WhatIsMovedFromIsStillJson) {
  for (const auto& text : {"[1,2]"s, "[" + std::string(1000, ' ') + "]"}) {
    Json source(text);
    Json target(std::move(source));
    EXPECT_EQ(target.text(), text);
    EXPECT_TRUE(Json::parse(source.text())) << source.text();
    Json assigned("1");
    assigned = std::move(target);
    EXPECT_EQ(assigned.text(), text);
    EXPECT_TRUE(Json::parse(target.text())) << target.text();
    const std::string taken = std::move(assigned).text();
    EXPECT_EQ(taken, text);
    EXPECT_TRUE(Json::parse(assigned.text())) << assigned.text();
  }
  std::vector<Json> many;
  for (int i = 0; i < 100; ++i) many.emplace_back("[" + std::to_string(i) + "]");
  EXPECT_EQ(many.front().text(), "[0]");
}

TEST(Json, TheRefusalDoesNotRepeatTheValue) {
  try {
    Json("secret");
    FAIL();
  } catch (const quark::ConversionError& error) {
    EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos);
    EXPECT_EQ(error.kind(), quark::ErrorKind::conversion);
  }
}

struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Json, B08_TheProcessLocaleChangesNothing) {
  const std::locale old = std::locale::global(std::locale(std::locale(), new Comma));
  const bool point = Json::parse("[45.02564, 1234567.5]").has_value();
  const bool comma = Json::parse("45,02564").has_value();
  std::locale::global(old);
  EXPECT_TRUE(point);
  EXPECT_FALSE(comma);
}

}  // namespace
