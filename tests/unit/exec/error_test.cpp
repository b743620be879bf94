// Errors: a kind has a class, details survive copies, and retrying is only advised where it can
// help.
#include <quark/exec/error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace quark;

template <class Expected>
bool throws_as(ErrorKind kind) {
  ErrorInfo info;
  info.kind = kind;
  info.message = "m";
  try {
    throw_error(info);
  } catch (const Expected& error) {
    return error.kind() == kind && typeid(error) == typeid(Expected);
  } catch (...) {
    return false;
  }
}

TEST(Error, HasOneClassPerKind) {
  EXPECT_TRUE(throws_as<UniqueViolation>(ErrorKind::unique));
  EXPECT_TRUE(throws_as<ForeignKeyViolation>(ErrorKind::foreign_key));
  EXPECT_TRUE(throws_as<NotNullViolation>(ErrorKind::not_null));
  EXPECT_TRUE(throws_as<CheckViolation>(ErrorKind::check));
  EXPECT_TRUE(throws_as<Deadlock>(ErrorKind::deadlock));
  EXPECT_TRUE(throws_as<SerializationFailure>(ErrorKind::serialization));
  EXPECT_TRUE(throws_as<TransactionAborted>(ErrorKind::aborted));
  EXPECT_TRUE(throws_as<LockTimeout>(ErrorKind::lock_timeout));
  EXPECT_TRUE(throws_as<Timeout>(ErrorKind::timeout));
  EXPECT_TRUE(throws_as<ConnectionError>(ErrorKind::connection));
  EXPECT_TRUE(throws_as<ConversionError>(ErrorKind::conversion));
  EXPECT_TRUE(throws_as<NotFound>(ErrorKind::not_found));
  EXPECT_TRUE(throws_as<StaleEntity>(ErrorKind::stale));
  EXPECT_TRUE(throws_as<Unsupported>(ErrorKind::unsupported));
  EXPECT_TRUE(throws_as<SyntaxError>(ErrorKind::syntax));
  EXPECT_TRUE(throws_as<PermissionDenied>(ErrorKind::permission));
  EXPECT_TRUE(throws_as<StorageError>(ErrorKind::storage));
  EXPECT_TRUE(throws_as<Misuse>(ErrorKind::misuse));
  EXPECT_TRUE(throws_as<Error>(ErrorKind::other));
}

TEST(Error, SaysItsKindInWords) {
  EXPECT_EQ(to_string(ErrorKind::unique), "unique");
  EXPECT_EQ(to_string(ErrorKind::lock_timeout), "lock_timeout");
  EXPECT_EQ(to_string(ErrorKind::aborted), "aborted");
  EXPECT_EQ(to_string(ErrorKind::other), "other");
}

ErrorInfo full() {
  ErrorInfo info;
  info.kind = ErrorKind::unique;
  info.message = "what";
  info.constraint = "users_email_key";
  info.table = "users";
  info.column = "email";
  info.sqlstate = "23505";
  info.statement = "INSERT";
  info.engine_code = 2067;
  info.retryable = true;
  return info;
}
void expect_full(const Error& error) {
  EXPECT_STREQ(error.what(), "what");
  EXPECT_EQ(error.kind(), ErrorKind::unique);
  EXPECT_EQ(error.constraint(), "users_email_key");
  EXPECT_EQ(error.table(), "users");
  EXPECT_EQ(error.column(), "email");
  EXPECT_EQ(error.sqlstate(), "23505");
  EXPECT_EQ(error.statement(), "INSERT");
  EXPECT_EQ(error.engine_code(), 2067);
  EXPECT_TRUE(error.retryable());
}

TEST(Error, KeepsItsDetailsInEveryCopy) {
  static_assert(std::is_nothrow_copy_constructible_v<Error> &&
                std::is_nothrow_copy_assignable_v<Error>);
  auto* original = new UniqueViolation(full());
  expect_full(*original);
  Error copy = *original;
  Error assigned{ErrorInfo{}};
  assigned = *original;
  delete original;
  expect_full(copy);
  expect_full(assigned);
  const Error& itself = copy;
  copy = itself;
  expect_full(copy);
  std::exception_ptr kept;
  try {
    throw UniqueViolation(full());
  } catch (...) {
    kept = std::current_exception();
  }
  try {
    std::rethrow_exception(kept);
  } catch (const std::exception& error) {
    expect_full(dynamic_cast<const Error&>(error));
  }
}

TEST(Error, OfAUsersConversionIsAConversionError) {
  const ConversionError error("no colour");
  EXPECT_EQ(error.kind(), ErrorKind::conversion);
  EXPECT_STREQ(error.what(), "no colour");
  EXPECT_TRUE(error.column().empty());
  EXPECT_FALSE(error.retryable());
}

TEST(Error, OfOurOwnChecksNamesWhatIsWrong) {
  try {
    detail::throw_out_of_range("users", "age");
  } catch (const ConversionError& error) {
    EXPECT_STREQ(error.what(), "quark: the value does not fit column users.age");
    EXPECT_EQ(error.table(), "users");
    EXPECT_EQ(error.column(), "age");
  }
  EXPECT_THROW(detail::throw_misuse("x"), Misuse);
  EXPECT_THROW(detail::throw_not_found("users", "get"), NotFound);
  EXPECT_THROW(detail::throw_not_one("users"), NotFound);
  EXPECT_THROW(detail::throw_stale("users"), StaleEntity);
}

}  // namespace
