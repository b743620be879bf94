// What can be wrapped around every statement: logging, counting, tracing, retrying, refusing.
// With none registered, statements go to the engine directly; see engine/<name>/session.
#pragma once

#include <quark/exec/handle.hpp>
#include <quark/sql/statement.hpp>
#include <quark/types/cell.hpp>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace quark {

/// One statement on its way, as a middleware sees it.
class Operation {
 public:
  Operation(const Statement& statement, const Param* params, std::size_t count)
      : statement_(statement), params_(params), count_(count) {}

  StatementKind kind() const { return statement_.kind; }
  /// What was called: "find", "list", "create_batch", "commit", ...
  std::string_view name() const { return statement_.operation; }
  std::string_view table() const { return statement_.table; }
  /// The SQL text, with placeholders; valid while the statement runs.
  std::string_view text() const { return statement_.text; }

  std::size_t parameter_count() const { return count_; }
  /// Parameter `index` as readable text; costs a string, and may be a secret: nothing of ours logs it unasked.
  std::string parameter(std::size_t index) const;
  /// The column that parameter `index` belongs to; empty when none.
  std::string_view parameter_column(std::size_t index) const;

  /// After next(): rows read, rows written, time taken in nanoseconds (the engine's and the scanning's).
  std::uint64_t rows() const { return rows_; }
  std::uint64_t affected() const { return affected_; }
  std::int64_t nanoseconds() const { return nanoseconds_; }

  /// The answer of a middleware that doesn't call next(): no rows, and this many rows affected. What has no such answer
  /// is Misuse: the end or beginning of a transaction, and an INSERT whose key the database makes.
  void set_affected(std::uint64_t affected) { affected_ = affected; }

 private:
  friend class MiddlewareChain;
  friend class Next;
  const Statement& statement_;
  const Param* params_;
  std::size_t count_;
  std::uint64_t rows_ = 0;
  std::uint64_t affected_ = 0;
  std::int64_t nanoseconds_ = 0;
};

class MiddlewareChain;

/// Runs the rest of the chain and the statement itself. May be called again to retry (rows are then read anew; an
/// each() that has handed out rows throws Misuse), or not at all. Throws what the statement throws.
class Next {
 public:
  void operator()() const;

 private:
  friend class MiddlewareChain;
  Next(const MiddlewareChain& chain, std::size_t index, Operation& operation, void* call)
      : chain_(chain), index_(index), operation_(operation), call_(call) {}
  const MiddlewareChain& chain_;
  std::size_t index_;
  Operation& operation_;
  void* call_;
};

/// The base of a middleware. A callable `void(quark::Operation&, const quark::Next&)` will do as well.
class Middleware {
 public:
  Middleware() = default;
  Middleware(const Middleware&) = default;
  Middleware& operator=(const Middleware&) = default;
  virtual ~Middleware();
  virtual void run(Operation& operation, const Next& next) = 0;
};

/// The registered middlewares of one connection, outermost first.
class MiddlewareChain {
 public:
  using Execute = Outcome (*)(void* call);

  MiddlewareChain() = default;
  MiddlewareChain(const MiddlewareChain&) = delete;
  MiddlewareChain& operator=(const MiddlewareChain&) = delete;
  ~MiddlewareChain();

  bool empty() const { return count_ == 0; }

  /// Adds the innermost one. An lvalue is referred to and must outlive the connection; a temporary is moved in.
  template <class M>
  void use(M&& middleware) {
    using D = std::remove_cvref_t<M>;
    if constexpr (std::is_base_of_v<Middleware, D>) {
      if constexpr (std::is_lvalue_reference_v<M>) {
        add(&middleware, false);
      } else {
        add(new D(std::forward<M>(middleware)), true);
      }
    } else {
      static_assert(std::is_invocable_v<D&, Operation&, const Next&>,
                    "quark: a middleware is a quark::Middleware or a callable (quark::Operation&, const quark::Next&)");
      add(new Callable<D>(std::forward<M>(middleware)), true);
    }
  }

  /// For pools: this chain begins with the middlewares of `outer`, which stay its own and must outlive the last
  /// statement here. Returns how many they are. What is here already must have come from `outer`.
  std::size_t share(const MiddlewareChain& outer);
  /// Forgets all but the outermost `count`.
  void cut(std::size_t count) noexcept {
    if (count < count_) [[unlikely]] cut_to(count);
  }

  /// Takes one out that is referred to; nothing when it isn't there.
  void remove(const Middleware& middleware) noexcept;

  /// Runs `operation` through all of them, then `execute(call)`.
  Outcome run(Operation& operation, Execute execute, void* call) const;
  /// The same for one statement; `execute` returns its Outcome.
  template <class F>
  Outcome run_statement(const Statement& statement, const Param* params, std::size_t count, F execute) const {
    Operation operation(statement, params, count);
    return run(
        operation, [](void* call) -> Outcome { return (*static_cast<F*>(call))(); }, &execute);
  }

 private:
  friend class Next;
  template <class F>
  struct Callable final : Middleware {
    explicit Callable(F f) : function(std::move(f)) {}
    void run(Operation& operation, const Next& next) override { function(operation, next); }
    F function;
  };
  struct Entry {
    Middleware* middleware;
    bool owned;
  };
  struct Call {
    Execute execute;
    void* call;
    Outcome outcome;
    bool executed = false;
  };
  void add(Middleware* middleware, bool owned);
  void cut_to(std::size_t count) noexcept;
  std::vector<Entry> entries_;
  std::size_t count_ = 0;  // asked before every statement: a number costs its users no code of std::vector
};

/// Writes statements that took at least `threshold` to a sink, as one line: time, rows, name,
/// table, text — never values.
class SlowQueryLog final : public Middleware {
 public:
  using Sink = void (*)(std::string_view line);
  /// `threshold_microseconds` >= 0; 0 logs all. The default sink is stderr.
  explicit SlowQueryLog(std::int64_t threshold_microseconds, Sink sink = nullptr)
      : threshold_(threshold_microseconds), sink_(sink) {}
  void run(Operation& operation, const Next& next) override;

 private:
  std::int64_t threshold_;
  Sink sink_;
};

/// Remembers the statements that ran, for tests and for showing.
class StatementRecorder final : public Middleware {
 public:
  struct Entry {
    StatementKind kind;
    std::string name, table, text;
    std::uint64_t rows = 0, affected = 0;
    bool failed = false;
  };
  void run(Operation& operation, const Next& next) override;
  const std::vector<Entry>& entries() const { return entries_; }
  std::size_t size() const { return entries_.size(); }
  const Entry& last() const { return entries_.back(); }
  void clear() { entries_.clear(); }

 private:
  std::vector<Entry> entries_;
};

/// Finds loops of point reads: the same SELECT with parameters run more than `limit` times in a row of reads, which
/// other reads don't interrupt, but a write does. Calls `found` once per row and statement text, when the limit is
/// passed; reset() begins a new row: a new unit of work, such as a request.
class NPlusOneDetector final : public Middleware {
 public:
  using Found = void (*)(std::string_view table, std::string_view text, std::uint64_t times);
  /// `limit` > 0 runs of one text are ordinary. Without `found`, passing it throws quark::Misuse: for tests.
  explicit NPlusOneDetector(std::uint64_t limit = 10, Found found = nullptr)
      : limit_(limit), found_(found) {}
  void run(Operation& operation, const Next& next) override;
  void reset();
  /// The largest number of times that one text ran in one row of reads, since the last reset.
  std::uint64_t worst() const { return worst_; }

 private:
  struct Count {
    std::size_t hash;
    std::string text;
    std::uint64_t times;
  };
  Count& count_of(std::string_view text);
  std::uint64_t limit_;
  Found found_;
  std::uint64_t worst_ = 0;
  std::vector<Count> counts_;  // of this row; the last few texts only
};

}  // namespace quark
