// A pipeline on the wire: many statements in one flush, one Sync behind them, the answers in their order.
#include "quark/engine/postgres/queue.hpp"

#include <quark/engine/postgres_values.hpp>
#include <quark/exec/refusal.hpp>
#include <quark/exec/thread_check.hpp>

#include <algorithm>
#include <deque>
#include <exception>
#include <string>

#include "errors.hpp"
#include "stream.hpp"
#include "use.hpp"

namespace quark::postgres {

struct Queue::State {
  struct Value {
    std::size_t offset;
    int size;
    bool null, binary;
  };
  struct Item {
    Item(Session& session, const Statement& s, const Slot& slot, const Param* params, std::size_t n)
        : statement(s), use(session, s, &slot, params, n), count(n) {}
    const Statement& statement;
    Use use;  // not prepared anew meanwhile
    std::size_t first_value = 0, count;
  };
  std::deque<Item> items;
  std::vector<Value> values;
  std::vector<char> bytes;
};

Queue::Queue(Session& session) : session_(session), state_(new State) {}
Queue::~Queue() { delete state_; }
std::size_t Queue::size() const { return state_->items.size(); }
void Queue::clear() noexcept {
  // In the order of their making: the first of several uses of a statement is the one that holds it.
  while (!state_->items.empty()) state_->items.pop_back();
  state_->values.clear();
  state_->bytes.clear();
}

void Queue::add(const Statement& statement, const Slot& slot, const Param* params, std::size_t count) {
  State& state = *state_;
#ifndef NDEBUG
  const ThreadCheck check(session_.user_);
#endif
  session_.check_alive();
  if (session_.stream_ != nullptr) session_.free_connection();
  if (session_.is_aborted()) session_.refuse_aborted();
  state.items.emplace_back(session_, statement, slot, params, count);
  State::Item& item = state.items.back();
  const std::size_t first_value = state.values.size(), first_byte = state.bytes.size();
  try {
    item.first_value = first_value;
    Scratch scratch;
    for (std::size_t i = 0; i < count; ++i) {
      char room[40];
      Encoded encoded;
      const char* reason = encode(params[i], item.use.prepared().parameters[i], room, scratch, encoded);
      if (reason != nullptr) quark::detail::refuse_parameter(statement, i, reason);
      state.values.push_back({state.bytes.size(), encoded.size, encoded.data == nullptr, encoded.binary});
      if (encoded.data == nullptr) continue;
      state.bytes.insert(state.bytes.end(), encoded.data, encoded.data + encoded.size);
      state.bytes.push_back('\0');  // which the text form ends with
    }
  } catch (...) {
    state.items.pop_back();
    state.values.resize(first_value);
    state.bytes.resize(first_byte);
    throw;
  }
}

void Queue::flush(Done done, void* context) {
  State& state = *state_;
  if (state.items.empty()) return;
  struct Clear {
    Queue& queue;
    ~Clear() { queue.clear(); }
  } const clear_at_end{*this};
  if (session_.chain_.empty()) return send(state, done, context);
  // One operation: the texts, each of them once.
  std::vector<std::string_view> texts;
  std::string all;
  for (const State::Item& item : state.items) {
    if (std::find(texts.begin(), texts.end(), item.statement.text) != texts.end()) continue;
    texts.push_back(item.statement.text);
    all.append(all.empty() ? "" : "; ").append(item.statement.text);
  }
  Statement whole;
  whole.text = all;
  whole.operation = "pipeline";
  bool sent = false;
  struct Counted {
    Done done;
    void* context;
    std::uint64_t affected = 0;
  } counted{done, context};
  session_.chain_.run_statement(whole, nullptr, 0, [&]() -> Outcome {
    if (std::exchange(sent, true)) quark::detail::throw_misuse("a middleware can't run a pipeline again");
    send(
        state,
        [](void* c, std::size_t i, Cursor& cursor, const Outcome& outcome) {
          auto& count = *static_cast<Counted*>(c);
          count.affected += outcome.affected;
          count.done(count.context, i, cursor, outcome);
        },
        &counted);
    Outcome outcome;
    outcome.affected = counted.affected;
    return outcome;
  });
  if (!sent) quark::detail::throw_misuse("a middleware can't answer a pipeline: call next(), or throw");
}

void Queue::send(State& state, Done done, void* context) {
#ifndef NDEBUG
  const ThreadCheck check(session_.user_);
#endif
  session_.check_alive();
  if (session_.stream_ != nullptr) session_.free_connection();
  if (session_.is_aborted()) session_.refuse_aborted();
  // libpq keeps all answers up to the Sync in memory.
  constexpr std::size_t most = 1000;
  for (std::size_t first = 0; first < state.items.size(); first += most)
    send_some(state, first, std::min(most, state.items.size() - first), done, context);
}

void Queue::send_some(State& state, std::size_t first, std::size_t count, Done done, void* context) {
  Session& session = session_;
  PGconn* const connection = session.connection_;
  const std::size_t before = session.pending_.size();  // BEGIN, SAVEPOINT and RELEASE that go along
  std::string begun = before > 0 ? session.pending_.front() : "";
  bool sent = session.begin_pipeline();
  for (std::size_t i = 0; sent && i < count; ++i) {
    const State::Item& item = state.items[first + i];
    Session::Arguments& arguments = session.arguments_;
    arguments.resize(item.count);
    for (std::size_t v = 0; v < item.count; ++v) {
      const State::Value& value = state.values[item.first_value + v];
      arguments.values[v] = value.null ? nullptr : state.bytes.data() + value.offset;
      arguments.lengths[v] = value.size;
      arguments.formats[v] = value.binary ? 1 : 0;
    }
    sent = session.send(item.use.prepared(), item.statement, item.count) != 0;
  }
  const bool synced = PQpipelineSync(connection) != 0;
  std::exception_ptr failure;
  const auto attempt = [&failure](auto&& call) {
    try {
      call();
    } catch (...) {
      failure = std::current_exception();
    }
  };
  // Each command's results end with a null one; behind the last is the Sync's.
  std::size_t command = 0;
  bool answered = false;
  for (int nulls = 0; synced && nulls < 2 && PQstatus(connection) == CONNECTION_OK;) {
    Result result = session.next_result();
    if (result.status() == PGRES_PIPELINE_SYNC) {
      answered = true;
      break;
    }
    if (result.get() == nullptr) {
      if (++nulls == 1) ++command;
      continue;
    }
    nulls = 0;
    if (failure != nullptr || result.status() == PGRES_PIPELINE_ABORTED) continue;
    if (command < before) {
      Statement statement;
      statement.text = begun;
      if (!result.good()) attempt([&] { session.fail(result.get(), statement); });
      continue;
    }
    const State::Item& item = state.items[first + command - before];
    Prepared& prepared = item.use.prepared();
    if (!result.good()) {
      attempt([&] {
        if (session.forget_if_stale(prepared, result)) session.refuse_stale(result, item.statement);
        session.fail(result.get(), item.statement);
      });
      continue;
    }
    attempt([&] {
      std::vector<Kind> columns = prepared.columns;
      if (!session.keeps_statements_) {
        columns.clear();
        for (int c = 0; c < PQnfields(result.get()); ++c)
          columns.push_back(session.type_of(PQftype(result.get(), c)).column());
      }
      Cursor cursor(result.get(), columns, item.statement);
      done(context, first + command - before, cursor, Session::outcome_of(result, item.statement));
    });
  }
  PQexitPipelineMode(connection);
  if (failure != nullptr) std::rethrow_exception(failure);
  if (!sent || !answered) session.fail(nullptr, state.items[first].statement);
}

}  // namespace quark::postgres
