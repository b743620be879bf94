// Bad input: each is a typed error that says where, nothing is written, and the connection answers
// the next query.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using namespace under_test;
using quark::ErrorKind;
using quark::field;
using quark::For;

Db tables() {
  auto db = fresh();
  quark::create_all<User, Account>(db);
  For<User>(db).create(User{1, "Ada", {}, 36, true});
  For<Account>(db).create(Account{1, "A-1", 1, 10});
  under_test::after_given_keys(db, "users");
  under_test::after_given_keys(db, "accounts");
  return db;
}
void expect_untouched(const Db& db) {
  EXPECT_EQ(raw_row(db, "select id, name, age from users"), "1|Ada|36");
  EXPECT_EQ(raw_row(db, "select id, number, owner_id, balance from accounts"), "1|A-1|1|10");
}
// The text of the statement, and none of its values.
void expect_statement(const quark::Error& error, std::string_view begins, std::string_view secret) {
  EXPECT_EQ(error.statement().substr(0, begins.size()), begins);
  EXPECT_EQ(error.statement().find(secret), std::string_view::npos);
  EXPECT_EQ(std::string_view(error.what()).find(secret), std::string_view::npos) << error.what();
}

TEST(B43, AUniqueViolationNamesItsColumns) {
  auto db = tables();
  for (int again = 0; again < 2; ++again) {
    Account twice{.number = "A-1", .balance = 123456};
    const auto error = error_of<quark::UniqueViolation>([&] { For<Account>(db).create(twice); });
    EXPECT_EQ(error.kind(), ErrorKind::unique);
    EXPECT_EQ(error.table(), "accounts");
    if (Can::name_unique_columns) {
      EXPECT_EQ(error.column(), "number");
    }
    EXPECT_EQ(error.constraint(), "accounts_number_key");
    EXPECT_TRUE(error.engine_code() != 0 || !error.sqlstate().empty());
    EXPECT_FALSE(error.retryable());
    expect_statement(error, "INSERT INTO", "123456");
    expect_untouched(db);
  }
  EXPECT_THROW(For<Account>(db).create(Account{.id = 1, .number = "A-2"}), quark::UniqueViolation);
  For<Account>(db).create(Account{.number = "A-2"});
  EXPECT_THROW(For<Account>(db)
                   .where(field<&Account::id> == 1)
                   .set(field<& Account::number> = "A-2")
                   .update(),
               quark::UniqueViolation);
  EXPECT_EQ(raw_cell(db, "select number from accounts where id = 1"), "A-1");
  std::vector<Account> batch{Account{.number = "A-3"}, Account{.number = "A-3"}};
  EXPECT_EQ(error_of<quark::UniqueViolation>([&] { For<Account>(db).create_batch(batch); }).constraint(),
            "accounts_number_key");
}

TEST(B43, AForeignKeyViolationIsToldApart) {
  auto db = tables();
  for (int again = 0; again < 2; ++again) {
    Account orphan{.number = "A-2", .owner_id = 4711};
    const auto error =
        error_of<quark::ForeignKeyViolation>([&] { For<Account>(db).create(orphan); });
    EXPECT_EQ(error.kind(), ErrorKind::foreign_key);
    EXPECT_EQ(error.table(), "accounts");
    if (Can::name_foreign_key) {
      EXPECT_EQ(error.constraint(), "accounts_owner_id_fkey");
    }
    if (Can::name_foreign_column) {
      EXPECT_EQ(error.column(), "owner_id");
    }
    expect_statement(error, "INSERT INTO", "4711");
    EXPECT_EQ(orphan.id, 0);
    EXPECT_THROW(For<User>(db).remove_by_key(1), quark::ForeignKeyViolation);
    EXPECT_THROW(For<User>(db).everything().remove(), quark::ForeignKeyViolation);
    EXPECT_THROW(For<Account>(db).update(Account{1, "A-1", 2, 10}), quark::ForeignKeyViolation);
    expect_untouched(db);
  }
}

TEST(B43, ACheckViolationNamesTheConstraint) {
  auto db = tables();
  for (int again = 0; again < 2; ++again) {
    const auto error = error_of<quark::CheckViolation>(
        [&] { For<Account>(db).create(Account{.number = "A-2", .balance = -987}); });
    EXPECT_EQ(error.kind(), ErrorKind::check);
    EXPECT_EQ(error.constraint(), "balance_not_negative");
    expect_statement(error, "INSERT INTO", "987");
    EXPECT_THROW(For<Account>(db)
                     .everything()
                     .set(field<& Account::balance> = field<&Account::balance> - 11)
                     .update(),
                 quark::CheckViolation);
    expect_untouched(db);
  }
}

TEST(B43, ANotNullViolationNamesTheColumn) {
  struct Loose {
    std::int64_t id{};
    std::optional<std::string> name{};
    static consteval auto orm() { return quark::model(quark::table("tight")); }
  };
  auto db = fresh();
  raw(db, "create table tight (id bigint primary key, name varchar(20) not null)");
  for (int again = 0; again < 2; ++again) {
    const auto error = error_of<quark::NotNullViolation>([&] {
      For<Loose>(db).create(Loose{1, std::nullopt});
    });
    EXPECT_EQ(error.kind(), ErrorKind::not_null);
    EXPECT_EQ(error.column(), "name");
    EXPECT_EQ(raw_cell(db, "select count(*) from tight"), "0");
  }
  For<Loose>(db).where(field<&Loose::id> == 9).set(field<& Loose::name> = std::nullopt).update();
}

TEST(B43, TheFirstErrorIsTheOneThatArrives) {
  auto db = tables();
  const auto error = error_of<quark::UniqueViolation>([&] {
    db.transaction([](auto& tx) {
      For<User>(tx).create(User{2, "B", {}, 1, false});
      tx.transaction([](auto& inner) {
        std::vector<Account> batch{{0, "A-2", {}, 0}, {0, "A-1", {}, 0}};
        For<Account>(inner).create_batch(batch);
      });
    });
  });
  if (Can::name_unique_columns) {
    EXPECT_EQ(error.column(), "number");
  }
  expect_untouched(db);
  For<User>(db).create(User{2, "B", {}, 1, false});
}

TEST(BadInput, AMissingTableIsASyntaxErrorOnEveryCall) {
  auto db = tables();
  EXPECT_EQ(For<Account>(db).count(), 1);
  EXPECT_TRUE(For<Account>(db).find(1));
  For<Account>(db).update(Account{1, "A-1", 1, 10});
  quark::drop_table<Account>(db);
  for (int again = 0; again < 2; ++again) {
    EXPECT_THROW((void)For<Account>(db).count(), quark::SyntaxError)
        << "cached before, call " << again;
    EXPECT_THROW((void)For<Account>(db).find(1), quark::SyntaxError);
    EXPECT_THROW((void)For<Account>(db).list(), quark::SyntaxError);
    EXPECT_THROW(For<Account>(db).update(Account{1, "A-1", 1, 10}), quark::SyntaxError);
    EXPECT_THROW(For<Account>(db).create(Account{}), quark::SyntaxError);
    const auto error = error_of<quark::SyntaxError>([&] { (void)For<Account>(db).first(); });
    EXPECT_EQ(error.table(), "accounts");
    EXPECT_EQ(error.statement().substr(0, 7), "SELECT ");
  }
  EXPECT_EQ(For<User>(db).count(), 1);
}

TEST(B16, AMisspeltColumnIsAnErrorNotAText) {
  struct P {
    std::int64_t id{};
    std::string nickname{};
  };
  auto db = fresh();
  raw(db, "create table ps (id bigint primary key, nick_name varchar(20))");
  raw(db, "insert into ps values (1, 'n')");
  for (int again = 0; again < 2; ++again) {
    EXPECT_THROW((void)For<P>(db).list(), quark::SyntaxError);
    EXPECT_THROW((void)For<P>(db).where(field<&P::nickname> != "").count(), quark::SyntaxError);
    EXPECT_THROW((void)For<P>(db).update<&P::nickname>(P{1, "x"}), quark::SyntaxError);
    EXPECT_THROW(
        (void)For<P>(db).where(field<&P::id> == 1).set(field<& P::nickname> = "x").update(),
        quark::SyntaxError);
    EXPECT_THROW((void)For<P>(db).create(P{2, "x"}), quark::SyntaxError);
  }
  EXPECT_EQ(raw_row(db, "select id, nick_name from ps"), "1|n");
}

struct Range {
  std::int64_t id{};
  std::uint8_t small{};
  std::uint64_t large{};
  std::optional<double> real{};
};

TEST(BadInput, AValueThatDoesNotFitNamesItsColumn) {
  auto db = fresh();
  quark::create_table<Range>(db);
  For<Range>(db).create(Range{1, 1, 1, 1.0});
  const auto set = error_of<quark::ConversionError>([&] {
    For<Range>(db).where(field<&Range::id> == 1).set(field<& Range::small> = 256).update();
  });
  EXPECT_EQ(set.column(), "small");
  EXPECT_EQ(set.table(), "ranges");
  EXPECT_EQ(error_of<quark::ConversionError>([&] {
              (void)For<Range>(db).where(field<&Range::small> == -1).count();
            }).column(),
            "small");
  EXPECT_EQ(error_of<quark::ConversionError>([&] {
              (void)For<Range>(db).where(field<&Range::small>.in(1, 300)).count();
            }).column(),
            "small");
  const std::vector<int> values{1, -5};
  EXPECT_THROW((void)For<Range>(db).where(field<&Range::small>.in(values)).count(),
               quark::ConversionError);
  if (!Can::hold_all_of_u64) {
    const auto large = error_of<quark::ConversionError>([&] {
      For<Range>(db).create(Range{2, 0, UINT64_MAX, {}});
    });
    EXPECT_EQ(large.column(), "large");
    std::vector<Range> batch{{0, 0, 5, {}}, {0, 0, std::uint64_t{1} << 63, {}}};
    EXPECT_EQ(
        error_of<quark::ConversionError>([&] { For<Range>(db).create_batch(batch); }).column(),
        "large");
    EXPECT_EQ(batch[0].id, 0);
    EXPECT_EQ(error_of<quark::ConversionError>([&] {
                (void)For<Range>(db).where(field<&Range::large> == UINT64_MAX).count();
              }).column(),
              "large");
    const std::vector<std::uint64_t> many{1, UINT64_MAX};
    EXPECT_THROW((void)For<Range>(db).where(field<&Range::large>.in(many)).count(),
                 quark::ConversionError);
  }
  if (!Can::hold_nan) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto error = error_of<quark::ConversionError>([&] {
      For<Range>(db).create(Range{2, 0, 0, nan});
    });
    EXPECT_EQ(error.column(), "real");
    EXPECT_NE(std::string_view(error.what()).find("NaN"), std::string_view::npos);
  }
  EXPECT_EQ(raw_row(db, "select count(*), sum(small), sum(large) from ranges"), "1|1|1");
  EXPECT_EQ(For<Range>(db).get(1).small, 1);
}

TEST(BadInput, APlainStatementReportsItsErrorToo) {
  auto db = tables();
  EXPECT_THROW((void)db.execute("selct 1"), quark::SyntaxError);
  EXPECT_THROW((void)db.execute("insert into nowhere values (1)"), quark::SyntaxError);
  EXPECT_THROW((void)db.execute("insert into users (id, name, age, active) values (1, 'x', 1, " +
                                under_test::truth(true) + ")"),
               quark::UniqueViolation);
  EXPECT_EQ(db.execute("update users set age = 36"), 1u);
  expect_untouched(db);
}

TEST(B17, APlainStatementIsOneStatement) {
  auto db = tables();
  for (const char* text : {"update users set age = 1; delete from users", "", "  ", ";",
                           "-- nothing", "update users set age = 1;;select 1"})
    EXPECT_THROW((void)db.execute(text), quark::Misuse) << text;
  expect_untouched(db);
  EXPECT_EQ(db.execute("update users set age = 36; \n "), 1u);
}

TEST(B43, AnErrorIsCopiedAndCaughtByBase) {
  auto db = tables();
  std::optional<quark::Error> kept;
  try {
    For<User>(db).create(User{1, "twice", {}, 0, false});
  } catch (const quark::Error& error) {
    kept = error;
  }
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->kind(), ErrorKind::unique);
  EXPECT_EQ(quark::to_string(kept->kind()), "unique");
  EXPECT_THROW(For<User>(db).create(User{1, "twice", {}, 0, false}), std::exception);
}

}  // namespace
