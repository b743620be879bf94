// Holding a prepared statement while it runs, or waits in a pipeline. Private to src/engine/postgres.
#pragma once

#include "quark/engine/postgres/session.hpp"

namespace quark::postgres {

/// A statement in use: it is not prepared anew, nor thrown out of the cache, while its rows are being read.
class Use {
 public:
  Use(Session& session, const Statement& statement, const Slot* slot, const Param* params, std::size_t count)
      : session_(session) {
    // The usual case without a call: place 0 stays empty, so that run-time text and new slots go the long way.
    const std::size_t number = slot != nullptr ? slot->number.load(std::memory_order_relaxed) : 0;
    place_ = number < session.slots_.size() ? session.slots_[number] : nullptr;
    if (place_ == nullptr) [[unlikely]] place_ = session.place_of(statement, slot);
    if (place_ != nullptr && place_->handle != nullptr && is_prepared_for(*place_->handle, params, count)) [[likely]] {
      prepared_ = place_->handle;
      if (place_->busy) {
        place_ = nullptr;  // its rows are being read further up the stack, which doesn't disturb
      } else {
        place_->busy = true;
      }
      return;
    }
    take_new(statement, params, count);
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() {
    if (place_ != nullptr) {
      place_->busy = false;
    } else if (own_) [[unlikely]] {
      session_.release(prepared_);
    }
  }
  Prepared& prepared() const { return *prepared_; }

 private:
  [[gnu::cold]] void take_new(const Statement& statement, const Param* params, std::size_t count) {
    if (place_ != nullptr && place_->busy) place_ = nullptr;
    own_ = place_ == nullptr;
    if (own_) {
      prepared_ = new Prepared;
    } else {
      if (place_->handle == nullptr) place_->handle = new Prepared;
      prepared_ = place_->handle;
    }
    try {
      session_.prepare(*prepared_, statement, params, count);
    } catch (...) {
      if (own_) session_.release(prepared_);
      throw;
    }
    if (place_ != nullptr) place_->busy = true;
  }

  Session& session_;
  Session::Place* place_;
  Prepared* prepared_ = nullptr;
  bool own_ = false;
};

}  // namespace quark::postgres
