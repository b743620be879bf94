// The example chinook.cpp where its database is: the models are what the file says, a copy is what the servers' own
// functions say it is, and a comparison finds each value that was changed behind its back.
#include <quark/mysql.hpp>
#include <quark/postgres.hpp>
#include <quark/sqlite.hpp>

#include "../../docs/examples/chinook_copy.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

namespace {

using namespace chinook;
using Rows = std::vector<std::vector<std::string>>;  // "NULL" for NULL

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}
std::string file() { return environment("QUARK_CHINOOK"); }
std::string file_bytes() {
  std::ifstream in(file(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
const auto no_tick = [](std::size_t, std::string_view) {};

// --- what the engines answer through their C APIs ------------------------------------------------

Rows ask(const quark::sqlite::Connection& db, const std::string& sql) {
  Rows rows;
  char* message = nullptr;
  const auto row = [](void* out, int count, char** cells, char**) {
    auto& added = static_cast<Rows*>(out)->emplace_back();
    for (int i = 0; i < count; ++i) added.emplace_back(cells[i] != nullptr ? cells[i] : "NULL");
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(db.native(), sql.c_str(), row, &rows, &message), SQLITE_OK) << message << "\n" << sql;
  return rows;
}
Rows ask(const quark::postgres::Connection& db, const std::string& sql) {
  const std::unique_ptr<PGresult, void (*)(PGresult*)> result(PQexec(db.native(), sql.c_str()), PQclear);
  EXPECT_EQ(PQresultStatus(result.get()), PGRES_TUPLES_OK) << PQerrorMessage(db.native()) << sql;
  Rows rows;
  for (int r = 0; r < PQntuples(result.get()); ++r) {
    auto& added = rows.emplace_back();
    for (int c = 0; c < PQnfields(result.get()); ++c)
      added.emplace_back(PQgetisnull(result.get(), r, c) != 0 ? "NULL" : PQgetvalue(result.get(), r, c));
  }
  return rows;
}
Rows ask(const quark::mysql::Connection& db, const std::string& sql) {
  EXPECT_EQ(mysql_query(db.native(), sql.c_str()), 0) << mysql_error(db.native()) << "\n" << sql;
  Rows rows;
  const std::unique_ptr<MYSQL_RES, void (*)(MYSQL_RES*)> result(mysql_store_result(db.native()), mysql_free_result);
  if (!result) return rows;
  while (const MYSQL_ROW cells = mysql_fetch_row(result.get())) {
    auto& added = rows.emplace_back();
    for (unsigned c = 0; c < mysql_num_fields(result.get()); ++c)
      added.emplace_back(cells[c] != nullptr ? cells[c] : "NULL");
  }
  return rows;
}

/// The engines' spelling of what a checksum is made of.
struct Spelling {
  char quote;
  std::string length, code, seconds, cents;  // of %; the number of characters, the code point of one, ...
  std::string name(std::string_view text) const { return quote + std::string(text) + quote; }
};
const Spelling sqlite_spelling{'"', "length(%)", "unicode(%)", "cast(strftime('%s', %) as integer)",
                               "cast(round(% * 100) as integer)"};
const Spelling postgres_spelling{'"', "length(%)", "ascii(%)", "extract(epoch from %)::bigint", "(% * 100)::bigint"};
const Spelling mysql_spelling{'`', "char_length(%)", "ord(convert(% using utf32))", "timestampdiff(second, '1970-01-01', %)",
                              "cast(% * 100 as signed)"};
std::string filled(std::string text, const std::string& with) {
  for (std::size_t at = 0; (at = text.find('%', at)) != std::string::npos;) {
    if (text.compare(at, 2, "%s") == 0) {
      at += 2;
      continue;
    }
    text.replace(at, 1, with);
    at += with.size();
  }
  return text;
}

/// How many values a column has, and a sum that any other value, or the same one in another row or place, changes.
template <class Table>
std::string checksum(const Spelling& s, std::size_t column) {
  const auto& table = quark::table_of<typename Table::Row>;
  const auto& info = quark::detail::infos_of<typename Table::Row>::infos[column];
  const std::string c = s.name(table[column].name), key = s.name(table[table.key.columns[0]].name);
  const std::string weight = " * (1 + " + key + " % 1009))", from = " from " + s.name(table.name);
  const std::string count = "select count(*), count(" + c + "), ";
  switch (info.form) {
    case quark::Form::text:
      return "with recursive n(k) as (select 1 union all select k + 1 from n where k < 220) select (select count(" + c +
             ")" + from + "), sum(k * " + filled(s.code, "substr(" + c + ", k, 1)") + weight + from + " join n on k <= " +
             filled(s.length, c);
    case quark::Form::timestamp: return count + "sum(" + filled(s.seconds, c) + weight + from;
    case quark::Form::decimal: return count + "sum(" + filled(s.cents, c) + weight + from;
    default: return count + "sum(" + c + weight + from;
  }
}

/// Of all columns, or those of one table.
template <class Db>
std::map<std::string, Rows> checksums(const Db& db, const Spelling& spelling, std::string_view only = {}) {
  std::map<std::string, Rows> out;
  Tables::each([&]<class Table>() {
    const auto& table = quark::table_of<typename Table::Row>;
    if (!only.empty() && only != table.name) return;
    for (std::size_t i = 0; i < table.count; ++i)
      out[std::string(table.name) + "." + std::string(table[i].name)] = ask(db, checksum<Table>(spelling, i));
  });
  return out;
}

// --- a database of its own on each server --------------------------------------------------------

struct Postgres {
  static constexpr const Spelling& spelling = postgres_spelling;
  const std::string name = "quark_chinook_" + std::to_string(getpid());
  quark::postgres::Connection server = quark::postgres::open(environment("QUARK_TEST_POSTGRES"));
  quark::postgres::Connection db = open();
  quark::postgres::Connection open() {
    server.execute("create schema " + name);
    return quark::postgres::open(
        quark::postgres::Options{.url = environment("QUARK_TEST_POSTGRES"), .search_path = name});
  }
  ~Postgres() { server.execute("set client_min_messages to error"), server.execute("drop schema " + name + " cascade"); }
  static std::string constraints(const char* kind) {
    return std::string("select count(*) from information_schema.table_constraints where table_schema = "
                       "current_schema() and constraint_type = '") + kind + "'";
  }
  static constexpr const char* indexes = "select count(*) from pg_indexes where schemaname = current_schema() and indexname like 'IFK%'";
};
struct Mysql {
  static constexpr const Spelling& spelling = mysql_spelling;
  const std::string name = "quark_chinook_" + std::to_string(getpid());
  quark::mysql::Connection server = quark::mysql::open(environment("QUARK_TEST_MYSQL"));
  quark::mysql::Connection db = open();
  quark::mysql::Connection open() {
    server.execute("create database " + name);
    auto options = quark::mysql::parse_url(environment("QUARK_TEST_MYSQL"));
    options.database = name;
    return quark::mysql::open(options);
  }
  ~Mysql() { server.execute("drop database " + name); }
  static std::string constraints(const char* kind) {
    return std::string("select count(*) from information_schema.table_constraints where table_schema = database() and "
                       "constraint_type = '") + kind + "'";
  }
  static constexpr const char* indexes = "select count(distinct table_name, index_name) from information_schema.statistics where "
                                         "table_schema = database() and index_name like 'IFK%'";
};

// --- the tests -----------------------------------------------------------------------------------

TEST(Chinook, ModelsAreWhatTheFileSays) {
  const auto db = quark::sqlite::open(file_options(file()));
  std::size_t tables = 0;
  Tables::each([&]<class Table>() {
    ++tables;
    const auto& table = quark::table_of<typename Table::Row>;
    const auto& infos = quark::detail::infos_of<typename Table::Row>::infos;
    const std::string name(table.name);
    const Rows columns = ask(db, "select name, upper(type), \"notnull\", pk from pragma_table_info('" + name + "')");
    ASSERT_EQ(columns.size(), table.count) << name;
    for (std::size_t i = 0; i < table.count; ++i) {
      std::string type = "INTEGER";
      if (infos[i].form == quark::Form::text) type = "NVARCHAR(" + std::to_string(table[i].size) + ")";
      if (infos[i].form == quark::Form::timestamp) type = "DATETIME";
      if (infos[i].form == quark::Form::decimal)
        type = "NUMERIC(" + std::to_string(infos[i].precision) + "," + std::to_string(infos[i].scale) + ")";
      std::size_t place = 0;
      for (std::size_t k = 0; k < table.key.count; ++k)
        if (table.key.columns[k] == i) place = k + 1;
      EXPECT_EQ(columns[i], (std::vector<std::string>{std::string(table[i].name), type, infos[i].nullable ? "0" : "1",
                                                      std::to_string(place)}))
          << name;
    }
    std::vector<std::vector<std::string>> references, indexes;
    for (std::size_t r = 0; r < table.reference_count; ++r) {
      const auto target = table.references[r].target();
      references.push_back({std::string(table[table.references[r].columns.columns[0]].name),
                            std::string(target.table->name),
                            std::string((*target.table)[target.columns.columns[0]].name)});
    }
    for (std::size_t k = 0; k < table.index_count; ++k)
      indexes.push_back({std::string(table.indexes[k].name), std::string(table[table.indexes[k].columns.columns[0]].name)});
    std::sort(references.begin(), references.end());
    std::sort(indexes.begin(), indexes.end());
    EXPECT_EQ(ask(db, "select \"from\", \"table\", \"to\" from pragma_foreign_key_list('" + name + "') order by 1"), references);
    EXPECT_EQ(ask(db, "select l.name, i.name from pragma_index_list('" + name +
                          "') l, pragma_index_info(l.name) i where l.origin = 'c' order by 1"),
              indexes);
  });
  EXPECT_EQ(ask(db, "select count(*) from sqlite_schema where type = 'table'")[0][0], std::to_string(tables));
}

TEST(Chinook, TheFileIsAskedAsItIs) {
  auto db = quark::sqlite::open(file_options(file()));
  using quark::field, quark::For;
  const Moment day = std::chrono::sys_days{std::chrono::year{2021} / 1 / 1};
  EXPECT_EQ(For<Invoice>(db).where(field<&Invoice::invoice_date> == day).count(),
            std::stoul(ask(db, "select count(*) from Invoice where InvoiceDate = '2021-01-01 00:00:00'")[0][0]));
  EXPECT_EQ(For<Track>(db).where(field<&Track::unit_price> == Money::of("1.99")).count(),
            std::stoul(ask(db, "select count(*) from Track where UnitPrice = 1.99")[0][0]));
  EXPECT_EQ(For<Invoice>(db).max<&Invoice::total>(), Money::of("25.86"));
  EXPECT_THROW(For<Genre>(db).create(Genre{.genre_id = 99, .name = "Noise"}), quark::PermissionDenied);
}

template <class Target>
class ChinookCopy : public testing::Test {};
using Targets = testing::Types<Postgres, Mysql>;
TYPED_TEST_SUITE(ChinookCopy, Targets);

TYPED_TEST(ChinookCopy, IsWhatTheServerSaysItIs) {
  const std::string before = file_bytes();
  auto from = quark::sqlite::open(file_options(file()));
  TypeParam target;
  std::size_t ticked = 0;
  const auto written = copy(from, target.db, [&](std::size_t rows, std::string_view) { ticked += rows; });
  EXPECT_EQ(ticked, 15'607u);

  std::size_t rows = 0;
  for (const Timing& timing : written) {
    const Rows there = ask(target.db, "select count(*) from " + target.spelling.name(timing.table));
    EXPECT_EQ(there, ask(from, "select count(*) from \"" + std::string(timing.table) + "\"")) << timing.table;
    EXPECT_EQ(there[0][0], std::to_string(timing.rows)) << timing.table;
    rows += timing.rows;
  }
  EXPECT_EQ(rows, 15'607u);
  EXPECT_EQ(checksums(target.db, target.spelling), checksums(from, sqlite_spelling));
  EXPECT_EQ(ask(target.db, target.constraints("FOREIGN KEY"))[0][0], "11");
  EXPECT_EQ(ask(target.db, target.constraints("PRIMARY KEY"))[0][0], "11");
  EXPECT_EQ(ask(target.db, target.indexes)[0][0], "11");

  std::vector<std::string> differences;
  compare(from, target.db, differences, no_tick);
  EXPECT_EQ(differences, std::vector<std::string>{});
  EXPECT_EQ(file_bytes(), before);
  EXPECT_NE(access((file() + "-wal").c_str(), F_OK), 0);
  EXPECT_NE(access((file() + "-journal").c_str(), F_OK), 0);
}

TYPED_TEST(ChinookCopy, FindsWhatWasChanged) {
  auto from = quark::sqlite::open(file_options(file()));
  TypeParam target;
  copy(from, target.db, no_tick);
  struct Change {
    const char *sql, *difference;
  };
  // Names in double quotes, which become the engine's own.
  const Change changes[] = {
      {R"(update "Track" set "Name" = concat("Name", ' ') where "TrackId" = 1)", "Track, TrackId = 1: Name differs"},
      {R"(update "Track" set "UnitPrice" = 1.00 where "TrackId" = 5)", "Track, TrackId = 5: UnitPrice differs"},
      {R"(update "Track" set "Bytes" = "Bytes" + 1 where "TrackId" = 3503)", "Track, TrackId = 3503: Bytes differs"},
      {R"(update "Track" set "Composer" = null where "TrackId" = 1)", "Track, TrackId = 1: Composer differs"},
      {R"(update "Customer" set "Company" = '' where "CustomerId" = 2)", "Customer, CustomerId = 2: Company differs"},
      {R"(update "Employee" set "HireDate" = "HireDate" + interval '1' second where "EmployeeId" = 8)",
       "Employee, EmployeeId = 8: HireDate differs"},
      {R"(update "Customer" set "FirstName" = 'Luis' where "CustomerId" = 1)", "Customer, CustomerId = 1: FirstName differs"},
      {R"(delete from "PlaylistTrack" where "PlaylistId" = 1 and "TrackId" = 3402)",
       "PlaylistTrack, PlaylistId = 1, TrackId = 3402: is missing"},
      {R"(insert into "Genre" ("GenreId", "Name") values (99, null))", "Genre, GenreId = 99: is not in the original"},
  };
  for (const Change& change : changes) {
    std::string sql = change.sql;
    for (char& c : sql)
      if (c == '"') c = target.spelling.quote;
    const std::string table(change.difference, std::string_view(change.difference).find(','));
    const auto original = checksums(target.db, target.spelling, table);
    auto tx = target.db.begin();
    target.db.execute(sql);
    std::vector<std::string> differences;
    compare(from, target.db, differences, no_tick);
    EXPECT_EQ(differences, std::vector<std::string>{change.difference});
    EXPECT_NE(checksums(target.db, target.spelling, table), original) << sql;
    tx.rollback();
  }
  std::vector<std::string> differences;
  compare(from, target.db, differences, no_tick);
  EXPECT_EQ(differences, std::vector<std::string>{});
}

// A second copy finds the tables, and one that fails in the middle leaves no rows behind.
TYPED_TEST(ChinookCopy, IsAllOrNothing) {
  auto from = quark::sqlite::open(file_options(file()));
  TypeParam target;
  const auto fail_late = [](std::size_t, std::string_view table) {
    if (table == "Invoice") throw std::runtime_error("enough");
  };
  EXPECT_THROW(copy(from, target.db, fail_late), std::runtime_error);
  Tables::each([&]<class Table>() { EXPECT_EQ(quark::For<typename Table::Row>(target.db).count(), 0u); });
  EXPECT_THROW(copy(from, target.db, no_tick), quark::SyntaxError);
  Tables::drop(target.db);
  copy(from, target.db, no_tick);
  EXPECT_EQ(quark::For<InvoiceLine>(target.db).count(), 2240u);
}

}  // namespace
