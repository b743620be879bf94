// Running statements: the cache, binding, resetting.
#include "quark/engine/sqlite/connection.hpp"
#include "quark/engine/sqlite/cursor.hpp"

#include <quark/exec/error.hpp>
#include <quark/exec/refusal.hpp>
#include <quark/exec/thread_check.hpp>

#include <functional>
#include <string>
#include <utility>

#include "errors.hpp"
#include "values.hpp"

namespace quark::sqlite {

/// A statement in use: it is reset, and its place freed, whatever happens (faults B42, B44).
class Use {
 public:
  Use(Session& session, const Statement& statement, const Slot* slot, const Param* params, std::size_t count) {
    // The usual case without a call: place 0 stays empty, so that run-time text and new slots go the long way.
    const std::size_t number = slot != nullptr ? slot->number.load(std::memory_order_relaxed) : 0;
    place_ = number < session.slots_.size() ? session.slots_[number] : nullptr;
    if (place_ == nullptr) [[unlikely]] place_ = session.place_of(statement, slot);
    if (place_ != nullptr && !place_->busy) [[likely]] {
      if (place_->handle == nullptr) [[unlikely]] place_->handle = session.prepare(statement, true, params, count);
      place_->busy = true;
      handle_ = place_->handle;
    } else {
      // The same statement is running further up the stack: it gets a second one, for this once.
      place_ = nullptr;
      handle_ = session.prepare(statement, false, params, count);
    }
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() {
    if (place_ != nullptr) {
      sqlite3_reset(handle_);
      place_->busy = false;
    } else {
      sqlite3_finalize(handle_);
    }
  }
  sqlite3_stmt* handle() const { return handle_; }

 private:
  Session::Place* place_;
  sqlite3_stmt* handle_;
};

namespace {

constexpr bool writes(StatementKind kind) {
  return kind == StatementKind::insert || kind == StatementKind::update || kind == StatementKind::remove ||
         kind == StatementKind::upsert;
}

// Why one of the values of an `in` can't be bound; null when all can. Integers and text always can.
const char* reason_to_refuse(const Param* items, std::size_t count, Forms forms) {
  for (std::size_t i = 0; i < count; ++i) {
    if (items[i].form <= Form::i64 || items[i].form == Form::text) continue;
    Value value;
    to_value(items[i], forms, value);
    if (value.storage == Value::Class::refused) return value.reason;
  }
  return nullptr;
}

// Out of line, so that binding integers and text stays a small loop.
[[gnu::noinline]] int bind_rare(sqlite3_stmt* handle, const Statement& statement, const Param& p, std::size_t i,
                                Forms forms) {
  const int index = static_cast<int>(i) + 1;
  Value value;
  to_value(p, forms, value);
  switch (value.storage) {
    case Value::Class::null: return sqlite3_bind_null(handle, index);
    case Value::Class::integer: return sqlite3_bind_int64(handle, index, value.integer);
    case Value::Class::real: return sqlite3_bind_double(handle, index, value.real);
    case Value::Class::text: {
      const auto* data = static_cast<const char*>(value.data);
      return sqlite3_bind_text64(handle, index, data, value.size,
                                 data == value.buffer ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8);
    }
    case Value::Class::blob: return sqlite3_bind_blob64(handle, index, value.data, value.size, SQLITE_STATIC);
    case Value::Class::rows: {
      if (value.size == rows_of_batch) {
        auto* rows = static_cast<RowsArgument*>(const_cast<void*>(p.head.object));
        rows->handle = handle;
        return sqlite3_bind_pointer(handle, index, rows, rows_pointer_type, nullptr);
      }
      const auto* items = static_cast<const Param*>(value.data);
      // Refused here, where the column is known: an error inside quark_rows would only be SQLite's.
      value.reason = reason_to_refuse(items, value.size, forms);
      if (value.reason != nullptr) break;
      auto* rows = new RowsArgument;
      rows->items = items;
      rows->count = value.size;
      rows->forms = forms;
      return sqlite3_bind_pointer(handle, index, rows, rows_pointer_type,
                                  [](void* owned) { delete static_cast<RowsArgument*>(owned); });
    }
    case Value::Class::refused: break;
  }
  quark::detail::refuse_parameter(statement, i, value.reason);
}

}  // namespace

Session::Place* Session::place_of(const Statement& statement, const Slot* slot) {
  if (slot != nullptr) [[likely]] {
    const std::size_t number = slot->get();
    if (number >= slots_.size()) [[unlikely]] slots_.resize(number + 16, nullptr);
    Place*& place = slots_[number];
    if (place == nullptr) [[unlikely]] place = new Place{};
    return place;
  }
  return texts_.find(statement.text, std::hash<std::string_view>{}(statement.text), text_capacity_,
                     [](sqlite3_stmt* handle) { sqlite3_finalize(handle); });
}

[[gnu::always_inline]] inline void Session::bind(sqlite3_stmt* handle, const Statement& statement, const Param* params,
                                                 std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const int index = static_cast<int>(i) + 1;
    const Param& p = params[i];
    int code = SQLITE_OK;
    // The common forms go straight; the rest through the one rule in values.cpp.
    if (p.null) {
      code = sqlite3_bind_null(handle, index);
    } else if (p.form == Form::text) {
      code = sqlite3_bind_text64(handle, index, p.head.text, p.tail.size, SQLITE_STATIC, SQLITE_UTF8);
    } else if (p.form <= Form::i64) {
      code = sqlite3_bind_int64(handle, index, p.head.integer);
    } else {
      code = bind_rare(handle, statement, p, i, forms_);
    }
    if (code != SQLITE_OK) [[unlikely]] fail(code, statement);
  }
}

Outcome Session::run_direct(const Statement& statement, const Slot* slot, const Param* params,
                            std::size_t count, RowFunction rows, void* context) {
#ifndef NDEBUG
  const ThreadCheck check(user_);
#endif
  // Whatever it is, it would run on its own and be kept, though its caller takes it for a part of the transaction.
  if (is_aborted()) [[unlikely]] refuse_aborted();
  try {
    Use use(*this, statement, slot, params, count);
    bind(use.handle(), statement, params, count);
    quark::sqlite::Cursor cursor(*this, use.handle(), statement);
    Outcome outcome;
    // The total counts what triggers write, the count of a statement doesn't.
    const sqlite3_int64 before = rows != nullptr && writes(statement.kind) ? sqlite3_total_changes64(db_) : 0;
    if (rows != nullptr) rows(cursor, context);
    if (statement.kind != StatementKind::select) {
      // A write with RETURNING is whole only when it was stepped to its end.
      while (cursor.step()) {
      }
      // Other statements leave the count of the last write in place.
      if (writes(statement.kind)) {
        outcome.affected = static_cast<std::uint64_t>(sqlite3_changes64(db_));
        if (rows != nullptr)
          outcome.triggered = sqlite3_total_changes64(db_) - before != static_cast<sqlite3_int64>(outcome.affected);
        if (!statement.made_key.empty()) {
          outcome.last_key = sqlite3_last_insert_rowid(db_);
          // The count of silent re-preparations, which a changed schema causes, costs a look into an array.
          if (sqlite3_stmt_status(use.handle(), SQLITE_STMTSTATUS_REPREPARE, 0) != 0) [[unlikely]]
            check_changed_key(use.handle(), statement, outcome);
        }
      }
    }
    outcome.rows = cursor.rows();
    return outcome;
  } catch (const ForeignKeyViolation& error) {
    // It may come from a statement that a row callback ran, which has told all already.
    if (!error.column().empty() || error.statement() != statement.text) throw;
    name_foreign_key(error, statement, params, count);
  }
}

Outcome Session::run_wrapped(const Statement& statement, const Slot* slot, const Param* params,
                             std::size_t count, RowFunction rows, void* context) {
  return chain_.run_statement(statement, params, count, [&] {
    return run_direct(statement, slot, params, count, rows, context);
  });
}

void Session::fail(int code, const Statement& statement, bool preparing) const {
  // Copied before anything else can overwrite it (fault B43). The extended code is the one that tells.
  const int extended = sqlite3_extended_errcode(db_);
  std::string message = sqlite3_errmsg(db_);
  if ((extended & 0xff) == (code & 0xff)) code = extended;
  if ((code & 0xff) == SQLITE_NOMEM) throw std::bad_alloc();
  if (code == SQLITE_ERROR && !preparing) {
    // A table or column that went after the statement was prepared: SQLite prepares it again while stepping, and only
    // preparing tells that from other errors.
    sqlite3_stmt* again = nullptr;
    preparing = sqlite3_prepare_v3(db_, statement.text.data(), static_cast<int>(statement.text.size()), 0, &again,
                                   nullptr) != SQLITE_OK;
    sqlite3_finalize(again);
  }
  ErrorInfo info = describe_error(code, message, statement.text, statement.table, preparing);
  if (info.kind == ErrorKind::unique && info.constraint.empty() && info.table == statement.table &&
      statement.unique_name != nullptr)
    info.constraint = statement.unique_name(statement, info.column);
  // Of what sum() runs only the sum itself can fail: it left 64 bits.
  if (code == SQLITE_ERROR && !preparing && statement.operation == "sum") info.kind = ErrorKind::conversion;
  throw_error(std::move(info));
}

std::size_t Session::cached_statements() const {
  std::size_t n = texts_.size();
  for (const Place* place : slots_)
    if (place != nullptr && place->handle != nullptr) ++n;
  return n;
}

}  // namespace quark::sqlite
