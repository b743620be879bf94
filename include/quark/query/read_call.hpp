// How the reading terminals of constant statements run: a query's own code fills a ReadCall, everything else is one
// function per engine or per model. It keeps the cost of a query shape low, for the compiler and in the binary.
#pragma once

#include <quark/exec/handle.hpp>
#include <quark/query/rows.hpp>
#include <quark/sql/compile.hpp>
#include <quark/types/text_store.hpp>

#include <optional>
#include <vector>

namespace quark::detail {

/// What a reading terminal with a constant statement hands over. Everything that doesn't depend on the query's type
/// happens behind it, once per engine: a query's own code only fills this.
struct ReadCall {
  const Statement& statement;
  const Slot& slot;
  const Param* values;     // of the condition
  const TextStore* store;  // where their text is; null when none is stored
  sql::Codes codes;             // of a condition with arrays, which may decide it
  const Param* key;        // further parameters, bound after the condition's
  std::uint32_t count;     // values
  std::uint32_t key_count;
  std::uint64_t limit;  // no_number: none
  std::uint64_t offset;
};
inline constexpr std::uint64_t no_number = ~std::uint64_t{0};

/// The parameters of one call, laid out in the order of their placeholders. Compiled once, in the
/// library: the usual call needs no allocation, and a query's file no code for the unusual one.
class CallParams {
 public:
  explicit CallParams(const ReadCall& call);
  CallParams(const CallParams&) = delete;
  CallParams& operator=(const CallParams&) = delete;
  ~CallParams() {
    if (more_ != nullptr) [[unlikely]] delete[] more_;
  }

  const Param* data() const { return more_ != nullptr ? more_ : params_; }
  std::size_t size() const { return size_; }
  /// Whether an empty `in` has decided that there is no row (fault B19).
  bool never() const { return never_; }

 private:
  static constexpr std::size_t usual = 16;
  union {
    Param params_[usual];  // left as it is until the parameters are laid out
  };
  Param* more_ = nullptr;
  std::size_t size_ = 0;
  bool never_ = false;
};

/// Runs a call; false when an empty `in` has decided that there is no row, and nothing was sent.
template <class S>
[[gnu::noinline]] bool run_read(S& session, const ReadCall& call, void (*rows)(typename S::Cursor&, void*),
                                void* context) {
  if (call.count == 0 && call.limit == no_number && call.offset == no_number) {
    session.run(call.statement, &call.slot, call.key, call.key_count, rows, context);
    return true;
  }
  const CallParams params(call);
  if (params.never()) return false;
  session.run(call.statement, &call.slot, params.data(), params.size(), rows, context);
  return true;
}

/// All rows of a call as a vector: one function per model, and one for those that have a limit.
template <class T, bool Limited, class S>
[[gnu::noinline]] std::vector<T> read_list(const Handle<S>& handle, const ReadCall& call) {
  std::vector<T> out;
  if constexpr (Limited) out.reserve(call.limit < 1024 ? static_cast<std::size_t>(call.limit) : 1024);
  run_read(handle.session(), call, &Rows<T, typename S::Cursor>::list, &out);
  return out;
}

/// The first row of a call: one function per model.
template <class T, class S>
[[gnu::noinline]] std::optional<T> read_first(const Handle<S>& handle, const ReadCall& call) {
  std::optional<T> out;
  run_read(handle.session(), call, &Rows<T, typename S::Cursor>::first, &out);
  return out;
}

/// The call of a constant shape.
template <class Constant, class W>
[[gnu::always_inline]] constexpr ReadCall read_call(const W& where, const Param* key, std::uint32_t key_count,
                                                    std::uint64_t limit, std::uint64_t offset) {
  const Param* values = nullptr;
  const TextStore* store = nullptr;
  sql::Codes codes;
  if constexpr (W::count > 0) values = where.values.params;
  if constexpr (requires { where.store; }) store = &where.store;
  if constexpr (W::has_arrays) codes = W::Pack::codes;
  return {Constant::statement, Constant::slot, values, store, codes, key, W::count, key_count, limit, offset};
}

}  // namespace quark::detail
