// A prepared statement while it is in use. Private to src/engine/mysql.
#pragma once

#include "prepared.hpp"
#include "quark/engine/mysql/session.hpp"

namespace quark::mysql {

/// Param::tail.size of an array parameter whose object is a BatchArgument: a batch, not the values of an `in`.
inline constexpr std::uint64_t rows_of_batch = ~std::uint64_t{0};

/// A batch on its way through run().
struct BatchArgument {
  const BatchInsert* batch = nullptr;
  const Statement* one = nullptr;  // the INSERT of one row, which knows the columns
  std::size_t first = 0, count = 0;  // these rows of the batch
};

/// Fetches all of a cell that its buffer didn't hold; false on an error.
bool fetch_whole(Result& result, std::size_t column);

/// The rest of its result is read, and its place freed, whatever happens (faults B42, B44).
class Use {
 public:
  /// `once`: with a statement of its own, which is closed afterwards. `named` knows the parameters' columns.
  Use(Session& session, const Statement& statement, const Slot* slot, const Statement& named, bool once = false)
      : session_(session) {
    // The usual case without a call: place 0 stays empty, so that run-time text and new slots go the long way.
    const std::size_t number = slot != nullptr ? slot->number.load(std::memory_order_relaxed) : 0;
    place_ = number < session.slots_.size() ? session.slots_[number] : nullptr;
    if (place_ == nullptr && !once) [[unlikely]] place_ = session.place_of(statement, slot);
    if (place_ != nullptr && !place_->busy && !once) [[likely]] {
      if (place_->handle == nullptr) [[unlikely]] {
        place_->busy = true;  // it must not go to make room for itself
        try {
          place_->handle = session.prepare(statement, named);
        } catch (...) {
          place_->busy = false;
          throw;
        }
      }
      place_->busy = true;
      prepared_ = place_->handle;
    } else {
      // The same statement is running further up the stack: it gets a second one, for this once.
      place_ = nullptr;
      prepared_ = session.prepare(statement, named);
    }
    prepared_->used = ++session.clock_;
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() {
    Result& result = prepared_->result;
    if (result.pending || result.buffered) [[unlikely]] leave(result);
    if (place_ != nullptr) [[likely]] {
      place_->busy = false;
    } else {
      close(session_, prepared_);
    }
  }
  Prepared& prepared() const { return *prepared_; }

  /// Closes a statement, here and on the server.
  static void close(Session& session, Prepared* prepared) noexcept;

 private:
  void leave(Result& result) noexcept;

  Session& session_;
  Session::Place* place_;
  Prepared* prepared_;
};

}  // namespace quark::mysql
