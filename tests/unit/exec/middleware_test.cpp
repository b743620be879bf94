// The chain around a statement: order, retries, answers without the engine, and the middlewares
// that ship.
#include <quark/exec/error.hpp>
#include <quark/exec/middleware.hpp>
#include <quark/types/uuid_value.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace {

using namespace quark;

Statement select() {
  Statement s;
  s.text = "SELECT 1 WHERE ?";
  s.table = "users";
  s.operation = "find";
  s.kind = StatementKind::select;
  return s;
}

// Runs one statement through a chain; the engine counts its calls.
struct Engine {
  int calls = 0;
  int failures = 0;  // the first so many calls throw
  static Outcome execute(void* self) {
    auto& e = *static_cast<Engine*>(self);
    ++e.calls;
    if (e.calls <= e.failures) throw SyntaxError(ErrorInfo{});
    return {.affected = 2, .last_key = 9, .rows = 3};
  }
  Outcome run(const MiddlewareChain& chain, const Statement& statement = select(),
              std::size_t params = 1) {
    const Param param[2]{};
    Operation operation(statement, param, params);
    return chain.run(operation, &execute, this);
  }
};

TEST(Middleware, RunsFirstRegisteredOutermost) {
  MiddlewareChain chain;
  std::string log;
  const auto add = [&](const char* name) {
    chain.use([&log, name](Operation&, const Next& next) {
      log += name;
      next();
      log += name;
    });
  };
  add("a");
  add("b");
  add("c");
  Engine engine;
  const Outcome outcome = engine.run(chain);
  EXPECT_EQ(log, "abccba");
  EXPECT_EQ(engine.calls, 1);
  EXPECT_EQ(outcome.affected, 2u);
  EXPECT_EQ(outcome.last_key, 9);
  EXPECT_EQ(outcome.rows, 3u);
}

TEST(Middleware, SeesTheStatementAndItsResult) {
  MiddlewareChain chain;
  chain.use([](Operation& op, const Next& next) {
    EXPECT_EQ(op.kind(), StatementKind::select);
    EXPECT_EQ(op.name(), "find");
    EXPECT_EQ(op.table(), "users");
    EXPECT_EQ(op.text(), "SELECT 1 WHERE ?");
    EXPECT_EQ(op.parameter_count(), 1u);
    EXPECT_EQ(op.parameter(0), "0");
    EXPECT_EQ(op.parameter_column(0), "");
    EXPECT_THROW(op.parameter(1), Misuse);
    next();
    EXPECT_EQ(op.rows(), 3u);
    EXPECT_EQ(op.affected(), 2u);
    EXPECT_GE(op.nanoseconds(), 0);
  });
  Engine{}.run(chain);
}

TEST(Middleware, MayRetry) {
  MiddlewareChain chain;
  chain.use([](Operation&, const Next& next) {
    for (int i = 0;; ++i) try {
        return next();
      } catch (const SyntaxError&) {
        if (i == 2) throw;
      }
  });
  Engine engine{.failures = 2};
  engine.run(chain);
  EXPECT_EQ(engine.calls, 3);
  Engine hopeless{.failures = 9};
  EXPECT_THROW(hopeless.run(chain), SyntaxError);
  EXPECT_EQ(hopeless.calls, 3);
}

TEST(Middleware, MayAnswerItselfOrRefuse) {
  MiddlewareChain chain;
  chain.use([](Operation& op, const Next& next) {
    if (op.kind() == StatementKind::remove) return op.set_affected(42);
    if (op.kind() == StatementKind::ddl) throw PermissionDenied(ErrorInfo{});
    next();
  });
  Engine engine;
  Statement remove = select();
  remove.kind = StatementKind::remove;
  EXPECT_EQ(engine.run(chain, remove).affected, 42u);
  Statement ddl = select();
  ddl.kind = StatementKind::ddl;
  EXPECT_THROW(engine.run(chain, ddl), PermissionDenied);
  EXPECT_EQ(engine.calls, 0);
}

// Nobody would notice that there is no transaction, or that the key belongs to no row.
TEST(Middleware, CantAnswerWhatOnlyTheEngineCan) {
  MiddlewareChain chain;
  chain.use([](Operation& op, const Next&) { op.set_affected(1); });
  Engine engine;
  Statement statement = select();
  for (const StatementKind kind :
       {StatementKind::begin, StatementKind::commit, StatementKind::rollback, StatementKind::savepoint}) {
    statement.kind = kind;
    EXPECT_THROW(engine.run(chain, statement), Misuse);
  }
  statement.kind = StatementKind::insert;
  EXPECT_EQ(engine.run(chain, statement).affected, 1u) << "its caller gave the key";
  statement.made_key = "id";
  EXPECT_THROW(engine.run(chain, statement), Misuse);
  EXPECT_EQ(engine.calls, 0);
}

struct Counted : Middleware {
  explicit Counted(int* alive) : alive_(alive) { ++*alive_; }
  Counted(const Counted& other) : Middleware(other), alive_(other.alive_) { ++*alive_; }
  Counted& operator=(const Counted&) = delete;
  ~Counted() override { --*alive_; }
  void run(Operation&, const Next& next) override { next(); }
  int* alive_;
};
TEST(Middleware, IsOwnedWhenATemporaryAndReferredToWhenNot) {
  int alive = 0;
  {
    MiddlewareChain chain;
    EXPECT_TRUE(chain.empty());
    Counted mine(&alive);
    chain.use(mine);
    EXPECT_EQ(alive, 1);
    chain.use(Counted(&alive));
    EXPECT_EQ(alive, 2);
    EXPECT_FALSE(chain.empty());
  }
  EXPECT_EQ(alive, 0);
}

std::string logged;
TEST(SlowQueryLog, WritesTheTextAndNeverTheValues) {
  logged.clear();
  MiddlewareChain chain;
  chain.use(SlowQueryLog(0, [](std::string_view line) { logged += line; }));
  Engine{}.run(chain);
  EXPECT_NE(logged.find("3 rows find users: SELECT 1 WHERE ?"), std::string::npos) << logged;
  logged.clear();
  Engine failing{.failures = 1};
  EXPECT_THROW(failing.run(chain), SyntaxError);
  EXPECT_NE(logged.find("failed find users"), std::string::npos) << logged;

  MiddlewareChain patient;
  patient.use(SlowQueryLog(60'000'000, [](std::string_view line) { logged += line; }));
  logged.clear();
  Engine{}.run(patient);
  EXPECT_EQ(logged, "");
}

TEST(StatementRecorder, RemembersWhatRan) {
  MiddlewareChain chain;
  StatementRecorder recorder;
  chain.use(recorder);
  Engine{}.run(chain);
  Engine failing{.failures = 1};
  EXPECT_THROW(failing.run(chain), SyntaxError);
  ASSERT_EQ(recorder.size(), 2u);
  EXPECT_EQ(recorder.entries()[0].text, "SELECT 1 WHERE ?");
  EXPECT_EQ(recorder.entries()[0].rows, 3u);
  EXPECT_FALSE(recorder.entries()[0].failed);
  EXPECT_TRUE(recorder.last().failed);
  recorder.clear();
  EXPECT_EQ(recorder.size(), 0u);
}

std::uint64_t found_times = 0;
TEST(NPlusOneDetector, FindsALoopOfPointReadsOnce) {
  found_times = 0;
  MiddlewareChain chain;
  NPlusOneDetector detector(
      3, [](std::string_view, std::string_view, std::uint64_t times) { found_times += times; });
  chain.use(detector);
  Engine engine;
  for (int i = 0; i < 3; ++i) engine.run(chain);
  EXPECT_EQ(found_times, 0u);
  for (int i = 0; i < 5; ++i) engine.run(chain);
  EXPECT_EQ(found_times, 4u);
  EXPECT_EQ(detector.worst(), 8u);
  detector.reset();
  EXPECT_EQ(detector.worst(), 0u);
  // Reads without a condition, and writes, are no point reads.
  Statement write = select();
  write.kind = StatementKind::insert;
  for (int i = 0; i < 9; ++i) {
    engine.run(chain, select(), 0);
    engine.run(chain, write);
  }
  EXPECT_EQ(detector.worst(), 0u);
}

TEST(NPlusOneDetector, CountsInARowOfReads) {
  found_times = 0;
  MiddlewareChain chain;
  NPlusOneDetector detector(
      3, [](std::string_view, std::string_view, std::uint64_t times) { found_times += times; });
  chain.use(detector);
  Engine engine;
  Statement other = select();
  other.text = "SELECT 2 WHERE ?";
  Statement write = select();
  write.kind = StatementKind::update;
  for (int i = 0; i < 20; ++i) {
    engine.run(chain);
    engine.run(chain, write);
  }
  EXPECT_EQ(found_times, 0u) << "a write begins a new row";
  EXPECT_EQ(detector.worst(), 1u);
  for (int i = 0; i < 5; ++i) {
    engine.run(chain);
    engine.run(chain, other);
  }
  EXPECT_EQ(found_times, 8u) << "two texts in one loop, each told once";
  engine.run(chain, write);
  for (int i = 0; i < 4; ++i) engine.run(chain);
  EXPECT_EQ(found_times, 12u) << "told again in a new row";
  EXPECT_EQ(detector.worst(), 5u);
}

// A connection that lives for weeks and runs many texts: the list stays short.
TEST(NPlusOneDetector, KeepsTheLastTextsOnly) {
  MiddlewareChain chain;
  NPlusOneDetector detector(3);
  chain.use(detector);
  Engine engine;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 1000; ++i) {
      const std::string text = "SELECT " + std::to_string(i) + " WHERE ?";
      Statement statement = select();
      statement.text = text;
      engine.run(chain, statement);
    }
  }
  EXPECT_EQ(detector.worst(), 1u) << "none of them is remembered for a thousand others";
}

TEST(Operation, ShowsParametersAsText) {
  Param p[8];
  const auto set = [&](int i, Form form, std::int64_t value) {
    p[i].form = form;
    p[i].head.integer = value;
  };
  set(0, Form::timestamp, 1709168400000005);
  set(1, Form::date, -1);
  set(2, Form::time, -5400000000);
  set(3, Form::date, 2932897);
  set(4, Form::decimal, -1250);
  p[4].scale = 2;
  p[4].tail.high = -1;
  refuse_param(p[5], "too large");
  const Uuid uuid = Uuid::of("00112233-4455-6677-8899-aabbccddeeff");
  std::memcpy(&p[6].head, uuid.bytes.data(), 8);
  std::memcpy(&p[6].tail, uuid.bytes.data() + 8, 8);
  p[6].form = Form::uuid;
  set(7, Form::i16, -3);
  const Operation op(select(), p, 8);
  const char* expected[] = {"2024-02-29T01:00:00.000005Z", "1969-12-31", "-01:30:00.000000", "2932897 days since 1970",
                            "-12.50", "<refused: too large>", "00112233-4455-6677-8899-aabbccddeeff", "-3"};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(op.parameter(i), expected[i]);
}

TEST(NPlusOneDetector, ThrowsWhenNobodyIsTold) {
  MiddlewareChain chain;
  chain.use(NPlusOneDetector(1));
  Engine engine;
  engine.run(chain);
  EXPECT_THROW(engine.run(chain), Misuse);
}

}  // namespace
