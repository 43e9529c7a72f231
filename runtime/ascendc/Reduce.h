// Reductions of whole tensors, and of their repeats, blocks and pairs.
//
// Reductions of parts have two sets of names; the second one takes the number of repeats before the mask.
//
//   ReduceRepeat<ReduceType::SUM>      WholeReduceSum, RepeatReduceSum
//   ReduceDataBlock<ReduceType::SUM>   BlockReduceSum
//   ReducePairElem<ReduceType::SUM>    PairReduceSum

#ifndef OPC_RUNTIME_ASCENDC_REDUCE_H
#define OPC_RUNTIME_ASCENDC_REDUCE_H

#include "runtime/ascendc/Calls.h"

namespace opc::ascendc {

constexpr ReduceIndex indexOf(AscendC::ReduceOrder order) {
  return order == AscendC::ReduceOrder::ORDER_VALUE_INDEX   ? ReduceIndex::ValueIndex
         : order == AscendC::ReduceOrder::ORDER_INDEX_VALUE ? ReduceIndex::IndexValue
         : order == AscendC::ReduceOrder::ORDER_ONLY_INDEX  ? ReduceIndex::OnlyIndex
                                                            : ReduceIndex::None;
}

template <typename T>
Call reduceCall(const char *name, Intrinsic intrinsic, const AscendC::LocalTensor<T> &dst,
                const AscendC::LocalTensor<T> &src, const AscendC::LocalTensor<T> &work, bool withIndex = false) {
  Call call = scratched(vectorCall(name, intrinsic, dst, src), work);
  call.form.index = withIndex ? ReduceIndex::ValueIndex : ReduceIndex::None;
  return call;
}
/// An index has as many bits as an element.
template <typename T> void expectIndex(bool withIndex, int64_t count, AscendC::Place place) {
  expectValue(!withIndex || sizeof(T) > 2 || count <= 65536, "an index of half expects at most 65536 elements", place);
}
/// Contiguous whole repeats are equivalent to a count; the chip would add up other forms in parts.
template <bool isSetMask, typename T, typename Mask>
int64_t reducedCount(const Mask &mask, int64_t repeats, int64_t srcRepStride, AscendC::Place place) {
  constexpr int64_t lanes = kLanes<T>;
  const LaneMask which = laneMask<isSetMask, sizeof(T)>(mask);
  constexpr int64_t most = INT32_MAX;
  constexpr const char *tooMany = "a reduction expects at most 2147483647 elements";
  if (which.kind == LaneMask::Total) {
    expectValue(which.words[0] <= uint64_t(most), tooMany, place);
    return int64_t(which.words[0]);
  }
  int64_t count = which.kind == LaneMask::First ? int64_t(which.words[0]) : 0;
  auto isSet = [&which](int64_t i) { return ((which.words[i / 64] >> (i % 64)) & 1) != 0; };
  bool isPrefix = true;
  if (which.kind == LaneMask::Bits) {
    while (count < lanes && isSet(count))
      ++count;
    for (int64_t i = count; i < lanes; ++i)
      isPrefix = isPrefix && !isSet(i);
  }
  expectValue(count >= 1 && count <= lanes && repeats >= 1,
              "a reduction expects a mask of 1 lane to a repeat, and a repeat", place);
  expectForm(isPrefix && (repeats == 1 || (count == lanes && srcRepStride == 8)),
             "a reduction of a tensor over lanes with gaps; ReduceRepeat takes them", place);
  expectValue(repeats <= most / lanes, tooMany, place);
  return (repeats - 1) * lanes + count;
}

} // namespace opc::ascendc

namespace AscendC {

template <typename T>
void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &work, const int32_t count,
               Place place = Place()) {
  OPC_EXPECT_TYPES(ReduceSum, vreduce_sum, T, T);
  opc::ascendc::byCount(opc::ascendc::reduceCall("ReduceSum", opc::Intrinsic::vreduce_sum, dst, src, work), count,
                        place);
}
template <typename T, bool isSetMask = true, typename Mask = int32_t>
void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &work, const Mask &mask,
               const int32_t repeatTimes, const int32_t srcRepStride, Place place = Place()) {
  ReduceSum(dst, src, work, int32_t(opc::ascendc::reducedCount<isSetMask, T>(mask, repeatTimes, srcRepStride, place)),
            place);
}
#define OPC_EXTREME(NAME, INTRINSIC)                                                                                   \
  template <typename T>                                                                                                \
  void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &work, const int32_t count,     \
            bool calIndex = false, Place place = Place()) {                                                            \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, T, T);                                                                           \
    opc::ascendc::expectIndex<T>(calIndex, count, place);                                                              \
    opc::ascendc::byCount(opc::ascendc::reduceCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src, work, calIndex), count, \
                          place);                                                                                      \
  }                                                                                                                    \
  template <typename T, bool isSetMask = true, typename Mask = int32_t>                                                \
  void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &work, const Mask &mask,        \
            const int32_t repeatTimes, const int32_t srcRepStride, bool calIndex = false, Place place = Place()) {     \
    NAME(dst, src, work, int32_t(opc::ascendc::reducedCount<isSetMask, T>(mask, repeatTimes, srcRepStride, place)),    \
         calIndex, place);                                                                                             \
  }
OPC_EXTREME(ReduceMax, vreduce_max)
OPC_EXTREME(ReduceMin, vreduce_min)
#undef OPC_EXTREME

} // namespace AscendC

namespace opc::ascendc {
/// Reduces repeats of 256 bytes to results of `resultBytes` each, `dstStride` results apart.
template <bool isSetMask, typename T, typename Mask>
void reduceParts(Call call, const Mask &mask, int32_t repeats, int32_t dstStride, int32_t blockStride,
                 int32_t srcStride, int64_t resultBytes, AscendC::Place place) {
  setStrides(call.destination, 1, dstStride);
  call.destination.repeatUnit = resultBytes;
  setStrides(call.sources[0], blockStride, srcStride);
  byRepeats(call, laneMask<isSetMask, sizeof(T)>(mask), repeats, place);
}
template <AscendC::ReduceType type> constexpr Intrinsic pick(Intrinsic sum, Intrinsic max, Intrinsic min) {
  return type == AscendC::ReduceType::SUM ? sum : type == AscendC::ReduceType::MAX ? max : min;
}
} // namespace opc::ascendc

namespace opc::ascendc {

template <AscendC::ReduceType type, bool isSetMask, typename T, typename Mask>
void reduceRepeats(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, const Mask &mask,
                   int32_t repeatTimes, int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,
                   AscendC::ReduceOrder order, AscendC::Place place) {
  OPC_EXPECT_TYPES(WholeReduceSum, vreduce_repeat_sum, T, T);
  Call call = vectorCall(
      "ReduceRepeat",
      pick<type>(Intrinsic::vreduce_repeat_sum, Intrinsic::vreduce_repeat_max, Intrinsic::vreduce_repeat_min), dst,
      src);
  if (type != AscendC::ReduceType::SUM)
    call.form.index = indexOf(order);
  reduceParts<isSetMask, T>(call, mask, repeatTimes, dstRepStride, srcBlkStride, srcRepStride,
                            int64_t(sizeof(T)) * (hasPairs(call.form.index) ? 2 : 1), place);
}
template <AscendC::ReduceType type, bool isSetMask, typename T, typename Mask>
void reduceBlocks(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, const Mask &mask,
                  int32_t repeatTimes, int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,
                  AscendC::Place place) {
  OPC_EXPECT_TYPES(BlockReduceSum, vreduce_block_sum, T, T);
  reduceParts<isSetMask, T>(
      vectorCall("ReduceDataBlock",
                 pick<type>(Intrinsic::vreduce_block_sum, Intrinsic::vreduce_block_max, Intrinsic::vreduce_block_min),
                 dst, src),
      mask, repeatTimes, dstRepStride, srcBlkStride, srcRepStride,
      opc::kRepeatBytes / opc::kBlockBytes * int64_t(sizeof(T)), place);
}
template <AscendC::ReduceType type, bool isSetMask, typename T, typename Mask>
void reducePairs(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, const Mask &mask,
                 int32_t repeatTimes, int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,
                 AscendC::Place place) {
  OPC_EXPECT_TYPES(PairReduceSum, vreduce_pair_sum, T, T);
  static_assert(type == AscendC::ReduceType::SUM, "Ascend 310B has no 'ReducePairElem' but the sum");
  reduceParts<isSetMask, T>(vectorCall("ReducePairElem", Intrinsic::vreduce_pair_sum, dst, src), mask, repeatTimes,
                            dstRepStride, srcBlkStride, srcRepStride, opc::kRepeatBytes / 2, place);
}

} // namespace opc::ascendc

namespace AscendC {

template <ReduceType type, typename T, bool isSetMask = true, typename Mask = int32_t>
OPC_VERSIONED(ReduceRepeat)
void ReduceRepeat(const LocalTensor<T> &dst, const LocalTensor<T> &src, const Mask &mask, const int32_t repeatTimes,
                  const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,
                  ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, Place place = Place()) {
  OPC_EXPECT_VERSION(ReduceRepeat, T);
  opc::ascendc::reduceRepeats<type, isSetMask>(dst, src, mask, repeatTimes, dstRepStride, srcBlkStride, srcRepStride,
                                               order, place);
}
#define OPC_PART_OF_9_1(NAME, PARTS)                                                                                   \
  template <ReduceType type, typename T, bool isSetMask = true, typename Mask = int32_t>                               \
  OPC_VERSIONED(NAME)                                                                                                  \
  void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const Mask &mask, const int32_t repeatTimes,         \
            const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,                        \
            Place place = Place()) {                                                                                   \
    OPC_EXPECT_VERSION(NAME, T);                                                                                       \
    opc::ascendc::PARTS<type, isSetMask>(dst, src, mask, repeatTimes, dstRepStride, srcBlkStride, srcRepStride,        \
                                         place);                                                                       \
  }
OPC_PART_OF_9_1(ReduceDataBlock, reduceBlocks)
OPC_PART_OF_9_1(ReducePairElem, reducePairs)
#undef OPC_PART_OF_9_1

template <typename T, bool isSetMask = true, typename Mask = int32_t>
void WholeReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const Mask &mask, const int32_t repeatTimes,
                    const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,
                    Place place = Place()) {
  opc::ascendc::reduceRepeats<ReduceType::SUM, isSetMask>(dst, src, mask, repeatTimes, dstRepStride, srcBlkStride,
                                                          srcRepStride, ReduceOrder::ORDER_ONLY_VALUE, place);
}
template <typename T, bool isSetMask = true>
OPC_VERSIONED(RepeatReduceSum)
void RepeatReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTimes,
                     const int32_t mask, const int32_t, const int32_t srcBlkStride, const int32_t dstRepStride,
                     const int32_t srcRepStride, Place place = Place()) {
  OPC_EXPECT_VERSION(RepeatReduceSum, T);
  WholeReduceSum<T, isSetMask>(dst, src, mask, repeatTimes, dstRepStride, srcBlkStride, srcRepStride, place);
}
#define OPC_WHOLE_REDUCE(NAME, TYPE)                                                                                   \
  template <typename T, bool isSetMask = true, typename Mask = int32_t>                                                \
  void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const Mask &mask, const int32_t repeatTimes,         \
            const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,                        \
            ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, Place place = Place()) {                               \
    opc::ascendc::reduceRepeats<ReduceType::TYPE, isSetMask>(dst, src, mask, repeatTimes, dstRepStride, srcBlkStride,  \
                                                             srcRepStride, order, place);                              \
  }
OPC_WHOLE_REDUCE(WholeReduceMax, MAX)
OPC_WHOLE_REDUCE(WholeReduceMin, MIN)
#undef OPC_WHOLE_REDUCE
#define OPC_PART_REDUCE(NAME, CALL, TYPE)                                                                              \
  template <typename T, bool isSetMask = true, typename Mask = int32_t>                                                \
  void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTimes, const Mask &mask,         \
            const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,                        \
            Place place = Place()) {                                                                                   \
    opc::ascendc::CALL<ReduceType::TYPE, isSetMask>(dst, src, mask, repeatTimes, dstRepStride, srcBlkStride,           \
                                                    srcRepStride, place);                                              \
  }
OPC_PART_REDUCE(BlockReduceSum, reduceBlocks, SUM)
OPC_PART_REDUCE(BlockReduceMax, reduceBlocks, MAX)
OPC_PART_REDUCE(BlockReduceMin, reduceBlocks, MIN)
OPC_PART_REDUCE(PairReduceSum, reducePairs, SUM)
#undef OPC_PART_REDUCE

} // namespace AscendC

#endif // OPC_RUNTIME_ASCENDC_REDUCE_H
