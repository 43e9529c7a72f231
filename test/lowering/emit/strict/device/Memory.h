// Tensors, the pipe that lays them out, and copies between global memory and UB.

#ifndef STRICT_MEMORY_H
#define STRICT_MEMORY_H

#include "Types.h"

namespace AscendC {

template <typename T> class LocalTensor {
public:
  using PrimType = T;
  static_assert(sizeof(STRICT_WORD(T)) != 0, "a tensor has elements of a type that the chip knows");
  T GetValue(const uint32_t index) const;
  void SetValue(const uint32_t index, const T value) const;
  LocalTensor operator[](const uint32_t offset) const;
  template <typename U> LocalTensor<U> ReinterpretCast() const;
  uint32_t GetSize() const;
};

template <typename T> class GlobalTensor {
public:
  using PrimType = T;
  void SetGlobalBuffer(T *buffer, const uint64_t size);
  void SetGlobalBuffer(T *buffer);
  GlobalTensor operator[](const uint64_t offset) const;
  T GetValue(const uint64_t index) const;
};

template <TPosition position> class TBuf {
public:
  static_assert(position == TPosition::VECCALC || position == TPosition::VECIN || position == TPosition::VECOUT ||
                    position == TPosition::A1 || position == TPosition::A2 || position == TPosition::B1 ||
                    position == TPosition::B2 || position == TPosition::CO1 || position == TPosition::C2,
                "the page of TBuf lists these positions but C2, which the vendor's matrix class has");
  template <typename T> LocalTensor<T> Get();
  template <typename T> LocalTensor<T> GetWithOffset(uint32_t size, uint32_t offset);
};

class TPipe {
public:
  TPipe();
  TPipe(const TPipe &) = delete;
  template <TPosition position> bool InitBuffer(TBuf<position> &buffer, uint32_t bytes);
};

struct DataCopyExtParams {
  DataCopyExtParams();
  DataCopyExtParams(const uint16_t count, const uint32_t length, const uint32_t sourceGap,
                    const uint32_t destinationGap, const uint32_t reserved);
  uint16_t blockCount;
  uint32_t blockLen, srcStride, dstStride, rsv;
};
struct DataCopyParams {
  DataCopyParams();
  DataCopyParams(const uint16_t count, const uint16_t length, const uint16_t sourceGap, const uint16_t destinationGap);
  uint16_t blockCount, blockLen, srcStride, dstStride;
};
template <typename T> struct DataCopyPadExtParams {
  DataCopyPadExtParams();
  DataCopyPadExtParams(const bool pad, const uint8_t left, const uint8_t right, T value);
  bool isPad;
  uint8_t leftPadding, rightPadding;
  T paddingValue;
};

template <typename T>
void DataCopyPad(const LocalTensor<T> &, const GlobalTensor<T> &, const DataCopyExtParams &,
                 const DataCopyPadExtParams<T> &) {
  STRICT_TAKES("DataCopyPad", "GM_to_UB_DataCopyExtParams", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T> void DataCopyPad(const GlobalTensor<T> &, const LocalTensor<T> &, const DataCopyExtParams &) {
  STRICT_TAKES("DataCopyPad", "UB_to_GM_DataCopyExtParams", STRICT_WORD(T), "", STRICT_WORD(T));
}

template <typename T> void SetAtomicAdd() {
  STRICT_TAKES("SetAtomicAdd", "call", STRICT_WORD(T), "", STRICT_WORD(T));
}
inline void SetAtomicNone() {
  static_assert(strict::takes("SetAtomicNone", "call", "any"), "");
}

} // namespace AscendC

#endif
