// A user's program: a model, a few rows, a query, and our errors caught by type, across the edge
// of a shared library too. Exit code 0 when all came out right.
#include <cstdint>
#include <cstdio>
#include <string>

#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct City {
  std::int64_t id{};
  std::string name{};
  int people{};
};

namespace {

int failures = 0;

void check(bool right, const char* what) {
  if (right) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}

}  // namespace

int main() {
  auto db = quark::sqlite::open(":memory:");
  quark::create_table<City>(db);
  auto cities = quark::For<City>(db);

  City cologne{.name = "Köln", .people = 1087863};
  City bonn{.name = "Bonn", .people = 335975};
  cities.create(cologne);
  cities.create(bonn);
  check(cologne.id != 0 && bonn.id != cologne.id, "generated keys");
  const auto large = cities.where(quark::field<&City::people> > 1'000'000).list();
  check(large.size() == 1 && large.front().name == "Köln", "a query");

  bool caught = false;
  try {
    cities.get(4711);  // thrown for the query
  } catch (const quark::NotFound& error) {
    caught = error.kind() == quark::ErrorKind::not_found;
  }
  check(caught, "NotFound is caught by type");

  caught = false;
  try {
    db.execute("INSERT INTO \"cities\" SELECT * FROM \"cities\"");  // thrown by the engine
  } catch (const quark::UniqueViolation&) {
    caught = true;
  } catch (const quark::Error&) {
  }
  check(caught, "UniqueViolation is caught by type");

  caught = false;
  try {
    db.execute("SELECT * FROM nowhere");
  } catch (const quark::Error& error) {
    caught = error.what() != nullptr;
  }
  check(caught, "every error is a quark::Error");

  check(cities.count() == 2, "the connection goes on after errors");
  std::printf("quark %s, C++ %ld: %s\n", quark::version_text, __cplusplus,
              failures == 0 ? "all right" : "FAILED");
  return failures;
}
