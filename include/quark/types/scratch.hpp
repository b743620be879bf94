// Storage for wire forms that a value doesn't hold itself, alive while one statement runs.
// Used by type_of<T> with a wire type, by LIKE helpers, by `in` over a range; costs nothing when unused.
#pragma once

#include <quark/types/cell.hpp>

namespace quark {

/// An arena of a few blocks, freed together.
class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { clear(); }

  /// Frees all that was allocated; the scratch can be used again.
  void clear() {
    if (head_ != nullptr) release();
  }

  /// `size` bytes aligned for any fundamental type. Throws std::bad_alloc.
  void* allocate(std::size_t size);
  /// A copy of `text` that lives as long as the scratch.
  std::string_view keep(std::string_view text);

 private:
  struct Block;
  void release();
  Block* head_ = nullptr;
};

/// Turns deferred values, patterns and arrays among `params` into forms that an engine binds.
void resolve(Param* params, std::size_t count, Scratch& scratch);

}  // namespace quark
