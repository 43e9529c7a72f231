// What vector calls take beside tiles.

#ifndef STRICT_CALLS_H
#define STRICT_CALLS_H

#include "Memory.h"

namespace AscendC {

struct UnaryRepeatParams {
  UnaryRepeatParams();
  UnaryRepeatParams(const uint16_t dstBlock, const uint16_t srcBlock, const uint8_t dstRepeat, const uint8_t srcRepeat);
};
struct BinaryRepeatParams {
  BinaryRepeatParams();
  BinaryRepeatParams(const uint8_t dstBlock, const uint8_t src0Block, const uint8_t src1Block, const uint8_t dstRepeat,
                     const uint8_t src0Repeat, const uint8_t src1Repeat);
};
struct CopyRepeatParams {
  CopyRepeatParams();
  CopyRepeatParams(const uint16_t dstStride, const uint16_t srcStride, const uint16_t dstRepeat,
                   const uint16_t srcRepeat);
};
struct GatherMaskParams {
  GatherMaskParams();
  GatherMaskParams(const uint8_t block, const uint16_t repeats, const uint16_t src0Repeat, const uint8_t src1Repeat);
};
struct TransDataTo5HDParams {
  bool dstHighHalf, srcHighHalf;
  uint8_t repeatTimes;
  uint16_t dstRepStride, srcRepStride;
};
struct MrgSort4Info {
  uint16_t elementLengths[4];
  bool ifExhaustedSuspension;
  uint16_t validBit, repeatTimes;
};
template <typename T> struct MrgSortSrcList {
  MrgSortSrcList(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<T> &);
};

} // namespace AscendC

#endif
