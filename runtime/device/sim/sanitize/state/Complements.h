// Pairs of tiles of the unified buffer that are complements of each other after a Not: as long as nothing writes to
// either, their And is 0 and their Or and Xor are ones, for any contents.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_COMPLEMENTS_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_COMPLEMENTS_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace opc::sim {

class Complements {
public:
  void reset() { pairs.clear(); }
  /// Records that a Not has written the complement of the bytes from `source` on to those from `destination` on.
  void add(int64_t source, int64_t destination, int64_t bytes) {
    if (std::max(source, destination) - std::min(source, destination) < bytes)
      return;
    if (pairs.size() == kMost)
      pairs.erase(pairs.begin());
    pairs.push_back({source, destination, bytes});
  }
  /// Records a write to [begin, end).
  void write(int64_t begin, int64_t end) {
    pairs.erase(std::remove_if(pairs.begin(), pairs.end(),
                               [begin, end](const Pair &pair) {
                                 auto meets = [&](int64_t at) { return begin < at + pair.bytes && at < end; };
                                 return meets(pair.source) || meets(pair.destination);
                               }),
                pairs.end());
  }
  /// Whether the bytes at `a` and `b` are complements of each other.
  bool contains(int64_t a, int64_t b) const {
    return std::any_of(pairs.begin(), pairs.end(), [a, b](const Pair &pair) {
      auto fits = [&pair](int64_t from, int64_t to) {
        return from >= pair.source && from < pair.source + pair.bytes && to - pair.destination == from - pair.source;
      };
      return fits(a, b) || fits(b, a);
    });
  }

private:
  struct Pair {
    int64_t source, destination, bytes;
  };
  /// Older ones are dropped: a kernel uses a complement soon, or keeps a tile of zeros made from it.
  static constexpr size_t kMost = 64;
  std::vector<Pair> pairs;
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_COMPLEMENTS_H
