// The shared block of a TextStore: lists first (they need alignment), then all text.
#include <quark/types/scratch.hpp>
#include <quark/types/text_store.hpp>

#include <atomic>
#include <cstring>
#include <new>

namespace quark {

struct alignas(std::max_align_t) TextStore::Block {
  std::atomic<std::uint32_t> users{1};
};

void TextStore::share(Block* block) noexcept { block->users.fetch_add(1, std::memory_order_relaxed); }

void TextStore::release(Block* block) noexcept {
  if (block->users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  block->~Block();
  ::operator delete(block);
}

namespace {

// Moves the text of one parameter to `at`.
void move_text(Param& p, char*& at) {
  if (!TextStore::is_text(p)) return;
  const std::size_t size = p.tail.size;
  if (size > 0) std::memcpy(at, p.head.text, size);
  p.head.text = at;
  at += size;
}

}  // namespace

void TextStore::own_shared(Param* params, std::size_t count) {
  std::size_t items = 0, text = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Param& p = params[i];
    if (is_text(p)) text += p.tail.size;
    if (p.null || p.form != Form::array) continue;
    items += p.tail.size;
    for (std::size_t k = 0; k < p.tail.size; ++k)
      if (is_text(p.head.items[k])) text += p.head.items[k].tail.size;
  }
  static_assert(alignof(Param) <= alignof(std::max_align_t));
  void* memory = ::operator new(sizeof(Block) + items * sizeof(Param) + text + 1);
  auto* block = new (memory) Block;
  auto* next_item = reinterpret_cast<Param*>(block + 1);
  char* at = reinterpret_cast<char*>(next_item + items);
  for (std::size_t i = 0; i < count; ++i) {
    Param& p = params[i];
    move_text(p, at);
    if (p.null || p.form != Form::array) continue;
    Param* const list = next_item;
    for (std::size_t k = 0; k < p.tail.size; ++k) {
      new (next_item) Param(p.head.items[k]);
      move_text(*next_item++, at);
    }
    p.head.items = list;
  }
  if (block_ != nullptr) release(block_);
  block_ = block;
}

void TextStore::own_resolved(Param* params, std::size_t count) {
  Scratch scratch;
  resolve(params, count, scratch);
  own_shared(params, count);
}

}  // namespace quark
