// Text and bytes: every byte counts, empty is not NULL, long is not cut, Unicode is what it was.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

namespace {

using namespace under_test;
using quark::asc;
using quark::field;
using quark::For;
using Bytes = std::vector<std::byte>;
using namespace std::string_literals;

struct Blob {
  std::int64_t id{};
  std::string text{};
  Bytes data{};
};

Bytes all_bytes_twice() {
  Bytes out;
  for (int i = 0; i < 512; ++i) out.push_back(static_cast<std::byte>(i % 256));
  return out;
}
std::string hex(const Bytes& bytes) {
  std::string out;
  for (const std::byte b : bytes) {
    out += "0123456789ABCDEF"[std::to_integer<int>(b) / 16];
    out += "0123456789ABCDEF"[std::to_integer<int>(b) % 16];
  }
  return out;
}

TEST(B05, TextAndBytesKeepZeroBytes) {
  auto db = fresh();
  quark::create_table<Blob>(db);
  const auto blobs = For<Blob>(db);
  const Bytes bytes = all_bytes_twice();
  if (!Can::hold_zero_byte_in_text) {
    EXPECT_EQ(error_of<quark::ConversionError>([&] {
                blobs.create(Blob{1, "a\0b"s, bytes});
              }).column(),
              "text");
    EXPECT_THROW((void)blobs.where(field<&Blob::text> == "a\0zzz"s).count(),
                 quark::ConversionError);
    blobs.create(Blob{1, "ab", bytes});
    EXPECT_EQ(blobs.get(1).data, bytes);
    return;
  }
  blobs.create(Blob{1, "a\0b"s, bytes});
  std::vector<Blob> batch{{2, "\0"s, Bytes(3)}, {3, "x\0"s, {}}};
  blobs.create_batch(batch);
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(blobs.get(1).text, "a\0b"s);
    EXPECT_EQ(blobs.get(1).data, bytes);
    EXPECT_EQ(blobs.get(2).text, "\0"s);
    EXPECT_EQ(blobs.get(2).data, Bytes(3));
    EXPECT_EQ(blobs.get(3).text, "x\0"s);
  }
  EXPECT_EQ(raw_cell(db, "select " + hex_of("text") + " from blobs where id = 1"), "610062");
  EXPECT_EQ(raw_cell(db, "select " + hex_of("text") + " from blobs where id = 2"), "00");
  EXPECT_EQ(raw_cell(db, "select " + byte_length_of("text") + " from blobs where id = 3"), "2");
  EXPECT_EQ(raw_cell(db, "select " + byte_length_of("data") + " from blobs where id = 1"), "512");
  EXPECT_EQ(raw_cell(db, "select " + hex_of("data") + " from blobs where id = 1"), hex(bytes));
  EXPECT_EQ(blobs.where(field<&Blob::text> == "a\0zzz"s).count(), 0);
  EXPECT_EQ(blobs.where(field<&Blob::text> == "a"s).count(), 0);
  EXPECT_EQ(blobs.where(field<&Blob::text> == "a\0b"s).count(), 1);
  EXPECT_EQ(blobs.where(field<&Blob::text>.in(std::vector{"a\0"s, "x\0"s})).count(), 1);
  EXPECT_EQ(blobs.where(field<&Blob::text> + "\0c"s == "a\0b\0c"s).count(), 1);
}

// SQL's LIKE may stop at a zero byte and match by prefix: such a pattern is refused on every
// engine.
TEST(B05, APatternWithAZeroByteIsRefused) {
  auto db = fresh();
  quark::create_table<Blob>(db);
  For<Blob>(db).create(Blob{1, "a", {}});
  const auto column_of = [&](auto&& make) {
    return std::string(error_of<quark::ConversionError>(make).column());
  };
  const auto blobs = For<Blob>(db);
  EXPECT_EQ(column_of([&] { (void)blobs.where(field<&Blob::text>.contains("a\0b"s)).count(); }),
            "text");
  EXPECT_EQ(column_of([&] { (void)blobs.where(field<&Blob::text>.starts_with("a\0"s)).count(); }),
            "text");
  EXPECT_EQ(column_of([&] { (void)blobs.where(field<&Blob::text>.ends_with("\0a"s)).count(); }),
            "text");
  EXPECT_EQ(column_of([&] { (void)blobs.where(field<&Blob::text>.like("a\0%"s)).count(); }),
            "text");
  EXPECT_EQ(column_of([&] { (void)quark::Filter<Blob>(field<&Blob::text>.not_like("\0"s)); }),
            "text");
  EXPECT_EQ(blobs.where(field<&Blob::text>.contains("a")).count(), 1);
}

TEST(B05, BytesAreComparedAsBytes) {
  auto db = fresh();
  quark::create_table<Blob>(db);
  const Bytes bytes = all_bytes_twice();
  For<Blob>(db).create(Blob{1, "", bytes});
  For<Blob>(db).create(Blob{2, "", {}});
  const Bytes prefix(bytes.begin(), bytes.begin() + 1), none;
  EXPECT_EQ(For<Blob>(db).where(field<&Blob::data> == bytes).one().id, 1);
  EXPECT_EQ(For<Blob>(db).where(field<&Blob::data> == none).one().id, 2);
  EXPECT_EQ(For<Blob>(db).where(field<&Blob::data> == prefix).count(), 0);
}

struct Note {
  std::int64_t id{};
  std::string body{};
  std::optional<std::string> tag{};
  Bytes raw{};
  std::optional<Bytes> sig{};
};

TEST(B03, EmptyIsNotNull) {
  auto db = fresh();
  quark::create_table<Note>(db);
  const Note full{1, "", std::string{}, {}, Bytes{}};
  const Note empty{2, std::string(std::string_view{}), std::nullopt, {}, std::nullopt};
  For<Note>(db).create(full);
  For<Note>(db).create(empty);
  std::vector<Note> batch{{3, "", std::string{}, {}, Bytes{}},
                          {4, "", std::nullopt, {}, std::nullopt}};
  For<Note>(db).create_batch(batch);
  const std::string look = "select " + byte_length_of("body") + ", tag is null, " +
                           byte_length_of("raw") + ", sig is null from notes where id = ";
  for (const char* id : {"1", "3"}) EXPECT_EQ(raw_row(db, look + id), "0|0|0|0");
  for (const char* id : {"2", "4"}) EXPECT_EQ(raw_row(db, look + id), "0|1|0|1");
  for (int again = 0; again < 2; ++again) {
    const auto notes = For<Note>(db).order_by(asc<&Note::id>).list();
    for (const std::size_t i : {std::size_t{0}, std::size_t{2}}) {
      EXPECT_EQ(notes[i].tag, "");
      EXPECT_EQ(notes[i].sig, Bytes{});
    }
    for (const std::size_t i : {std::size_t{1}, std::size_t{3}}) {
      EXPECT_EQ(notes[i].tag, std::nullopt);
      EXPECT_EQ(notes[i].sig, std::nullopt);
    }
  }
  EXPECT_EQ(For<Note>(db).where(field<&Note::body> == std::string_view{}).count(), 4);
  EXPECT_EQ(For<Note>(db).where(field<&Note::tag> == "").count(), 2);
}

TEST(B06, LongValuesAreNotCut) {
  struct Page {
    std::int64_t id{};
    std::string title{};
    std::string body{};
  };
  auto db = fresh();
  quark::create_table<Page>(db);
  const std::string title = std::string(295, 't') + "<END>";
  const std::size_t sizes[] = {70'000, 3, 70'000, 1'000'000};
  const auto body = [&](std::size_t i) {
    return std::string(sizes[i], static_cast<char>('a' + i)) + "<END>";
  };
  for (std::size_t i = 0; i < 4; ++i)
    For<Page>(db).create(Page{static_cast<std::int64_t>(i) + 1, title, body(i)});
  EXPECT_EQ(raw_cell(db, "select " + byte_length_of("body") + " from pages where id = 4"),
            "1000005");
  std::size_t i = 0;
  for (const Page& page : For<Page>(db).order_by(asc<&Page::id>).list()) {
    EXPECT_EQ(page.title, title);
    EXPECT_TRUE(page.body == body(i++));
  }
  for (const std::int64_t id : {2, 1, 2, 4, 3, 4, 2}) {
    const Page page = For<Page>(db).get(id);
    EXPECT_TRUE(page.body == body(static_cast<std::size_t>(id - 1))) << id;
  }
}

TEST(B07, FourByteCharactersAreKeptAlsoByTheNextConnection) {
  Shared shared;
  auto db = shared.connect();
  quark::create_table<User>(db);
  const std::string text =
      "\xF0\x9F\x98\x80\xC3\xA9\xE6\xBC\xA2";  // an emoji, e acute, a Han character
  For<User>(db).create(User{1, text, text, 1, false});
  EXPECT_EQ(raw_cell(db, "select " + hex_of("name") + " from users"), "F09F9880C3A9E6BCA2");
  EXPECT_EQ(raw_cell(db, "select " + under_test::char_length_of("name") + " from users"), "3");
  EXPECT_EQ(For<User>(db).get(1).name, text);
  EXPECT_EQ(For<User>(db).where(field<&User::name> == text).count(), 1);
  EXPECT_EQ(For<User>(db).where(field<&User::name>.contains("\xC3\xA9")).count(), 1);
  EXPECT_EQ(For<User>(db).where(field<&User::name>.starts_with("\xF0\x9F\x98\x80")).count(), 1);

  // A connection that is closed or used again keeps no character set of its own.
  for (int i = 2; i <= 5; ++i) {
    db = shared.connect();
    For<User>(db).create(User{i, text, {}, 1, false});
    EXPECT_EQ(For<User>(db).get(i).name, text);
    EXPECT_EQ(raw_cell(db, "select count(*) from users where " + hex_of("name") +
                               " = 'F09F9880C3A9E6BCA2'"),
              std::to_string(i));
  }
}

struct Sized {
  std::int64_t id{};
  std::string code{};
  static consteval auto orm() { return quark::model(quark::size(&Sized::code, 3)); }
};

TEST(Text, LongerThanItsSizeIsRefused) {
  auto db = fresh();
  quark::create_table<Sized>(db);
  For<Sized>(db).create(Sized{1, "abc"});
  For<Sized>(db).create(Sized{2, "\xC3\xA9\xC3\xA9\xC3\xA9"});
  // Engines without a zero byte in text refuse that one for it.
  const std::string zero("ab\0c", 4);
  for (const std::string& code : {std::string("abcd"), zero}) {
    const auto error = error_of<quark::Error>([&] { For<Sized>(db).create(Sized{3, code}); });
    if (Can::check_text_size) {
      EXPECT_EQ(error.kind(), quark::ErrorKind::check);
      EXPECT_EQ(error.constraint(), "sizeds_code_check");
    }
  }
  EXPECT_EQ(raw_cell(db, "select count(*) from sizeds"), "2");
}

}  // namespace
