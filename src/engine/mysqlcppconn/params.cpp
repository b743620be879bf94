// Parameters on their way through the connector. What MySQL would change silently (NaN, times beyond its range) is
// refused; what the connector has no type for travels as text inside of a CAST.
#include <quark/engine/mysql_values.hpp>
#include <quark/exec/error.hpp>
#include <quark/exec/refusal.hpp>
#include <quark/types/decimal_value.hpp>

#include <cmath>

#include "prepared.hpp"

namespace quark::mysqlcppconn {
namespace {

// Beyond this the connector sends text in pieces, as if it were bytes.
constexpr std::uint64_t longest_text = 256 * 1024;

using String = ::sql::SQLString;

// A reason when the value is refused.
const char* set_param(Prepared& prepared, unsigned at, const Param& p) {
  ::sql::PreparedStatement& to = *prepared.handle;
  if (p.null) {
    to.setNull(at, 0);
    return nullptr;
  }
  const auto set_bytes = [&](const char* data, std::size_t size) {
    prepared.streams.push_back(std::make_unique<ByteStream>(data, size));
    to.setBlob(at, prepared.streams.back().get());
  };
  switch (p.form) {
    case Form::boolean:
    case Form::i16:
    case Form::i32:
    case Form::i64: to.setInt64(at, p.head.integer); return nullptr;
    case Form::u64: to.setUInt64(at, p.head.natural); return nullptr;
    case Form::f32:
    case Form::f64:
      if (std::isnan(p.head.real)) return "MySQL has no NaN";
      if (std::isinf(p.head.real)) return "MySQL has no infinity";
      to.setDouble(at, p.head.real);
      return nullptr;
    case Form::text:
    case Form::json: to.setString(at, String(p.head.text, p.tail.size)); return nullptr;
    case Form::bytes: set_bytes(p.head.text, p.tail.size); return nullptr;
    case Form::uuid:
      // The two halves lie side by side in the parameter, in memory order.
      static_assert(offsetof(Param, tail) == offsetof(Param, head) + 8);
      set_bytes(reinterpret_cast<const char*>(&p.head), 16);
      return nullptr;
    case Form::date:
    case Form::timestamp:
    case Form::time: {
      std::string text;
      const char* const reason = mysql::add_moment(p, text);
      if (reason == nullptr) to.setString(at, text);
      return reason;
    }
    case Form::decimal: {
      char text[max_decimal_text];
      to.setString(at, String(text, format_scaled(p.decimal(), p.scale, text)));
      return nullptr;
    }
    case Form::array: {
      std::string json;
      const char* const reason = mysql::to_json(p.head.items, p.tail.size, json);
      if (reason == nullptr) to.setString(at, json);
      return reason;
    }
    case Form::refused: return p.head.text;
    default: return "a value was not prepared for binding";
  }
}

}  // namespace

Wrap wrap_of(const Param& p) {
  if (p.null) return {};
  switch (p.form) {
    case Form::u64: return {Wrap::Kind::natural};
    case Form::date: return {Wrap::Kind::date};
    case Form::timestamp: return {Wrap::Kind::timestamp};
    case Form::time: return {Wrap::Kind::time};
    case Form::decimal: return {Wrap::Kind::decimal, p.scale};
    case Form::text:
    case Form::json: return {p.tail.size > longest_text ? Wrap::Kind::text : Wrap::Kind::plain};
    // Its JSON isn't there yet; no element is shorter than a digit and a comma.
    case Form::array: return {p.tail.size > 0 ? Wrap::Kind::text : Wrap::Kind::plain};
    default: return {Wrap::Kind::plain};
  }
}

bool serves(Wrap have, Wrap want) {
  if (have == want || want.kind == Wrap::Kind::any) return true;
  return have.kind == Wrap::Kind::text && want.kind == Wrap::Kind::plain;
}

std::string text_of(Wrap wrap) {
  switch (wrap.kind) {
    case Wrap::Kind::date: return "CAST(? AS DATE)";
    case Wrap::Kind::timestamp: return "CAST(? AS DATETIME(6))";
    case Wrap::Kind::time: return "CAST(? AS TIME(6))";
    case Wrap::Kind::decimal: return "CAST(? AS DECIMAL(65," + std::to_string(wrap.places) + "))";
    case Wrap::Kind::text: return "CONVERT(? USING utf8mb4)";
    default: return "?";
  }
}

void set_params(Prepared& prepared, const Statement& statement, const Param* params, std::size_t count) {
  if (count != prepared.wraps.size()) quark::detail::throw_misuse("the statement takes another number of parameters");
  if (!prepared.narrow.empty()) {
    const char* reason = nullptr;
    const std::size_t index = mysql::refused_by_column(prepared.narrow, params, reason);
    if (reason != nullptr) quark::detail::refuse_parameter(statement, index, reason);
  }
  prepared.streams.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const char* const reason = set_param(prepared, static_cast<unsigned>(i + 1), params[i]);
    if (reason != nullptr) quark::detail::refuse_parameter(statement, i, reason);
  }
}

}  // namespace quark::mysqlcppconn
