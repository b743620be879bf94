// The quickstart: the countries and time zones of this machine's own tables (package tzdata) go
// into an SQLite file, and questions about them are answered, each beside the SQL that ran. Run it
// with `bash docs/examples/run.sh`; the tests run it twice on a small input.
#include "report.hpp"
#include "time_zone_tables.hpp"
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

using quark::asc, quark::desc, quark::field, quark::For;

// --- the models: plain structs -----------------------------------------------------------------

struct Country {
  std::string code;  // "CH"
  std::string name;

  static consteval auto orm() { return quark::model(quark::key(&Country::code)); }
};

// One row for each country that a zone overlaps.
struct Zone {
  std::string name;     // "Europe/Zurich"
  std::string country;  // "CH"
  bool main{};          // whether the zone's principal city is in this country
  double latitude{};    // degrees, north is positive
  double longitude{};   // degrees, east is positive
  std::optional<std::string> comment;

  static consteval auto orm() {
    return quark::model(quark::key(&Zone::name, &Zone::country),
                        quark::references<&Country::code>(&Zone::country),
                        quark::index(&Zone::country));
  }
};

// --- loading ------------------------------------------------------------------------------------

// Stores everything in one transaction: all of it, or nothing. An upsert inserts a row, or
// overwrites the one that has its key, so that a second run doubles nothing.
void load(quark::sqlite::Connection& db, const std::string& folder, Report& report) {
  const auto country_lines = tables::read_countries(folder + "/iso3166.tab");
  const auto zone_lines = tables::read_zones(folder + "/zone1970.tab", country_lines);

  report.section("Make the tables");
  quark::create_all<Country, Zone>(db, quark::IfExists::skip);
  report.sql();

  const auto countries = For<Country>(db);
  const auto zones = For<Zone>(db);
  const auto before = std::to_string(countries.count()) + " countries and " +
                      std::to_string(zones.count()) + " zones";

  report.section("Store " + folder);
  db.transaction([&](auto& tx) {
    for (const auto& line : country_lines) {
      Country country{.code = line.code, .name = line.name};
      For<Country>(tx).upsert(country);
    }
    for (const auto& line : zone_lines) {
      for (const std::string& code : line.countries) {
        Zone zone{.name = line.name,
                  .country = code,
                  .main = code == line.countries.front(),
                  .latitude = line.position.latitude,
                  .longitude = line.position.longitude,
                  .comment = line.comment};
        For<Zone>(tx).upsert(zone);
      }
    }
  });
  report.sql();
  report.answer("before: " + before);
  report.answer("now:    " + std::to_string(countries.count()) + " countries and " +
                std::to_string(zones.count()) + " zones");
}

// --- questions ----------------------------------------------------------------------------------

std::string degrees(double value, char positive, char negative) {
  char text[32];
  std::snprintf(text, sizeof text, "%6.2f %c", value < 0 ? -value : value,
                value < 0 ? negative : positive);
  return text;
}

std::string describe_zone(const Zone& zone) {
  std::string line = padded(zone.name, 28) + zone.country + "  " +
                     degrees(zone.latitude, 'N', 'S') + " " + degrees(zone.longitude, 'E', 'W');
  if (zone.comment) line += "  " + *zone.comment;
  return line;
}

void countries_with_most_zones(quark::sqlite::Connection& db, Report& report) {
  report.section("Which countries have most time zones?");
  struct Tally {
    std::string code;
    int zones = 0;
  };
  // One column of all rows, in the database's order: equal ones are neighbours.
  std::vector<Tally> tallies;
  for (std::string& code : For<Zone>(db).order_by(asc<&Zone::country>).pluck<&Zone::country>()) {
    if (tallies.empty() || tallies.back().code != code) tallies.push_back({std::move(code)});
    ++tallies.back().zones;
  }
  std::sort(tallies.begin(), tallies.end(), [](const Tally& a, const Tally& b) {
    return a.zones != b.zones ? a.zones > b.zones : a.code < b.code;
  });
  if (tallies.size() > 5) tallies.resize(5);

  // Their names in one more statement, however many codes there are.
  std::vector<std::string> codes;
  for (const Tally& tally : tallies) codes.push_back(tally.code);
  const auto named = For<Country>(db).where(field<&Country::code>.in(codes)).list();

  report.sql();
  for (const Tally& tally : tallies)
    for (const Country& country : named)
      if (country.code == tally.code)
        report.answer(padded(country.name, 28) + std::to_string(tally.zones));
}

void zones_in_a_box(quark::sqlite::Connection& db, Report& report) {
  report.section("Which zones have their principal city between 41 and 49 N, 1 and 17 E?");
  const auto found = For<Zone>(db)
                         .where(field<&Zone::main> == true)
                         .where(field<&Zone::latitude>.between(41.0, 49.0) &&
                                field<&Zone::longitude>.between(1.0, 17.0))
                         .order_by(desc<&Zone::latitude>)
                         .list();
  report.sql();
  for (const Zone& zone : found) report.answer(describe_zone(zone));
}

void search_names(quark::sqlite::Connection& db, Report& report) {
  report.section("Names with \"Côte\", or that begin with \"Å\"");
  const auto countries =
      For<Country>(db)
          .where(field<&Country::name>.contains("Côte") || field<&Country::name>.starts_with("Å"))
          .order_by(asc<&Country::name>)
          .list();
  report.sql();
  for (const Country& country : countries) report.answer(padded(country.name, 28) + country.code);

  report.section("Comments with \"Pará\"");
  const auto zones = For<Zone>(db).where(field<&Zone::comment>.contains("Pará")).list();
  report.sql();
  for (const Zone& zone : zones) report.answer(describe_zone(zone));
}

void change_one(quark::sqlite::Connection& db, Report& report) {
  report.section("Change one column of one row");
  const auto zones = For<Zone>(db);
  auto zone =
      zones.where(field<&Zone::comment>.is_not_null()).order_by(desc<&Zone::longitude>).first();
  if (!zone) return report.answer("no zone has a comment");
  const std::string old = *zone->comment;
  zone->comment = old + " (où le jour commence)";
  const auto changed = zones.update<&Zone::comment>(*zone);
  const auto stored = zones.get(zone->name, zone->country);
  report.sql();
  report.answer(std::to_string(changed) + " row changed: " + zone->name);
  report.answer("\"" + old + "\" is now \"" + stored.comment.value_or("") + "\"");
}

void delete_some(quark::sqlite::Connection& db, Report& report) {
  report.section("Delete the zones of Antarctica (the next run stores them again)");
  const auto gone = For<Zone>(db).where(field<&Zone::country> == "AQ").remove();
  const auto left = For<Zone>(db).count();
  report.sql();
  report.answer(std::to_string(gone) + " rows deleted, " + std::to_string(left) + " are left");
}

void roll_back(quark::sqlite::Connection& db, Report& report) {
  report.section("Delete all zones, then think better of it");
  const auto zones = For<Zone>(db);
  std::string inside;
  try {
    db.transaction([&](auto& tx) {
      const auto gone = For<Zone>(tx).everything().remove();
      inside = std::to_string(gone) + " rows deleted, " + std::to_string(zones.count()) +
               " are left; then an exception";
      throw std::runtime_error("think better of it");  // any exception rolls back
    });
  } catch (const std::runtime_error&) {
  }
  const auto after = zones.count();
  report.sql();
  report.answer("in the transaction: " + inside);
  report.answer("after it:           " + std::to_string(after) + " zones are there");
}

// --- the program --------------------------------------------------------------------------------

constexpr const char* usage =
    "usage: quickstart [FOLDER [DATABASE]]\n"
    "  FOLDER    has iso3166.tab and zone1970.tab (default: /usr/share/zoneinfo)\n"
    "  DATABASE  the SQLite file, made when missing (default: quickstart.db beside the program)\n"
    "Exit codes: 0 done, 1 the input or the database is at fault, 2 wrong arguments.\n";

std::string beside(const std::string& program) {
  const std::size_t slash = program.rfind('/');
  return slash == std::string::npos ? "quickstart.db"
                                    : program.substr(0, slash + 1) + "quickstart.db";
}

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && (arguments[0] == "-h" || arguments[0] == "--help")) {
    std::fputs(usage, stdout);
    return 0;
  }
  if (arguments.size() > 2 ||
      (!arguments.empty() && (arguments[0].empty() || arguments[0][0] == '-'))) {
    std::fputs(usage, stderr);
    return 2;
  }
  const std::string folder = arguments.empty() ? "/usr/share/zoneinfo" : arguments[0];
  const std::string file = arguments.size() > 1 ? arguments[1] : beside(argv[0]);

  try {
    auto db = quark::sqlite::open(file);
    std::printf("Time zones of the world, in %s\n", file.c_str());

    quark::StatementRecorder recorder;  // ordinary middleware: it sees every statement
    db.use(recorder);
    Report report(recorder);

    load(db, folder, report);
    countries_with_most_zones(db, report);
    zones_in_a_box(db, report);
    search_names(db, report);
    change_one(db, report);
    delete_some(db, report);
    roll_back(db, report);
    return 0;
  } catch (const tables::InputError& error) {
    std::fprintf(stderr, "quickstart: %s\n", error.what());
    std::fputs("The tables come with the package tzdata; another folder can be given.\n", stderr);
  } catch (const quark::Error& error) {
    std::fprintf(stderr, "quickstart: %s: %s\n", file.c_str(), error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "quickstart: %s\n", error.what());
  }
  return 1;
}
