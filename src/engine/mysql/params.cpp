// Parameters on their way to the server. What MySQL would change silently (NaN, times beyond its range) is refused.
#include <quark/engine/mysql_values.hpp>
#include <quark/exec/error.hpp>
#include <quark/exec/refusal.hpp>
#include <quark/types/decimal_value.hpp>

#include <cmath>
#include <cstring>
#include <string>

#include "prepared.hpp"

namespace quark::mysql {
namespace {

[[gnu::always_inline]] inline void set_type(MYSQL_BIND& bind, enum_field_types type, bool is_unsigned, void* data,
                                            bool& changed) {
  if (bind.buffer_type == type && (bind.is_unsigned != 0) == is_unsigned && bind.buffer == data) [[likely]] return;
  bind.buffer_type = type;
  bind.is_unsigned = is_unsigned;
  bind.buffer = data;
  changed = true;
}

void put_bytes(ParamBuffer& buffer, MYSQL_BIND& bind, enum_field_types type, const char* data, std::uint64_t size,
               bool& changed) {
  buffer.length = static_cast<unsigned long>(size);
  if (size > most_copied_text) {
    bind.buffer_length = buffer.length;
    return set_type(bind, type, false, const_cast<char*>(data), changed);
  }
  if (size > buffer.capacity || buffer.text == nullptr) {
    unsigned long capacity = 64;
    while (capacity < size) capacity *= 2;
    char* const larger = new char[capacity];
    delete[] buffer.text;
    buffer.text = larger;
    buffer.capacity = capacity;
    changed = true;
  }
  std::memcpy(buffer.text, data, size);
  bind.buffer_length = buffer.capacity;
  set_type(bind, type, false, buffer.text, changed);
}

void put_made(ParamBuffer& buffer, MYSQL_BIND& bind, enum_field_types type, bool& changed) {
  buffer.length = sizeof(MYSQL_TIME);
  set_type(bind, type, false, &buffer.time, changed);
}

// Out of line, so that integers and text stay a small loop.
[[gnu::noinline]] const char* put_rare(const Param& p, ParamBuffer& buffer, MYSQL_BIND& bind, bool& changed) {
  switch (p.form) {
    case Form::u64:
      buffer.integer = p.head.integer;
      set_type(bind, MYSQL_TYPE_LONGLONG, true, &buffer.integer, changed);
      return nullptr;
    case Form::f32:
    case Form::f64:
      if (std::isnan(p.head.real)) return "MySQL has no NaN";
      if (std::isinf(p.head.real)) return "MySQL has no infinity";
      buffer.real = p.head.real;
      set_type(bind, MYSQL_TYPE_DOUBLE, false, &buffer.real, changed);
      return nullptr;
    case Form::json:
      put_bytes(buffer, bind, MYSQL_TYPE_STRING, p.head.text, p.tail.size, changed);
      return nullptr;
    case Form::bytes:
      put_bytes(buffer, bind, MYSQL_TYPE_BLOB, p.head.text, p.tail.size, changed);
      return nullptr;
    case Form::uuid:
      // The two halves lie side by side in the parameter, in memory order.
      static_assert(offsetof(Param, tail) == offsetof(Param, head) + 8);
      put_bytes(buffer, bind, MYSQL_TYPE_BLOB, reinterpret_cast<const char*>(&p.head), 16, changed);
      return nullptr;
    case Form::date:
      if (!to_date(p.head.integer, buffer.time)) return "the date is outside MySQL's years 1 to 9999";
      put_made(buffer, bind, MYSQL_TYPE_DATE, changed);
      return nullptr;
    case Form::timestamp:
      if (!to_timestamp(p.head.integer, buffer.time)) return "the time is outside MySQL's years 1 to 9999";
      put_made(buffer, bind, MYSQL_TYPE_DATETIME, changed);
      return nullptr;
    case Form::time:
      if (!to_time(p.head.integer, buffer.time)) return "the duration is beyond MySQL's 838:59:59.999999";
      put_made(buffer, bind, MYSQL_TYPE_TIME, changed);
      return nullptr;
    case Form::decimal: {
      // As a number: a string would be compared with numbers in floating point.
      char text[max_decimal_text];
      const std::size_t size = format_scaled(p.decimal(), p.scale, text);
      put_bytes(buffer, bind, MYSQL_TYPE_NEWDECIMAL, text, size, changed);
      return nullptr;
    }
    case Form::array: {
      std::string json;
      const char* reason = to_json(p.head.items, p.tail.size, json);
      if (reason != nullptr) return reason;
      // A long one must live until it is sent; it stays for the next call.
      if (json.size() > buffer.capacity || buffer.text == nullptr) {
        char* const larger = new char[json.size() + 64];
        delete[] buffer.text;
        buffer.text = larger;
        buffer.capacity = static_cast<unsigned long>(json.size()) + 64;
        changed = true;
      }
      std::memcpy(buffer.text, json.data(), json.size());
      buffer.length = static_cast<unsigned long>(json.size());
      bind.buffer_length = buffer.capacity;
      set_type(bind, MYSQL_TYPE_STRING, false, buffer.text, changed);
      return nullptr;
    }
    case Form::refused: return p.head.text;
    default: return "a value was not prepared for binding";
  }
}

}  // namespace

const char* put_param(const Param& p, ParamBuffer& buffer, MYSQL_BIND& bind, bool& changed) {
  buffer.is_null = p.null;
  if (p.null) return nullptr;  // the type stays
  // The common forms go straight.
  if (p.form == Form::text) {
    put_bytes(buffer, bind, MYSQL_TYPE_STRING, p.head.text, p.tail.size, changed);
    return nullptr;
  }
  if (p.form <= Form::i64) {
    buffer.integer = p.head.integer;
    set_type(bind, MYSQL_TYPE_LONGLONG, false, &buffer.integer, changed);
    return nullptr;
  }
  return put_rare(p, buffer, bind, changed);
}

Prepared::~Prepared() {
  // The handle is the session's to close.
  delete[] buffers;
}

void make_params(Prepared& prepared) {
  prepared.param_count = mysql_stmt_param_count(prepared.handle());
  prepared.binds.assign(prepared.param_count, MYSQL_BIND{});
  if (prepared.param_count == 0) return;
  prepared.buffers = new ParamBuffer[prepared.param_count];
  for (std::size_t i = 0; i < prepared.param_count; ++i) {
    MYSQL_BIND& bind = prepared.binds[i];
    ParamBuffer& buffer = prepared.buffers[i];
    bind.buffer_type = MYSQL_TYPE_LONGLONG;
    bind.buffer = &buffer.integer;
    bind.is_null = &buffer.is_null;
    bind.length = &buffer.length;
  }
}

bool bind_statement(MYSQL_STMT* handle, std::vector<MYSQL_BIND>& binds) {
#if !defined(LIBMARIADB) && defined(MYSQL_VERSION_ID) && MYSQL_VERSION_ID >= 80300
  return mysql_stmt_bind_named_param(handle, binds.data(), static_cast<unsigned>(binds.size()), nullptr) == 0;
#else
  return mysql_stmt_bind_param(handle, binds.data()) == 0;
#endif
}

bool bind_params(Prepared& prepared, const Statement& statement, const Param* params, std::size_t count) {
  if (count != prepared.param_count) [[unlikely]]
    quark::detail::throw_misuse("the statement takes another number of parameters");
  if (!prepared.narrow.empty()) {
    const char* reason = nullptr;
    const std::size_t index = refused_by_column(prepared.narrow, params, reason);
    if (reason != nullptr) quark::detail::refuse_parameter(statement, index, reason);
  }
  bool changed = !prepared.bound;
  for (std::size_t i = 0; i < count; ++i) {
    const char* reason = put_param(params[i], prepared.buffers[i], prepared.binds[i], changed);
    if (reason != nullptr) [[unlikely]] {
      prepared.bound = prepared.bound && !changed;
      quark::detail::refuse_parameter(statement, i, reason);
    }
  }
  if (!changed || count == 0) [[likely]] return true;
  prepared.bound = bind_statement(prepared.handle(), prepared.binds);
  return prepared.bound;
}

}  // namespace quark::mysql
