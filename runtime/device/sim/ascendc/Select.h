// Compares, selects, reductions, moves and sorts.

#ifndef OPC_RUNTIME_DEVICE_SIM_ASCENDC_SELECT_H
#define OPC_RUNTIME_DEVICE_SIM_ASCENDC_SELECT_H

#include "runtime/device/sim/ascendc/Vector.h"

namespace AscendC {

struct GatherMaskParams {
  GatherMaskParams() = default;
  GatherMaskParams(uint8_t block, uint16_t repeats, uint16_t src0Repeat, uint8_t src1Repeat)
      : src0BlockStride(block), repeatTimes(repeats), src0RepeatStride(src0Repeat),
        src1RepeatStride(src1Repeat) {}
  uint8_t src0BlockStride = 1;
  uint16_t repeatTimes = 1, src0RepeatStride = 8;
  uint8_t src1RepeatStride = 0;
};
struct TransDataTo5HDParams {
  bool dstHighHalf = false, srcHighHalf = false;
  uint8_t repeatTimes = 1;
  uint16_t dstRepStride = 0, srcRepStride = 0;
};
struct MrgSort4Info {
  uint16_t elementLengths[4] = {0, 0, 0, 0};
  bool ifExhaustedSuspension = false;
  uint16_t validBit = 0, repeatTimes = 1;
};
template <typename T> struct MrgSortSrcList {
  MrgSortSrcList(const LocalTensor<T> &a, const LocalTensor<T> &b, const LocalTensor<T> &c,
                 const LocalTensor<T> &d)
      : src1(a), src2(b), src3(c), src4(d) {}
  LocalTensor<T> src1, src2, src3, src4;
};

} // namespace AscendC

namespace opc::ascendc {

/// Fails where it is called for a mode or a stride that neither this header nor the machine does.
inline void expectForm(bool holds, const char *what, AscendC::Place place) {
  if (!holds)
    machine().refuse("ascendc_c11", what, place);
}

/// A compare works on whole vectors of 256 bytes, and its count says how many; how many lanes of
/// the last one are meant it does not say. The simulator fills up counts by itself, so it gets one
/// that ends with the last vector's first lane: what lies in the others may be anything.
template <typename T> int64_t comparedCount(int64_t count) {
  return count == 0 ? 0 : count - int64_t(256 / sizeof(T)) + 1;
}

template <typename M> AscendC::LocalTensor<uint8_t> maskOf(const AscendC::LocalTensor<M> &mask) {
  static_assert(std::is_integral_v<M>, "a mask is a tensor of integers, one bit a lane");
  return mask.template ReinterpretCast<uint8_t>();
}

template <typename T> Call scratched(Call call, const AscendC::LocalTensor<T> &scratch) {
  setOperand(call.form.scratch, call.scratch, scratch);
  return call;
}

/// Scratch for a call that names none: bytes of UB that no buffer has.
inline Call scratched(Call call, int64_t count, AscendC::Place place) {
  const ElementType type = call.form.sources[0].type;
  const BufferPlace where =
      machine().scratch(machine().scratchBytes(call.form.intrinsic, type, count), place);
  return scratched(call, tensorAt<uint8_t>(where, 0, where.bytes));
}

} // namespace opc::ascendc

namespace AscendC {

//===----------------------------------------------------------------------===//
// Compare and select
//===----------------------------------------------------------------------===//

template <typename M, typename T>
void Compare(const LocalTensor<M> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
             CMPMODE mode, uint32_t count, Place place = Place()) {
  OPC_EXPECT_TYPES(Compare, vcmp, uint8_t, T);
  opc::ascendc::expectForm(count * sizeof(T) % 256 == 0,
                           "Compare over a count that is no multiple of 256 bytes", place);
  opc::ascendc::Call call = opc::ascendc::vectorCall("Compare", opc::Intrinsic::vcmp,
                                                     opc::ascendc::maskOf(dst), src0, src1);
  call.form.compare = static_cast<opc::CompareMode>(mode);
  opc::ascendc::byCount(call, opc::ascendc::comparedCount<T>(count), place);
}
template <typename M, typename T>
void Compares(const LocalTensor<M> &dst, const LocalTensor<T> &src, const T &scalar, CMPMODE mode,
              uint32_t count, Place place = Place()) {
  OPC_EXPECT_TYPES(Compares, vcmps, uint8_t, T);
  opc::ascendc::expectForm(count * sizeof(T) % 256 == 0,
                           "Compares over a count that is no multiple of 256 bytes", place);
  opc::ascendc::Call call =
      opc::ascendc::vectorCall("Compares", opc::Intrinsic::vcmps, opc::ascendc::maskOf(dst), src);
  call.form.compare = static_cast<opc::CompareMode>(mode);
  opc::ascendc::setScalar(call, scalar);
  opc::ascendc::byCount(call, opc::ascendc::comparedCount<T>(count), place);
}
template <typename T, typename M>
void Select(const LocalTensor<T> &dst, const LocalTensor<M> &mask, const LocalTensor<T> &src0,
            const LocalTensor<T> &src1, SELMODE mode, uint32_t count, Place place = Place()) {
  OPC_EXPECT_TYPES(Select, vsel, T, T);
  opc::ascendc::expectForm(mode == SELMODE::VSEL_TENSOR_TENSOR_MODE,
                           "Select of two tensors in another mode than VSEL_TENSOR_TENSOR_MODE",
                           place);
  opc::ascendc::byCount(opc::ascendc::vectorCall("Select", opc::Intrinsic::vsel, dst,
                                                 opc::ascendc::maskOf(mask), src0, src1),
                        count, place);
}
template <typename T, typename M>
void Select(const LocalTensor<T> &dst, const LocalTensor<M> &mask, const LocalTensor<T> &src,
            const T &scalar, SELMODE mode, uint32_t count, Place place = Place()) {
  OPC_EXPECT_TYPES(Select, vsels, T, T);
  opc::ascendc::expectForm(mode == SELMODE::VSEL_TENSOR_SCALAR_MODE,
                           "Select with a scalar in another mode than VSEL_TENSOR_SCALAR_MODE",
                           place);
  opc::ascendc::Call call = opc::ascendc::vectorCall("Select", opc::Intrinsic::vsels, dst,
                                                     opc::ascendc::maskOf(mask), src);
  opc::ascendc::setScalar(call, scalar);
  opc::ascendc::byCount(call, count, place);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

template <typename T>
void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &work,
               const int32_t count, Place place = Place()) {
  OPC_EXPECT_TYPES(ReduceSum, vreduce_sum, T, T);
  opc::ascendc::byCount(
      opc::ascendc::scratched(
          opc::ascendc::vectorCall("ReduceSum", opc::Intrinsic::vreduce_sum, dst, src), work),
      count, place);
}
#define OPC_EXTREME(NAME, INTRINSIC)                                                               \
  template <typename T>                                                                            \
  void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &work,      \
            const int32_t count, bool calIndex = false, Place place = Place()) {                   \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, T, T);                                                       \
    opc::ascendc::expectForm(!calIndex, #NAME " with an index", place);                            \
    opc::ascendc::byCount(                                                                         \
        opc::ascendc::scratched(                                                                   \
            opc::ascendc::vectorCall(#NAME, opc::Intrinsic::INTRINSIC, dst, src), work),           \
        count, place);                                                                             \
  }
OPC_EXTREME(ReduceMax, vreduce_max)
OPC_EXTREME(ReduceMin, vreduce_min)
#undef OPC_EXTREME

} // namespace AscendC

namespace opc::ascendc {
/// Repeats of 256 bytes into results of `resultBytes` each, `dstStride` results apart.
template <typename T>
void reduceParts(const char *name, Intrinsic intrinsic, const AscendC::LocalTensor<T> &dst,
                 const AscendC::LocalTensor<T> &src, int32_t mask, int32_t repeats,
                 int32_t dstStride, int32_t blockStride, int32_t srcStride, int64_t resultBytes,
                 AscendC::Place place) {
  Call call = vectorCall(name, intrinsic, dst, src);
  setStrides(call.destination, 1, dstStride);
  call.destination.repeatUnit = resultBytes;
  setStrides(call.sources[0], blockStride, srcStride);
  byRepeats(call, uint64_t(mask), repeats, place);
}
template <AscendC::ReduceType type>
constexpr Intrinsic pick(Intrinsic sum, Intrinsic max, Intrinsic min) {
  return type == AscendC::ReduceType::SUM ? sum : type == AscendC::ReduceType::MAX ? max : min;
}
} // namespace opc::ascendc

namespace AscendC {

template <ReduceType type, typename T, typename U>
void ReduceRepeat(const LocalTensor<T> &dst, const LocalTensor<U> &src, const int32_t mask,
                  const int32_t repeatTimes, const int32_t dstRepStride, const int32_t srcBlkStride,
                  const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX,
                  Place place = Place()) {
  OPC_EXPECT_TYPES(ReduceRepeat, vreduce_repeat_sum, T, U);
  opc::ascendc::expectForm(type == ReduceType::SUM || order == ReduceOrder::ORDER_ONLY_VALUE,
                           "ReduceRepeat with indices", place);
  using opc::Intrinsic;
  opc::ascendc::reduceParts(
      "ReduceRepeat",
      opc::ascendc::pick<type>(Intrinsic::vreduce_repeat_sum, Intrinsic::vreduce_repeat_max,
                               Intrinsic::vreduce_repeat_min),
      dst, src, mask, repeatTimes, dstRepStride, srcBlkStride, srcRepStride, sizeof(T), place);
}
template <ReduceType type, typename T, typename U>
void ReduceDataBlock(const LocalTensor<T> &dst, const LocalTensor<U> &src, const int32_t mask,
                     const int32_t repeatTimes, const int32_t dstRepStride,
                     const int32_t srcBlkStride, const int32_t srcRepStride,
                     Place place = Place()) {
  OPC_EXPECT_TYPES(ReduceDataBlock, vreduce_block_sum, T, U);
  using opc::Intrinsic;
  opc::ascendc::reduceParts(
      "ReduceDataBlock",
      opc::ascendc::pick<type>(Intrinsic::vreduce_block_sum, Intrinsic::vreduce_block_max,
                               Intrinsic::vreduce_block_min),
      dst, src, mask, repeatTimes, dstRepStride, srcBlkStride, srcRepStride, 8 * sizeof(T), place);
}
template <ReduceType type, typename T, typename U>
void ReducePairElem(const LocalTensor<T> &dst, const LocalTensor<U> &src, const int32_t mask,
                    const int32_t repeatTimes, const int32_t dstRepStride,
                    const int32_t srcBlkStride, const int32_t srcRepStride, Place place = Place()) {
  OPC_EXPECT_TYPES(ReducePairElem, vreduce_pair_sum, T, U);
  static_assert(type == ReduceType::SUM, "Ascend 310B adds pairs; it has no other ReducePairElem");
  opc::ascendc::reduceParts("ReducePairElem", opc::Intrinsic::vreduce_pair_sum, dst, src, mask,
                            repeatTimes, dstRepStride, srcBlkStride, srcRepStride, 128, place);
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

template <typename T>
void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src,
            const LocalTensor<uint32_t> &offsets, const uint32_t base, const uint32_t count,
            Place place = Place()) {
  OPC_EXPECT_TYPES(Gather, vgather, T, T);
  opc::ascendc::Call call =
      opc::ascendc::vectorCall("Gather", opc::Intrinsic::vgather, dst, src, offsets);
  call.sources[0].address += base;
  call.sources[0].length = (call.sources[0].end - call.sources[0].address) / int64_t(sizeof(T));
  opc::ascendc::byCount(call, count, place);
}
template <typename T>
void Scatter(const LocalTensor<T> &dst, const LocalTensor<T> &src,
             const LocalTensor<uint32_t> &offsets, const uint32_t base, const uint32_t count,
             Place place = Place()) {
  OPC_EXPECT_TYPES(Scatter, vscatter, T, T);
  opc::ascendc::Call call =
      opc::ascendc::vectorCall("Scatter", opc::Intrinsic::vscatter, dst, src, offsets);
  call.destination.address += base;
  call.destination.length = (call.destination.end - call.destination.address) / int64_t(sizeof(T));
  opc::ascendc::byCount(call, count, place);
}

} // namespace AscendC

namespace opc::ascendc {
/// How many elements a GatherMask goes over: `mask` of them, or whole repeats.
template <typename T>
int64_t gathered(bool reduceMode, uint32_t mask, const AscendC::GatherMaskParams &params,
                 AscendC::Place place) {
  expectForm(params.src0BlockStride == 1 &&
                 (params.repeatTimes == 1 || (!reduceMode && params.src0RepeatStride == 8)),
             "GatherMask over a source with gaps", place);
  return reduceMode ? int64_t(mask) : int64_t(params.repeatTimes) * int64_t(256 / sizeof(T));
}
} // namespace opc::ascendc

namespace AscendC {

template <typename T, typename U>
void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<U> &pattern,
                const bool reduceMode, const uint32_t mask, const GatherMaskParams &params,
                uint64_t &rsvdCnt, Place place = Place()) {
  OPC_EXPECT_TYPES(GatherMask, vgather_mask, T, T);
  static_assert(sizeof(T) == sizeof(U), "the mask of GatherMask has words as wide as the elements");
  opc::ascendc::expectForm(params.repeatTimes == 1 || params.src1RepeatStride == 1,
                           "GatherMask with a mask that repeats", place);
  const int64_t count = opc::ascendc::gathered<T>(reduceMode, mask, params, place);
  opc::ascendc::Call call = opc::ascendc::vectorCall("GatherMask", opc::Intrinsic::vgather_mask,
                                                     dst, opc::ascendc::maskOf(pattern), src);
  opc::ascendc::byCount(call, count, place);
  rsvdCnt = uint64_t(opc::ascendc::machine().countBits(call, count, place));
}
template <typename T>
void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint8_t pattern,
                const bool reduceMode, const uint32_t mask, const GatherMaskParams &params,
                uint64_t &rsvdCnt, Place place = Place()) {
  OPC_EXPECT_TYPES(GatherMask, vgather_pattern, T, T);
  opc::ascendc::expectForm(pattern >= 1 && pattern <= 7,
                           "GatherMask with another pattern than 1 to 7", place);
  const int64_t count = opc::ascendc::gathered<T>(reduceMode, mask, params, place);
  opc::ascendc::Call call =
      opc::ascendc::vectorCall("GatherMask", opc::Intrinsic::vgather_pattern, dst, src);
  call.form.pattern = static_cast<opc::GatherPattern>(pattern);
  rsvdCnt = 0;
  for (int64_t i = 0; i < count; ++i)
    rsvdCnt += pattern == 7 || (pattern <= 2 ? i % 2 + 1 == pattern : i % 4 + 3 == pattern);
  opc::ascendc::byCount(call, count, place);
}
template <typename T>
void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src, Place place = Place()) {
  OPC_EXPECT_TYPES(Transpose, vtranspose, T, T);
  opc::ascendc::byCount(opc::ascendc::vectorCall("Transpose", opc::Intrinsic::vtranspose, dst, src),
                        256, place);
}
/// The simulator knows planes: 16 rows of blocks, each a plane apart, to 16 lanes of whole planes.
template <typename T>
void TransDataTo5HD(const LocalTensor<T> (&dst)[16], const LocalTensor<T> (&src)[16],
                    const TransDataTo5HDParams &params, Place place = Place()) {
  OPC_EXPECT_TYPES(TransDataTo5HD, vtrans5hd, T, T);
  constexpr int64_t block = 32, channels = 16;
  const int64_t repeats = params.repeatTimes, plane = repeats * block;
  bool whole = sizeof(T) != 1 && repeats >= 1 &&
               (repeats == 1 || (params.dstRepStride == channels && params.srcRepStride == 1)) &&
               (repeats != 1 || (params.dstRepStride == 0 && params.srcRepStride == 0));
  for (int64_t i = 0; i < channels; ++i)
    whole = whole && src[i].address == src[0].address + i * plane &&
            dst[i].address == dst[0].address + i * block;
  opc::ascendc::expectForm(whole, "TransDataTo5HD of other rows than whole planes of 16 channels",
                           place);
  opc::ascendc::byCount(
      opc::ascendc::vectorCall("TransDataTo5HD", opc::Intrinsic::vtrans5hd, dst[0], src[0]),
      channels * plane / int64_t(sizeof(T)), place);
}

//===----------------------------------------------------------------------===//
// Sort
//===----------------------------------------------------------------------===//

template <typename T>
void Sort32(const LocalTensor<T> &dst, const LocalTensor<T> &src,
            const LocalTensor<uint32_t> &indices, const int32_t repeatTimes,
            Place place = Place()) {
  OPC_EXPECT_TYPES(Sort32, vsort32, T, T);
  opc::ascendc::expectForm(repeatTimes >= 0 && repeatTimes <= 255,
                           "Sort32 with other repeats than 0 to 255", place);
  opc::ascendc::byCount(
      opc::ascendc::vectorCall("Sort32", opc::Intrinsic::vsort32, dst, src, indices),
      int64_t(repeatTimes) * 32, place);
}
template <typename T>
void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &lists, const MrgSort4Info &info,
             Place place = Place()) {
  OPC_EXPECT_TYPES(MrgSort, vmrgsort, T, T);
  opc::ascendc::expectForm(info.validBit == 3 || info.validBit == 7 || info.validBit == 15,
                           "MrgSort of other lists than the first two, three or four", place);
  opc::ascendc::expectForm(!info.ifExhaustedSuspension && info.repeatTimes == 1,
                           "MrgSort that stops early or repeats", place);
  opc::ascendc::Call call = opc::ascendc::vectorCall("MrgSort", opc::Intrinsic::vmrgsort, dst);
  const LocalTensor<T> *sources[] = {&lists.src1, &lists.src2, &lists.src3, &lists.src4};
  for (unsigned i = 0; i < 4 && (info.validBit >> i) & 1; ++i) {
    opc::ascendc::setOperand(call.form.sources[i], call.sources[i], *sources[i]);
    call.sources[i].length = int64_t(info.elementLengths[i]) * int64_t(8 / sizeof(T));
  }
  opc::ascendc::machine().record(call, place);
}

//===----------------------------------------------------------------------===//
// Calls with scratch of their own
//===----------------------------------------------------------------------===//

template <typename T, bool isReuseSource = false>
void Floor(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &shared,
           const uint32_t count, Place place = Place()) {
  OPC_EXPECT_TYPES(Floor, vfloor, T, T);
  opc::ascendc::byCount(
      opc::ascendc::scratched(opc::ascendc::vectorCall("Floor", opc::Intrinsic::vfloor, dst, src),
                              shared),
      count, place);
}
template <typename T, bool isReuseSource = false>
void Floor(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count,
           Place place = Place()) {
  OPC_EXPECT_TYPES(Floor, vfloor, T, T);
  opc::ascendc::byCount(
      opc::ascendc::scratched(opc::ascendc::vectorCall("Floor", opc::Intrinsic::vfloor, dst, src),
                              count, place),
      count, place);
}
template <typename T, bool isReuseSource = false>
void Xor(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
         const LocalTensor<uint8_t> &shared, const uint32_t count, Place place = Place()) {
  OPC_EXPECT_TYPES(Xor, vxor, T, T);
  opc::ascendc::byCount(
      opc::ascendc::scratched(
          opc::ascendc::vectorCall("Xor", opc::Intrinsic::vxor, dst, src0, src1), shared),
      count, place);
}
template <typename T, bool isReuseSource = false>
void Xor(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
         const uint32_t count, Place place = Place()) {
  OPC_EXPECT_TYPES(Xor, vxor, T, T);
  opc::ascendc::byCount(
      opc::ascendc::scratched(
          opc::ascendc::vectorCall("Xor", opc::Intrinsic::vxor, dst, src0, src1), count, place),
      count, place);
}

} // namespace AscendC

#endif // OPC_RUNTIME_DEVICE_SIM_ASCENDC_SELECT_H
