// An engine without a database: it records what is sent and answers with rows that the test has
// laid out. Used by the unit tests of query/ and types/; every engine's dialect can be asked for.
#pragma once

#include <quark/exec/error.hpp>
#include <quark/exec/row_source.hpp>
#include <quark/exec/transaction_stack.hpp>
#include <quark/quark.hpp>

#include <cstring>
#include <string>
#include <vector>

namespace quark::test {

/// One cell of an answer; which reader it accepts is decided by `kind`.
struct Value {
  enum class Kind { null, integer, natural, real, text, bytes, decimal };
  Kind kind = Kind::null;
  std::int64_t integer = 0;
  std::uint64_t natural = 0;
  double real = 0;
  std::string text{};
  Int128 decimal = 0;

  Value() = default;
  Value(std::int64_t i) : kind(Kind::integer), integer(i) {}
  Value(int i) : kind(Kind::integer), integer(i) {}
  Value(double d) : kind(Kind::real), real(d) {}
  Value(const char* t) : kind(Kind::text), text(t) {}
  Value(std::string t) : kind(Kind::text), text(std::move(t)) {}
  static Value of_natural(std::uint64_t n) {
    Value v;
    v.kind = Kind::natural;
    v.natural = n;
    return v;
  }
  static Value of_bytes(std::string bytes) {
    Value v(std::move(bytes));
    v.kind = Kind::bytes;
    return v;
  }
  static Value of_decimal(Int128 scaled) {
    Value v;
    v.kind = Kind::decimal;
    v.decimal = scaled;
    return v;
  }
};

/// What codecs read. A value of another kind than the reader's is refused, as a strict engine does.
class FakeCell {
 public:
  explicit FakeCell(const Value& value) : value_(value) {}

  bool is_null() const { return value_.kind == Value::Kind::null; }
  std::int64_t integer() const { return need(Value::Kind::integer).integer; }
  std::uint64_t natural() const { return need(Value::Kind::natural).natural; }
  bool boolean() const {
    const std::int64_t i = integer();
    if (i != 0 && i != 1) refuse("neither 0 nor 1");
    return i == 1;
  }
  double real() const { return need(Value::Kind::real).real; }
  std::string_view text() const { return need(Value::Kind::text).text; }
  std::string_view json() const { return text(); }
  ByteView bytes() const {
    const std::string& b = need(Value::Kind::bytes).text;
    return {reinterpret_cast<const std::byte*>(b.data()), b.size()};
  }
  std::int32_t date() const { return static_cast<std::int32_t>(integer()); }
  std::int64_t time() const { return integer(); }
  std::int64_t timestamp() const { return integer(); }
  Uuid uuid() const {
    const ByteView b = bytes();
    if (b.size != 16) refuse("no uuid");
    Uuid out;
    std::memcpy(out.bytes.data(), b.data, 16);
    return out;
  }
  Int128 decimal(int, int) const { return need(Value::Kind::decimal).decimal; }

  [[noreturn]] void refuse(std::string_view why) const {
    throw ConversionError("cell: " + std::string(why));
  }
  template <class F>
  auto guard(F&& convert) const {
    try {
      return convert();
    } catch (const ConversionError& error) {
      refuse(error.what());
    }
  }

 private:
  const Value& need(Value::Kind kind) const {
    if (value_.kind != kind) refuse(is_null() ? "NULL" : "another type");
    return value_;
  }
  const Value& value_;
};

/// A parameter as it was when its statement ran, in readable form: "18", "'Ada'", "NULL text", "[1,
/// 2]".
inline std::string shown(const Param& p) {
  if (p.null) return p.form == Form::text ? "NULL text" : "NULL";
  switch (p.form) {
    case Form::boolean:
      return p.head.integer != 0 ? "true" : "false";
    case Form::u64:
      return std::to_string(p.head.natural) + "u";
    case Form::f32:
    case Form::f64:
      return std::to_string(p.head.real);
    case Form::text:
      return "'" + std::string(p.view()) + "'";
    case Form::json:
      return "json " + std::string(p.view());
    case Form::bytes:
      return std::to_string(p.tail.size) + " bytes";
    case Form::decimal:
      return std::to_string(static_cast<std::int64_t>(p.decimal())) + "e-" +
             std::to_string(p.scale);
    case Form::uuid:
      return "uuid";
    case Form::array: {
      std::string out = "[";
      for (std::uint64_t i = 0; i < p.tail.size; ++i)
        out += (i > 0 ? ", " : "") + shown(p.head.items[i]);
      return out + "]";
    }
    case Form::refused:
      return "REFUSED";
    case Form::deferred:
    case Form::contains:
    case Form::starts_with:
    case Form::ends_with:
      return "NOT RESOLVED";
    default:
      return std::to_string(p.head.integer);
  }
}

inline std::string shown(const Param* params, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += (i > 0 ? ", " : "") + shown(params[i]);
  return out;
}

using Row = std::vector<Value>;

template <Engine E>
class FakeCursor {
 public:
  static constexpr Engine engine = E;
  explicit FakeCursor(const std::vector<Row>& rows) : rows_(rows) {}
  bool step() { return ++at_ <= rows_.size(); }
  FakeCell cell(std::size_t i) const { return FakeCell(rows_.at(at_ - 1).at(i)); }

 private:
  const std::vector<Row>& rows_;
  std::size_t at_ = 0;
};

/// One statement as it was sent.
struct Sent {
  std::string text, params, operation;
  StatementKind kind;
};

template <Engine E>
class FakeSession {
 public:
  static constexpr Engine engine = E;
  using Cursor = FakeCursor<E>;
  using Outcome = quark::Outcome;
  struct Begin {};

  Outcome run(const Statement& statement, const Slot*, const Param* params, std::size_t count,
              void (*rows)(Cursor&, void*), void* context) {
    sent.push_back({std::string(statement.text), shown(params, count),
                    std::string(statement.operation), statement.kind});
    columns.clear();
    for (std::size_t i = 0; i < count && statement.param_column != nullptr; ++i)
      columns += (i > 0 ? ", " : "") + std::string(statement.param_column(statement, i));
    if (fails) throw_error(failure);
    if (rows != nullptr) {
      Cursor cursor(answer);
      rows(cursor, context);
    }
    Outcome out = outcome;
    if (rows != nullptr) out.rows = answer.size();
    return out;
  }
  void insert_rows(const Statement& many, const Slot&, const Statement&, const Slot&,
                   const BatchInsert& batch) {
    Scratch scratch;
    std::string params;
    for (std::size_t i = 0; i < batch.source.count; ++i) {
      std::vector<Param> row(batch.source.columns);
      batch.source.fill(batch.source.rows, i, row.data(), scratch);
      resolve(row.data(), row.size(), scratch);  // an engine's duty
      params += (i > 0 ? "; " : "") + shown(row.data(), row.size());
      if (batch.set_key != nullptr) batch.set_key(batch.rows, i, next_key++);
    }
    sent.push_back({std::string(many.text), params, std::string(many.operation), many.kind});
  }
  std::uint64_t begin(Begin) {
    log += "begin ";
    return 1;
  }
  void commit(std::uint64_t) { log += "commit "; }
  void rollback(std::uint64_t) { log += "rollback "; }
  void abandon(std::uint64_t) noexcept { log += "abandon "; }
  void check_transaction(std::uint64_t) const {}
  TransactionStack& transactions() { return stack_; }

  std::vector<Sent> sent;
  std::string columns;  // of the last statement's parameters
  std::string log;      // of transactions
  std::vector<Row> answer;
  Outcome outcome{.affected = 1, .last_key = 7};
  std::int64_t next_key = 100;
  bool fails = false;
  ErrorInfo failure{};

 private:
  TransactionStack stack_;
};

/// What For<T>(db) takes.
template <Engine E = Engine::sqlite>
struct FakeDatabase {
  FakeSession<E> session;
  Handle<FakeSession<E>> handle() { return Handle<FakeSession<E>>(session); }

  const Sent& last() const { return session.sent.back(); }
  std::size_t count() const { return session.sent.size(); }
};

}  // namespace quark::test
