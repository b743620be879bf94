// Copying Chinook from one database into another, and comparing the two value by value. Nothing here knows an engine.
// Used by the example chinook.cpp and its test.
#pragma once

#include "chinook_models.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace chinook {

/// A table with the members of its key, by which both sides are sorted.
template <class T, auto... Key>
struct TableOf {
  using Row = T;
  static constexpr std::string_view name = quark::table_of<T>.name;

  template <class Db>
  static std::vector<T> read(Db& db) {
    return quark::For<T>(db).order_by(quark::asc<Key>...).list();
  }
  /// The row's key, for a message: "AlbumId = 7".
  static std::string key_of(const T& row) {
    std::string out;
    std::size_t i = 0;
    const auto add = [&](Number part) {
      if (i > 0) out += ", ";
      out += std::string(quark::table_of<T>[quark::table_of<T>.key.columns[i++]].name) + " = " + std::to_string(part);
    };
    (add(row.*Key), ...);
    return out;
  }
  static bool before(const T& a, const T& b) { return std::tie(a.*Key...) < std::tie(b.*Key...); }
};

template <class... Table>
struct TableList {
  /// Calls `f.template operator()<Table>()` for each one.
  template <class F>
  static void each(F&& f) {
    (f.template operator()<Table>(), ...);
  }
  template <class Db>
  static void create(Db& db) {
    quark::create_all<typename Table::Row...>(db);
  }
  template <class Db>
  static void drop(Db& db) {
    quark::drop_all<typename Table::Row...>(db, quark::IfExists::skip);
  }
};

/// All tables, each after those that it refers to: rows can go in in this order.
using Tables = TableList<TableOf<Artist, &Artist::artist_id>, TableOf<Album, &Album::album_id>,
                         TableOf<Genre, &Genre::genre_id>, TableOf<MediaType, &MediaType::media_type_id>,
                         TableOf<Track, &Track::track_id>, TableOf<Playlist, &Playlist::playlist_id>,
                         TableOf<PlaylistTrack, &PlaylistTrack::playlist_id, &PlaylistTrack::track_id>,
                         TableOf<Employee, &Employee::employee_id>, TableOf<Customer, &Customer::customer_id>,
                         TableOf<Invoice, &Invoice::invoice_id>, TableOf<InvoiceLine, &InvoiceLine::invoice_line_id>>;

/// The order in which a table's own rows can go in: for one that refers to itself each after the one that it refers to.
template <class T>
void order_for_insert(std::vector<T>&) {}
inline void order_for_insert(std::vector<Employee>& staff) {
  const auto depth = [&](const Employee& one) {
    std::size_t levels = 0;
    const Employee* at = &one;
    while (at->reports_to && levels <= staff.size()) {  // a circle ends, too
      const auto boss = std::find_if(staff.begin(), staff.end(),
                                     [&](const Employee& other) { return other.employee_id == *at->reports_to; });
      if (boss == staff.end()) break;
      at = &*boss;
      ++levels;
    }
    return levels;
  };
  std::vector<std::pair<std::size_t, Employee>> by_depth;
  for (const Employee& one : staff) by_depth.emplace_back(depth(one), one);
  std::sort(by_depth.begin(), by_depth.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.employee_id) < std::tie(b.first, b.second.employee_id);
  });
  std::transform(by_depth.begin(), by_depth.end(), staff.begin(), [](auto& entry) { return std::move(entry.second); });
}

/// What copying or comparing one table took.
struct Timing {
  std::string_view table;
  std::size_t rows = 0;
  double seconds = 0;
};
/// Is told of rows that are through.
using Tick = std::function<void(std::size_t rows, std::string_view table)>;

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Makes the tables in `to` and copies all rows of `from` into them, all of them or none. The times are those of writing.
template <class From, class To>
std::vector<Timing> copy(From& from, To& to, const Tick& tick) {
  constexpr std::size_t batch = 1000;  // rows of one statement
  std::vector<Timing> out;
  Tables::create(to);
  to.transaction([&](auto& tx) {
    Tables::each([&]<class Table>() {
      auto rows = Table::read(from);
      order_for_insert(rows);
      const auto start = std::chrono::steady_clock::now();
      for (std::size_t i = 0; i < rows.size(); i += batch) {
        const std::span some(rows.data() + i, std::min(batch, rows.size() - i));
        quark::For<typename Table::Row>(tx).create_batch(some);
        tick(some.size(), Table::name);
      }
      out.push_back({Table::name, rows.size(), seconds_since(start)});
    });
  });
  return out;
}

/// The first column in which two rows differ; empty when they are equal.
template <class T>
std::string_view different_column(const T& a, const T& b) {
  std::string_view found;
  quark::reflect::visit(a, [&](const auto&... left) {
    quark::reflect::visit(b, [&](const auto&... right) {
      std::size_t i = 0;
      ((found.empty() && !(left == right) ? void(found = quark::table_of<T>[i].name) : void(), ++i), ...);
    });
  });
  return found;
}

/// Adds a line to `differences` for each row that only one side has, and each that isn't the same on both.
template <class Table>
void compare_rows(const std::vector<typename Table::Row>& left, const std::vector<typename Table::Row>& right,
                  std::vector<std::string>& differences) {
  const auto note = [&](const typename Table::Row& row, const std::string& what) {
    differences.push_back(std::string(Table::name) + ", " + Table::key_of(row) + ": " + what);
  };
  auto a = left.begin();
  auto b = right.begin();
  while (a != left.end() || b != right.end()) {
    if (b == right.end() || (a != left.end() && Table::before(*a, *b))) {
      note(*a++, "is missing");
    } else if (a == left.end() || Table::before(*b, *a)) {
      note(*b++, "is not in the original");
    } else {
      const std::string_view column = different_column(*a, *b);
      if (!column.empty()) note(*a, std::string(column) + " differs");
      ++a, ++b;
    }
  }
}

/// Reads all tables of both and compares every value. Fills `differences`; the times are those of reading `to`.
template <class From, class To>
std::vector<Timing> compare(From& from, To& to, std::vector<std::string>& differences, const Tick& tick) {
  std::vector<Timing> out;
  Tables::each([&]<class Table>() {
    const auto start = std::chrono::steady_clock::now();
    const auto copied = Table::read(to);
    out.push_back({Table::name, copied.size(), seconds_since(start)});
    compare_rows<Table>(Table::read(from), copied, differences);
    tick(copied.size(), Table::name);
  });
  return out;
}

}  // namespace chinook
