// The parameters of a reading call: what needs neither the query's type nor the engine's.
#include <quark/query/read_call.hpp>

namespace quark::detail {

CallParams::CallParams(const ReadCall& call) {
  Param* params = params_;
  const std::size_t most = std::size_t{call.count} + call.key_count + 2;
  if (most > usual) [[unlikely]] params = more_ = new Param[most];
  if (call.store != nullptr) {
    call.store->lay_out(call.values, call.count, params);
  } else {
    for (std::uint32_t i = 0; i < call.count; ++i) params[i] = call.values[i];
  }
  if (call.codes.size > 0 && sql::decide(call.codes, params) == sql::Decided::always_false) {
    never_ = true;
    return;
  }
  Param* end = params + call.count;
  for (std::uint32_t i = 0; i < call.key_count; ++i) *end++ = call.key[i];
  for (const std::uint64_t number : {call.limit, call.offset}) {
    if (number == no_number) continue;
    *end = Param{};
    codec<std::int64_t>::put(*end++, static_cast<std::int64_t>(number));
  }
  size_ = static_cast<std::size_t>(end - params);
}

}  // namespace quark::detail
