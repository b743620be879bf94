// The scratch arena, and the wire forms that are made at the last moment: patterns and arrays.
#include <quark/types/scratch.hpp>

#include <cstring>
#include <new>

namespace quark {

struct alignas(std::max_align_t) Scratch::Block {
  Block* next;
};

void* Scratch::allocate(std::size_t size) {
  auto* block = static_cast<Block*>(::operator new(sizeof(Block) + size));
  block->next = head_;
  head_ = block;
  return block + 1;
}

std::string_view Scratch::keep(std::string_view text) {
  auto* copy = static_cast<char*>(allocate(text.size() + 1));
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  return {copy, text.size()};
}

void Scratch::release() {
  while (head_ != nullptr) {
    Block* next = head_->next;
    ::operator delete(head_);
    head_ = next;
  }
}

namespace {

// '!' escapes: a backslash would be read twice by MySQL's literals, and SQLite has no default.
std::string_view escape_pattern(std::string_view text, Form form, Scratch& scratch) {
  auto* const out = static_cast<char*>(scratch.allocate(2 * text.size() + 2));
  char* end = out;
  if (form != Form::starts_with) *end++ = '%';
  for (char c : text) {
    if (c == '%' || c == '_' || c == '!') *end++ = '!';
    *end++ = c;
  }
  if (form != Form::ends_with) *end++ = '%';
  return {out, static_cast<std::size_t>(end - out)};
}

}  // namespace

void resolve(Param* params, std::size_t count, Scratch& scratch) {
  for (Param* p = params; p != params + count; ++p) {
    if (p->form == Form::deferred && !p->null) {
      p->tail.defer(p->head.object, scratch, *p);
    } else if (p->form == Form::contains || p->form == Form::starts_with ||
               p->form == Form::ends_with) {
      const std::string_view pattern = escape_pattern(p->view(), p->form, scratch);
      p->form = Form::text;
      p->head.text = pattern.data();
      p->tail.size = pattern.size();
    }
  }
}

}  // namespace quark
