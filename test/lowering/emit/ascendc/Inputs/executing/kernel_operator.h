// A stand-in for the header that kernels include, which runs them: one statement after the other,
// on this machine.
//
// That order is one that flags allow, so the result is right when addresses, counts and tails are.
// Checked on the way: copies stay in their tensors and in the TBuf, tiles start on 32 bytes, a flag
// is set once and waited for once. What was not written holds 0xff, which is NaN; padding that
// nobody asked for holds the same.

#ifndef OPC_TEST_EXECUTING_KERNEL_OPERATOR_H
#define OPC_TEST_EXECUTING_KERNEL_OPERATOR_H

#include "runtime/target/Half.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#define __aicore__
#define __global__
#define __gm__
using GM_ADDR = uint8_t *;

struct half {
  opc::Half value;
  half() = default;
  explicit half(float number) : value(opc::toHalf(number)) {}
  explicit half(int number) : half(static_cast<float>(number)) {}
  explicit operator float() const { return opc::toFloat(value); }
};

enum pipe_t { PIPE_V, PIPE_MTE2, PIPE_MTE3 };

namespace AscendC {
enum class TPosition { VECCALC };
enum class HardEvent { MTE2_V, V_MTE2, MTE3_V, V_MTE3, MTE2_S, S_MTE3 };
enum class RoundMode { CAST_NONE, CAST_RINT };
} // namespace AscendC

/// The machine: one block of a launch at a time.
struct Machine {
  static constexpr int64_t ubBytes = 253952;
  alignas(32) uint8_t ub[ubBytes];
  int64_t bufferBytes = 0, block = 0;
  uint64_t tilingKey = 0;
  std::vector<std::pair<uint8_t *, int64_t>> tensors; ///< address and bytes
  std::map<std::pair<AscendC::HardEvent, int>, bool> flags;

  [[noreturn]] static void fail(const char *what) {
    std::printf("error: %s\n", what);
    std::exit(1);
  }
  static void expect(bool holds, const char *what) {
    if (!holds)
      fail(what);
  }
  void expectInTensor(const void *address, int64_t bytes) {
    auto *at = static_cast<const uint8_t *>(address);
    bool inside = bytes == 0;
    for (auto [start, size] : tensors)
      inside |= at >= start && at + bytes <= start + size;
    expect(inside, "a copy leaves its tensor");
  }
  void startBlock(int64_t index) {
    block = index;
    std::memset(ub, 0xff, sizeof ub);
  }
  void endBlock() {
    for (const auto &flag : flags)
      expect(!flag.second, "a flag is left set");
  }
};
inline Machine machine;

#define TILING_KEY_IS(key) (machine.tilingKey == (key))
#define GET_TILING_DATA_WITH_STRUCT(type, name, address)                                           \
  type name;                                                                                       \
  std::memcpy(&name, address, sizeof name)

namespace AscendC {

template <typename T> struct LocalTensor {
  T *data;
  int64_t size;
  /// So many elements, which must be those of the tile.
  T *first(int64_t count) const {
    Machine::expect(count >= 0 && count <= size, "a count leaves its tile");
    return data;
  }
  T GetValue(uint32_t index) const { return first(int64_t(index) + 1)[index]; }
  void SetValue(uint32_t index, T value) const { first(int64_t(index) + 1)[index] = value; }
  LocalTensor operator[](uint32_t offset) const {
    Machine::expect(offset <= size, "a tile begins behind its buffer");
    return {data + offset, size - int64_t(offset)};
  }
  template <typename U> LocalTensor<U> ReinterpretCast() const {
    return {reinterpret_cast<U *>(data), size * int64_t(sizeof(T)) / int64_t(sizeof(U))};
  }
};

template <typename T> struct GlobalTensor {
  T *data;
  void SetGlobalBuffer(T *address) { data = address; }
  GlobalTensor operator[](uint64_t offset) const { return {data + offset}; }
};

template <TPosition> struct TBuf {
  template <typename T> LocalTensor<T> GetWithOffset(uint32_t size, uint32_t offset) {
    Machine::expect(offset % 32 == 0, "a tile does not start on 32 bytes");
    Machine::expect(int64_t(offset) + int64_t(size) * int64_t(sizeof(T)) <= machine.bufferBytes,
                    "a tile leaves the TBuf");
    return {reinterpret_cast<T *>(machine.ub + offset), size};
  }
};

struct TPipe {
  template <TPosition position> void InitBuffer(TBuf<position> &, uint32_t bytes) {
    Machine::expect(bytes <= Machine::ubBytes, "the TBuf is larger than UB");
    machine.bufferBytes = bytes;
  }
};

inline int64_t GetBlockIdx() {
  return machine.block;
}

template <HardEvent event> void SetFlag(int32_t id) {
  Machine::expect(id >= 0 && id < 6, "an event id is not 0 to 5");
  bool &flag = machine.flags[{event, id}];
  Machine::expect(!flag, "a flag is set while it is set");
  flag = true;
}
template <HardEvent event> void WaitFlag(int32_t id) {
  bool &flag = machine.flags[{event, id}];
  Machine::expect(flag, "a wait has no set");
  flag = false;
}
template <pipe_t> void PipeBarrier() {
}

struct DataCopyExtParams {
  uint16_t blockCount;
  uint32_t blockLen, srcStride, dstStride, reserved;
};
template <typename T> struct DataCopyPadExtParams {
  bool isPad;
  uint8_t leftPadding, rightPadding;
  T paddingValue;
};

/// What stores do with the elements that are there.
inline bool storesAdd = false;
template <typename T> void SetAtomicAdd() {
  storesAdd = true;
}
inline void DisableDmaAtomic() {
  storesAdd = false;
}

inline int64_t wholeBlocks(int64_t bytes) {
  return (bytes + 31) / 32 * 32;
}

// Rows lie `stride` apart, from the end of one to the start of the next: bytes in global memory,
// blocks of 32 bytes in UB, where each row fills its last block.
template <typename T>
void DataCopyPad(const LocalTensor<T> &to, const GlobalTensor<T> &from,
                 const DataCopyExtParams &rows, const DataCopyPadExtParams<T> &pad) {
  const int64_t bytes = rows.blockLen, pitch = wholeBlocks(bytes) + 32 * int64_t(rows.dstStride);
  auto *tile = reinterpret_cast<uint8_t *>(to.data);
  auto *tensor = reinterpret_cast<const uint8_t *>(from.data);
  Machine::expect(rows.blockCount <= 4095, "too many rows");
  for (int64_t row = 0; row < rows.blockCount;
       ++row, tile += pitch, tensor += bytes + rows.srcStride) {
    machine.expectInTensor(tensor, bytes);
    Machine::expect(tile + bytes <= reinterpret_cast<uint8_t *>(to.data + to.size),
                    "a row leaves its tile");
    std::memset(tile, 0xff, static_cast<size_t>(wholeBlocks(bytes)));
    std::memcpy(tile, tensor, static_cast<size_t>(bytes));
    for (int64_t i = 0; pad.isPad && i < pad.rightPadding; ++i)
      std::memcpy(tile + bytes + i * int64_t(sizeof(T)), &pad.paddingValue, sizeof(T));
  }
}
template <typename T>
void DataCopyPad(const GlobalTensor<T> &to, const LocalTensor<T> &from,
                 const DataCopyExtParams &rows) {
  const int64_t bytes = rows.blockLen, pitch = wholeBlocks(bytes) + 32 * int64_t(rows.srcStride);
  auto *tile = reinterpret_cast<const uint8_t *>(from.data);
  auto *tensor = reinterpret_cast<uint8_t *>(to.data);
  Machine::expect(rows.blockCount <= 4095, "too many rows");
  for (int64_t row = 0; row < rows.blockCount;
       ++row, tile += pitch, tensor += bytes + rows.dstStride) {
    machine.expectInTensor(tensor, bytes);
    Machine::expect(tile + bytes <= reinterpret_cast<const uint8_t *>(from.data + from.size),
                    "a row leaves its tile");
    for (int64_t at = 0; at < bytes; at += sizeof(T)) {
      T element, there;
      std::memcpy(&element, tile + at, sizeof(T));
      std::memcpy(&there, tensor + at, sizeof(T));
      if (storesAdd)
        element = T(static_cast<float>(element) + static_cast<float>(there));
      std::memcpy(tensor + at, &element, sizeof(T));
    }
  }
}

/// dst[i] = f(src[i], ...), each rounded to the element type.
template <typename D, typename F, typename... S>
void ForEach(const LocalTensor<D> &dst, int64_t count, F &&f, const LocalTensor<S> &...sources) {
  D *to = dst.first(count);
  for (int64_t i = 0; i < count; ++i)
    to[i] = D(f(static_cast<float>(sources.first(count)[i])...));
}

template <typename T>
void AddRelu(const LocalTensor<T> &dst, const LocalTensor<T> &a, const LocalTensor<T> &b,
             const int32_t &count) {
  ForEach(
      dst, count, [](float x, float y) { return std::fmax(static_cast<float>(T(x + y)), 0.0f); }, a,
      b);
}
template <typename T>
void Div(const LocalTensor<T> &dst, const LocalTensor<T> &a, const LocalTensor<T> &b,
         const int32_t &count) {
  ForEach(dst, count, [](float x, float y) { return x / y; }, a, b);
}
template <typename T>
void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count) {
  ForEach(dst, count, [](float x) { return std::exp(x); }, src);
}
template <typename T>
void Adds(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalar,
          const int32_t &count) {
  ForEach(dst, count, [&](float x) { return x + static_cast<float>(scalar); }, src);
}
template <typename T>
void Muls(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalar,
          const int32_t &count) {
  ForEach(dst, count, [&](float x) { return x * static_cast<float>(scalar); }, src);
}
template <typename T>
void Maxs(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalar,
          const int32_t &count) {
  ForEach(dst, count, [&](float x) { return std::fmax(x, static_cast<float>(scalar)); }, src);
}
template <typename T>
void Mins(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalar,
          const int32_t &count) {
  ForEach(dst, count, [&](float x) { return std::fmin(x, static_cast<float>(scalar)); }, src);
}
template <typename D, typename S>
void Cast(const LocalTensor<D> &dst, const LocalTensor<S> &src, RoundMode mode, uint32_t count) {
  Machine::expect((mode == RoundMode::CAST_NONE) == (sizeof(D) > sizeof(S)),
                  "a cast that rounds says how");
  ForEach(dst, count, [](float x) { return x; }, src);
}

//===----------------------------------------------------------------------===//
// Strided calls: at most 255 repeats of 256 bytes, so many elements of each
//===----------------------------------------------------------------------===//

enum class ReduceType { MAX, MIN, SUM };
enum class ReduceOrder { ORDER_VALUE_INDEX, ORDER_ONLY_VALUE };

template <typename T> constexpr int64_t kLanes = 256 / int64_t(sizeof(T));

template <typename T> void expectRepeats(int64_t mask, int64_t repeats) {
  Machine::expect(repeats >= 1 && repeats <= 255, "a call has no or too many repeats");
  Machine::expect(mask >= 1 && mask <= kLanes<T>, "a mask is not 1 to a repeat");
}

struct CopyRepeatParams {
  uint16_t dstStride, srcStride, dstRepeatSize, srcRepeatSize;
};
template <typename T>
void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, uint8_t repeats,
          const CopyRepeatParams &strides) {
  expectRepeats<T>(int64_t(mask), repeats);
  Machine::expect(strides.dstStride == 1 && strides.srcStride == 1, "blocks have gaps");
  constexpr int64_t block = 32 / int64_t(sizeof(T));
  for (int64_t r = 0; r < repeats; ++r)
    for (int64_t i = 0; i < int64_t(mask); ++i) {
      const int64_t to = r * strides.dstRepeatSize * block + i;
      const int64_t from = r * strides.srcRepeatSize * block + i;
      dst.first(to + 1)[to] = src.first(from + 1)[from];
    }
}

struct BinaryRepeatParams {
  BinaryRepeatParams(uint8_t dstBlkStride, uint8_t src0BlkStride, uint8_t src1BlkStride,
                     uint8_t dstRepStride, uint8_t src0RepStride, uint8_t src1RepStride)
      : block{dstBlkStride, src0BlkStride, src1BlkStride},
        repeat{dstRepStride, src0RepStride, src1RepStride} {}
  uint8_t block[3], repeat[3]; ///< of the destination and both sources
};
template <typename T, typename F>
void strided(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
             uint64_t mask, uint8_t repeats, const BinaryRepeatParams &strides, F &&f) {
  expectRepeats<T>(int64_t(mask), repeats);
  constexpr int64_t block = 32 / int64_t(sizeof(T));
  for (int64_t r = 0; r < repeats; ++r)
    for (int64_t i = 0; i < int64_t(mask); ++i) {
      int64_t at[3];
      for (int k = 0; k < 3; ++k)
        at[k] = (r * strides.repeat[k] + i / block * strides.block[k]) * block + i % block;
      dst.first(at[0] + 1)[at[0]] = T(f(static_cast<float>(src0.first(at[1] + 1)[at[1]]),
                                        static_cast<float>(src1.first(at[2] + 1)[at[2]])));
    }
}
#define STRIDED(NAME, RESULT)                                                                      \
  template <typename T>                                                                            \
  void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,     \
            uint64_t mask, uint8_t repeats, const BinaryRepeatParams &strides) {                   \
    strided(dst, src0, src1, mask, repeats, strides, [](float a, float b) { return RESULT; });     \
  }
STRIDED(Add, a + b)
STRIDED(Sub, a - b)
STRIDED(Mul, a * b)
STRIDED(Div, a / b)
STRIDED(Max, std::fmax(a, b))
STRIDED(Min, std::fmin(a, b))
#undef STRIDED

template <typename T>
void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src,
            const LocalTensor<uint32_t> &offsets, uint32_t base, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t at = base + offsets.GetValue(i);
    Machine::expect(at % sizeof(T) == 0, "an offset names no element");
    dst.SetValue(i, src.GetValue(at / uint32_t(sizeof(T))));
  }
}

/// Neighbours in pairs, level by level, of so many elements filled up with zeros or what loses.
template <ReduceType type, typename T> T reduced(const T *from, int64_t there, int64_t size) {
  std::vector<float> values(static_cast<size_t>(size));
  for (int64_t i = 0; i < size; ++i)
    values[size_t(i)] = i < there                 ? static_cast<float>(from[i])
                        : type == ReduceType::SUM ? 0.0f
                        : type == ReduceType::MAX ? -65504.0f
                                                  : 65504.0f;
  for (; size > 1; size /= 2)
    for (int64_t i = 0; i < size / 2; ++i) {
      const float a = values[size_t(2 * i)], b = values[size_t(2 * i + 1)];
      values[size_t(i)] = type == ReduceType::SUM   ? static_cast<float>(T(a + b))
                          : type == ReduceType::MAX ? std::fmax(a, b)
                                                    : std::fmin(a, b);
    }
  return T(values[0]);
}

/// Each repeat as `parts` groups; results of a repeat lie together.
template <ReduceType type, typename T>
void reduceParts(const LocalTensor<T> &dst, const LocalTensor<T> &src, int64_t mask,
                 int64_t repeats, int64_t dstStride, int64_t srcStride, int64_t parts) {
  expectRepeats<T>(mask, repeats);
  const int64_t size = kLanes<T> / parts, block = 32 / int64_t(sizeof(T));
  for (int64_t r = 0; r < repeats; ++r)
    for (int64_t g = 0; g < parts; ++g) {
      const int64_t from = r * srcStride * block + g * size, to = (r * dstStride) * parts + g;
      const int64_t there = std::max<int64_t>(0, std::min(mask - g * size, size));
      const T *source = there == 0 ? nullptr : src.first(from + there) + from;
      dst.first(to + 1)[to] = reduced<type, T>(source, there, size);
    }
}
template <ReduceType type, typename T>
void ReduceRepeat(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t mask,
                  int32_t repeats, int32_t dstStride, int32_t, int32_t srcStride,
                  ReduceOrder order) {
  Machine::expect(order == ReduceOrder::ORDER_ONLY_VALUE, "indices lie between the results");
  reduceParts<type>(dst, src, mask, repeats, dstStride, srcStride, 1);
}
template <ReduceType type, typename T>
void ReduceDataBlock(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t mask,
                     int32_t repeats, int32_t dstStride, int32_t, int32_t srcStride) {
  reduceParts<type>(dst, src, mask, repeats, dstStride, srcStride, 8);
}
template <ReduceType type, typename T>
void ReducePairElem(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t mask,
                    int32_t repeats, int32_t dstStride, int32_t, int32_t srcStride) {
  reduceParts<type>(dst, src, mask, repeats, dstStride, srcStride, kLanes<T> / 2);
}

//===----------------------------------------------------------------------===//
// Moves and sorting
//===----------------------------------------------------------------------===//

struct GatherMaskParams {
  uint8_t src0BlockStride;
  uint16_t repeatTimes, src0RepeatStride, src1RepeatStride;
};
template <typename T, typename U>
void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<U> &pattern,
                bool counted, uint32_t mask, const GatherMaskParams &params, uint64_t &kept) {
  static_assert(sizeof(T) == sizeof(U));
  Machine::expect(counted && mask >= 1 && params.repeatTimes == 1, "not one run over a count");
  kept = 0;
  for (uint32_t i = 0; i < mask; ++i)
    if ((reinterpret_cast<const uint8_t *>(pattern.data)[i / 8] >> (i % 8)) & 1) {
      dst.SetValue(uint32_t(kept), src.GetValue(i));
      ++kept;
    }
}
template <typename T>
void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint8_t pattern, bool counted,
                uint32_t mask, const GatherMaskParams &params, uint64_t &kept) {
  Machine::expect(counted && mask >= 1 && params.repeatTimes == 1, "not one run over a count");
  Machine::expect(pattern >= 1 && pattern <= 7, "no such pattern");
  kept = 0;
  for (uint32_t i = 0; i < mask; ++i)
    if (pattern == 7 || (pattern <= 2 ? i % 2 + 1 == pattern : i % 4 + 3 == pattern)) {
      dst.SetValue(uint32_t(kept), src.GetValue(i));
      ++kept;
    }
}

struct TransDataTo5HDParams {
  bool dstHighHalf, srcHighHalf;
  uint8_t repeatTimes;
  uint16_t dstRepStride, srcRepStride;
};
/// 16 blocks in, 16 out; one repeat alone starts a stride further, more of them at the addresses.
template <typename T>
void TransDataTo5HD(const LocalTensor<T> (&dst)[16], const LocalTensor<T> (&src)[16],
                    const TransDataTo5HDParams &params) {
  constexpr int64_t block = 32 / int64_t(sizeof(T));
  for (int64_t r = 0; r < params.repeatTimes; ++r) {
    const int64_t step = params.repeatTimes == 1 ? 1 : r;
    const int64_t to = step * params.dstRepStride * block,
                  from = step * params.srcRepStride * block;
    auto put = [&](int64_t d, int64_t dLane, int64_t s, int64_t sLane) {
      dst[d].SetValue(uint32_t(to + dLane), src[s].GetValue(uint32_t(from + sLane)));
    };
    for (int64_t e = 0; e < 16; ++e)
      for (int64_t k = 0; k < (sizeof(T) == 4 ? 8 : 16); ++k)
        if (sizeof(T) == 4)
          put(e, k, k + e % 2 * 8, e / 2);
        else
          put(e, k + (sizeof(T) == 1 && params.dstHighHalf ? 16 : 0), k,
              e + (sizeof(T) == 1 && params.srcHighHalf ? 16 : 0));
  }
}

/// Pairs of a score and an index, of f32.
inline std::vector<std::pair<float, float>> pairsOf(const LocalTensor<float> &list, int64_t count) {
  std::vector<std::pair<float, float>> pairs;
  for (int64_t i = 0; i < count; ++i)
    pairs.emplace_back(list.GetValue(uint32_t(2 * i)), list.GetValue(uint32_t(2 * i + 1)));
  return pairs;
}
inline void putSorted(std::vector<std::pair<float, float>> pairs, const LocalTensor<float> &dst,
                      int64_t first) {
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto &a, const auto &b) { return a.first > b.first; });
  for (size_t i = 0; i < pairs.size(); ++i) {
    dst.SetValue(uint32_t(first + 2 * int64_t(i)), pairs[i].first);
    dst.SetValue(uint32_t(first + 2 * int64_t(i) + 1), pairs[i].second);
  }
}
inline void Sort32(const LocalTensor<float> &dst, const LocalTensor<float> &src,
                   const LocalTensor<uint32_t> &indices, int32_t repeats) {
  Machine::expect(repeats >= 1 && repeats <= 255, "a call has no or too many repeats");
  for (int64_t r = 0; r < repeats; ++r) {
    std::vector<std::pair<float, float>> pairs;
    for (int64_t i = 0; i < 32; ++i)
      pairs.emplace_back(src.GetValue(uint32_t(32 * r + i)),
                         opc::floatFromBits(indices.GetValue(uint32_t(32 * r + i))));
    putSorted(pairs, dst, 64 * r);
  }
}
template <typename T> struct MrgSortSrcList {
  MrgSortSrcList(const LocalTensor<T> &a, const LocalTensor<T> &b, const LocalTensor<T> &c,
                 const LocalTensor<T> &d)
      : lists{a, b, c, d} {}
  LocalTensor<T> lists[4];
};
struct MrgSort4Info {
  uint16_t elementLengths[4];
  bool ifExhaustedSuspension;
  uint16_t validBit, repeatTimes;
};
template <typename T>
void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &sources,
             const MrgSort4Info &info) {
  Machine::expect(info.validBit == 3 || info.validBit == 7 || info.validBit == 15,
                  "lists are not the first two, three or four");
  Machine::expect(!info.ifExhaustedSuspension && info.repeatTimes == 1, "not one whole merge");
  std::vector<std::pair<float, float>> all;
  for (int list = 0; list < 4; ++list)
    if ((info.validBit >> list) & 1)
      for (const auto &pair : pairsOf(sources.lists[list], info.elementLengths[list]))
        all.push_back(pair);
  putSorted(all, dst, 0);
}

} // namespace AscendC

#endif // OPC_TEST_EXECUTING_KERNEL_OPERATOR_H
