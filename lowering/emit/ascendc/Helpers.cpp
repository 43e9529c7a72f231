// The texts of the helpers. A gap in DataCopyPad is the distance from the end of a row to the start of the next, in
// bytes for GM and in blocks of 32 bytes for UB; kernels state the distance between the starts of rows.

#include "lowering/emit/ascendc/Helpers.h"

#include "llvm/ADT/SmallVector.h"

using namespace opc;

namespace {
struct HelperText {
  llvm::StringLiteral name, text;
};
} // namespace

static constexpr HelperText kTexts[] = {
    {"Min", R"(__aicore__ inline int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; })"},
    {"Max", R"(__aicore__ inline int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; })"},
    {"FloorDiv", R"(__aicore__ inline int64_t FloorDiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
})"},
    {"CeilDiv", R"(__aicore__ inline int64_t CeilDiv(int64_t a, int64_t b) {
  return a / b + (a % b != 0 && (a % b < 0) == (b < 0));
})"},
    {"MinFloat", R"(// NaN where one of them is; -0 is the lesser zero.
__aicore__ inline float MinFloat(float a, float b) {
  return a != a ? a : b != b ? b : a < b ? a : b < a ? b : 1.0f / a < 1.0f / b ? a : b;
})"},
    {"MaxFloat", R"(// NaN where one of them is; +0 is the greater zero.
__aicore__ inline float MaxFloat(float a, float b) {
  return a != a ? a : b != b ? b : a > b ? a : b > a ? b : 1.0f / a > 1.0f / b ? a : b;
})"},
    {"FromBits", R"(template <typename T, typename Bits>
__aicore__ inline T FromBits(Bits bits) { return *reinterpret_cast<const T *>(&bits); })"},
    {"WholeVectors", R"(// A count rounded up to whole vectors of 256 bytes.
template <typename T>
__aicore__ inline int64_t WholeVectors(int64_t count) {
  constexpr int64_t lanes = 256 / sizeof(T);
  return (count + lanes - 1) / lanes * lanes;
})"},
    {"Row", R"(// One row of so many bytes.
__aicore__ inline AscendC::DataCopyExtParams Row(int64_t bytes) { return {1, static_cast<uint32_t>(bytes), 0, 0, 0}; })"},
    {"RowsIn", R"(// Rows from GM to UB; their starts lie gmPitch and ubPitch bytes apart.
__aicore__ inline AscendC::DataCopyExtParams RowsIn(int64_t rows, int64_t bytes, int64_t gmPitch, int64_t ubPitch) {
  return {static_cast<uint16_t>(rows), static_cast<uint32_t>(bytes), static_cast<uint32_t>(gmPitch - bytes),
          static_cast<uint32_t>((ubPitch - (bytes + 31) / 32 * 32) / 32), 0};
})"},
    {"RowsOut", R"(// Rows from UB to GM; their starts lie ubPitch and gmPitch bytes apart.
__aicore__ inline AscendC::DataCopyExtParams RowsOut(int64_t rows, int64_t bytes, int64_t ubPitch, int64_t gmPitch) {
  return {static_cast<uint16_t>(rows), static_cast<uint32_t>(bytes),
          static_cast<uint32_t>((ubPitch - (bytes + 31) / 32 * 32) / 32), static_cast<uint32_t>(gmPitch - bytes), 0};
})"},
    {"NoPad", R"(template <typename T>
__aicore__ inline AscendC::DataCopyPadExtParams<T> NoPad() { return AscendC::DataCopyPadExtParams<T>(); })"},
    {"PadRow", R"(// Fills a row of so many bytes up to whole blocks of 32.
template <typename T>
__aicore__ inline AscendC::DataCopyPadExtParams<T> PadRow(int64_t bytes, T value) {
  return {true, 0, static_cast<uint8_t>((32 - bytes % 32) % 32 / static_cast<int64_t>(sizeof(T))), value};
})"},
    {"Read", R"(template <typename T>
__aicore__ inline T Read(const AscendC::LocalTensor<T> &tile, int64_t index) {
  return tile.GetValue(static_cast<uint32_t>(index));
})"},
    {"FillBits",
     R"(// Both versions of the headers refuse Duplicate of bfloat16_t; its 16 bits they take.
__aicore__ inline void FillBits(const AscendC::LocalTensor<bfloat16_t> &dst, bfloat16_t value, int64_t count) {
  AscendC::Duplicate(dst.ReinterpretCast<uint16_t>(), *reinterpret_cast<const uint16_t *>(&value), static_cast<int32_t>(count));
})"},
    {"CopyElements", R"(// Whole repeats, then what is left of the last one.
template <typename T>
__aicore__ inline void CopyElements(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, int64_t count) {
  constexpr int64_t lanes = 256 / sizeof(T);
  for (int64_t done = 0; done < count;) {
    int64_t left = count - done, mask = left < lanes ? left : lanes, repeats = left / lanes;
    repeats = repeats == 0 ? 1 : repeats > 255 ? 255 : repeats;
    AscendC::Copy(dst[done], src[done], static_cast<uint64_t>(mask), static_cast<uint8_t>(repeats), {1, 1, 8, 8});
    done += mask * repeats;
  }
})"},
    {"PartCall", R"(enum class PartCall { Sum, Max, Min };)"},
    {"EachRepeat", R"(// One result for each 256 bytes.
template <PartCall call, typename T>
__aicore__ inline void EachRepeat(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, int64_t count) {
  constexpr int64_t lanes = 256 / sizeof(T);
  for (int64_t done = 0; done < count;) {
    int64_t left = count - done, mask = left < lanes ? left : lanes, repeats = left / lanes;
    repeats = repeats == 0 ? 1 : repeats > 255 ? 255 : repeats;
    AscendC::LocalTensor<T> results = dst[done / lanes], elements = src[done];
    int32_t lane = static_cast<int32_t>(mask), times = static_cast<int32_t>(repeats);
    if constexpr (call == PartCall::Sum) {
      AscendC::WholeReduceSum(results, elements, lane, times, 1, 1, 8);
    } else if constexpr (call == PartCall::Max) {
      AscendC::WholeReduceMax(results, elements, lane, times, 1, 1, 8, AscendC::ReduceOrder::ORDER_ONLY_VALUE);
    } else {
      AscendC::WholeReduceMin(results, elements, lane, times, 1, 1, 8, AscendC::ReduceOrder::ORDER_ONLY_VALUE);
    }
    done += mask * repeats;
  }
})"},
    {"EachBlock", R"(// Eight results for each 256 bytes.
template <PartCall call, typename T>
__aicore__ inline void EachBlock(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, int64_t count) {
  constexpr int64_t lanes = 256 / sizeof(T);
  for (int64_t done = 0; done < count;) {
    int64_t left = count - done, mask = left < lanes ? left : lanes, repeats = left / lanes;
    repeats = repeats == 0 ? 1 : repeats > 255 ? 255 : repeats;
    AscendC::LocalTensor<T> results = dst[done / lanes * 8], elements = src[done];
    int32_t lane = static_cast<int32_t>(mask), times = static_cast<int32_t>(repeats);
    if constexpr (call == PartCall::Sum) {
      AscendC::BlockReduceSum(results, elements, times, lane, 1, 1, 8);
    } else if constexpr (call == PartCall::Max) {
      AscendC::BlockReduceMax(results, elements, times, lane, 1, 1, 8);
    } else {
      AscendC::BlockReduceMin(results, elements, times, lane, 1, 1, 8);
    }
    done += mask * repeats;
  }
})"},
    {"EachPair", R"(// One result for each two elements.
template <typename T>
__aicore__ inline void EachPair(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, int64_t count) {
  constexpr int64_t lanes = 256 / sizeof(T);
  for (int64_t done = 0; done < count;) {
    int64_t left = count - done, mask = left < lanes ? left : lanes, repeats = left / lanes;
    repeats = repeats == 0 ? 1 : repeats > 255 ? 255 : repeats;
    AscendC::PairReduceSum(dst[done / 2], src[done], static_cast<int32_t>(repeats), static_cast<int32_t>(mask), 1, 1, 8);
    done += mask * repeats;
  }
})"},
    {"SortGroups", R"(// Pairs of eight bytes, each 32 of them sorted. The second half of a pair is any 32 bits.
template <typename T, typename Words>
__aicore__ inline void SortGroups(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src,
                                  const AscendC::LocalTensor<Words> &words, int64_t count) {
  const AscendC::LocalTensor<uint32_t> indices = words.template ReinterpretCast<uint32_t>();
  constexpr int64_t pair = 8 / sizeof(T);
  for (int64_t done = 0; done < count;) {
    int64_t groups = (count - done) / 32;
    groups = groups > 255 ? 255 : groups;
    AscendC::Sort32(dst[done * pair], src[done], indices[done], static_cast<int32_t>(groups));
    done += groups * 32;
  }
})"},
    {"WithRows", R"(enum class RowCall { Add, Sub, Mul, Div, Max, Min };
template <RowCall call, typename T>
__aicore__ inline void CallOfRows(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src,
                                  const AscendC::LocalTensor<T> &block, int64_t mask, int64_t repeats,
                                  const AscendC::BinaryRepeatParams &strides) {
  uint64_t lanes = static_cast<uint64_t>(mask);
  uint8_t times = static_cast<uint8_t>(repeats);
  if constexpr (call == RowCall::Add) {
    AscendC::Add(dst, src, block, lanes, times, strides);
  } else if constexpr (call == RowCall::Sub) {
    AscendC::Sub(dst, src, block, lanes, times, strides);
  } else if constexpr (call == RowCall::Mul) {
    AscendC::Mul(dst, src, block, lanes, times, strides);
  } else if constexpr (call == RowCall::Div) {
    AscendC::Div(dst, src, block, lanes, times, strides);
  } else if constexpr (call == RowCall::Max) {
    AscendC::Max(dst, src, block, lanes, times, strides);
  } else {
    AscendC::Min(dst, src, block, lanes, times, strides);
  }
}
// Each row with its block of 32 bytes: eight rows at once, a block of each in a repeat, or along one row. Fewer than eight
// are worked on at once where that costs less than a call for each: a call's start takes as long as 128 blocks of a row, or
// 32 of a division.
template <RowCall call, typename T>
__aicore__ inline void WithRows(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src,
                                const AscendC::LocalTensor<T> &blocks, int64_t blocksLength, int64_t count) {
  constexpr int64_t lanes = 32 / sizeof(T), weight = call == RowCall::Div ? 4 : 1;
  int64_t rows = blocksLength / lanes;
  if (rows == 0) {
    return;
  }
  int64_t length = count / rows, width = length / lanes;
  for (int64_t row = 0; row < rows;) {
    int64_t group = rows - row < 8 ? rows - row : 8, at = row * length;
    if (width <= 255 && weight * width * (8 - group) < 128 * (group - 1)) {
      uint8_t pitch = static_cast<uint8_t>(width);
      CallOfRows<call>(dst[at], src[at], blocks[row * lanes], group * lanes, width,
                       AscendC::BinaryRepeatParams(pitch, pitch, 1, 1, 1, 0));
      row += group;
      continue;
    }
    for (int64_t done = 0; done < length;) {
      int64_t left = length - done, mask = left < 8 * lanes ? left : 8 * lanes, repeats = left / (8 * lanes);
      repeats = repeats == 0 ? 1 : repeats > 255 ? 255 : repeats;
      CallOfRows<call>(dst[at + done], src[at + done], blocks[row * lanes], mask, repeats,
                       AscendC::BinaryRepeatParams(1, 1, 0, 8, 8, 0));
      done += mask * repeats;
    }
    ++row;
  }
})"},
    {"RepeatOfRows",
     R"(// Reduces at most 256 bytes of each row to one result; strides count results and blocks of 32 bytes.
template <PartCall call, typename T>
__aicore__ inline void RepeatOfRows(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, int64_t rows,
                                    int64_t mask, int64_t dstStride, int64_t srcBlocks) {
  constexpr int64_t lanes = 32 / sizeof(T);
  int32_t lane = static_cast<int32_t>(mask), to = static_cast<int32_t>(dstStride), from = static_cast<int32_t>(srcBlocks);
  for (int64_t row = 0; row < rows; row += 255) {
    int32_t times = static_cast<int32_t>(rows - row < 255 ? rows - row : 255);
    AscendC::LocalTensor<T> results = dst[row * dstStride], elements = src[row * srcBlocks * lanes];
    if constexpr (call == PartCall::Sum) {
      AscendC::WholeReduceSum(results, elements, lane, times, to, 1, from);
    } else if constexpr (call == PartCall::Max) {
      AscendC::WholeReduceMax(results, elements, lane, times, to, 1, from, AscendC::ReduceOrder::ORDER_ONLY_VALUE);
    } else {
      AscendC::WholeReduceMin(results, elements, lane, times, to, 1, from, AscendC::ReduceOrder::ORDER_ONLY_VALUE);
    }
  }
})"},
    {"JoinRepeats", R"(// Combines pairs of repeats of 256 bytes.
template <PartCall call, typename T>
__aicore__ inline void JoinRepeats(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, int64_t count) {
  constexpr uint64_t lanes = 256 / sizeof(T);
  const AscendC::BinaryRepeatParams strides(1, 1, 1, 8, 16, 16);
  for (int64_t part = 0; part < count; part += 255) {
    uint8_t times = static_cast<uint8_t>(count - part < 255 ? count - part : 255);
    AscendC::LocalTensor<T> results = dst[part * lanes], first = src[2 * part * lanes], second = src[(2 * part + 1) * lanes];
    if constexpr (call == PartCall::Sum) {
      AscendC::Add(results, first, second, lanes, times, strides);
    } else if constexpr (call == PartCall::Max) {
      AscendC::Max(results, first, second, lanes, times, strides);
    } else {
      AscendC::Min(results, first, second, lanes, times, strides);
    }
  }
})"},
    {"ReduceRows",
     R"(// Reduces each row to an element, in the cheapest of three ways. The start of a call costs as much as reducing 8 repeats
// of 256 bytes, or combining 16.
//   alone     one call for each row
//   together  a call on the same repeat of every row writes its results to a block of each row; a last call reduces these
//   halved    for rows of a power of two of whole repeats: pairs of repeats are combined until a row has one repeat
template <PartCall call, typename T>
__aicore__ inline void ReduceRows(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src,
                                  const AscendC::LocalTensor<T> &scratch, int64_t rows, int64_t columns,
                                  int64_t dstLength, int64_t srcLength) {
  constexpr int64_t ofBlock = 32 / sizeof(T), lanes = 256 / sizeof(T);
  if (rows <= 0 || columns <= 0) {
    return;
  }
  int64_t dstStride = dstLength / rows, length = srcLength / rows, repeats = (columns + lanes - 1) / lanes;
  if (repeats == 1) {
    RepeatOfRows<call>(dst, src, rows, columns, dstStride, length / ofBlock);
    return;
  }
  int64_t halvings = 0, last = 16 + 2 * rows, alone = rows * (16 + 2 * repeats);
  while ((static_cast<int64_t>(1) << halvings) < repeats) {
    ++halvings;
  }
  int64_t together = repeats <= ofBlock ? (repeats + 1) * last : alone;
  bool isWhole = columns == length && columns == (static_cast<int64_t>(1) << halvings) * lanes;
  int64_t halved = isWhole ? 16 * halvings + (repeats - 1) * rows + last : alone;
  if (halved < alone && halved < together) {
    AscendC::LocalTensor<T> from = src, to = scratch;
    for (int64_t parts = repeats / 2; parts > 0; parts /= 2) {
      JoinRepeats<call>(to, from, rows * parts);
      AscendC::PipeBarrier<PIPE_V>();
      from = to;
      to = to[rows * parts * lanes];
    }
    RepeatOfRows<call>(dst, from, rows, lanes, dstStride, 8);
    return;
  }
  if (together < alone) {
    for (int64_t part = 0; part < repeats; ++part) {
      int64_t left = columns - part * lanes;
      RepeatOfRows<call>(scratch[part], src[part * lanes], rows, left < lanes ? left : lanes, ofBlock, length / ofBlock);
    }
    AscendC::PipeBarrier<PIPE_V>();
    RepeatOfRows<call>(dst, scratch, rows, repeats, dstStride, 1);
    return;
  }
  for (int64_t row = 0; row < rows; ++row) {
    AscendC::LocalTensor<T> result = dst[row * dstStride], elements = src[row * length], work = scratch[row * length];
    if constexpr (call == PartCall::Sum) {
      AscendC::ReduceSum(result, elements, work, static_cast<int32_t>(columns));
    } else if constexpr (call == PartCall::Max) {
      AscendC::ReduceMax(result, elements, work, static_cast<int32_t>(columns));
    } else {
      AscendC::ReduceMin(result, elements, work, static_cast<int32_t>(columns));
    }
  }
})"},
    {"GatherAt", R"(// Byte offsets as whole numbers with a sign.
template <typename T>
__aicore__ inline void GatherAt(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src,
                                const AscendC::LocalTensor<int32_t> &offsets, uint32_t base, int64_t count) {
  AscendC::Gather(dst, src, offsets.template ReinterpretCast<uint32_t>(), base, static_cast<uint32_t>(count));
})"},
    {"KeepMasked", R"(// Elements whose bit is set; how many is not asked.
template <typename T>
__aicore__ inline void KeepMasked(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<uint8_t> &mask,
                                  const AscendC::LocalTensor<T> &src, int64_t count) {
  uint64_t kept = 0;
  if (count == 0) {
    return;
  }
  if constexpr (sizeof(T) == 2) {
    AscendC::GatherMask(dst, src, mask.template ReinterpretCast<uint16_t>(), true, static_cast<uint32_t>(count),
                        {1, 1, 8, 0}, kept);
  } else {
    AscendC::GatherMask(dst, src, mask.template ReinterpretCast<uint32_t>(), true, static_cast<uint32_t>(count),
                        {1, 1, 8, 0}, kept);
  }
})"},
    {"KeepPattern", R"(// Elements that a pattern of the call keeps.
template <typename T>
__aicore__ inline void KeepPattern(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src,
                                   int64_t pattern, int64_t count) {
  uint64_t kept = 0;
  if (count == 0) {
    return;
  }
  AscendC::GatherMask(dst, src, static_cast<uint8_t>(pattern), true, static_cast<uint32_t>(count), {1, 1, 8, 0}, kept);
})"},
    {"ChannelsLast",
     R"(// dst[p][c] = src[c][p] for 16 channels, of 8-bit types 32: then by quarters.
template <typename T>
__aicore__ inline void ChannelsLast(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, int64_t count) {
  constexpr int64_t lanes = 32 / sizeof(T), channels = sizeof(T) == 1 ? 32 : 16, halves = channels / 16;
  int64_t plane = count / channels, blocks = plane / lanes;
  for (int64_t done = 0; done < blocks;) {
    int64_t repeats = blocks - done > 255 ? 255 : blocks - done;
    for (int64_t part = 0; part < halves * halves; ++part) {
      int64_t dstHalf = part / halves, srcHalf = part % halves;
      AscendC::LocalTensor<T> from[16], to[16];
      for (int64_t i = 0; i < 16; ++i) {
        from[i] = src[(dstHalf * 16 + i) * plane + done * lanes];
        to[i] = dst[done * lanes * channels + (srcHalf * 16 + i) * lanes];
      }
      AscendC::TransDataTo5HDParams params;
      params.dstHighHalf = dstHalf != 0;
      params.srcHighHalf = srcHalf != 0;
      params.repeatTimes = static_cast<uint8_t>(repeats);
      params.dstRepStride = static_cast<uint16_t>(repeats == 1 ? 0 : channels);
      params.srcRepStride = static_cast<uint16_t>(repeats == 1 ? 0 : 1);
      AscendC::TransDataTo5HD<T>(to, from, params);
    }
    done += repeats;
  }
})"},
    {"MergeLists", R"(// Two to four sorted lists of so many elements; the others are not looked at.
template <typename T>
__aicore__ inline void MergeLists(const AscendC::LocalTensor<T> &dst, int64_t lists, const AscendC::LocalTensor<T> &a,
                                  int64_t aCount, const AscendC::LocalTensor<T> &b, int64_t bCount,
                                  const AscendC::LocalTensor<T> &c, int64_t cCount, const AscendC::LocalTensor<T> &d,
                                  int64_t dCount) {
  constexpr int64_t pair = 8 / sizeof(T);
  AscendC::MrgSort4Info info;
  info.elementLengths[0] = static_cast<uint16_t>(aCount / pair);
  info.elementLengths[1] = static_cast<uint16_t>(bCount / pair);
  info.elementLengths[2] = static_cast<uint16_t>(cCount / pair);
  info.elementLengths[3] = static_cast<uint16_t>(dCount / pair);
  info.ifExhaustedSuspension = false;
  info.validBit = static_cast<uint16_t>((1 << lists) - 1);
  info.repeatTimes = 1;
  AscendC::MrgSort<T>(dst, AscendC::MrgSortSrcList<T>(a, b, c, d), info);
})"},
    {"RowsToFractals",
     R"(// Rows of global memory, `pitch` elements apart, to columns of fractals of `height` rows. A copy takes a pitch of 16 bits;
// with a longer one there is a copy for each row.
template <typename T>
__aicore__ inline void RowsToFractals(const AscendC::LocalTensor<T> &dst, const AscendC::GlobalTensor<T> &src, int64_t rows,
                                      int64_t columns, int64_t pitch, int64_t height) {
  if (rows <= 0 || columns <= 0) {
    return;
  }
  bool isLong = pitch > 65535;
  AscendC::Nd2NzParams params;
  params.ndNum = 1;
  params.nValue = static_cast<uint16_t>(isLong ? 1 : rows);
  params.dValue = static_cast<uint16_t>(columns);
  params.srcNdMatrixStride = 0;
  params.srcDValue = static_cast<uint16_t>(isLong ? columns : pitch);
  params.dstNzC0Stride = static_cast<uint16_t>(height);
  params.dstNzNStride = 1;
  params.dstNzMatrixStride = 0;
  for (int64_t row = 0; row < (isLong ? rows : 1); ++row) {
    AscendC::DataCopy(dst[static_cast<uint32_t>(row * 32 / static_cast<int64_t>(sizeof(T)))],
                      src[static_cast<uint64_t>(row * pitch)], params);
  }
})"},
    {"FractalsToTile",
     R"(// Copies columns of fractals from global memory, `length` elements of each, `pitch` elements apart, to columns of
// `height` rows. The gap of a copy has 16 bits; if it is longer, there is one copy for each column.
template <typename T>
__aicore__ inline void FractalsToTile(const AscendC::LocalTensor<T> &dst, const AscendC::GlobalTensor<T> &src, int64_t columns,
                                      int64_t length, int64_t pitch, int64_t height) {
  constexpr int64_t width = 32 / static_cast<int64_t>(sizeof(T));
  if (columns <= 0 || length <= 0) {
    return;
  }
  bool isLong = (pitch - length) / width > 65535;
  AscendC::DataCopyParams params;
  params.blockCount = static_cast<uint16_t>(isLong ? 1 : columns);
  params.blockLen = static_cast<uint16_t>(length / width);
  params.srcStride = static_cast<uint16_t>(isLong ? 0 : (pitch - length) / width);
  params.dstStride = static_cast<uint16_t>(isLong ? 0 : height - length / width);
  for (int64_t column = 0; column < (isLong ? columns : 1); ++column) {
    AscendC::DataCopy(dst[static_cast<uint32_t>(column * height * width)], src[static_cast<uint64_t>(column * pitch)],
                      params);
  }
})"},
    {"TileToFractals",
     R"(// Rows of UB, `pitch` elements apart, to columns of fractals of `height` rows, each by a copy of blocks.
template <typename T>
__aicore__ inline void TileToFractals(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, int64_t rows,
                                      int64_t columns, int64_t pitch, int64_t height) {
  constexpr int64_t width = 32 / static_cast<int64_t>(sizeof(T));
  if (rows <= 0) {
    return;
  }
  AscendC::DataCopyParams params;
  params.blockCount = static_cast<uint16_t>(rows);
  params.blockLen = 1;
  params.srcStride = static_cast<uint16_t>(pitch / width - 1);
  params.dstStride = 0;
  for (int64_t column = 0; column < columns; ++column) {
    AscendC::DataCopy(dst[static_cast<uint32_t>(column * height * width)], src[static_cast<uint32_t>(column * width)],
                      params);
  }
})"},
    {"FillBlocks", R"(// So many blocks of 32 bytes, several times, `stride` blocks apart.
template <typename T>
__aicore__ inline void FillBlocks(const AscendC::LocalTensor<T> &dst, int64_t at, int64_t times, int64_t blocks, int64_t stride,
                                  T value) {
  if (times <= 0 || blocks <= 0) {
    return;
  }
  if constexpr (sizeof(T) == 1) { // the call has no elements of 8 bits: two of them are one of 16
    const int16_t two = static_cast<int16_t>(static_cast<uint8_t>(value) * 257);
    FillBlocks<int16_t>(dst.template ReinterpretCast<int16_t>(), at, times, blocks, stride, two);
  } else {
    AscendC::InitConstValueParams<T> params;
    params.repeatTimes = static_cast<uint16_t>(times);
    params.blockNum = static_cast<uint16_t>(blocks);
    params.dstGap = static_cast<uint16_t>(times == 1 ? 0 : stride - blocks);
    params.initValue = value;
    AscendC::InitConstValue(dst[static_cast<uint32_t>(at * 32 / static_cast<int64_t>(sizeof(T)))], params);
  }
})"},
    {"LoadFractals",
     R"(// Rows of fractals of an operand, or columns if these are fewer, each by a copy. In L1 the fractals of a row lie one after the
// other, or one in each column of `height` fractals.
template <bool transpose, bool contiguous, typename T>
__aicore__ inline void LoadFractals(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, int64_t rows,
                                    int64_t columns, int64_t height) {
  constexpr int64_t fractal = 512 / static_cast<int64_t>(sizeof(T));
  if (rows <= 0 || columns <= 0) {
    return;
  }
  const bool byColumns = columns < rows;
  const bool isNext = contiguous != byColumns; // to the next fractal of a copy, else to the next copy
  AscendC::LoadData2DParams params;
  params.startIndex = 0;
  params.repeatTimes = static_cast<uint8_t>(byColumns ? rows : columns);
  params.srcStride = static_cast<uint16_t>(isNext ? 1 : height);
  params.dstGap = static_cast<uint16_t>(byColumns ? columns - 1 : 0);
  params.ifTranspose = transpose;
  for (int64_t i = 0; i < (byColumns ? columns : rows); ++i) {
    AscendC::LoadData(dst[static_cast<uint32_t>((byColumns ? i : i * columns) * fractal)],
                      src[static_cast<uint32_t>((isNext ? i * height : i) * fractal)], params);
  }
})"},
    {"LoadSquares",
     R"(// Rows of squares of 32 x 32 bytes, or columns if these are fewer, each by a copy that transposes them: a square becomes two
// fractals side by side. In L1 a column has `height` squares.
template <typename T>
__aicore__ inline void LoadSquares(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, int64_t rows,
                                   int64_t columns, int64_t height) {
  constexpr int64_t square = 1024;
  if (rows <= 0 || columns <= 0) {
    return;
  }
  const bool byColumns = columns < rows;
  AscendC::LoadData2dTransposeParams params;
  params.startIndex = 0;
  params.repeatTimes = static_cast<uint8_t>(byColumns ? rows : columns);
  params.srcStride = static_cast<uint16_t>(byColumns ? 1 : height);
  // From the end of a first fractal to the next first one: the second one, and the rest of a row.
  params.dstGap = static_cast<uint16_t>(byColumns ? 2 * columns - 1 : 1);
  params.dstFracGap = 0;
  for (int64_t i = 0; i < (byColumns ? columns : rows); ++i) {
    AscendC::LoadDataWithTranspose(dst[static_cast<uint32_t>((byColumns ? i : i * columns) * square)],
                                   src[static_cast<uint32_t>((byColumns ? i * height : i) * square)], params);
  }
})"},
    {"LoadBands",
     R"(// Rows of squares of 16 x 16 elements of 32 bits, each by a copy that transposes them. L1 has bands of `width` squares, one
// for each 16 of k. A square becomes two fractals beside each other along k: neighbours in A2, where columns of squares are
// copied if these are fewer, and in B2 in two rows.
template <bool isLeft, typename T>
__aicore__ inline void LoadBands(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, int64_t rows,
                                 int64_t columns, int64_t width) {
  constexpr int64_t square = 256;
  if (rows <= 0 || columns <= 0) {
    return;
  }
  const bool byColumns = isLeft && columns < rows;
  const bool isNext = isLeft == byColumns; // to the next square of a copy, else to the next copy
  AscendC::LoadData2dTransposeParams params;
  params.startIndex = 0;
  params.repeatTimes = static_cast<uint8_t>(byColumns ? rows : columns);
  params.srcStride = static_cast<uint16_t>(isNext ? 1 : width);
  // From the end of a first fractal to the next first one.
  params.dstGap = static_cast<uint16_t>(byColumns ? 2 * columns - 1 : isLeft ? 1 : 0);
  params.dstFracGap = static_cast<uint16_t>(isLeft ? 0 : columns - 1);
  for (int64_t i = 0; i < (byColumns ? columns : rows); ++i) {
    AscendC::LoadDataWithTranspose(dst[static_cast<uint32_t>((byColumns ? i : i * columns) * square)],
                                   src[static_cast<uint32_t>((isNext ? i * width : i) * square)], params);
  }
})"},
    {"LoadIm2col",
     R"(// Windows of an image to fractals: `rows` and `columns` fractals of the matrix of windows from an element on. In L1 the image
// is NC1HWC0, of `channels` blocks.
template <typename T>
__aicore__ inline void LoadIm2col(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, int64_t rows,
                                  int64_t firstRow, int64_t columns, int64_t firstColumn, int64_t channels, T pad,
                                  int64_t height, int64_t width, int64_t top, int64_t bottom, int64_t left, int64_t right,
                                  int64_t filterHeight, int64_t filterWidth, int64_t strideHeight, int64_t strideWidth,
                                  int64_t dilationHeight, int64_t dilationWidth) {
  constexpr int64_t block = 32 / static_cast<int64_t>(sizeof(T));
  if (rows <= 0 || columns <= 0) {
    return;
  }
  AscendC::LoadData3DParamsV2<T> params;
  params.padList[0] = static_cast<uint8_t>(left);
  params.padList[1] = static_cast<uint8_t>(right);
  params.padList[2] = static_cast<uint8_t>(top);
  params.padList[3] = static_cast<uint8_t>(bottom);
  params.l1H = static_cast<uint16_t>(height);
  params.l1W = static_cast<uint16_t>(width);
  params.channelSize = static_cast<uint16_t>(channels * block);
  params.kExtension = static_cast<uint16_t>(columns * block);
  params.mExtension = static_cast<uint16_t>(rows * 16);
  params.kStartPt = static_cast<uint16_t>(firstColumn);
  params.mStartPt = static_cast<uint16_t>(firstRow);
  params.strideW = static_cast<uint8_t>(strideWidth);
  params.strideH = static_cast<uint8_t>(strideHeight);
  params.filterW = static_cast<uint8_t>(filterWidth);
  params.filterH = static_cast<uint8_t>(filterHeight);
  params.dilationFilterW = static_cast<uint8_t>(dilationWidth);
  params.dilationFilterH = static_cast<uint8_t>(dilationHeight);
  params.enTranspose = false;
  params.enSmallK = false;
  params.padValue = pad;
  AscendC::LoadData(dst, src, params);
})"},
    {"LoadBias", R"(// So many units of 64 bytes to the bias table.
template <typename T>
__aicore__ inline void LoadBias(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, int64_t units) {
  if (units <= 0) {
    return;
  }
  AscendC::DataCopyParams params;
  params.blockCount = 1;
  params.blockLen = static_cast<uint16_t>(units);
  params.srcStride = 0;
  params.dstStride = 0;
  AscendC::DataCopy(dst, src, params);
})"},
    {"Multiply", R"(// dst = a * b, or dst += a * b.
template <typename D, typename T>
__aicore__ inline void Multiply(const AscendC::LocalTensor<D> &dst, const AscendC::LocalTensor<T> &a,
                                const AscendC::LocalTensor<T> &b, int64_t m, int64_t k, int64_t n, bool isNew) {
  if (k <= 0 && !isNew) {
    return;
  }
  AscendC::MmadParams params;
  params.m = static_cast<uint16_t>(m);
  params.n = static_cast<uint16_t>(n);
  params.k = static_cast<uint16_t>(k);
  params.cmatrixInitVal = isNew;
  params.cmatrixSource = false;
  AscendC::Mmad(dst, a, b, params);
})"},
    {"MultiplyWithBias", R"(// dst = a * b + bias, or dst += a * b.
template <typename D, typename T>
__aicore__ inline void MultiplyWithBias(const AscendC::LocalTensor<D> &dst, const AscendC::LocalTensor<T> &a,
                                        const AscendC::LocalTensor<T> &b, const AscendC::LocalTensor<D> &bias, int64_t m,
                                        int64_t k, int64_t n, bool isNew) {
  if (!isNew) {
    Multiply(dst, a, b, m, k, n, false);
    return;
  }
  AscendC::MmadParams params;
  params.m = static_cast<uint16_t>(m);
  params.n = static_cast<uint16_t>(n);
  params.k = static_cast<uint16_t>(k);
  params.cmatrixInitVal = false;
  params.cmatrixSource = true;
  AscendC::Mmad(dst, a, b, bias, params);
})"},
    {"FixpipeForm",
     R"(// Out of L0C. The configurations have one member, which all versions of the headers take.
static constexpr AscendC::FixpipeConfig kRowMajor = {AscendC::CO2Layout::ROW_MAJOR};
static constexpr AscendC::FixpipeConfig kFractals = {AscendC::CO2Layout::NZ};
// Rows are `pitch` elements apart, columns of fractals, too: the call counts them in blocks of 32 bytes. In L0C columns
// of fractals are `height` rows apart, if it is not 0.
template <bool nz, typename D>
__aicore__ inline AscendC::FixpipeParamsM300 FixpipeForm(int64_t rows, int64_t columns, int64_t pitch, bool relu,
                                                         int64_t height) {
  AscendC::FixpipeParamsM300 params;
  params.nSize = static_cast<uint16_t>(columns);
  params.mSize = static_cast<uint16_t>(rows);
  params.srcStride = static_cast<uint16_t>(height > 0 ? height : (rows + 15) / 16 * 16);
  params.dstStride = static_cast<uint32_t>(nz ? pitch * static_cast<int64_t>(sizeof(D)) / 32 : pitch);
  params.ndNum = 1;
  params.srcNdStride = 0;
  params.dstNdStride = 0;
  params.reluEn = relu;
  return params;
})"},
    {"FixpipeRows",
     R"(template <bool nz, template <typename> class Tensor, typename D, typename T>
__aicore__ inline void FixpipeRows(const Tensor<D> &dst, const AscendC::LocalTensor<T> &src, int64_t rows, int64_t columns,
                                   int64_t pitch, bool relu, int64_t height = 0) {
  if (rows <= 0 || columns <= 0) {
    return;
  }
  AscendC::FixpipeParamsM300 params = FixpipeForm<nz, D>(rows, columns, pitch, relu, height);
  if constexpr (sizeof(D) == sizeof(T)) {
    params.quantPre = QuantMode_t::NoQuant;
  } else if constexpr (AscendC::IsSameType<D, bfloat16_t>::value) {
    params.quantPre = QuantMode_t::F322BF16;
  } else {
    params.quantPre = QuantMode_t::F322F16;
  }
  if constexpr (nz) {
    AscendC::Fixpipe<D, T, kFractals>(dst, src, params);
  } else {
    AscendC::Fixpipe<D, T, kRowMajor>(dst, src, params);
  }
})"},
    {"FixpipeScaled",
     R"(// Sums of bytes times the scale of their column, 8 bytes for each in A1. The call copies them to the fixpipe buffer.
template <bool nz, template <typename> class Tensor>
__aicore__ inline void FixpipeScaled(const Tensor<half> &dst, const AscendC::LocalTensor<int32_t> &src,
                                     const AscendC::LocalTensor<float> &scales, int64_t rows, int64_t columns, int64_t pitch,
                                     bool relu, int64_t height = 0) {
  if (rows <= 0 || columns <= 0) {
    return;
  }
  AscendC::FixpipeParamsM300 params = FixpipeForm<nz, half>(rows, columns, pitch, relu, height);
  params.quantPre = QuantMode_t::VDEQF16;
  if constexpr (nz) {
    AscendC::Fixpipe<half, int32_t, kFractals>(dst, src, scales.template ReinterpretCast<uint64_t>(), params);
  } else {
    AscendC::Fixpipe<half, int32_t, kRowMajor>(dst, src, scales.template ReinterpretCast<uint64_t>(), params);
  }
})"},
};

llvm::StringRef HelperSet::need(Helper helper) {
  needed.insert(helper);
  if (helper == Helper::MultiplyWithBias)
    needed.insert(Helper::Multiply);
  if (helper == Helper::FixpipeRows || helper == Helper::FixpipeScaled)
    needed.insert(Helper::FixpipeForm);
  if (helper == Helper::ReduceRows)
    needed.insert({Helper::RepeatOfRows, Helper::JoinRepeats});
  if (helper == Helper::EachRepeat || helper == Helper::EachBlock || helper == Helper::ReduceRows)
    needed.insert(Helper::PartCall);
  return kTexts[static_cast<size_t>(helper)].name;
}

std::vector<std::string> HelperSet::lines() const {
  std::vector<std::string> result;
  for (Helper helper : needed) {
    llvm::SmallVector<llvm::StringRef> text;
    kTexts[static_cast<size_t>(helper)].text.split(text, '\n');
    for (llvm::StringRef line : text)
      if (vectorBarriers || line.trim() != "AscendC::PipeBarrier<PIPE_V>();")
        result.push_back(line.str());
    result.emplace_back();
  }
  return result;
}

std::vector<llvm::StringRef> HelperSet::names() {
  std::vector<llvm::StringRef> result;
  for (const HelperText &helper : kTexts)
    result.push_back(helper.name);
  return result;
}
