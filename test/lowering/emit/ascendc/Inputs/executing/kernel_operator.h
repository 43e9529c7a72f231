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

} // namespace AscendC

#endif // OPC_TEST_EXECUTING_KERNEL_OPERATOR_H
