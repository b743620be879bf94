// Where a kept query or filter owns the text of its values: nothing that is kept in a variable can dangle.
// Short text stays inside the query; long text and lists take one shared block.
#pragma once

#include <quark/types/cell.hpp>

#include <type_traits>

namespace quark {

class TextStore {
 public:
  static constexpr std::size_t inline_capacity = 64;  // bytes of text that cost no allocation

  constexpr TextStore() = default;
  constexpr TextStore(const TextStore& other) : block_(other.block_) {
    take_inline(other);
    if (block_ != nullptr) share(block_);
  }
  constexpr TextStore(TextStore&& other) noexcept : block_(other.block_) {
    take_inline(other);
    other.block_ = nullptr;
  }
  constexpr TextStore& operator=(TextStore other) noexcept {
    take_inline(other);
    Block* mine = block_;
    block_ = other.block_;
    other.block_ = mine;
    return *this;
  }
  constexpr ~TextStore() {
    if (block_ != nullptr) release(block_);
  }

  /// Takes over the text that `params` borrow.
  constexpr void own(Param* params, std::size_t count) {
    std::size_t total = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (is_text(params[i])) total += params[i].tail.size;
    if (total > inline_capacity) return own_shared(params, count);
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Param& p = params[i];
      if (!is_text(p)) continue;
      const char* text = p.head.text;
      const std::size_t size = p.tail.size;
      if (std::is_constant_evaluated()) {
        for (std::size_t k = 0; k < size; ++k) inline_[at + k] = text[k];
      } else if (size > 0) {
        __builtin_memcpy(inline_ + at, text, size);
      }
      p.head.integer = static_cast<std::int64_t>(at);
      p.stored = true;
      at += size;
    }
  }
  /// Resolves what is deferred, then takes over text and lists, in one shared block.
  void own_resolved(Param* params, std::size_t count);

  /// Copies `params`, pointing into this store again.
  constexpr void lay_out(const Param* params, std::size_t count, Param* out) const {
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = params[i];
      if (params[i].stored) {
        out[i].head.text = inline_ + params[i].head.integer;
        out[i].stored = false;
      }
    }
  }

  static constexpr bool is_text(const Param& p) {
    return !p.null && (p.form == Form::text || p.form == Form::bytes || p.form == Form::json);
  }

 private:
  // A copy of constant size: four moves at run time, which a loop would not become.
  constexpr void take_inline(const TextStore& other) {
    if (std::is_constant_evaluated()) {
      for (std::size_t i = 0; i < inline_capacity; ++i) inline_[i] = other.inline_[i];
    } else {
      __builtin_memcpy(inline_, other.inline_, inline_capacity);
    }
  }

  struct Block;
  void own_shared(Param* params, std::size_t count);
  static void share(Block* block) noexcept;
  static void release(Block* block) noexcept;

  char inline_[inline_capacity]{};
  Block* block_ = nullptr;
};

}  // namespace quark
