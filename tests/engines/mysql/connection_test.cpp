// Connections: URLs, refusals, a connection that the server ends, statements that are kept.
#include "engines/mysql/server.hpp"
#include "support/errors.hpp"
#include "support/models.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace {

using namespace under_test;
using quark::ErrorKind;
using quark::field;
using quark::For;
using quark::mysql::Options;
using quark::mysql::parse_url;

TEST(Url, IsTakenApart) {
  const Options all = parse_url("mysql://a%40b:p%3Aw%2F@db.example:3307/my%20db?socket=/tmp/s&ssl_mode=verify_identity&ssl_ca=/ca"
                                "&connect_timeout_seconds=3&returning=false&bulk=0&cached_texts=5");
  EXPECT_EQ(all.user, "a@b");
  EXPECT_EQ(all.password, "p:w/");
  EXPECT_EQ(all.host, "db.example");
  EXPECT_EQ(all.port, 3307u);
  EXPECT_EQ(all.database, "my db");
  EXPECT_EQ(all.socket, "/tmp/s");
  EXPECT_EQ(all.ssl_mode, quark::mysql::SslMode::verify_identity);
  EXPECT_EQ(all.ssl_ca, "/ca");
  EXPECT_EQ(all.connect_timeout_seconds, 3u);
  EXPECT_FALSE(all.returning);
  EXPECT_FALSE(all.bulk);
  EXPECT_EQ(all.cached_texts, 5u);
  EXPECT_EQ(parse_url("mariadb://[::1]:3306/x").host, "::1");
  const Options least = parse_url("mysql://");
  EXPECT_EQ(least.host, "localhost");
  EXPECT_EQ(least.port, 0u);
  EXPECT_EQ(parse_url("mysql://u@h").user, "u");
}

TEST(Url, ThatIsWrongIsMisuseAndItsPasswordIsNotTold) {
  for (const char* url : {"postgres://h", "h", "mysql://u:secret@h:port", "mysql://u:secret@h:99999/", "mysql://u:secret@h/a/b",
                          "mysql://u:secret%zz@h", "mysql://u:secret@h/d?nonsense=1", "mysql://u:secret@h/d?ssl_mode=perhaps",
                          "mysql://u:secret@h/d?bulk=perhaps", "mysql://u:secret@h/d?socket", "mysql://u:secret@[::1/d"}) {
    try {
      (void)parse_url(url);
      ADD_FAILURE() << url;
    } catch (const quark::Misuse& error) {
      EXPECT_EQ(std::string_view(error.what()).find("secret"), std::string_view::npos) << error.what();
    }
  }
}

TEST(Connect, SaysWhyNot) {
  Options wrong = server();
  wrong.password = "not the password";
  const auto denied = error_of<quark::PermissionDenied>([&] { (void)quark::mysql::open(wrong); });
  EXPECT_EQ(denied.engine_code(), 1045);
  EXPECT_EQ(denied.sqlstate(), "28000");
  EXPECT_EQ(std::string_view(denied.what()).find("not the password"), std::string_view::npos);
  Options nowhere = server();
  nowhere.database = "quark_no_such_database";
  EXPECT_THROW((void)quark::mysql::open(nowhere), quark::ConnectionError);
  Options closed = server();
  closed.host = "127.0.0.1";
  closed.socket.clear();
  closed.port = 1;
  EXPECT_THROW((void)quark::mysql::open(closed), quark::ConnectionError);
  Options far = server();
  far.host = "192.0.2.1";  // of documentation: nobody answers
  far.connect_timeout_seconds = 1;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW((void)quark::mysql::open(far), quark::ConnectionError);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  Options zero = server();
  zero.user = std::string("a\0b", 3);
  EXPECT_THROW((void)quark::mysql::open(zero), quark::Misuse);
}

void kill(const Db& killer, const Db& victim, const char* what = "") {
  raw(killer, "kill " + std::string(what) + " " + std::to_string(mysql_thread_id(victim.native())));
}

TEST(LostConnection, WhileIdleIsToldByEveryCall) {
  Shared shared;
  auto db = shared.connect(), other = shared.connect();
  quark::create_table<User>(db);
  For<User>(db).create(User{1, "kept", {}, 0, false});
  kill(other, db);
  const auto first = error_of<quark::ConnectionError>([&] { (void)For<User>(db).count(); });
  EXPECT_TRUE(first.engine_code() == 2006 || first.engine_code() == 2013) << first.what();
  EXPECT_TRUE(db.is_lost());
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW((void)For<User>(db).list(), quark::ConnectionError);
    EXPECT_THROW(For<User>(db).create(User{2, "x", {}, 0, false}), quark::ConnectionError);
    EXPECT_THROW(db.transaction([](auto&) {}), quark::ConnectionError);
    EXPECT_THROW((void)db.execute("select 1"), quark::ConnectionError);
    std::vector<User> batch(2);
    EXPECT_THROW(For<User>(db).create_batch(batch), quark::ConnectionError);
  }
  EXPECT_EQ(raw_cell(other, "select count(*) from users"), "1");
}

TEST(LostConnection, InTheMiddleOfATransactionUndoesIt) {
  Shared shared;
  auto db = shared.connect(), other = shared.connect();
  quark::create_table<User>(db);
  {
    auto tx = db.begin();
    For<User>(tx).create(User{1, "gone", {}, 0, false});
    kill(other, db);
    EXPECT_THROW(For<User>(tx).create(User{2, "gone", {}, 0, false}), quark::ConnectionError);
    EXPECT_THROW((void)tx.commit(), quark::ConnectionError);
  }
  EXPECT_THROW(
      {
        auto again = shared.connect();
        again.transaction([&](auto& tx) {
          For<User>(tx).create(User{1, "gone", {}, 0, false});
          kill(other, again);
        });
      },
      quark::ConnectionError);
  EXPECT_EQ(raw_cell(other, "select count(*) from users"), "0");
}

TEST(LostConnection, InTheMiddleOfAQueryAndOfAStream) {
  Shared shared;
  auto db = shared.connect(), other = shared.connect();
  std::thread killer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    kill(other, db);
  });
  const auto lost = error_of<quark::ConnectionError>([&] { (void)db.execute("select sleep(20)"); });
  killer.join();
  EXPECT_NE(lost.engine_code(), 0);
  EXPECT_TRUE(db.is_lost());

  auto streaming = shared.connect();
  quark::create_table<User>(streaming);
  raw(streaming, "insert into users (name, age, active) select repeat('x', 200), 1, 1 from seq_1_to_50000");
  std::size_t seen = 0;
  EXPECT_THROW(For<User>(streaming).each([&](const User&) {
    if (++seen == 10) kill(other, streaming);
  }),
               quark::ConnectionError);
  EXPECT_LT(seen, 50000u);
}

TEST(Interrupted, AQueryEndsAndTheConnectionGoesOn) {
  Shared shared;
  auto db = shared.connect(), other = shared.connect();
  quark::create_table<User>(db);
  std::thread killer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    kill(other, db, "query");
  });
  // sleep() itself would only answer 1.
  EXPECT_THROW((void)db.execute("insert into users (name, age, active) select 'x', 1, sleep(20) from seq_1_to_2"),
               quark::Timeout);
  killer.join();
  EXPECT_FALSE(db.is_lost());
  EXPECT_EQ(For<User>(db).count(), 0);
  EXPECT_THROW((void)db.execute("set statement max_statement_time = 0.1 for "
                                "select count(*) from seq_1_to_100000000 where md5(seq) = 'x'"),
               quark::Timeout);
  EXPECT_EQ(For<User>(db).count(), 0);
}

TEST(KeptStatements, StayWithinTheirLimit) {
  Options options = fresh_options();
  options.cached_statements = 3;
  auto db = quark::mysql::open(options);
  quark::create_table<User>(db);
  const auto users = For<User>(db);
  for (int round = 0; round < 3; ++round) {
    users.create(User{0, "a", {}, round, false});
    EXPECT_EQ(users.where(field<&User::age> == round).count(), 1);
    EXPECT_EQ(users.where(field<&User::age> <= round).list().size(), static_cast<std::size_t>(round) + 1);
    EXPECT_TRUE(users.where(field<&User::age> < 5).exists());
    EXPECT_EQ(users.where(field<&User::name> == "a").first()->age, 0);
    users.where(field<&User::age> == round).each([&](const User& user) {
      EXPECT_EQ(users.find(user.id)->age, round);
      EXPECT_EQ(users.count(), round + 1);
    });
    EXPECT_LE(db.session().cached_statements(), 3u);
  }
}

TEST(KeptStatements, MakeRoomWhenTheServerHasNone) {
  Shared shared;
  auto db = shared.connect(), other = shared.connect();
  quark::create_table<User>(db);
  const auto users = For<User>(db);
  EXPECT_EQ(users.count(), 0);
  const std::string before = raw_cell(other, "select @@max_prepared_stmt_count");
  raw(other, "set global max_prepared_stmt_count = 1");
  EXPECT_EQ(users.list().size(), 0u);
  EXPECT_FALSE(users.exists());
  raw(other, "set global max_prepared_stmt_count = 0");
  EXPECT_EQ(error_of<quark::Error>([&] { (void)users.where(field<&User::age> == 1).count(); }).engine_code(), 1461);
  raw(other, "set global max_prepared_stmt_count = " + before);
  EXPECT_EQ(users.where(field<&User::age> == 1).count(), 0);
}

struct Narrow {
  std::int64_t id{};
  int n{};
  std::string text{};
  static consteval auto orm() { return quark::model(quark::size(&Narrow::text, 10)); }
};

TEST(KeptStatements, FollowAChangedTable) {
  auto db = fresh();
  quark::create_table<Narrow>(db);
  const auto rows = For<Narrow>(db);
  rows.create(Narrow{1, 7, "a"});
  EXPECT_EQ(rows.get(1).n, 7);
  raw(db, "alter table narrows add column extra int first, modify n bigint not null, modify text longtext not null");
  EXPECT_EQ(rows.get(1).n, 7);
  rows.create(Narrow{2, 8, std::string(5000, 'x')});
  EXPECT_EQ(rows.get(2).text.size(), 5000u);
  raw(db, "alter table narrows modify n bigint unsigned not null");
  raw(db, "update narrows set n = 18446744073709551615 where id = 2");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)rows.get(2); }).column(), "n");
  raw(db, "alter table narrows modify n varchar(30) not null");
  EXPECT_EQ(error_of<quark::ConversionError>([&] { (void)rows.get(1); }).column(), "n");
  raw(db, "alter table narrows drop column n");
  EXPECT_THROW((void)rows.get(1), quark::SyntaxError);
  raw(db, "alter table narrows add column n int not null default 3");
  EXPECT_EQ(rows.get(1).n, 3);
}

TEST(B43, AMessageRepeatsNoValue) {
  auto db = fresh();
  quark::create_table<User>(db);
  raw(db, "create unique index users_by_name on users (name(50))");
  For<User>(db).create(User{1, "secret' for key 'x", {}, 0, false});
  const auto twice = error_of<quark::UniqueViolation>([&] {
    For<User>(db).create(User{2, "secret' for key 'x", {}, 0, false});
  });
  EXPECT_EQ(std::string_view(twice.what()).find("secret"), std::string_view::npos) << twice.what();
  EXPECT_EQ(twice.constraint(), "users_by_name");
  EXPECT_EQ(twice.sqlstate(), "23000");
  for (const char* sql : {"update users set age = 'secret'", "update users set age = 1 where name + 0 = 1",
                          "insert into users (id, name, age, active) values (5, 'x', 'secret', 1)"}) {
    try {
      (void)db.execute(sql);
      ADD_FAILURE() << sql;
    } catch (const quark::ConversionError& error) {
      const std::string_view message = error.what();
      EXPECT_EQ(message.substr(0, message.find(" [")).find("secret"), std::string_view::npos) << message;
    }
  }
}

}  // namespace
