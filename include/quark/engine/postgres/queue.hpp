// Statements that wait to be sent together: the engine's half of a pipeline. query/pipeline.hpp is the other.
#pragma once

#include <quark/engine/postgres/cursor.hpp>

namespace quark::postgres {

/// Holds encoded statements; nothing of them is on the connection before flush(), which can be used meanwhile.
class Queue {
 public:
  /// What becomes of statement `index`. May throw: then the rest is read and thrown away, and flush() throws it.
  using Done = void (*)(void* context, std::size_t index, Cursor& cursor, const Outcome& outcome);

  explicit Queue(Session& session);
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue();

  /// Encodes the parameters, which may go then. The first time a statement is prepared: one round trip. `statement` and
  /// `slot` are constants.
  void add(const Statement& statement, const Slot& slot, const Param* params, std::size_t count);
  std::size_t size() const;
  /// Sends all of them, a thousand in a flush, and reads the answers. Throws the first error, with its statement; those
  /// behind it have not run then. Empty afterwards.
  void flush(Done done, void* context);
  void clear() noexcept;

 private:
  struct State;
  void send(State& state, Done done, void* context);
  void send_some(State& state, std::size_t first, std::size_t count, Done done, void* context);

  Session& session_;
  State* state_;
};

}  // namespace quark::postgres
