// The reading terminals: list, first, one, find, get, exists, count, aggregates, pluck; limit,
// offset, distinct.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

namespace {

using namespace under_test;
using quark::asc;
using quark::desc;
using quark::field;
using quark::For;

// Five users, ids 1 to 5; two have no email.
Db five_users() {
  auto db = fresh();
  quark::create_table<User>(db);
  const auto users = For<User>(db);
  users.create(User{1, "Ada", "ada@x", 36, true});
  users.create(User{2, "Bob", std::nullopt, 17, true});
  users.create(User{3, "Cyd", "cyd@x", 50, false});
  users.create(User{4, "Dan", "", 17, false});
  users.create(User{5, "Eve", std::nullopt, -3, true});
  return db;
}

template <class Query>
std::vector<std::int64_t> ids(const Query& query) {
  std::vector<std::int64_t> out;
  for (const auto& row : query.list()) out.push_back(row.id);
  return out;
}
using Ids = std::vector<std::int64_t>;

TEST(Read, ListGivesWholeRowsInTheOrderAskedFor) {
  auto db = five_users();
  const auto users = For<User>(db);
  const auto all = users.order_by(asc<&User::id>).list();
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0], (User{1, "Ada", "ada@x", 36, true}));
  EXPECT_EQ(all[3], (User{4, "Dan", "", 17, false}));
  EXPECT_EQ(all[4], (User{5, "Eve", std::nullopt, -3, true}));
  EXPECT_EQ(ids(users.order_by(desc<&User::id>)), (Ids{5, 4, 3, 2, 1}));
  EXPECT_EQ(ids(users.order_by(asc<&User::age>, desc<&User::name>)), (Ids{5, 4, 2, 1, 3}));
}

TEST(Read, FindGivesTheRowOrNothing) {
  auto db = five_users();
  const auto users = For<User>(db);
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(users.find(2), (User{2, "Bob", std::nullopt, 17, true}));
    EXPECT_EQ(users.find(99), std::nullopt);
    EXPECT_EQ(users.find(-1), std::nullopt);
  }
}

TEST(Read, FindAlsoAsksTheConditions) {
  auto db = five_users();
  const auto active = For<User>(db).where(field<&User::active> == true);
  EXPECT_TRUE(active.find(1));
  EXPECT_FALSE(active.find(3));
  const auto either = For<User>(db).where(field<&User::age> == 17 || field<&User::age> == 36);
  EXPECT_TRUE(either.find(1));
  EXPECT_FALSE(either.find(3)) << "the condition must be in parentheses beside the key";
}

TEST(Read, GetThrowsNotFoundThatNamesTheTable) {
  auto db = five_users();
  EXPECT_EQ(For<User>(db).get(3).name, "Cyd");
  const auto error = error_of<quark::NotFound>([&] { (void)For<User>(db).get(99); });
  EXPECT_EQ(error.kind(), quark::ErrorKind::not_found);
  EXPECT_EQ(error.table(), "users");
}

TEST(Read, FirstFollowsTheOrder) {
  auto db = five_users();
  const auto users = For<User>(db);
  EXPECT_EQ(users.order_by(desc<&User::age>).first()->id, 3);
  EXPECT_EQ(users.where(field<&User::age> == 17).order_by(asc<&User::id>).first()->id, 2);
  EXPECT_FALSE(users.where(field<&User::age> == 1000).first());
  EXPECT_EQ(users.order_by(asc<&User::id>).offset(3).first()->id, 4);
  EXPECT_FALSE(users.order_by(asc<&User::id>).limit(0).first());
}

TEST(Read, OneWantsExactlyOneRow) {
  auto db = five_users();
  const auto users = For<User>(db);
  EXPECT_EQ(users.where(field<&User::name> == "Cyd").one().id, 3);
  EXPECT_THROW((void)users.where(field<&User::name> == "Nobody").one(), quark::NotFound);
  EXPECT_THROW((void)users.where(field<&User::age> == 17).one(), quark::NotFound);
  EXPECT_EQ(users.order_by(desc<&User::id>).limit(1).one().id, 5);
  EXPECT_EQ(users.count(), 5);
}

TEST(Read, CountAndExists) {
  auto db = five_users();
  const auto users = For<User>(db);
  EXPECT_EQ(users.count(), 5);
  EXPECT_EQ(users.where(field<&User::age> == 17).count(), 2);
  EXPECT_EQ(users.where(field<&User::age> == 18).count(), 0);
  EXPECT_TRUE(users.exists());
  EXPECT_TRUE(users.where(field<&User::age> == 17).exists());
  EXPECT_FALSE(users.where(field<&User::age> == 18).exists());
}

TEST(Read, LimitAndOffsetHoldForCountExistsAndAggregates) {
  auto db = five_users();
  const auto users = For<User>(db).order_by(asc<&User::id>);
  EXPECT_EQ(users.limit(2).count(), 2);
  EXPECT_EQ(users.offset(4).count(), 1);
  EXPECT_EQ(users.limit(10).offset(3).count(), 2);
  EXPECT_FALSE(users.limit(0).exists());
  EXPECT_FALSE(users.offset(5).exists());
  EXPECT_TRUE(users.offset(4).exists());
  EXPECT_EQ(users.limit(2).sum<&User::age>(), 53);
  EXPECT_EQ(users.offset(3).max<&User::age>(), 17);
}

TEST(Read, ConditionsAreAnded) {
  auto db = five_users();
  const auto young = For<User>(db).where(field<&User::age> < 18 || field<&User::age> == 36);
  EXPECT_EQ(ids(young.where(field<&User::active> == true).order_by(asc<&User::id>)),
            (Ids{1, 2, 5}));
  EXPECT_EQ(young.count(), 4) << "a query that was kept must not change";
}

TEST(Read, OffsetNeedsNoLimit) {
  auto db = five_users();
  const auto users = For<User>(db).order_by(asc<&User::id>);
  EXPECT_EQ(ids(users.offset(3)), (Ids{4, 5}));
  EXPECT_EQ(ids(users.limit(2).offset(1)), (Ids{2, 3}));
  EXPECT_EQ(ids(users.limit(2)), (Ids{1, 2}));
  EXPECT_EQ(ids(users.offset(100)), Ids{});
  for (const std::uint64_t most : {std::uint64_t{INT64_MAX}, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    EXPECT_EQ(ids(users.offset(most)), Ids{});
    EXPECT_EQ(ids(users.limit(2).offset(most)), Ids{});
    EXPECT_EQ(ids(users.limit(most).offset(3)), (Ids{4, 5}));
    EXPECT_EQ(ids(users.where(quark::Filter<User>{}).offset(most)), Ids{});
  }
  EXPECT_EQ(ids(users.limit(UINT64_MAX)), (Ids{1, 2, 3, 4, 5}));
}

TEST(B21, ALimitOfZeroIsNoRowsAndANegativeOneIsRefused) {
  auto db = five_users();
  EXPECT_EQ(For<User>(db).limit(0).list().size(), 0u);
  EXPECT_EQ(For<User>(db).limit(0).count(), 0);
  EXPECT_THROW((void)For<User>(db).limit(-1), quark::Misuse);
  EXPECT_THROW((void)For<User>(db).offset(-1), quark::Misuse);
  EXPECT_EQ(For<User>(db).count(), 5);
}

TEST(B21, AnEmptyOptionalComparesAsNull) {
  auto db = five_users();
  const auto users = For<User>(db).order_by(asc<&User::id>);
  const std::optional<std::string> none, ada = "ada@x";
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(ids(users.where(field<&User::email> == none)), (Ids{2, 5}));
    EXPECT_EQ(ids(users.where(field<&User::email> != none)), (Ids{1, 3, 4}));
    EXPECT_EQ(ids(users.where(field<&User::email> == ada)), (Ids{1}));
    EXPECT_EQ(ids(users.where(field<&User::email> != ada)), (Ids{2, 3, 4, 5}));
  }
  EXPECT_EQ(ids(users.where(field<&User::email> == std::nullopt)), (Ids{2, 5}));
  EXPECT_EQ(ids(users.where(field<&User::email> != std::nullopt)), (Ids{1, 3, 4}));
  EXPECT_EQ(ids(users.where(field<&User::email>.is_null())), (Ids{2, 5}));
  EXPECT_EQ(ids(users.where(field<&User::email>.is_not_null())), (Ids{1, 3, 4}));
  // A plain value compares as SQL does: NULL is neither equal nor different.
  EXPECT_EQ(ids(users.where(field<&User::email> != "ada@x")), (Ids{3, 4}));
}

TEST(Read, AggregatesAreEmptyWhereThereIsNoValue) {
  auto db = five_users();
  const auto none = For<User>(db).where(field<&User::age> > 1000);
  EXPECT_EQ(none.sum<&User::age>(), std::nullopt);
  EXPECT_EQ(none.avg<&User::age>(), std::nullopt);
  EXPECT_EQ(none.min<&User::age>(), std::nullopt);
  EXPECT_EQ(none.max<&User::name>(), std::nullopt);
  EXPECT_EQ((For<User>(db).where(field<&User::email>.is_null()).max<&User::email>()), std::nullopt);
}

TEST(Read, AggregatesAreExact) {
  auto db = five_users();
  const auto users = For<User>(db);
  EXPECT_EQ(users.sum<&User::age>(), 117);
  EXPECT_EQ(users.avg<&User::age>(), 23.4);
  EXPECT_EQ(users.min<&User::age>(), -3);
  EXPECT_EQ(users.max<&User::age>(), 50);
  EXPECT_EQ(users.min<&User::name>(), "Ada");
  EXPECT_EQ(users.max<&User::email>(), "cyd@x");
  EXPECT_EQ(users.distinct().sum<&User::age>(), 100);
  static_assert(std::is_same_v<decltype(users.sum<&User::age>()), std::optional<std::int64_t>>);
  static_assert(std::is_same_v<decltype(users.max<&User::age>()), std::optional<int>>);
}

struct Big {
  std::int64_t id{};
  std::int64_t n{};
};

TEST(Read, ASumBeyond64BitsIsAnErrorNotAnotherNumber) {
  auto db = fresh();
  quark::create_table<Big>(db);
  const auto bigs = For<Big>(db);
  bigs.create(Big{1, INT64_MAX - 1});
  bigs.create(Big{2, 1});
  EXPECT_EQ(bigs.sum<&Big::n>(), INT64_MAX);
  bigs.create(Big{3, 1});
  EXPECT_THROW((void)bigs.sum<&Big::n>(), quark::ConversionError);
  EXPECT_EQ(bigs.where(field<&Big::id> > 1).sum<&Big::n>(), 2);
}

TEST(Read, PluckGivesOneColumn) {
  auto db = five_users();
  const auto users = For<User>(db).order_by(asc<&User::id>);
  EXPECT_EQ(users.pluck<&User::name>(),
            (std::vector<std::string>{"Ada", "Bob", "Cyd", "Dan", "Eve"}));
  const std::vector<std::optional<std::string>> emails{"ada@x", std::nullopt, "cyd@x", "",
                                                       std::nullopt};
  EXPECT_EQ(users.pluck<&User::email>(), emails);
  EXPECT_EQ((For<User>(db).distinct().order_by(asc<&User::age>).pluck<&User::age>()),
            (std::vector<int>{-3, 17, 36, 50}));
  EXPECT_EQ((users.limit(2).offset(1).pluck<&User::age>()), (std::vector<int>{17, 50}));
}

struct Note {
  int day{};
  std::string text{};
};

TEST(Read, DistinctCountsBeforeLimitOffsetAndExists) {
  auto db = fresh();
  quark::create_table<Note>(db);
  for (int i = 0; i < 6; ++i) For<Note>(db).create(Note{i % 2, "same"});
  const auto notes = For<Note>(db).distinct();
  EXPECT_EQ(notes.list().size(), 2u);
  EXPECT_EQ(notes.count(), 2);
  EXPECT_EQ(notes.limit(1).count(), 1);
  EXPECT_EQ(notes.offset(1).count(), 1);
  EXPECT_TRUE(notes.offset(1).exists());
  EXPECT_FALSE(notes.offset(2).exists());
}

TEST(Read, LeavesOutNoRowWhenThereAreMany) {
  auto db = fresh();
  quark::create_table<User>(db);
  std::vector<User> many(5000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i].name = std::to_string(i);
  For<User>(db).create_batch(many);
  EXPECT_EQ(For<User>(db).list().size(), 5000u) << "there is no hidden limit";
  EXPECT_EQ(For<User>(db).limit(4000).list().size(), 4000u);
}

TEST(Read, NullsSortTogether) {
  auto db = five_users();
  const auto order = ids(For<User>(db).order_by(asc<&User::email>, asc<&User::id>));
  EXPECT_EQ(order, Can::sort_null_first ? (Ids{2, 5, 4, 1, 3}) : (Ids{4, 1, 3, 2, 5}));
}

TEST(B02, NullForAMemberThatTakesNoneIsRefusedByName) {
  struct Task {
    std::int64_t id{};
    std::string title{};
    std::optional<std::int64_t> owner{};
    std::int32_t effort{};
  };
  auto db = fresh();
  raw(db, "create table tasks (id bigint, title varchar(20), owner bigint, effort int)");
  raw(db, "insert into tasks values (1,'a',null,3), (2,null,7,3), (3,'c',null,null)");
  const auto tasks = For<Task>(db);
  EXPECT_EQ(tasks.get(1).owner, std::nullopt);
  for (int again = 0; again < 2; ++again) {
    const auto title = error_of<quark::ConversionError>([&] { (void)tasks.find(2); });
    EXPECT_EQ(title.table(), "tasks");
    EXPECT_EQ(title.column(), "title");
    EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)tasks.find(3); }).column(), "effort");
    EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)tasks.list(); }).column(), "title");
    EXPECT_EQ(
        error_of<quark::ConversionError>([&] { (void)tasks.pluck<&Task::effort>(); }).column(),
        "effort");
    EXPECT_TRUE(tasks.find(1));
  }
  tasks.create(Task{4, "d", std::nullopt, 0});
  EXPECT_EQ(raw_row(db, "select owner is null, effort from tasks where id = 4"), "1|0");
}

TEST(B04, ANullTakesNothingFromTheRowBefore) {
  struct Login {
    std::int64_t id{};
    std::optional<std::string> account{};
    std::optional<double> score{};
  };
  auto db = fresh();
  quark::create_table<Login>(db);
  raw(db,
      "insert into logins values (1,null,null), (2,'Test',1.5), (3,null,null), (4,'',0), "
      "(5,null,2.5)");
  const auto logins = For<Login>(db).order_by(asc<&Login::id>);
  const std::vector<std::optional<std::string>> accounts{std::nullopt, "Test", std::nullopt, "",
                                                         std::nullopt};
  const std::vector<std::optional<double>> scores{std::nullopt, 1.5, std::nullopt, 0.0, 2.5};
  for (int again = 0; again < 2; ++again) {
    std::size_t i = 0;
    for (const auto& row : logins.list()) {
      EXPECT_EQ(row.account, accounts[i]);
      EXPECT_EQ(row.score, scores[i++]);
    }
    i = 0;
    logins.each([&](const Login& row) {
      EXPECT_EQ(row.account, accounts[i]);
      EXPECT_EQ(row.score, scores[i++]);
    });
    EXPECT_EQ(i, 5u);
  }
}

}  // namespace
