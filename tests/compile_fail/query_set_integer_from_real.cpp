// expect: quark: the expression has another type than the column it is assigned to
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct Sample {
  std::int64_t id{};
  int count{};
  double share{};
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto samples = For<Sample>(db);
#ifdef QUARK_MISTAKE
  samples.everything().set(field<& Sample::count> = field<&Sample::count> * field<&Sample::share>).update();
#else
  samples.everything().set(field<& Sample::share> = field<&Sample::count> * field<&Sample::share>).update();
#endif
}

int main() {}
