// expect: quark: engines calculate in double precision, which a float column can't hold
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct Sample {
  std::int64_t id{};
  float value{};
  float other{};
};

using namespace quark;

void run(sqlite::Connection& db) {
  const auto samples = For<Sample>(db);
#ifdef QUARK_MISTAKE
  samples.everything().set(field<& Sample::value> = field<&Sample::value> * 2.0f).update();
#else
  samples.everything().set(field<& Sample::value> = field<&Sample::other>).update();
#endif
}

int main() {}
