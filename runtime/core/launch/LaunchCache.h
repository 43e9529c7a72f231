// A cache of prepared launches by all that they depend on, for launches in one call.
//
//   key     operator, types, shapes, attributes, packed into 64-bit words; compared in full, never by hash alone
//   again   the launches of this thread's last calls, found by a rough hash of a few words: makes no key, but
//           compares the entry with the call itself
//   front   a few launches of this thread, found by their key without a lock
//   shared  all launches of the cache; evicts the least recently used
//
// A launch in a thread's front lives until another launch takes its slot or the thread ends. A hit in the front does
// not update the LRU order of the shared part, so the shared part may evict a launch that a front still has.

#ifndef OPC_RUNTIME_CORE_LAUNCH_LAUNCHCACHE_H
#define OPC_RUNTIME_CORE_LAUNCH_LAUNCHCACHE_H

#include "runtime/core/launch/PreparedLaunch.h"

#include <array>
#include <atomic>
#include <cstring>
#include <list>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace opc {

/// A key under construction; allocates nothing for up to kInline words.
class LaunchKey {
public:
  void add(uint64_t word) {
    if (count < kInline)
      words[count] = word;
    else
      rest.push_back(word);
    ++count;
  }
  /// Appends `more` words, which the caller fills; null when they do not fit inline.
  uint64_t *extend(size_t more) {
    if (count + more > kInline)
      return nullptr;
    uint64_t *first = words + count;
    count += more;
    return first;
  }
  void addText(std::string_view text);
  size_t size() const { return count; }
  uint64_t hash() const;
  bool equals(const uint64_t *other, size_t otherSize) const;
  bool equals(const std::vector<uint64_t> &other) const { return equals(other.data(), other.size()); }
  std::vector<uint64_t> copy() const;

private:
  static constexpr size_t kInline = 96;
  uint64_t words[kInline];
  std::vector<uint64_t> rest;
  size_t count = 0;
};

class LaunchCache {
public:
  /// Keeps up to `capacity` launches; 0 disables the cache.
  explicit LaunchCache(size_t capacity);

  /// The launch of a key, or null. The pointer is valid until this thread calls a launch cache again; copy the
  /// shared_ptr to keep the launch. `rough` is a cheap hash of the key, by which findAgain finds the launch: equal
  /// for equal keys, mostly different for others.
  const std::shared_ptr<PreparedLaunch> *find(const LaunchKey &key, uint64_t rough = 0);
  /// The launch that this thread found last for `rough`, if `matches` returns true for its key, the words of
  /// LaunchKey::copy; else null, and the caller must use `find`.
  template <typename Matches> const std::shared_ptr<PreparedLaunch> *findAgain(uint64_t rough, const Matches &matches) {
    Front &front = this->front();
    Front::Slot &slot = front.slots[front.again[rough % kFront]];
    if (slot.cache != number || !matches(slot.key))
      return nullptr;
    countHit(front);
    return &slot.launch;
  }
  void insert(const LaunchKey &key, std::shared_ptr<PreparedLaunch> launch);
  /// Removes the launches of an operator from the shared part. The first word of a key is the operator's id.
  void forget(uint64_t operatorId);

  struct Statistics {
    uint64_t hits = 0, misses = 0, dropped = 0;
    size_t entries = 0;
  };
  /// Hits in a thread's front are added when the thread misses there, or after 1024 hits.
  Statistics statistics() const;

private:
  struct Entry {
    uint64_t hash;
    std::vector<uint64_t> key;
    std::shared_ptr<PreparedLaunch> launch;
  };
  static constexpr size_t kFront = 64;
  /// Number of hits that a thread counts before it adds them to the shared counter.
  static constexpr uint64_t kUncounted = 1024;
  /// The last launches of one thread, by the low bits of their hash.
  struct Front {
    struct Slot {
      uint64_t cache = 0, hash = 0;
      std::vector<uint64_t> key;
      std::shared_ptr<PreparedLaunch> launch;
    };
    std::array<Slot, kFront> slots;
    std::array<uint8_t, kFront> again{}; ///< indices into slots, by the low bits of `rough`
    uint64_t cache = 0;                  ///< number of the cache whose hits `hits` counts
    uint64_t hits = 0;
  };
  static Front &front();
  void countHit(Front &front) {
    if (front.cache != number) {
      front.cache = number;
      front.hits = 0;
    }
    if (++front.hits >= kUncounted) {
      hits.fetch_add(front.hits, std::memory_order_relaxed);
      front.hits = 0;
    }
  }

  const size_t capacity;
  const uint64_t number; ///< unique number of this cache
  mutable std::mutex mutex;
  std::list<Entry> order; ///< most recently used first
  std::unordered_multimap<uint64_t, std::list<Entry>::iterator> index;
  std::atomic<uint64_t> hits{0}, misses{0};
  uint64_t dropped = 0;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_LAUNCH_LAUNCHCACHE_H
