// Moves by offsets, by masks and by transposition, and sorts.

#ifndef OPC_RUNTIME_ASCENDC_MOVE_H
#define OPC_RUNTIME_ASCENDC_MOVE_H

#include "runtime/ascendc/Compare.h"
#include "runtime/ascendc/Vector.h"

namespace AscendC {

struct GatherMaskParams {
  GatherMaskParams() = default;
  GatherMaskParams(uint8_t block, uint16_t repeats, uint16_t src0Repeat, uint8_t src1Repeat)
      : src0BlockStride(block), repeatTimes(repeats), src0RepeatStride(src0Repeat), src1RepeatStride(src1Repeat) {}
  uint8_t src0BlockStride = 1;
  uint16_t repeatTimes = 1, src0RepeatStride = 8;
  uint8_t src1RepeatStride = 0;
};
struct GatherRepeatParams {
  GatherRepeatParams() = default;
  GatherRepeatParams(uint8_t dstBlock, uint8_t dstRepeat) : dstBlkStride(dstBlock), dstRepStride(dstRepeat) {}
  uint8_t dstBlkStride = 1, dstRepStride = 8;
};
struct TransDataTo5HDParams {
  TransDataTo5HDParams() = default;
  TransDataTo5HDParams(bool dstHigh, bool srcHigh, uint8_t repeats, uint16_t dstRepeat, uint16_t srcRepeat)
      : dstHighHalf(dstHigh), srcHighHalf(srcHigh), repeatTimes(repeats), dstRepStride(dstRepeat),
        srcRepStride(srcRepeat) {}
  bool dstHighHalf = false, srcHighHalf = false;
  uint8_t repeatTimes = 1;
  uint16_t dstRepStride = 0, srcRepStride = 0;
};
struct MrgSort4Info {
  MrgSort4Info() = default;
  MrgSort4Info(const uint16_t lengths[4], bool suspends, uint16_t valid, uint16_t repeats)
      : ifExhaustedSuspension(suspends), validBit(valid), repeatTimes(repeats) {
    __builtin_memcpy(elementLengths, lengths, sizeof elementLengths);
  }
  uint16_t elementLengths[4] = {0, 0, 0, 0};
  bool ifExhaustedSuspension = false;
  uint16_t validBit = 0, repeatTimes = 1;
};
template <typename T> struct MrgSortSrcList {
  MrgSortSrcList() = default;
  MrgSortSrcList(const LocalTensor<T> &a, const LocalTensor<T> &b, const LocalTensor<T> &c, const LocalTensor<T> &d)
      : src1(a), src2(b), src3(c), src4(d) {}
  LocalTensor<T> src1, src2, src3, src4;
};

} // namespace AscendC

namespace opc::ascendc {

/// Sets the tile that offsets refer to: from `base` to the end of its tensor.
template <typename T> void startAt(OperandValue &tile, uint32_t base) {
  tile.address += base;
  tile.length = (tile.end - tile.address) / int64_t(sizeof(T));
}
template <typename T>
Call gatherCall(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src,
                const AscendC::LocalTensor<uint32_t> &offsets, uint32_t base) {
  OPC_EXPECT_TYPES(Gather, vgather, T, T);
  Call call = vectorCall("Gather", Intrinsic::vgather, dst, src, offsets);
  startAt<T>(call.sources[0], base);
  return call;
}
template <typename T>
Call scatterCall(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src,
                 const AscendC::LocalTensor<uint32_t> &offsets, uint32_t base) {
  OPC_EXPECT_TYPES(Scatter, vscatter, T, T);
  Call call = vectorCall("Scatter", Intrinsic::vscatter, dst, src, offsets);
  startAt<T>(call.destination, base);
  return call;
}
/// The result of GetMrgSortResult.
inline uint16_t lastMerge[4] = {0, 0, 0, 0};

/// The offsets of repeats are contiguous.
template <typename T> void setOffsetStride(OperandValue &offsets) {
  setStrides(offsets, 1, 1);
  offsets.repeatUnit = kLanes<T> * int64_t(sizeof(uint32_t));
}

/// The runs of elements of a GatherMask, each as `emit(source, pattern, count, kept)`: bytes from the start of the
/// source and of the pattern, elements, and how many were kept before. `emit` returns how many it keeps.
///
///   reduceMode        each repeat has `mask` elements, else 256 bytes
///   src0BlockStride   a run ends with its block where blocks have gaps
///   src1RepeatStride  blocks of 32 bytes between the patterns of two repeats; 0: all have the same
template <typename T, typename Emit>
uint64_t gatherRuns(bool reduceMode, uint32_t mask, const AscendC::GatherMaskParams &params, AscendC::Place place,
                    Emit emit) {
  constexpr int64_t block = opc::kBlockBytes, ofBlock = block / int64_t(sizeof(T));
  const int64_t elements = reduceMode ? int64_t(mask) : kLanes<T>;
  expectForm(params.src0BlockStride == 1 || elements <= kLanes<T>,
             "GatherMask of more than 256 bytes a repeat over blocks with gaps", place);
  uint64_t kept = 0;
  for (int64_t repeat = 0; repeat < params.repeatTimes; ++repeat) {
    const int64_t source = repeat * params.src0RepeatStride * block, pattern = repeat * params.src1RepeatStride * block;
    if (params.src0BlockStride == 1) {
      kept += emit(source, pattern, elements, kept);
      continue;
    }
    for (int64_t lane = 0; lane < elements; lane += ofBlock) {
      const int64_t rest = elements - lane, count = rest < ofBlock ? rest : ofBlock;
      kept += emit(source + lane / ofBlock * params.src0BlockStride * block, pattern + lane / 8, count, kept);
    }
  }
  return kept;
}

/// Moves an operand by bytes; it then may start inside of a block.
inline void moveOperand(Call &call, OperandValue &value, int64_t bytes) {
  value.address += bytes;
  call.form.partial = call.form.partial || bytes % opc::kBlockBytes != 0;
}

} // namespace opc::ascendc

namespace AscendC {

template <typename T>
void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &offsets,
            const uint32_t base, const uint32_t count, Place place = Place()) {
  opc::ascendc::byCount(opc::ascendc::gatherCall(dst, src, offsets, base), count, place);
}
template <typename T, bool isSetMask = true, typename Mask = uint64_t>
void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &offsets,
            const uint32_t base, const Mask &mask, const uint8_t repeatTimes, const uint16_t dstRepStride,
            Place place = Place()) {
  opc::ascendc::Call call = opc::ascendc::gatherCall(dst, src, offsets, base);
  opc::ascendc::setStrides(call.destination, 1, dstRepStride);
  opc::ascendc::setOffsetStride<T>(call.sources[1]);
  opc::ascendc::byRepeats(call, opc::ascendc::laneMask<isSetMask, sizeof(T)>(mask), repeatTimes, place);
}
template <typename T>
void Scatter(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &offsets,
             const uint32_t base, const uint32_t count, Place place = Place()) {
  opc::ascendc::byCount(opc::ascendc::scatterCall(dst, src, offsets, base), count, place);
}
template <typename T, bool isSetMask = true, typename Mask = uint64_t>
void Scatter(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &offsets,
             const uint32_t base, const Mask &mask, const uint8_t repeatTimes, const uint8_t srcRepStride,
             Place place = Place()) {
  opc::ascendc::Call call = opc::ascendc::scatterCall(dst, src, offsets, base);
  opc::ascendc::setStrides(call.sources[0], 1, srcRepStride);
  opc::ascendc::setOffsetStride<T>(call.sources[1]);
  opc::ascendc::byRepeats(call, opc::ascendc::laneMask<isSetMask, sizeof(T)>(mask), repeatTimes, place);
}

/// Gathers blocks of 32 bytes by their offsets, eight a repeat. The simulator gathers elements: vector instructions
/// compute their offsets from those of the blocks, in memory that belongs to no buffer.
template <typename T>
void Gatherb(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &offsets,
             const uint8_t repeatTimes, const GatherRepeatParams &params, Place place = Place()) {
  using Word = std::conditional_t<sizeof(T) <= 2, uint16_t, uint32_t>; // bytes go in pairs, 64 bits in halves
  constexpr int32_t lanes = 256 / int32_t(sizeof(Word)), ofBlock = lanes / 8, shift = sizeof(Word) == 2 ? 4 : 3;
  constexpr uint32_t blocks = 8;
  const opc::ascendc::BufferPlace memory = opc::ascendc::machine().scratch(3 * 4 * lanes, place);
  auto part = [&](int32_t number) {
    LocalTensor<int32_t> result = opc::ascendc::tensorAt<int32_t>(memory, number * 4 * lanes, lanes);
    return result;
  };
  LocalTensor<int32_t> blockOf = part(0), within = part(1), found = part(2);
  auto step = [&] { opc::ascendc::machine().record(opc::ascendc::vectorBarrier(), place); };
  // Lane l: the offset of block l / ofBlock lies at 4 * (l / ofBlock); its place is l % ofBlock words from there.
  CreateVecIndex(within, int32_t(0), uint32_t(lanes), place), step();
  ShiftRight(blockOf, within, int32_t(shift), lanes, place), step();
  Muls(found, blockOf, int32_t(-ofBlock), lanes, place), step();
  Add(within, within, found, lanes, place), step();
  Muls(within, within, int32_t(sizeof(Word)), lanes, place), step();
  Muls(blockOf, blockOf, int32_t(4), lanes, place), step();
  LocalTensor<uint32_t> places = found.ReinterpretCast<uint32_t>();
  for (uint32_t repeat = 0; repeat < repeatTimes; ++repeat) {
    Gather(places, offsets[repeat * blocks], blockOf.ReinterpretCast<uint32_t>(), 0, uint32_t(lanes), place), step();
    Add(found, found, within, lanes, place), step();
    opc::ascendc::Call call = opc::ascendc::gatherCall(
        dst[repeat * params.dstRepStride * (opc::kBlockBytes / uint32_t(sizeof(T)))].template ReinterpretCast<Word>(),
        src.template ReinterpretCast<Word>(), places, 0);
    opc::ascendc::setStrides(call.destination, params.dstBlkStride, 0);
    opc::ascendc::setOffsetStride<Word>(call.sources[1]);
    opc::ascendc::byRepeats(call, {opc::ascendc::LaneMask::First, {uint64_t(lanes), 0}}, 1, place);
    step();
  }
}

template <typename T, typename U>
void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<U> &pattern,
                const bool reduceMode, const uint32_t mask, const GatherMaskParams &params, uint64_t &rsvdCnt,
                Place place = Place()) {
  OPC_EXPECT_TYPES(GatherMask, vgather_mask, T, T);
  static_assert(sizeof(T) == sizeof(U), "the mask of GatherMask has words as wide as the elements");
  rsvdCnt = opc::ascendc::gatherRuns<T>(
      reduceMode, mask, params, place, [&](int64_t source, int64_t bits, int64_t count, uint64_t kept) {
        opc::ascendc::Call call = opc::ascendc::vectorCall("GatherMask", opc::Intrinsic::vgather_mask, dst,
                                                           opc::ascendc::maskOf(pattern), src);
        opc::ascendc::moveOperand(call, call.destination, int64_t(kept * sizeof(T)));
        opc::ascendc::moveOperand(call, call.sources[0], bits);
        opc::ascendc::moveOperand(call, call.sources[1], source);
        opc::ascendc::byCount(call, count, place);
        return uint64_t(opc::ascendc::machine().countBits(call, count, place));
      });
}
template <typename T>
void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint8_t pattern, const bool reduceMode,
                const uint32_t mask, const GatherMaskParams &params, uint64_t &rsvdCnt, Place place = Place()) {
  OPC_EXPECT_TYPES(GatherMask, vgather_pattern, T, T);
  opc::ascendc::expectValue(pattern >= 1 && pattern <= 7, "GatherMask expects a pattern of 1 to 7", place);
  auto emit = [&](int64_t source, int64_t, int64_t count, uint64_t kept) {
    opc::ascendc::Call call = opc::ascendc::vectorCall("GatherMask", opc::Intrinsic::vgather_pattern, dst, src);
    call.form.pattern = static_cast<opc::GatherPattern>(pattern);
    opc::ascendc::moveOperand(call, call.destination, int64_t(kept * sizeof(T)));
    opc::ascendc::moveOperand(call, call.sources[0], source);
    opc::ascendc::byCount(call, count, place); // a count out of bounds ends the kernel
    uint64_t found = 0;
    for (int64_t i = 0; i < count; ++i)
      found += pattern == 7 || (pattern <= 2 ? i % 2 + 1 == pattern : i % 4 + 3 == pattern);
    return found;
  };
  // Contiguous whole repeats are one run.
  if (!reduceMode && params.src0BlockStride == 1 && params.src0RepeatStride == opc::kRepeatBytes / opc::kBlockBytes)
    rsvdCnt = emit(0, 0, params.repeatTimes * opc::ascendc::kLanes<T>, 0);
  else
    rsvdCnt = opc::ascendc::gatherRuns<T>(reduceMode, mask, params, place, emit);
}

//===----------------------------------------------------------------------===//
// Transposition
//===----------------------------------------------------------------------===//

template <typename T> void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src, Place place = Place()) {
  OPC_EXPECT_TYPES(Transpose, vtranspose, T, T);
  opc::ascendc::byCount(opc::ascendc::vectorCall("Transpose", opc::Intrinsic::vtranspose, dst, src),
                        opc::kTransposeRows * opc::kTransposeRows, place);
}

} // namespace AscendC

namespace opc::ascendc {

/// Transposes rows at any addresses: one copy for each element.
template <typename T>
void transposeRows(const AscendC::LocalTensor<T> *dst, const AscendC::LocalTensor<T> *src,
                   const AscendC::TransDataTo5HDParams &params, AscendC::Place place) {
  constexpr int64_t channels = 16, block = opc::kBlockBytes, lanes = block / int64_t(sizeof(T)),
                    perRow = channels / lanes;
  for (int64_t repeat = 0; repeat < params.repeatTimes; ++repeat)
    for (int64_t row = 0; row < channels; ++row)
      for (int64_t lane = 0; lane < lanes; ++lane) {
        // With 32 bits, two rows hold the channels of one row of 16 lanes: the first has the lower eight channels.
        const int64_t channel = lane + row % perRow * lanes, element = row / perRow;
        Call call = vectorCall("TransDataTo5HD", Intrinsic::vcopy, dst[row], src[channel]);
        call.destination.address += repeat * params.dstRepStride * block + lane * int64_t(sizeof(T));
        call.sources[0].address += repeat * params.srcRepStride * block + element * int64_t(sizeof(T));
        call.form.partial = true;
        byCount(call, 1, place);
      }
}

} // namespace opc::ascendc

namespace AscendC {

/// The simulator's intrinsic transposes planes: 16 rows of blocks, a plane apart, to 16 lanes of whole planes. Other
/// rows of 16 and 32 bits are copied element by element.
template <typename T>
void TransDataTo5HD(const LocalTensor<T> (&dst)[16], const LocalTensor<T> (&src)[16],
                    const TransDataTo5HDParams &params, Place place = Place()) {
  OPC_EXPECT_TYPES(TransDataTo5HD, vtrans5hd, T, T);
  constexpr int64_t block = opc::kBlockBytes, channels = 16;
  const int64_t repeats = params.repeatTimes, plane = repeats * block;
  bool isWhole = sizeof(T) != 1 && repeats >= 1 &&
                 (repeats == 1 ? params.dstRepStride == 0 && params.srcRepStride == 0
                               : params.dstRepStride == channels && params.srcRepStride == 1);
  for (int64_t i = 0; i < channels; ++i)
    isWhole = isWhole && src[i].address == src[0].address + i * plane && dst[i].address == dst[0].address + i * block;
  if (isWhole)
    return opc::ascendc::byCount(opc::ascendc::vectorCall("TransDataTo5HD", opc::Intrinsic::vtrans5hd, dst[0], src[0]),
                                 channels * plane / int64_t(sizeof(T)), place);
  if constexpr (sizeof(T) == 1) {
    opc::ascendc::expectForm(false, "TransDataTo5HD of elements of 8 bits", place);
  } else {
    // A single repeat with a stride: the chip's behaviour is not published.
    opc::ascendc::expectForm(repeats != 1 || (params.dstRepStride == 0 && params.srcRepStride == 0),
                             "TransDataTo5HD of one repeat with a stride", place);
    bool isAligned = true;
    for (int64_t i = 0; i < channels; ++i)
      isAligned = isAligned && src[i].address % block == 0 && dst[i].address % block == 0;
    opc::ascendc::expectValue(isAligned, "TransDataTo5HD expects rows at multiples of 32 bytes", place);
    opc::ascendc::transposeRows(dst, src, params, place);
  }
}

/// Rows by their addresses, as GetPhyAddr gives them.
template <typename T>
void TransDataTo5HD(const uint64_t *dst, const uint64_t *src, const TransDataTo5HDParams &params,
                    Place place = Place()) {
  LocalTensor<T> to[16], from[16];
  auto rowAt = [&](uint64_t address) {
    const opc::ascendc::BufferPlace buffer = opc::ascendc::machine().bufferHolding(int64_t(address));
    opc::ascendc::expectValue(buffer.buffer >= 0, "TransDataTo5HD expects addresses in buffers of the kernel", place);
    const int64_t offset = int64_t(address) - buffer.address;
    return opc::ascendc::tensorAt<T>(buffer, offset, (buffer.bytes - offset) / int64_t(sizeof(T)));
  };
  for (int i = 0; i < 16; ++i)
    to[i] = rowAt(dst[i]), from[i] = rowAt(src[i]);
  TransDataTo5HD<T>(to, from, params, place);
}

//===----------------------------------------------------------------------===//
// Sort
//===----------------------------------------------------------------------===//

template <typename T>
void Sort32(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &indices,
            const int32_t repeatTimes, Place place = Place()) {
  OPC_EXPECT_TYPES(Sort32, vsort32, T, T);
  opc::ascendc::expectValue(repeatTimes >= 0 && repeatTimes <= 255, "Sort32 expects 0 to 255 repeats", place);
  opc::ascendc::byCount(opc::ascendc::vectorCall("Sort32", opc::Intrinsic::vsort32, dst, src, indices),
                        repeatTimes * opc::kSortElements, place);
}
/// The number of elements that the last MrgSort took from each list, which is all of them.
inline void GetMrgSortResult(uint16_t &list1, uint16_t &list2, uint16_t &list3, uint16_t &list4) {
  const uint16_t *taken = opc::ascendc::lastMerge;
  list1 = taken[0], list2 = taken[1], list3 = taken[2], list4 = taken[3];
}
template <typename T>
void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &lists, const MrgSort4Info &info,
             Place place = Place()) {
  OPC_EXPECT_TYPES(MrgSort, vmrgsort, T, T);
  opc::ascendc::expectValue(info.validBit == 3 || info.validBit == 7 || info.validBit == 15,
                            "MrgSort expects the first two, three or four lists", place);
  opc::ascendc::expectForm(!info.ifExhaustedSuspension, "MrgSort that stops early", place);
  const LocalTensor<T> *sources[] = {&lists.src1, &lists.src2, &lists.src3, &lists.src4};
  constexpr int64_t pair = opc::kPairBytes, words = pair / int64_t(sizeof(T));
  int64_t pairs = 0;
  bool isClose = true;
  __builtin_memset(opc::ascendc::lastMerge, 0, sizeof opc::ascendc::lastMerge);
  for (unsigned i = 0; i < 4 && (info.validBit >> i) & 1; ++i) {
    opc::ascendc::lastMerge[i] = info.elementLengths[i];
    isClose = isClose && sources[i]->address == sources[0]->address + pairs * pair &&
              info.elementLengths[i] == info.elementLengths[0];
    pairs += info.elementLengths[i];
  }
  opc::ascendc::expectValue(info.repeatTimes == 1 || (isClose && info.validBit == 15),
                            "MrgSort that repeats expects four contiguous lists of the same length", place);
  for (int64_t repeat = 0; repeat < info.repeatTimes; ++repeat) {
    opc::ascendc::Call call = opc::ascendc::vectorCall("MrgSort", opc::Intrinsic::vmrgsort, dst);
    call.destination.address += repeat * pairs * pair;
    for (unsigned i = 0; i < 4 && (info.validBit >> i) & 1; ++i) {
      opc::ascendc::setOperand(call.form.sources[i], call.sources[i], *sources[i]);
      call.sources[i].length = int64_t(info.elementLengths[i]) * words;
      call.sources[i].address += repeat * pairs * pair;
    }
    opc::ascendc::machine().record(call, place);
  }
}

//===----------------------------------------------------------------------===//
// Calls with implicit scratch
//===----------------------------------------------------------------------===//

#define OPC_SCRATCHED(NAME, INTRINSIC, TILES, ...)                                                                     \
  template <typename T, bool isReuseSource = false>                                                                    \
  void NAME(const LocalTensor<T> &dst, __VA_ARGS__, const LocalTensor<uint8_t> &shared, const uint32_t count,          \
            Place place = Place()) {                                                                                   \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, T, T);                                                                           \
    opc::ascendc::byCount(opc::ascendc::scratched(opc::ascendc::vectorCall TILES, shared), count, place);              \
  }                                                                                                                    \
  template <typename T, bool isReuseSource = false>                                                                    \
  void NAME(const LocalTensor<T> &dst, __VA_ARGS__, const uint32_t count, Place place = Place()) {                     \
    OPC_EXPECT_TYPES(NAME, INTRINSIC, T, T);                                                                           \
    opc::ascendc::byCount(opc::ascendc::scratched(opc::ascendc::vectorCall TILES, count, place), count, place);        \
  }
OPC_SCRATCHED(Floor, vfloor, ("Floor", opc::Intrinsic::vfloor, dst, src), const LocalTensor<T> &src)
OPC_SCRATCHED(Xor, vxor, ("Xor", opc::Intrinsic::vxor, dst, src0, src1), const LocalTensor<T> &src0,
              const LocalTensor<T> &src1)
#undef OPC_SCRATCHED

} // namespace AscendC

#endif // OPC_RUNTIME_ASCENDC_MOVE_H
