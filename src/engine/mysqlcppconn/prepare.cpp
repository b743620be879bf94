// Preparing statements, and the limits on how many are kept: the server has a limit for all its connections together.
#include <quark/engine/mysql_text.hpp>
#include <quark/exec/error.hpp>

#include <functional>

#include "prepared.hpp"

namespace quark::mysqlcppconn {
namespace {

bool all_serve(const Prepared& prepared, const Param* params, std::size_t count) {
  if (count != prepared.wraps.size()) return true;  // told when they are set
  for (std::size_t i = 0; i < count; ++i)
    if (!serves(prepared.wraps[i], wrap_of(params[i]))) return false;
  return true;
}

/// The text with its parameters wrapped.
std::string wrapped(std::string_view text, const std::vector<std::size_t>& places, const std::vector<Wrap>& wraps) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    out += text.substr(done, places[i] - done);
    out += text_of(wraps[i]);
    done = places[i] + 1;
  }
  out += text.substr(done);
  return out;
}

/// Rows must be read from memory: the connector cuts text and bytes whose length it doesn't know
/// before. It (1.1.12) has no other way for prepared statements, and a newer one may not get one
/// unseen.
std::unique_ptr<::sql::PreparedStatement> prepare_buffered(::sql::Connection& connection, const std::string& text) {
  std::unique_ptr<::sql::PreparedStatement> made(connection.prepareStatement(text));
  if (made->getResultSetType() != ::sql::ResultSet::TYPE_SCROLL_INSENSITIVE)
    quark::detail::throw_misuse("the rows of prepared statements must be buffered on this connection "
                                "(defaultPreparedStatementResultType: TYPE_SCROLL_INSENSITIVE)");
  return made;
}

}  // namespace

Use::Use(Session& session, const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
         bool once)
    : session_(session) {
  place_ = once ? nullptr : session.place_of(statement, slot);
  // The same statement is running further up the stack: it gets a second one, for this once.
  if (place_ != nullptr && place_->busy) place_ = nullptr;
  if (place_ == nullptr) {
    prepared_ = session.prepare(statement, params, count, nullptr);
  } else {
    if (place_->handle == nullptr || !all_serve(*place_->handle, params, count)) {
      place_->busy = true;  // it must not go to make room for itself
      try {
        Prepared* const made = session.prepare(statement, params, count, place_->handle);
        close(session, place_->handle);
        place_->handle = made;
      } catch (...) {
        place_->busy = false;
        throw;
      }
    }
    place_->busy = true;
    prepared_ = place_->handle;
  }
  prepared_->used = ++session.clock_;
}

Use::~Use() {
  if (place_ != nullptr) {
    place_->busy = false;
  } else {
    close(session_, prepared_);
  }
}

void Use::close(Session& session, Prepared* prepared) noexcept {
  if (prepared == nullptr) return;
  delete prepared;
  --session.prepared_;
}

std::string Session::text_of(const Statement& statement, bool& returns_key) const {
  std::string text(returning_ ? statement.text : statement.text.substr(0, statement.returning));
  // The connector doesn't tell the key of an INSERT; where the server can, it rides with the answer.
  returns_key = returning_ && statement.kind == StatementKind::insert && !statement.made_key.empty() &&
                statement.returning >= statement.text.size();
  if (returns_key) text += " RETURNING " + mysql::quoted_name(statement.made_key);
  return text;
}

Session::Place* Session::place_of(const Statement& statement, const Slot* slot) {
  if (slot != nullptr) {
    const std::size_t number = slot->get();
    if (number >= slots_.size()) slots_.resize(number + 16, nullptr);
    Place*& place = slots_[number];
    if (place == nullptr) place = new Place{};
    return place;
  }
  return texts_.find(statement.text, std::hash<std::string_view>{}(statement.text), options_.cached_texts,
                     [this](Prepared* old) { Use::close(*this, old); });
}

void Session::make_room(std::size_t most) noexcept {
  while (prepared_ > most) {
    Place* oldest = nullptr;
    const auto look = [&](Place* place) {
      if (place == nullptr || place->busy || place->handle == nullptr) return;
      if (oldest == nullptr || place->handle->used < oldest->handle->used) oldest = place;
    };
    for (Place* place : slots_) look(place);
    texts_.each(look);
    if (oldest == nullptr) return;  // all are running
    Use::close(*this, oldest->handle);
    oldest->handle = nullptr;
  }
}

Prepared* Session::prepare(const Statement& statement, const Param* params, std::size_t count,
                           const Prepared* before) {
  make_room(options_.cached_statements - 1);
  auto prepared = std::make_unique<Prepared>();
  std::string text = text_of(statement, prepared->returns_key);
  const std::vector<std::size_t> places = mysql::find_parameters(text);
  prepared->wraps.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i < count) prepared->wraps[i] = wrap_of(params[i]);
    // A NULL now says nothing of the next value.
    if (before != nullptr && prepared->wraps[i].kind == Wrap::Kind::any) prepared->wraps[i] = before->wraps[i];
  }
  text = wrapped(text, places, prepared->wraps);
  for (bool again = true;;) {
    try {
      prepared->handle = prepare_buffered(connection_, text);
      // Of an INSERT with RETURNING the server (MariaDB 10.11) tells the columns when it has run.
      prepared->has_rows = prepared->handle->getMetaData()->getColumnCount() > 0 || prepared->returns_key ||
                           (returning_ && statement.returning < statement.text.size());
      break;
    } catch (const ::sql::SQLException& error) {
      // All connections together hold as many as the server allows: give ours back, and try once more.
      if (error.getErrorCode() != 1461 || !again || prepared_ == 0) fail(statement, error);
      again = false;
      make_room(0);
    }
  }
  if (options_.check_columns) check_columns(*prepared, statement);
  ++prepared_;
  return prepared.release();
}

}  // namespace quark::mysqlcppconn
