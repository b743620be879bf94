// The prepared handles of one connection: an array by slot for constant statements, a bounded LRU for run-time text.
// Owned by a session; handles die with their connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quark {

/// One place of the cache. A busy handle is in use further up the stack: nested use takes a private one.
template <class Handle>
struct CachedStatement {
  Handle handle{};
  bool busy = false;
};

/// Run-time statements by text: at most `capacity`, the least recently used goes first.
template <class Handle>
class TextCache {
 public:
  struct Entry {
    std::size_t hash = 0;
    std::uint64_t used = 0;
    std::string text;
    CachedStatement<Handle>* statement = nullptr;
  };

  /// The place for `text`, perhaps new and empty; null when all places are busy. `evict(handle)` is
  /// called for the one that goes.
  template <class Evict>
  CachedStatement<Handle>* find(std::string_view text, std::size_t hash, std::size_t capacity,
                                Evict&& evict) {
    ++clock_;
    Entry* oldest = nullptr;
    // A few dozen entries: comparing hashes in a row is faster than any map, and allocates nothing.
    for (Entry& e : entries_) {
      if (e.hash == hash && e.text == text) {
        e.used = clock_;
        return e.statement;
      }
      if (!e.statement->busy && (oldest == nullptr || e.used < oldest->used)) oldest = &e;
    }
    if (entries_.size() < capacity) {
      entries_.push_back({hash, clock_, std::string(text), new CachedStatement<Handle>{}});
      return entries_.back().statement;
    }
    if (oldest == nullptr) return nullptr;
    evict(oldest->statement->handle);
    oldest->statement->handle = Handle{};
    oldest->hash = hash;
    oldest->used = clock_;
    oldest->text = std::string(text);
    return oldest->statement;
  }

  template <class Evict>
  void clear(Evict&& evict) {
    for (Entry& e : entries_) {
      evict(e.statement->handle);
      delete e.statement;
    }
    entries_.clear();
  }
  /// Calls `look(place)` for each one that is kept.
  template <class Look>
  void each(Look&& look) {
    for (Entry& e : entries_) look(e.statement);
  }
  std::size_t size() const { return entries_.size(); }

 private:
  std::vector<Entry> entries_;
  std::uint64_t clock_ = 0;
};

}  // namespace quark
