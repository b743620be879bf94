// LISTEN and NOTIFY between connections.
#include "support/engine_under_test.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

namespace {

using namespace under_test;

TEST(PostgresNotify, ArrivesAtWhoListens) {
  auto sender = fresh(), receiver = fresh();
  const std::string channel = "odd \"name\" " + std::to_string(PQbackendPID(receiver.native()));
  EXPECT_FALSE(receiver.wait_for_notification(0));
  receiver.listen(channel);
  sender.notify(channel, "it's 1");
  const auto first = receiver.wait_for_notification(5000);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->channel, channel);
  EXPECT_EQ(first->payload, "it's 1");
  EXPECT_EQ(first->backend_pid, PQbackendPID(sender.native()));
  EXPECT_FALSE(receiver.wait_for_notification(20));

  // In a transaction it waits for the commit, and a rolled back one says nothing.
  auto tx = sender.begin();
  sender.notify(channel, "2");
  EXPECT_FALSE(receiver.wait_for_notification(20));
  tx.commit();
  EXPECT_EQ(receiver.wait_for_notification(5000).value().payload, "2");
  auto undone = sender.begin();
  sender.notify(channel, "3");
  undone.rollback();
  EXPECT_FALSE(receiver.wait_for_notification(20));

  receiver.unlisten(channel);
  sender.notify(channel);
  EXPECT_FALSE(receiver.wait_for_notification(20));
}

TEST(PostgresNotify, WakesUpWhoWaits) {
  auto sender = fresh(), receiver = fresh();
  const std::string channel = "c" + std::to_string(PQbackendPID(receiver.native()));
  receiver.listen(channel);
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    sender.notify(channel, "now");
  });
  EXPECT_EQ(receiver.wait_for_notification(-1).value().payload, "now");
  later.join();
}

TEST(PostgresNotify, BadInputIsRefused) {
  auto db = fresh();
  EXPECT_THROW(db.listen(""), quark::Misuse);
  EXPECT_THROW(db.listen(std::string("a\0b", 3)), quark::Misuse);
  EXPECT_THROW(db.notify(std::string("a\0b", 3)), quark::ConversionError);
  EXPECT_THROW(db.notify("c", std::string(9000, 'x')), quark::Error);
  auto other = fresh();
  other.execute("select pg_terminate_backend(" + std::to_string(PQbackendPID(db.native())) + ", 5000)");
  EXPECT_THROW((void)db.wait_for_notification(2000), quark::ConnectionError);
}

}  // namespace
