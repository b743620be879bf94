// The middleware chain, and the middlewares that ship with the library.
#include <quark/exec/error.hpp>
#include <quark/exec/middleware.hpp>

#include <charconv>
#include <chrono>
#include <cstdio>

namespace quark {

Middleware::~Middleware() = default;

MiddlewareChain::~MiddlewareChain() {
  for (const Entry& entry : entries_)
    if (entry.owned) delete entry.middleware;
}

void MiddlewareChain::add(Middleware* middleware, bool owned) {
  try {
    entries_.push_back({middleware, owned});
  } catch (...) {
    if (owned) delete middleware;
    throw;
  }
}

void Next::operator()() const {
  auto& call = *static_cast<MiddlewareChain::Call*>(call_);
  if (index_ < chain_.entries_.size()) {
    chain_.entries_[index_].middleware->run(operation_,
                                            Next(chain_, index_ + 1, operation_, call_));
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  const auto stop = [&] {
    operation_.nanoseconds_ = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                  std::chrono::steady_clock::now() - start)
                                  .count();
  };
  try {
    call.executed = true;
    call.outcome = call.execute(call.call);
  } catch (...) {
    stop();
    throw;
  }
  stop();
  operation_.rows_ = call.outcome.rows;
  operation_.affected_ = call.outcome.affected;
}

namespace {

// Not everything can be answered without the engine: nobody would notice that there is no transaction, or no key.
void check_answer(const Statement& statement) {
  switch (statement.kind) {
    case StatementKind::begin:
    case StatementKind::commit:
    case StatementKind::rollback:
    case StatementKind::savepoint:
      detail::throw_misuse("a middleware must call next() for a transaction's own statements, or throw");
    default: break;
  }
  if (!statement.made_key.empty())
    detail::throw_misuse("a middleware can't answer an INSERT whose key the database makes: call next(), or throw");
}

}  // namespace

Outcome MiddlewareChain::run(Operation& operation, Execute execute, void* call) const {
  Call whole{execute, call, {}, false};
  Next(*this, 0, operation, &whole)();
  if (!whole.executed) check_answer(operation.statement_);
  // A middleware that answered itself, or changed its mind about the count, has the last word.
  whole.outcome.affected = operation.affected_;
  return whole.outcome;
}

std::string_view Operation::parameter_column(std::size_t index) const {
  return statement_.param_column != nullptr && index < count_
             ? statement_.param_column(statement_, index)
             : std::string_view{};
}

namespace {

template <class Number>
std::string number(Number value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end.ptr);
}

}  // namespace

std::string Operation::parameter(std::size_t index) const {
  if (index >= count_) detail::throw_misuse("there is no such parameter");
  const Param& p = params_[index];
  if (p.null) return "NULL";
  switch (p.form) {
    case Form::boolean: return p.head.integer != 0 ? "true" : "false";
    case Form::u64: return number(p.head.natural);
    case Form::f32:
    case Form::f64: return number(p.head.real);
    case Form::text:
    case Form::json: return std::string(p.view());
    case Form::bytes: return std::string("<").append(number(p.tail.size)).append(" bytes>");
    case Form::uuid: return "<uuid>";
    case Form::decimal: {
      const Int128 scaled = p.decimal();
      if (scaled == static_cast<std::int64_t>(scaled))
        return number(static_cast<std::int64_t>(scaled)) + "e-" + number(p.scale);
      return "<decimal>";
    }
    case Form::array:
      if (p.tail.size + 1 == 0) return "<rows>";
      return std::string("<").append(number(p.tail.size)).append(" values>");
    default: return number(p.head.integer);
  }
}

void SlowQueryLog::run(Operation& operation, const Next& next) {
  const auto report = [&](bool failed) {
    if (operation.nanoseconds() < threshold_ * 1000) return;
    std::string line = "quark: ";
    line += number(operation.nanoseconds() / 1000);
    line += " us ";
    line += failed ? "failed " : number(operation.rows()) + " rows ";
    line += operation.name();
    line += ' ';
    line += operation.table();
    line += ": ";
    line += operation.text();
    if (sink_ != nullptr) {
      sink_(line);
    } else {
      line += '\n';
      std::fputs(line.c_str(), stderr);
    }
  };
  try {
    next();
  } catch (...) {
    report(true);
    throw;
  }
  report(false);
}

void StatementRecorder::run(Operation& operation, const Next& next) {
  Entry entry{operation.kind(), std::string(operation.name()), std::string(operation.table()),
              std::string(operation.text()), 0, 0, false};
  // Recorded where it starts, so that statements nested in its callback come after it.
  const std::size_t place = entries_.size();
  entries_.push_back(std::move(entry));
  try {
    next();
  } catch (...) {
    if (place < entries_.size()) entries_[place].failed = true;
    throw;
  }
  if (place >= entries_.size()) return;  // cleared meanwhile
  entries_[place].rows = operation.rows();
  entries_[place].affected = operation.affected();
}

void NPlusOneDetector::run(Operation& operation, const Next& next) {
  if (operation.kind() == StatementKind::select && operation.parameter_count() > 0) {
    Count* count = nullptr;
    for (Count& c : counts_)
      if (c.text == operation.text()) count = &c;
    if (count == nullptr) count = &counts_.emplace_back(Count{std::string(operation.text()), 0});
    if (++count->times == limit_ + 1) {
      if (found_ == nullptr)
        detail::throw_misuse("one SELECT with parameters ran more often than the N+1 detector allows: " +
                             count->text);
      found_(operation.table(), operation.text(), count->times);
    }
  }
  next();
}

std::uint64_t NPlusOneDetector::worst() const {
  std::uint64_t most = 0;
  for (const Count& c : counts_)
    if (c.times > most) most = c.times;
  return most;
}

}  // namespace quark
