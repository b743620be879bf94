// UUIDs as values: their text, their order, and how new ones are made.
#include <quark/types/uuid_value.hpp>

#include "support/random_seed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <locale>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace {

using quark::Uuid;

static_assert(std::is_trivially_copyable_v<Uuid> && sizeof(Uuid) == 16);
static_assert(!std::is_aggregate_v<Uuid>);
static_assert(!std::is_convertible_v<const char*, Uuid>);
static_assert(Uuid{}.is_nil() && Uuid{}.version() == 0);
static_assert(Uuid::parse("6ba7b810-9dad-11d1-80b4-00c04fd430c8").has_value());
static_assert(Uuid::of("6ba7b810-9dad-11d1-80b4-00c04fd430c8").version() == 1);
static_assert(Uuid::of("00000000-0000-0000-0000-000000000001") > Uuid{});

unsigned at(const Uuid& uuid, std::size_t i) { return std::to_integer<unsigned>(uuid.bytes[i]); }

TEST(Uuid, ReadsBothCasesAndWritesLowerCase) {
  const auto uuid = Uuid::parse("01234567-89AB-cdef-FEDC-ba9876543210");
  ASSERT_TRUE(uuid);
  const unsigned expected[] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
                               0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10};
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(at(*uuid, i), expected[i]) << i;
  EXPECT_EQ(uuid->to_string(), "01234567-89ab-cdef-fedc-ba9876543210");
  EXPECT_EQ(Uuid{}.to_string(), "00000000-0000-0000-0000-000000000000");
}

TEST(Uuid, EveryByteAtEveryPlaceOfTheTextIsAcceptedOnlyIfItBelongsThere) {
  const std::string good = "01234567-89ab-cdef-fedc-ba9876543210";
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (int c = 0; c < 256; ++c) {
      std::string text = good;
      text[i] = static_cast<char>(c);
      const bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      const bool expected = good[i] == '-' ? c == '-' : hex;
      const auto parsed = Uuid::parse(text);
      ASSERT_EQ(parsed.has_value(), expected) << text;
      if (parsed) {
        std::transform(text.begin(), text.end(), text.begin(),
                       [](char x) { return x >= 'A' && x <= 'F' ? static_cast<char>(x + 32) : x; });
        ASSERT_EQ(parsed->to_string(), text);
      }
    }
  }
}

TEST(Uuid, RefusesEveryOtherForm) {
  for (const char* text :
       {"", "0", "0123456789abcdeffedcba9876543210", "{01234567-89ab-cdef-fedc-ba9876543210}",
        "urn:uuid:01234567-89ab-cdef-fedc-ba9876543210", " 01234567-89ab-cdef-fedc-ba9876543210",
        "01234567-89ab-cdef-fedc-ba9876543210 ", "01234567-89ab-cdef-fedc-ba987654321",
        "01234567-89ab-cdef-fedc-ba98765432100", "0123-4567-89ab-cdef-fedc-ba98-7654-3210",
        "012345678-9ab-cdef-fedc-ba9876543210"})
    EXPECT_FALSE(Uuid::parse(text)) << text;
  EXPECT_FALSE(Uuid::parse(std::string_view("01234567-89ab-cdef-fedc-ba9876543210\0", 37)));
  EXPECT_FALSE(Uuid::parse(std::string_view{}));
}

TEST(Uuid, RandomBytesComeBackAndSortAsTheirTextsDo) {
  SCOPED_TRACE(under_test::seed_text());
  std::mt19937 random(under_test::random_seed());
  Uuid before;
  for (int i = 0; i < 100'000; ++i) {
    Uuid uuid = before;
    // Often equal in front, so that every byte decides somewhere.
    for (std::size_t b = random() % 17; b < 16; ++b)
      uuid.bytes[b] = static_cast<std::byte>(random());
    ASSERT_EQ(Uuid::parse(uuid.to_string()), uuid);
    ASSERT_EQ(uuid <=> before, uuid.to_string() <=> before.to_string());
    ASSERT_EQ(uuid < before, std::memcmp(uuid.bytes.data(), before.bytes.data(), 16) < 0);
    ASSERT_EQ(uuid == before, uuid.to_string() == before.to_string());
    before = uuid;
  }
}

TEST(Uuid, RandomOnesAreVersion4AndAllBitsVary) {
  std::set<Uuid> seen;
  Uuid ones, zeros;
  for (std::size_t b = 0; b < 16; ++b) zeros.bytes[b] = std::byte{0xFF};
  for (int i = 0; i < 10'000; ++i) {
    const Uuid uuid = Uuid::random();
    ASSERT_EQ(uuid.version(), 4);
    ASSERT_EQ(at(uuid, 8) >> 6, 2u);
    ASSERT_TRUE(seen.insert(uuid).second);
    for (std::size_t b = 0; b < 16; ++b) {
      ones.bytes[b] |= uuid.bytes[b];
      zeros.bytes[b] &= uuid.bytes[b];
    }
  }
  EXPECT_EQ(ones.to_string(), "ffffffff-ffff-4fff-bfff-ffffffffffff");
  EXPECT_EQ(zeros.to_string(), "00000000-0000-4000-8000-000000000000");
}

std::int64_t millis_of(const Uuid& uuid) {
  std::int64_t millis = 0;
  for (std::size_t i = 0; i < 6; ++i) millis = millis * 256 + at(uuid, i);
  return millis;
}
std::int64_t now_millis() {
  using namespace std::chrono;
  return floor<milliseconds>(system_clock::now().time_since_epoch()).count();
}

TEST(Uuid, TimeOrderedOnesAreVersion7AndCarryTheTime) {
  const auto before = now_millis();
  const Uuid uuid = Uuid::time_ordered();
  const auto after = now_millis();
  EXPECT_EQ(uuid.version(), 7);
  EXPECT_EQ(at(uuid, 8) >> 6, 2u);
  EXPECT_GE(millis_of(uuid), before - 1);
  EXPECT_LE(millis_of(uuid), after + 1);
}

TEST(Uuid, TimeOrderedOnesRiseInEachThreadAndNeverRepeat) {
  constexpr int threads = 4;
  constexpr int each = 20'000;
  std::vector<std::vector<Uuid>> made(threads);
  std::vector<std::thread> workers;
  for (auto& own : made) {
    workers.emplace_back([&own] {
      for (int i = 0; i < each; ++i) own.push_back(Uuid::time_ordered());
    });
  }
  for (auto& worker : workers) worker.join();
  std::unordered_set<std::string> moments;  // time and fraction alone, without the random bits
  for (const auto& own : made) {
    for (std::size_t i = 1; i < own.size(); ++i) ASSERT_LT(own[i - 1], own[i]);
    for (const Uuid& uuid : own) {
      ASSERT_EQ(uuid.version(), 7);
      ASSERT_TRUE(moments.insert(uuid.to_string().substr(0, 18)).second);
    }
  }
}

TEST(Uuid, TimeGoesOnWhenTheClockStandsStillOrIsSetBack) {
  using quark::detail::moment_after;
  EXPECT_EQ(moment_after(100, 101), 101u);
  EXPECT_EQ(moment_after(100, 500), 500u);
  EXPECT_EQ(moment_after(100, 100), 101u);
  EXPECT_EQ(moment_after(100, 7), 101u);
}

TEST(Uuid, HashesUseFrontAndBack) {
  std::unordered_set<std::size_t> hashes;
  for (std::size_t bit = 0; bit < 128; ++bit) {
    Uuid uuid;
    uuid.bytes[bit / 8] = static_cast<std::byte>(1u << (bit % 8));
    EXPECT_TRUE(hashes.insert(std::hash<Uuid>{}(uuid)).second) << bit;
  }
}

struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Uuid, B08_TheProcessLocaleChangesNothing) {
  const std::locale old = std::locale::global(std::locale(std::locale(), new Comma));
  const auto uuid = Uuid::parse("01234567-89ab-cdef-fedc-ba9876543210");
  const auto text = uuid ? uuid->to_string() : "";
  std::locale::global(old);
  EXPECT_EQ(text, "01234567-89ab-cdef-fedc-ba9876543210");
}

}  // namespace
