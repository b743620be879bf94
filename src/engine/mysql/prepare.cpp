// Preparing statements, and the limits on how many are kept: the server has a limit for all its connections together.
#include "quark/engine/mysql/cursor.hpp"

#include <quark/engine/mysql_errors.hpp>

#include <functional>
#include <new>

#include "use.hpp"

namespace quark::mysql {

void Use::close(Session& session, Prepared* prepared) noexcept {
  if (prepared == nullptr) return;
  mysql_stmt_close(prepared->handle());
  delete prepared;
  --session.prepared_;
}

void Use::leave(Result& result) noexcept {
  // One more row at most is the usual case: then nothing is left to free.
  bool more = result.buffered || result.lost;
  if (result.pending && !more && !session_.is_lost()) {
    const int code = mysql_stmt_fetch(result.handle);
    more = code != MYSQL_NO_DATA;
  }
  if (more) mysql_stmt_free_result(result.handle);
  result.pending = false;
  result.buffered = false;
  if (session_.unread_ == &result) session_.unread_ = nullptr;
}

std::string_view Session::text_of(const Statement& statement) const {
  return returning_ ? statement.text : statement.text.substr(0, statement.returning);
}

Session::Place* Session::place_of(const Statement& statement, const Slot* slot) {
  if (slot != nullptr) [[likely]] {
    const std::size_t number = slot->get();
    if (number >= slots_.size()) [[unlikely]] slots_.resize(number + 16, nullptr);
    Place*& place = slots_[number];
    if (place == nullptr) [[unlikely]] place = new Place{};
    return place;
  }
  return texts_.find(statement.text, std::hash<std::string_view>{}(statement.text), text_capacity_,
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

Prepared* Session::prepare(const Statement& statement, const Statement& named) {
  if (statement.reads_assigned && !assigns_at_once_)
    refuse_unsupported(statement,
                       "MySQL assigns from left to right: in set(...) a column must be read before "
                       "it gets its new value");
  make_room(statement_capacity_ - 1);
  const std::string_view text = text_of(statement);
  for (bool again = true;;) {
    MYSQL_STMT* handle = mysql_stmt_init(db_);
    if (handle == nullptr) throw std::bad_alloc();
    Prepared* prepared = nullptr;
    try {
      if (mysql_stmt_prepare(handle, text.data(), static_cast<unsigned long>(text.size())) == 0) {
        prepared = new Prepared;
        prepared->result.handle = handle;
        make_params(*prepared);
        if (checks_columns_) check_columns(*prepared, statement, named);
        ++prepared_;
        return prepared;
      }
      // All connections together hold as many as the server allows: give ours back, and try once more.
      if (mysql_stmt_errno(handle) == 1461 && again && prepared_ > 0) {
        again = false;
        mysql_stmt_close(handle);
        make_room(0);
        continue;
      }
      fail(statement, handle);
    } catch (...) {
      delete prepared;
      mysql_stmt_close(handle);
      throw;
    }
  }
}

}  // namespace quark::mysql
