#include "runtime/core/launch/LaunchCache.h"

#include <algorithm>
#include <utility>

namespace opc {

void LaunchKey::addText(std::string_view text) {
  add(text.size());
  while (!text.empty()) {
    uint64_t word = 0;
    size_t taken = std::min<size_t>(text.size(), sizeof word);
    std::memcpy(&word, text.data(), taken);
    add(word);
    text.remove_prefix(taken);
  }
}

uint64_t LaunchKey::hash() const {
  // The hash is optimised for speed, since keys are compared in full afterwards. It has four independent sums: each
  // word is mixed with its position, folded by a multiplication and added to one of them.
  constexpr uint64_t kFactor = 0xff51afd7ed558ccdu;
  auto fold = [](uint64_t word, size_t place) {
    uint64_t mixed = (word ^ (0x9e3779b97f4a7c15u * (place + 1))) * kFactor;
    return mixed ^ mixed >> 32;
  };
  uint64_t sums[4] = {count, 0, 0, 0};
  size_t inlined = std::min(count, kInline), i = 0;
  for (; i + 4 <= inlined; i += 4)
    for (size_t lane = 0; lane < 4; ++lane)
      sums[lane] += fold(words[i + lane], i + lane);
  for (; i < inlined; ++i)
    sums[0] += fold(words[i], i);
  for (size_t j = 0; j < rest.size(); ++j)
    sums[1] += fold(rest[j], inlined + j);
  uint64_t state = (sums[0] + sums[1] + sums[2] + sums[3]) * kFactor;
  return state ^ state >> 32;
}

bool LaunchKey::equals(const uint64_t *other, size_t otherSize) const {
  size_t inlined = std::min(count, kInline);
  return otherSize == count && std::equal(words, words + inlined, other) &&
         std::equal(rest.begin(), rest.end(), other + inlined);
}

std::vector<uint64_t> LaunchKey::copy() const {
  std::vector<uint64_t> all(words, words + std::min(count, kInline));
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

static uint64_t nextNumber() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

LaunchCache::Front &LaunchCache::front() {
  thread_local Front front;
  return front;
}

LaunchCache::LaunchCache(size_t capacity) : capacity(capacity), number(nextNumber()) {
}

const std::shared_ptr<PreparedLaunch> *LaunchCache::find(const LaunchKey &key, uint64_t rough) {
  if (capacity == 0)
    return nullptr;
  Front &front = this->front();
  uint64_t hash = key.hash();
  front.again[rough % kFront] = uint8_t(hash % kFront);
  Front::Slot &slot = front.slots[hash % kFront];
  if (slot.cache == number && slot.hash == hash && key.equals(slot.key)) {
    countHit(front);
    return &slot.launch;
  }
  if (front.cache == number)
    hits.fetch_add(std::exchange(front.hits, 0), std::memory_order_relaxed);
  std::lock_guard<std::mutex> lock(mutex);
  auto [begin, end] = index.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (!key.equals(it->second->key))
      continue;
    order.splice(order.begin(), order, it->second);
    slot.cache = number;
    slot.hash = hash;
    slot.key = it->second->key;
    slot.launch = it->second->launch;
    hits.fetch_add(1, std::memory_order_relaxed);
    return &slot.launch;
  }
  misses.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

void LaunchCache::insert(const LaunchKey &key, std::shared_ptr<PreparedLaunch> launch) {
  if (capacity == 0 || key.size() == 0)
    return;
  uint64_t hash = key.hash();
  std::lock_guard<std::mutex> lock(mutex);
  auto [begin, end] = index.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (key.equals(it->second->key))
      return; // another thread was first
  order.push_front({hash, key.copy(), std::move(launch)});
  index.emplace(hash, order.begin());
  while (order.size() > capacity) {
    auto last = std::prev(order.end());
    auto [first, after] = index.equal_range(last->hash);
    for (auto it = first; it != after; ++it)
      if (it->second == last) {
        index.erase(it);
        break;
      }
    order.erase(last);
    ++dropped;
  }
}

void LaunchCache::forget(uint64_t operatorId) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto it = index.begin(); it != index.end();) {
    if (it->second->key.front() == operatorId) {
      order.erase(it->second);
      it = index.erase(it);
    } else {
      ++it;
    }
  }
}

LaunchCache::Statistics LaunchCache::statistics() const {
  Statistics result;
  result.hits = hits.load(std::memory_order_relaxed);
  result.misses = misses.load(std::memory_order_relaxed);
  std::lock_guard<std::mutex> lock(mutex);
  result.dropped = dropped;
  result.entries = order.size();
  return result;
}

} // namespace opc
