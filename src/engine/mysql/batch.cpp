// Batches: MariaDB takes an array of rows in one message and answers with their keys (RETURNING);
// elsewhere rows go in one by one. All or nothing in either case.
#include "quark/engine/mysql/cursor.hpp"

#include <quark/exec/error.hpp>
#include <quark/exec/refusal.hpp>
#include <quark/exec/transaction.hpp>
#include <quark/types/scratch.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <string>

#include "use.hpp"

namespace quark::mysql {
namespace {

// More rows in one message make nothing faster.
constexpr std::size_t most_rows = 1000;

[[noreturn]] void throw_not_all() {
  ErrorInfo info;
  info.kind = ErrorKind::other;
  info.message = "quark: a row of the batch was not inserted";
  throw_error(std::move(info));
}

void insert_one_by_one(Session& session, const Statement& one, const Slot& slot, const BatchInsert& batch) {
  std::vector<Param> params(batch.source.columns);
  for (std::size_t i = 0; i < batch.source.count; ++i) {
    Scratch scratch;
    batch.source.fill(batch.source.rows, i, params.data(), scratch);
    if (!batch.source.resolved) resolve(params.data(), params.size(), scratch);
    const Outcome outcome = session.run(one, &slot, params.data(), params.size(), nullptr, nullptr);
    if (outcome.affected != 1) throw_not_all();
    if (batch.set_key != nullptr) batch.set_key(batch.rows, i, outcome.last_key);
  }
}

#ifdef LIBMARIADB

/// What the client library's callback works with: one row at a time is put where the binds look.
struct Feed {
  Prepared& prepared;
  const BatchArgument& argument;
  const Statement& statement;
  std::size_t most_bytes;
  std::vector<Param> params{};
  std::vector<char> indicators{};
  Scratch scratch{};
  std::size_t bytes = 0;
  bool too_large = false;
  std::exception_ptr thrown{};

  void load(std::size_t row) {
    const RowSource& source = argument.batch->source;
    scratch.clear();
    source.fill(source.rows, argument.first + row, params.data(), scratch);
    if (!source.resolved) resolve(params.data(), params.size(), scratch);
    const char* reason = nullptr;
    const std::size_t index = refused_by_column(prepared.narrow, params.data(), reason);
    if (reason != nullptr) refuse(index, reason);
  }

  [[noreturn]] void refuse(std::size_t i, const char* reason) {
    Statement named = *argument.one;  // knows the columns
    named.text = statement.text;
    quark::detail::refuse_parameter(named, i, reason);
  }

  void put(std::size_t i, bool& changed) {
    const char* reason = put_param(params[i], prepared.buffers[i], prepared.binds[i], changed);
    if (reason != nullptr) refuse(i, reason);
  }

  /// The types of the columns, from the first row; of a NULL, by a value of its form.
  void put_types() {
    load(0);
    bool changed = false;
    for (std::size_t i = 0; i < params.size(); ++i) {
      if (params[i].null) {
        params[i].null = false;
        params[i].head.integer = 0;
        params[i].tail.size = 0;
        const bool borrowed = params[i].form == Form::text || params[i].form == Form::bytes ||
                              params[i].form == Form::json;
        if (borrowed) params[i].head.text = "";
      }
      put(i, changed);
    }
  }

  bool row(MYSQL_BIND* binds, std::size_t number) {
    load(number);
    for (std::size_t i = 0; i < params.size(); ++i) {
      bool changed = false;
      put(i, changed);
      // A NULL keeps the type; so does all else, since a column has one form.
      binds[i].buffer = prepared.binds[i].buffer;
      binds[i].buffer_length = prepared.binds[i].buffer_length;
      binds[i].u.indicator = &indicators[i];
      indicators[i] = static_cast<char>(params[i].null ? STMT_INDICATOR_NULL : STMT_INDICATOR_NONE);
      bytes += prepared.buffers[i].length + 10;
    }
    too_large = bytes > most_bytes && argument.count > 1;
    return !too_large;
  }
};

my_bool feed_row(void* context, MYSQL_BIND* binds, unsigned number) {
  auto& feed = *static_cast<Feed*>(context);
  try {
    return feed.row(binds, number) ? 0 : 1;
  } catch (...) {
    feed.thrown = std::current_exception();
    return 1;
  }
}

/// Thrown out of run() when the rows of a chunk are too many bytes for one message; nothing was sent.
struct TooLarge {};

#endif

}  // namespace

#ifdef LIBMARIADB

Outcome Session::run_bulk(const Statement& statement, const Slot* slot, const Param& rows) {
  const auto& argument = *static_cast<const BatchArgument*>(rows.head.object);
  Use use(*this, statement, slot, *argument.one);
  Prepared& prepared = use.prepared();
  Feed feed{prepared, argument, statement, bulk_bytes_};
  feed.params.resize(argument.batch->source.columns);
  feed.indicators.resize(argument.batch->source.columns);
  if (feed.params.size() != prepared.param_count)
    quark::detail::throw_misuse("the statement takes another number of parameters");
  MYSQL_STMT* const handle = prepared.handle();
  const auto size = static_cast<unsigned>(argument.count);
  if (mysql_stmt_attr_set(handle, STMT_ATTR_ARRAY_SIZE, &size) != 0) fail(statement, handle);
  if (!prepared.bound) {
    feed.put_types();
    mysql_stmt_attr_set(handle, STMT_ATTR_CB_PARAM, reinterpret_cast<const void*>(&feed_row));
    prepared.bound = bind_statement(handle, prepared.binds);
    if (!prepared.bound) fail(statement, handle);
  }
  mysql_stmt_attr_set(handle, STMT_ATTR_CB_USER_DATA, &feed);
  try {
    execute(prepared, statement);
  } catch (const Error&) {
    // What the callback met is the real error; the client library only knows that it met one.
    if (feed.thrown) std::rethrow_exception(feed.thrown);
    if (feed.too_large) throw TooLarge{};
    throw;
  }
  quark::mysql::Cursor cursor(*this, prepared.result, statement);
  const BatchInsert& batch = *argument.batch;
  while (cursor.step())
    if (batch.set_key != nullptr && cursor.rows() <= argument.count)
      batch.set_key(batch.rows, argument.first + cursor.rows() - 1, cursor.cell(0).integer());
  Outcome outcome;
  outcome.rows = cursor.rows();
  outcome.affected = batch.set_key != nullptr ? cursor.rows() : mysql_stmt_affected_rows(handle);
  return outcome;
}

namespace {

/// Inserts rows `first` ... in one message; false when they are too large for one, and nothing was sent.
bool insert_chunk(Session& session, const Statement& many, const Slot& slot, const Statement& one,
                  const BatchInsert& batch, std::size_t first, std::size_t count) {
  const BatchArgument argument{&batch, &one, first, count};
  Param param;
  param.form = Form::array;
  param.head.object = &argument;
  param.tail.size = rows_of_batch;
  try {
    if (session.run(many, &slot, &param, 1, nullptr, nullptr).affected != count) throw_not_all();
  } catch (const TooLarge&) {
    return false;
  }
  return true;
}

void insert_in_chunks(Session& session, const Statement& many, const Slot& slot, const Statement& one,
                      const BatchInsert& batch, std::size_t size) {
  Transaction<Session> whole(session, Begin{});
  for (std::size_t at = 0; at < batch.source.count;) {
    const std::size_t count = std::min(size, batch.source.count - at);
    if (insert_chunk(session, many, slot, one, batch, at, count)) {
      at += count;
    } else {
      size = std::max<std::size_t>(1, count / 2);
    }
  }
  whole.commit();
}

}  // namespace

#else

Outcome Session::run_bulk(const Statement&, const Slot*, const Param&) {
  quark::detail::throw_misuse("the MySQL client library knows no arrays of parameters");
}

#endif

void Session::insert_rows(const Statement& many, const Slot& many_slot, const Statement& one,
                          const Slot& one_slot, const BatchInsert& batch) {
  const std::size_t count = batch.source.count;
  if (count == 0) return;
  try {
#ifdef LIBMARIADB
    if (bulk_ && batch.source.columns > 0) {
      if (lost_code_ == 0 && bulk_bytes_ == 0) bulk_bytes_ = ask_packet_size() / 2;
      // One message is all or nothing by itself, unless a key is refused when the rows are there.
      const bool alone = count <= most_rows && !(batch.set_key != nullptr && batch.key_may_not_fit);
      if (alone && insert_chunk(*this, many, many_slot, one, batch, 0, count)) return;
      return insert_in_chunks(*this, many, many_slot, one, batch, alone ? (count + 1) / 2 : most_rows);
    }
#endif
    Transaction<Session> whole(*this, Begin{});
    insert_one_by_one(*this, one, one_slot, batch);
    whole.commit();
  } catch (...) {
    // No row went in, so no object may keep a key.
    if (batch.set_key != nullptr)
      for (std::size_t i = 0; i < count; ++i) batch.set_key(batch.rows, i, 0);
    throw;
  }
}

std::size_t Session::ask_packet_size() {
  if (unread_ != nullptr) buffer_unread();
  constexpr std::string_view question = "SELECT @@max_allowed_packet";
  std::size_t size = 0;
  if (mysql_real_query(db_, question.data(), question.size()) == 0) {
    if (MYSQL_RES* rows = mysql_store_result(db_)) {
      const MYSQL_ROW row = mysql_fetch_row(rows);
      if (row != nullptr && row[0] != nullptr) size = std::strtoull(row[0], nullptr, 10);
      mysql_free_result(rows);
    }
  } else {
    note_failure(mysql_errno(db_));
  }
  // The least that a server can be set to is smaller than what anybody has.
  return std::max<std::size_t>(size, 16384);
}

}  // namespace quark::mysql
