// Rows to arrays.
#include <quark/engine/postgres_batch.hpp>
#include <quark/engine/postgres_values.hpp>
#include <quark/exec/error.hpp>
#include <quark/exec/refusal.hpp>

namespace quark::postgres {
namespace {

// One statement takes this much at most: memory doesn't grow with the batch.
constexpr std::size_t most_rows = 5000;
constexpr std::size_t most_bytes = 16 << 20;
constexpr std::size_t header = 20;  // of an array with one dimension

void append(std::vector<char>& out, const void* data, std::size_t size) {
  const std::size_t at = out.size();
  out.resize(at + size);
  if (size > 0) std::memcpy(out.data() + at, data, size);
}

void append_length(std::vector<char>& out, std::int32_t length) {
  char bytes[4];
  store(bytes, length);
  append(out, bytes, sizeof bytes);
}

}  // namespace

void throw_dropped(const Statement& one) {
  ErrorInfo info;
  info.kind = ErrorKind::other;
  info.table = one.table;
  info.message = "quark: a row of the batch was not inserted (a trigger or rule dropped it)";
  throw_error(std::move(info));
}

void forget_keys(const BatchInsert& batch) {
  if (batch.set_key == nullptr) return;
  for (std::size_t i = 0; i < batch.source.count; ++i) batch.set_key(batch.rows, i, 0);
}

std::size_t fill_arrays(ArrayColumns& columns, const Statement& one, const std::vector<Type>& types,
                        const BatchInsert& batch, std::size_t first) {
  const std::size_t width = types.size();
  if (columns.size() < width) columns.resize(width);
  for (std::size_t c = 0; c < width; ++c) columns[c].resize(header);
  std::vector<Param> params(width);
  std::vector<bool> nulls(width);
  std::size_t rows = 0, bytes = 0;
  for (; rows < most_rows && first + rows < batch.source.count && bytes < most_bytes; ++rows) {
    Scratch scratch;
    batch.source.fill(batch.source.rows, first + rows, params.data(), scratch);
    if (!batch.source.resolved) resolve(params.data(), width, scratch);
    for (std::size_t c = 0; c < width; ++c) {
      char room[40];
      Encoded encoded;
      const char* reason = encode(params[c], types[c], room, scratch, encoded);
      if (reason != nullptr) quark::detail::refuse_parameter(one, c, reason);
      if (!encoded.binary) return 0;
      if (encoded.data == nullptr) {
        nulls[c] = true;
        append_length(columns[c], -1);
        continue;
      }
      append_length(columns[c], encoded.size);
      append(columns[c], encoded.data, static_cast<std::size_t>(encoded.size));
      bytes += static_cast<std::size_t>(encoded.size) + 4;
    }
  }
  for (std::size_t c = 0; c < width; ++c) {
    char* to = columns[c].data();
    store<std::int32_t>(to, 1);  // dimensions
    store<std::int32_t>(to + 4, nulls[c] ? 1 : 0);
    store<std::int32_t>(to + 8, static_cast<std::int32_t>(types[c].oid));
    store<std::int32_t>(to + 12, static_cast<std::int32_t>(rows));
    store<std::int32_t>(to + 16, 1);  // the first index
  }
  return rows;
}

}  // namespace quark::postgres
