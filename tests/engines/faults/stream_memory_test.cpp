// A million rows go through each() in bounded memory. ctest runs this in a process of its own, so that nothing else is in
// the peak; not under sanitizers, which keep freed memory.
#include "support/engine_under_test.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace {

using namespace under_test;
using quark::field;
using quark::For;

constexpr std::int64_t row_count = 1'000'000;
constexpr std::size_t text_size = 200;
constexpr std::int64_t most = std::int64_t{16} << 20;

// A view, so that the rows cost no disk: the engine makes them while they are read.
struct Streamed {
  std::int64_t id{};
  std::string text{};
  static consteval auto orm() { return quark::model(quark::table("streamed")); }
};

#if defined(QUARK_TEST_ENGINE_SQLITE)
constexpr const char* view = "create view streamed as with recursive n(id) as (select 1 union all select id + 1 from n "
                             "where id < 1000000) select id, printf('%0200d', id) as text from n";
#elif defined(QUARK_TEST_ENGINE_POSTGRES)
constexpr const char* view = "create view streamed as select id, lpad(id::text, 200, '0') as text from "
                             "generate_series(1::bigint, 1000000) id";
#else
constexpr const char* view = "create view streamed as select cast(seq as signed) as id, lpad(seq, 200, '0') as text from "
                             "seq_1_to_1000000";
#endif

/// Of this process, in bytes: "VmRSS" is now, "VmHWM" the peak. 0 where the system doesn't tell.
std::int64_t memory(const std::string& what) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(what + ":")) return std::stoll(line.substr(what.size() + 1)) * 1024;
  return 0;
}
/// By how much the peak is above what there was before.
template <class F>
std::int64_t growth(F&& run) {
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak is that of now
  const std::int64_t before = memory("VmRSS");
  run();
  return memory("VmHWM") - before;
}

TEST(StreamMemory, OfAMillionRowsIsBounded) {
  ASSERT_GT(memory("VmHWM"), 0) << "there is no /proc here";
  auto db = fresh();
  db.execute(view);
  const auto rows = For<Streamed>(db);
  // What is made once is not the stream's: the statement, the buffers of one row. Nor does an early end read them all.
  EXPECT_LT(growth([&] { rows.each([](const Streamed&) { return false; }); }), most);
  for (const bool in_transaction : {false, true}) {
    SCOPED_TRACE(in_transaction);
    std::int64_t count = 0, sum = 0, characters = 0;
    const auto stream = [&](const auto& query) {
      query.each([&](const Streamed& row) {
        ++count;
        sum += row.id;
        characters += static_cast<std::int64_t>(row.text.size());
      });
    };
    const std::int64_t grown = growth([&] {
      if (!in_transaction) return stream(rows);
      db.transaction([&](auto& tx) { stream(For<Streamed>(tx)); });
    });
    EXPECT_LT(grown, most);
    EXPECT_EQ(count, row_count);
    EXPECT_EQ(sum, row_count * (row_count + 1) / 2);
    EXPECT_EQ(characters, row_count * static_cast<std::int64_t>(text_size));
    RecordProperty(in_transaction ? "in_transaction" : "alone", std::to_string(grown));
    std::printf("a stream of %lld rows: %lld KiB\n", static_cast<long long>(count), static_cast<long long>(grown / 1024));
  }
  // The measure can tell: a fifth of the rows, kept, is more.
  std::size_t kept = 0;
  EXPECT_GT(growth([&] { kept = rows.where(field<&Streamed::id> <= row_count / 5).list().size(); }), 2 * most);
  EXPECT_EQ(kept, static_cast<std::size_t>(row_count / 5));
}

}  // namespace
