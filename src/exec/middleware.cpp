// The middleware chain, and the middlewares that ship with the library.
#include <quark/exec/error.hpp>
#include <quark/exec/middleware.hpp>
#include <quark/types/chrono_text.hpp>
#include <quark/types/decimal_value.hpp>
#include <quark/types/uuid_value.hpp>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>

namespace quark {

Middleware::~Middleware() = default;

MiddlewareChain::~MiddlewareChain() {
  for (const Entry& entry : entries_)
    if (entry.owned) delete entry.middleware;
}

void MiddlewareChain::add(Middleware* middleware, bool owned) {
  try {
    entries_.push_back({middleware, owned});
    count_ = entries_.size();
  } catch (...) {
    if (owned) delete middleware;
    throw;
  }
}

std::size_t MiddlewareChain::share(const MiddlewareChain& outer) {
  while (count_ < outer.count_) add(outer.entries_[count_].middleware, false);
  return count_;
}

void MiddlewareChain::cut_to(std::size_t count) noexcept {
  for (; count_ > count; --count_) {
    if (entries_.back().owned) delete entries_.back().middleware;
    entries_.pop_back();
  }
}

void MiddlewareChain::remove(const Middleware& middleware) noexcept {
  for (std::size_t i = entries_.size(); i-- > 0;) {
    if (entries_[i].middleware != &middleware || entries_[i].owned) continue;
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
    count_ = entries_.size();
    return;
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

template <class Write>
std::string made(Write write) {
  char text[64];
  return std::string(text, write(text));
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
    case Form::uuid: {
      // The two halves lie side by side in the parameter, in memory order.
      Uuid uuid;
      std::memcpy(uuid.bytes.data(), &p.head, sizeof p.head);
      std::memcpy(uuid.bytes.data() + sizeof p.head, &p.tail, sizeof p.tail);
      return uuid.to_string();
    }
    case Form::decimal: return made([&](char* out) { return format_scaled(p.decimal(), p.scale, out); });
    case Form::time: return made([&](char* out) { return format_time(p.head.integer, out); });
    case Form::date:
    case Form::timestamp: {
      const std::string text = made([&](char* out) {
        return p.form == Form::date ? format_date(static_cast<std::int32_t>(p.head.integer), out)
                                    : format_timestamp(p.head.integer, out);
      });
      // Years of other than four digits have no text.
      if (!text.empty()) return text;
      return number(p.head.integer) + (p.form == Form::date ? " days since 1970" : " microseconds since 1970");
    }
    case Form::array:
      if (p.tail.size + 1 == 0) return "<rows>";
      return std::string("<").append(number(p.tail.size)).append(" values>");
    case Form::refused: return std::string("<refused: ").append(p.head.text).append(">");
    case Form::deferred:
    case Form::contains:
    case Form::starts_with:
    case Form::ends_with: return "<unresolved>";  // never in a statement that runs
    case Form::i16:
    case Form::i32:
    case Form::i64: break;
  }
  return number(p.head.integer);
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

NPlusOneDetector::Count& NPlusOneDetector::count_of(std::string_view text) {
  // A loop runs a few texts over and over: those that are not among the last ones are no part of it.
  constexpr std::size_t most = 64;
  const std::size_t hash = std::hash<std::string_view>{}(text);
  for (Count& count : counts_)
    if (count.hash == hash && count.text == text) return count;
  if (counts_.size() == most) counts_.erase(counts_.begin());
  return counts_.emplace_back(Count{hash, std::string(text), 0});
}

void NPlusOneDetector::run(Operation& operation, const Next& next) {
  switch (operation.kind()) {
    case StatementKind::select:
      if (operation.parameter_count() > 0) {
        Count& count = count_of(operation.text());
        if (++count.times > worst_) worst_ = count.times;
        if (count.times == limit_ + 1) {
          if (found_ == nullptr)
            detail::throw_misuse("one SELECT with parameters ran more often than the N+1 detector allows: " +
                                 count.text);
          found_(operation.table(), operation.text(), count.times);
        }
      }
      break;
    case StatementKind::insert:
    case StatementKind::update:
    case StatementKind::remove:
    case StatementKind::upsert: counts_.clear(); break;
    default: break;
  }
  next();
}

void NPlusOneDetector::reset() {
  counts_.clear();
  worst_ = 0;
}

}  // namespace quark
