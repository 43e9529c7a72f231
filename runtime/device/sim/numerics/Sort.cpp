// Sorting in falling order of scores: 32 scores with their indices to pairs, and merges of sorted lists of pairs.
//
//   f32   score, index                 f16   score, two bytes of 0, index
//
// A NaN comes after every number; the zeros are equal. The order of equal scores is stable; those of an earlier list
// come first.

#include "runtime/device/sim/numerics/Blocks.h"

namespace opc::sim::OPC_SIM_LEVEL {
namespace {

struct Pair {
  unsigned char bytes[kPairBytes];
};

/// The pointer may not be aligned to a pair, so memcpy is used.
template <typename T> OPC_ALWAYS_INLINE float scoreOf(const Pair &pair) {
  T bits;
  std::memcpy(&bits, pair.bytes, sizeof(bits));
  if constexpr (sizeof(T) == 2)
    return toFloat(bits);
  else
    return bits;
}

OPC_ALWAYS_INLINE Pair pairAt(const void *list, int64_t index) {
  Pair pair;
  std::memcpy(&pair, static_cast<const char *>(list) + index * kPairBytes, sizeof(pair));
  return pair;
}

OPC_ALWAYS_INLINE void putPair(void *list, int64_t index, const Pair &pair) {
  std::memcpy(static_cast<char *>(list) + index * kPairBytes, &pair, sizeof(pair));
}

OPC_ALWAYS_INLINE bool isBefore(float a, float b) {
  return a > b || (a == a && b != b);
}

/// Sorts each group by insertion, which is stable.
template <typename T> void sortGroups(const VectorCall &call) {
  const char *scores = static_cast<const char *>(call.sources[0]);
  const char *indices = static_cast<const char *>(call.sources[1]);
  for (int64_t group = 0; group + kSortElements <= call.count; group += kSortElements) {
    Pair sorted[kSortElements];
    for (int64_t i = 0; i < kSortElements; ++i) {
      Pair pair = {};
      std::memcpy(pair.bytes, scores + (group + i) * int64_t(sizeof(T)), sizeof(T));
      std::memcpy(pair.bytes + 4, indices + (group + i) * 4, 4);
      int64_t place = i;
      for (; place > 0 && isBefore(scoreOf<T>(pair), scoreOf<T>(sorted[place - 1])); --place)
        sorted[place] = sorted[place - 1];
      sorted[place] = pair;
    }
    for (int64_t i = 0; i < kSortElements; ++i)
      putPair(call.destination, group + i, sorted[i]);
  }
}

/// Repeatedly takes the best head of the lists until all are empty.
template <typename T> void mergeLists(const VectorCall &call) {
  constexpr int64_t elements = kPairBytes / int64_t(sizeof(T));
  int64_t heads[kMaxSources] = {};
  for (int64_t out = 0; out < call.count / elements; ++out) {
    int best = -1;
    for (int list = 0; list < int(kMaxSources); ++list) {
      if (!call.sources[list] || heads[list] >= call.lengths[list] / elements)
        continue;
      if (best < 0 || isBefore(scoreOf<T>(pairAt(call.sources[list], heads[list])),
                               scoreOf<T>(pairAt(call.sources[best], heads[best]))))
        best = list;
    }
    if (best < 0)
      return;
    putPair(call.destination, out, pairAt(call.sources[best], heads[best]++));
  }
}

const VectorEntry kTable[] = {
    entry<Half>(Intrinsic::vsort32, sortGroups<Half>),
    entry<float>(Intrinsic::vsort32, sortGroups<float>),
    entry<Half>(Intrinsic::vmrgsort, mergeLists<Half>),
    entry<float>(Intrinsic::vmrgsort, mergeLists<float>),
};

} // namespace

VectorTable sortTable() {
  return tableOf(kTable);
}

} // namespace opc::sim::OPC_SIM_LEVEL
