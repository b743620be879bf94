// COPY: what arrives, what stays as it was, and that nothing of a COPY that fails is there.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"
#include "support/proxy.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <list>
#include <optional>
#include <ranges>
#include <thread>

namespace {

using namespace under_test;
using namespace std::chrono_literals;
using quark::field;
using quark::For;
using Micros = std::chrono::sys_time<std::chrono::microseconds>;

std::int64_t users_in(const Db& db) { return std::stoll(raw_cell(db, "select count(*) from users")); }

User numbered(int i) { return {.name = "n" + std::to_string(i), .email = {}, .age = i, .active = i % 2 == 0}; }

TEST(PostgresCopy, AnyRangeArrivesAsItIs) {
  auto db = fresh();
  quark::create_table<User>(db);
  const std::vector<User> constant{numbered(1), numbered(2)};
  EXPECT_EQ(quark::copy_in(db, constant), 2u);
  EXPECT_EQ(constant[0].id, 0);  // keys are not read back
  std::list<User> list{numbered(3)};
  EXPECT_EQ(quark::copy_in(db, list), 1u);
  EXPECT_EQ(quark::copy_in(db, std::views::iota(4, 100) | std::views::transform(numbered)), 96u);
  EXPECT_EQ(quark::copy_in(db, std::vector<User>{}), 0u);
  EXPECT_EQ(raw_cell(db, "select count(*) from users where id = age and name = 'n' || age and email is null and "
                         "active = (age % 2 = 0)"),
            "99");
  // Keys that are given go in as they are.
  EXPECT_EQ(quark::copy_in(db, std::vector<User>{{.id = 1000, .name = "given"}}), 1u);
  EXPECT_EQ(For<User>(db).get(1000).name, "given");
}

struct Everything {
  std::int64_t id{};
  std::int16_t i16{};
  std::uint64_t u64{};
  bool flag{};
  double f64{};
  float f32{};
  std::string text{};
  std::vector<std::byte> blob{};
  quark::Uuid uuid{};
  Micros time{};
  std::chrono::year_month_day date{};
  std::chrono::microseconds span{};
  quark::Decimal<20, 4> decimal{};
  quark::Json json = *quark::Json::parse("{}");
  std::vector<std::optional<std::int32_t>> list{};
  std::optional<std::string> none{};
  Micros made{};
  std::optional<int> seven{};

  static consteval auto orm() {
    return quark::model(quark::created_at(&Everything::made), quark::default_value(&Everything::seven, 7));
  }
};

TEST(PostgresCopy, EveryTypeTheSameAsCreate) {
  auto db = fresh();
  quark::create_table<Everything>(db);
  Everything e{.i16 = -5, .u64 = UINT64_MAX, .flag = true, .f64 = -0.1, .f32 = 0.5f, .text = "ä\tb\\N\n", .blob = {std::byte{0}, std::byte{255}}};
  e.uuid = *quark::Uuid::parse("00112233-4455-6677-8899-aabbccddeeff");
  e.time = Micros(1234567890123456us);
  e.date = std::chrono::year(2024) / 2 / 29;
  e.span = -5us;
  e.decimal = quark::Decimal<20, 4>::of("-123.4500");
  e.list = {1, std::nullopt};
  const std::vector<Everything> rows{e};
  EXPECT_EQ(quark::copy_in(db, rows), 1u);
  EXPECT_EQ(rows[0].made, Micros{});  // objects stay as they are
  For<Everything>(db).create(e);
  const char* columns = "i16, u64, flag, f64, f32, text, blob, uuid, time, date, span, decimal, json, list, none, seven";
  EXPECT_EQ(raw_cell(db, std::string("select count(distinct (") + columns + ")) from everythings"), "1");
  EXPECT_EQ(raw_cell(db, "select count(*) from everythings where seven = 7 and made > now() - interval '1 hour'"), "2");
}

TEST(PostgresCopy, AnErrorInTheMiddleLeavesNothing) {
  auto db = fresh();
  quark::create_table<User>(db);
  For<User>(db).create(User{.id = 70'000, .name = "there"});
  int made = 0;
  const auto rows = std::views::iota(1, 2'000'000) | std::views::transform([&](int i) {
                      ++made;
                      User user = numbered(i);
                      user.id = i;
                      return user;
                    });
  const auto error = error_of<quark::UniqueViolation>([&] { quark::copy_in(db, rows); });
  EXPECT_EQ(error.constraint(), "users_pkey");
  EXPECT_LT(made, 1'500'000);  // it was noticed on the way
  EXPECT_EQ(users_in(db), 1);
  EXPECT_FALSE(in_transaction(db));
  EXPECT_EQ(quark::copy_in(db, std::vector<User>{numbered(1)}), 1u);
  EXPECT_EQ(users_in(db), 2);
}

TEST(PostgresCopy, ARowThatTheClientRefusesLeavesNothing) {
  auto db = fresh();
  quark::create_table<User>(db);
  for (const int bad : {1, 2, 5000}) {
    const auto rows = std::views::iota(1, 10'000) | std::views::transform([&](int i) {
                        User user = numbered(i);
                        if (i == bad) user.name = std::string("a\0b", 3);
                        return user;
                      });
    const auto error = error_of<quark::ConversionError>([&] { quark::copy_in(db, rows); });
    EXPECT_EQ(error.column(), "name");
    EXPECT_EQ(error.table(), "users");
    const auto thrown = std::views::iota(1, 10'000) | std::views::transform([&](int i) {
                          if (i == bad) throw 42;
                          return numbered(i);
                        });
    EXPECT_THROW(quark::copy_in(db, thrown), int);
    EXPECT_EQ(users_in(db), 0);
    EXPECT_EQ(quark::copy_in(db, std::vector<User>{}), 0u);
  }
  std::vector<User> mixed{numbered(1), {.id = 5, .name = "x"}};
  EXPECT_THROW(quark::copy_in(db, mixed), quark::Misuse);
  std::swap(mixed[0], mixed[1]);
  EXPECT_THROW(quark::copy_in(db, mixed), quark::Misuse);
  EXPECT_EQ(users_in(db), 0);
  For<User>(db).create(numbered(1));
  EXPECT_EQ(users_in(db), 1);
}

TEST(PostgresCopy, InATransactionItIsASavepoint) {
  auto db = fresh();
  quark::create_table<User>(db);
  db.transaction([&](auto& tx) {
    For<User>(tx).create(User{.name = "before"});
    EXPECT_EQ(quark::copy_in(tx, std::vector<User>{numbered(1)}), 1u);
    EXPECT_THROW(quark::copy_in(tx, std::vector<User>{{.id = 1, .name = "twice"}}), quark::UniqueViolation);
    For<User>(tx).create(User{.name = "after"});
  });
  EXPECT_EQ(users_in(db), 3);
  auto tx = db.begin();
  quark::copy_in(tx, std::vector<User>(1000, numbered(7)));
  tx.rollback();
  EXPECT_EQ(users_in(db), 3);
}

TEST(PostgresCopy, StatementsOnTheConnectionAreRefusedMeanwhile) {
  auto db = fresh();
  quark::create_table<User>(db);
  int refused = 0;
  const auto rows = std::views::iota(1, 4) | std::views::transform([&](int i) {
                      try {
                        (void)For<User>(db).count();
                      } catch (const quark::Misuse&) {
                        ++refused;
                      }
                      return numbered(i);
                    });
  EXPECT_EQ(quark::copy_in(db, rows), 3u);
  EXPECT_GE(refused, 2);  // the first one is looked at before the COPY begins
  EXPECT_EQ(users_in(db), 3);
}

TEST(PostgresCopy, ChangedColumnsAreAskedFor) {
  auto db = fresh();
  quark::create_table<User>(db);
  quark::copy_in(db, std::vector<User>{numbered(1)});
  raw(db, "alter table users alter age type bigint");  // as wide as a time stamp, and wider than before
  quark::copy_in(db, std::vector<User>{numbered(2)});
  EXPECT_EQ(raw_cell(db, "select sum(age) from users"), "3");
  raw(db, "alter table users alter age type timestamptz using now()");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { quark::copy_in(db, std::vector<User>{numbered(3)}); }).column(), "age");
  raw(db, "alter table users alter name type inet using '127.0.0.1'");
  EXPECT_EQ(error_of<quark::Unsupported>([&] { quark::copy_in(db, std::vector<User>{numbered(3)}); }).column(), "name");
  raw(db, "drop table users");
  EXPECT_THROW(quark::copy_in(db, std::vector<User>{numbered(3)}), quark::SyntaxError);
  EXPECT_FALSE(in_transaction(db));
}

TEST(PostgresCopy, ATriggerThatDropsARowIsAnError) {
  auto db = fresh();
  quark::create_table<User>(db);
  raw(db, "create function drop_it() returns trigger language plpgsql as 'begin if new.age = 2 then return null; end if; "
          "return new; end'; create trigger t before insert on users for each row execute function drop_it()");
  EXPECT_THROW(quark::copy_in(db, std::vector<User>{numbered(1), numbered(2)}), quark::Error);
  EXPECT_EQ(users_in(db), 0);
}

TEST(PostgresCopy, TheServerIsKilledInTheMiddle) {
  const Shared shared;
  Pool pool(shared.options(), {.max = 1});
  quark::create_table<User>(pool);
  auto killer = shared.connect();
  {
    auto lease = pool.acquire();
    const std::string pid = std::to_string(PQbackendPID(lease->native()));
    const auto rows = std::views::iota(1, 3'000'000) | std::views::transform([&](int i) {
                        if (i == 20'000) killer.execute("select pg_terminate_backend(" + pid + ", 5000)");
                        return numbered(i);
                      });
    EXPECT_THROW(quark::copy_in(lease, rows), quark::ConnectionError);
    EXPECT_THROW((void)lease->execute("select 1"), quark::ConnectionError);
  }
  EXPECT_EQ(For<User>(pool).count(), 0);
  EXPECT_EQ(quark::copy_in(pool, std::vector<User>{numbered(1)}), 1u);
  EXPECT_EQ(For<User>(pool).count(), 1);
}

TEST(PostgresCopy, ADeadlineStopsIt) {
  auto db = fresh();
  quark::create_table<User>(db);
  const auto endless = std::views::iota(1) | std::views::transform(numbered);
  {
    const auto limit = db.deadline(200ms);
    EXPECT_THROW(quark::copy_in(db, endless), quark::Timeout);
  }
  EXPECT_EQ(users_in(db), 0);
}

TEST(PostgresCopy, TellsMiddlewareAndProgressAndTakesFourRoundTrips) {
  const Shared shared;
  auto options = shared.options();
  Proxy proxy(options.url);
  options.url = proxy.url();
  auto db = quark::postgres::open(options);
  quark::create_table<User>(db);
  quark::StatementRecorder recorder;
  for (int again = 0; again < 2; ++again) {
    const int before = proxy.round_trips();
    EXPECT_EQ(quark::copy_in(db, std::vector<User>{numbered(1)}), 1u);
    EXPECT_EQ(proxy.round_trips() - before, 4);
  }
  db.use(recorder);
  std::uint64_t last = 0, calls = 0;
  quark::copy_in(db, std::views::iota(1, 10'001) | std::views::transform(numbered), [&](std::uint64_t rows) {
    EXPECT_GE(rows, last);
    last = rows;
    ++calls;
  });
  EXPECT_EQ(last, 10'000u);
  EXPECT_GT(calls, 2u);
  ASSERT_EQ(recorder.size(), 3u);  // with BEGIN and COMMIT
  EXPECT_EQ(recorder.entries()[1].name, "copy_in");
  EXPECT_EQ(recorder.entries()[1].affected, 10'000u);
  EXPECT_EQ(recorder.entries()[1].kind, quark::StatementKind::insert);
}

// A sanitizer keeps what was freed. g++ tells by macros, clang by __has_feature.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
#else
constexpr bool sanitized = false;
#endif

std::int64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t size = 0, pages = 0;
  statm >> size >> pages;
  return pages * 4096;
}

TEST(PostgresCopy, MemoryDoesNotGrowWithTheRows) {
  auto db = fresh();
  quark::create_table<User>(db);
  const std::string text(2000, 'x');
  std::int64_t before = 0, most = 0;
  const auto rows = std::views::iota(1, 50'000) | std::views::transform([&](int i) {
                      if (i == 1000) before = resident_bytes();
                      if (i % 1000 == 0) most = std::max(most, resident_bytes() - before);
                      return User{.name = text, .email = {}, .age = i};
                    });
  EXPECT_EQ(quark::copy_in(db, rows), 49'999u);
  EXPECT_LT(sanitized ? 0 : most, 16 << 20) << "of 100 MB";
}

TEST(PostgresCopy, LongValuesArriveWhole) {
  auto db = fresh();
  quark::create_table<User>(db);
  const std::string text(5'000'000, 'x');
  EXPECT_EQ(quark::copy_in(db, std::vector<User>(3, User{.name = text})), 3u);
  EXPECT_EQ(raw_cell(db, "select count(*) from users where length(name) = 5000000"), "3");
}

}  // namespace
