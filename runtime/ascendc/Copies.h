// DataCopy and DataCopyPad between global memory and UB.
//
//   DataCopy(to, from, count)   whole blocks of 32 bytes: a partial last block is not moved
//   DataCopy(to, from, params)  rows of blocks; gaps in blocks on both sides
//   DataCopyPad(...)            rows of bytes; gaps of bytes in global memory, of blocks in UB
//
// A gap is the distance from the end of a row to the start of the next; in UB a row ends with its block.

#ifndef OPC_RUNTIME_ASCENDC_COPIES_H
#define OPC_RUNTIME_ASCENDC_COPIES_H

#include "runtime/ascendc/Calls.h"

#include "runtime/target/Memories.h"

namespace AscendC {

struct DataCopyParams {
  DataCopyParams() = default;
  DataCopyParams(uint16_t count, uint16_t len, uint16_t srcStrideIn, uint16_t dstStrideIn)
      : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn) {}
  uint16_t blockCount = 1;
  uint16_t blockLen = 0;
  union {
    uint16_t srcStride = 0, srcGap;
  };
  union {
    uint16_t dstStride = 0, dstGap;
  };
};
struct DataCopyExtParams {
  DataCopyExtParams() = default;
  DataCopyExtParams(uint16_t count, uint32_t len, uint32_t srcStrideIn, uint32_t dstStrideIn, uint32_t rsvIn)
      : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn), rsv(rsvIn) {}
  uint16_t blockCount = 1;
  uint32_t blockLen = 0, srcStride = 0, dstStride = 0, rsv = 0;
};
struct DataCopyPadParams {
  DataCopyPadParams() = default;
  DataCopyPadParams(bool pad, uint8_t left, uint8_t right, uint64_t value)
      : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}
  bool isPad = false;
  uint8_t leftPadding = 0, rightPadding = 0;
  uint64_t paddingValue = 0;
};
/// A dimension of a copy in slices: pieces of `burstLen` blocks (in the first dimension; elsewhere one index) with
/// `stride` elements between them, from startIndex to endIndex, of shapeValue elements in all.
struct SliceInfo {
  SliceInfo() = default;
  SliceInfo(uint32_t start, uint32_t end, uint32_t gap, uint32_t burst, uint32_t shape = 0)
      : startIndex(start), endIndex(end), stride(gap), burstLen(burst), shapeValue(shape) {}
  uint32_t startIndex = 0, endIndex = 0, stride = 0, burstLen = 1, shapeValue = 0;
};
template <typename T> struct DataCopyPadExtParams {
  DataCopyPadExtParams() = default;
  DataCopyPadExtParams(bool pad, uint8_t left, uint8_t right, T value)
      : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}
  bool isPad = false;
  uint8_t leftPadding = 0, rightPadding = 0;
  T paddingValue{};
};

} // namespace AscendC

namespace opc::ascendc {

/// Bytes and gaps of a copy, for all forms of calls.
struct CopyRows {
  int64_t rows, bytes, globalGap, ubGap;
};

/// The bytes of the whole blocks in `count` elements.
template <typename T> int64_t wholeBlocks(int64_t count) {
  return count * int64_t(sizeof(T)) / opc::kBlockBytes * opc::kBlockBytes;
}

template <typename To, typename From>
Call copyCall(const char *name, const To &to, const From &from, const CopyRows &rows, Place place, bool load) {
  constexpr int64_t block = opc::kBlockBytes, size = sizeof(typename To::PrimType);
  if (rows.bytes % size != 0)
    machine().refuse("ascendc_c10", "a copy expects rows of whole elements", place);
  Call call;
  call.name = name;
  call.form.kind = load ? PipeInstruction::Load : PipeInstruction::Store;
  call.form.pipe = load ? Pipe::MTE2 : Pipe::MTE3;
  setOperand(call.form.destination, call.destination, to);
  setOperand(call.form.sources[0], call.sources[0], from);
  call.count = rows.bytes / size;
  // A single row has them too: calls of one place that differ only in values are one instruction.
  call.rows = rows.rows;
  const int64_t inUb = (rows.bytes + block - 1) / block * block + rows.ubGap * block;
  const int64_t inGlobal = rows.bytes + rows.globalGap;
  call.destination.stride = load ? inUb : inGlobal;
  call.sources[0].stride = load ? inGlobal : inUb;
  // Blocks of a copy to L1 are rows of fractals.
  if constexpr (std::is_same_v<To, AscendC::LocalTensor<typename To::PrimType>>)
    if (memoryAt(to.address) == Memory::L1) {
      call.form.kind = PipeInstruction::LoadNz;
      call.form.packed = true;
    }
  return call;
}

/// The pieces of one dimension.
struct SlicePieces {
  int64_t count = 0, length = 0;
  SlicePieces(const AscendC::SliceInfo &slice, int64_t length) : length(length) {
    const int64_t last = int64_t(slice.endIndex) + 1 - length, step = length + int64_t(slice.stride);
    count = length < 1 || last < int64_t(slice.startIndex) ? 0 : (last - int64_t(slice.startIndex)) / step + 1;
  }
};

/// Calls copy(UB tensor, global tensor, rows) for each index of the dimensions beyond the first.
template <typename T, typename Copy>
void copySlices(const AscendC::LocalTensor<T> &ub, const AscendC::SliceInfo *inUb,
                const AscendC::GlobalTensor<T> &global, const AscendC::SliceInfo *inGlobal, uint32_t dimensions,
                Place place, Copy copy) {
  constexpr int64_t block = opc::kBlockBytes, size = sizeof(T);
  constexpr uint32_t most = 8;
  expectValue(dimensions >= 1 && dimensions <= most, "DataCopy of slices expects 1 to 8 dimensions", place);
  const SlicePieces source(inGlobal[0], inGlobal[0].burstLen * block / size);
  const SlicePieces target(inUb[0], inUb[0].burstLen * block / size);
  const bool isWhole = inUb[0].stride * size % block == 0 && inUb[0].startIndex * size % block == 0;
  expectForm(isWhole, "DataCopy of slices that do not start at blocks of 32 bytes in UB", place);
  expectValue(source.count * source.length == target.count * target.length && source.count > 0,
              "DataCopy of slices expects as many elements on both sides", place);
  // Pieces without gaps on one side get the length of the pieces on the other side.
  const bool isSplit = source.length != target.length;
  expectForm(!isSplit || (source.length < target.length ? inUb : inGlobal)[0].stride == 0,
             "DataCopy of slices whose pieces have different lengths", place);
  const SlicePieces &pieces = source.length <= target.length ? source : target;
  const CopyRows rows = {pieces.count, pieces.length * size,
                         isSplit && source.length > target.length ? 0 : int64_t(inGlobal[0].stride) * size,
                         isSplit && target.length > source.length ? 0 : int64_t(inUb[0].stride) * size / block};
  int64_t counts[most] = {}, copies = 1;
  for (uint32_t d = 1; d < dimensions; ++d) {
    counts[d] = SlicePieces(inGlobal[d], 1).count;
    expectValue(counts[d] > 0 && counts[d] == SlicePieces(inUb[d], 1).count,
                "DataCopy of slices expects as many indices on both sides", place);
    expectValue(copies <= (int64_t(1) << 24) / counts[d], "DataCopy of slices expects at most 16777216 pieces", place);
    copies *= counts[d];
  }
  constexpr int64_t farthest = int64_t(1) << 40; // more than any memory has; sums of them stay within 64 bits
  for (int64_t number = 0; number < copies; ++number) {
    int64_t rest = number, globalAt = inGlobal[0].startIndex, ubAt = inUb[0].startIndex;
    int64_t globalStep = inGlobal[0].shapeValue, ubStep = inUb[0].shapeValue;
    for (uint32_t d = 1; d < dimensions; ++d) {
      const int64_t index = rest % counts[d];
      rest /= counts[d];
      globalAt += (inGlobal[d].startIndex + index * (1 + int64_t(inGlobal[d].stride))) * globalStep;
      ubAt += (inUb[d].startIndex + index * (1 + int64_t(inUb[d].stride))) * ubStep;
      expectValue(globalAt < farthest && ubAt < farthest && globalStep < farthest && ubStep < farthest,
                  "DataCopy of slices expects indices within its tensors", place);
      globalStep *= inGlobal[d].shapeValue;
      ubStep *= inUb[d].shapeValue;
    }
    expectValue(ubAt <= UINT32_MAX, "DataCopy of slices expects indices within its tensors", place);
    copy(ub[uint32_t(ubAt)], global[uint64_t(globalAt)], rows);
  }
}

} // namespace opc::ascendc

namespace AscendC {

template <typename T>
void DataCopy(const LocalTensor<T> &to, const GlobalTensor<T> &from, const DataCopyParams &params,
              Place place = Place()) {
  opc::ascendc::machine().record(opc::ascendc::copyCall("DataCopy", to, from,
                                                        {params.blockCount, params.blockLen * opc::kBlockBytes,
                                                         params.srcStride * opc::kBlockBytes, params.dstStride},
                                                        place, /*load=*/true),
                                 place);
}
template <typename T>
void DataCopy(const GlobalTensor<T> &to, const LocalTensor<T> &from, const DataCopyParams &params,
              Place place = Place()) {
  opc::ascendc::machine().record(opc::ascendc::copyCall("DataCopy", to, from,
                                                        {params.blockCount, params.blockLen * opc::kBlockBytes,
                                                         params.dstStride * opc::kBlockBytes, params.srcStride},
                                                        place, /*load=*/false),
                                 place);
}
template <typename T>
void DataCopy(const LocalTensor<T> &to, const GlobalTensor<T> &from, uint32_t count, Place place = Place()) {
  const int64_t bytes = opc::ascendc::wholeBlocks<T>(count);
  opc::ascendc::machine().record(opc::ascendc::copyCall("DataCopy", to, from, {1, bytes, 0, 0}, place, /*load=*/true),
                                 place);
}
template <typename T>
void DataCopy(const GlobalTensor<T> &to, const LocalTensor<T> &from, uint32_t count, Place place = Place()) {
  const int64_t bytes = opc::ascendc::wholeBlocks<T>(count);
  opc::ascendc::machine().record(opc::ascendc::copyCall("DataCopy", to, from, {1, bytes, 0, 0}, place, /*load=*/false),
                                 place);
}

/// Copies between slices of a tensor in global memory and of one in UB. Pieces of the first dimension are the rows of a
/// copy; each index of the other dimensions is a separate copy.
template <typename T>
void DataCopy(const LocalTensor<T> &to, const GlobalTensor<T> &from, const SliceInfo toSlices[],
              const SliceInfo fromSlices[], const uint32_t dimensions = 1, Place place = Place()) {
  opc::ascendc::copySlices<T>(to, toSlices, from, fromSlices, dimensions, place,
                              [&](const auto &ub, const auto &global, const opc::ascendc::CopyRows &rows) {
                                opc::ascendc::machine().record(
                                    opc::ascendc::copyCall("DataCopy", ub, global, rows, place, /*load=*/true), place);
                              });
}
template <typename T>
void DataCopy(const GlobalTensor<T> &to, const LocalTensor<T> &from, const SliceInfo toSlices[],
              const SliceInfo fromSlices[], const uint32_t dimensions = 1, Place place = Place()) {
  opc::ascendc::copySlices<T>(from, fromSlices, to, toSlices, dimensions, place,
                              [&](const auto &ub, const auto &global, const opc::ascendc::CopyRows &rows) {
                                opc::ascendc::machine().record(
                                    opc::ascendc::copyCall("DataCopy", global, ub, rows, place, /*load=*/false), place);
                              });
}

#define OPC_NO_COPY_IN_UB                                                                                              \
  __attribute__((unavailable("Ascend 310B has no DataCopy from UB to UB; use Copy with a mask")))
template <typename T> OPC_NO_COPY_IN_UB void DataCopy(const LocalTensor<T> &, const LocalTensor<T> &, uint32_t);
#undef OPC_NO_COPY_IN_UB

template <typename T>
void DataCopyPad(const LocalTensor<T> &to, const GlobalTensor<T> &from, const DataCopyExtParams &params,
                 const DataCopyPadExtParams<T> &pad, Place place = Place()) {
  opc::ascendc::Call call = opc::ascendc::copyCall(
      "DataCopyPad", to, from, {params.blockCount, params.blockLen, params.srcStride, params.dstStride}, place,
      /*load=*/true);
  constexpr int64_t size = sizeof(T), block = opc::kBlockBytes;
  const int64_t left = pad.leftPadding * size, right = pad.rightPadding * size;
  opc::ascendc::expectValue(left <= block && right <= block,
                            "DataCopyPad expects at most 32 bytes of padding on each side", place);
  auto wholeBlocks = [](int64_t bytes) { return (bytes + block - 1) / block * block; };
  // Without padding, the bytes after a row that ends inside a block are copies of its first element.
  if (pad.isPad && (left != 0 || right != 0 || params.blockLen % block == 0)) {
    call.hasPad = true;
    call.pad = opc::ascendc::registerOf(pad.paddingValue);
  }
  if (left != 0)
    call.destination.length = pad.leftPadding;
  // Padding without a value is undefined, and so is the rest of its block.
  const int64_t bytes = wholeBlocks(left + params.blockLen + right);
  if (right != 0 && (!pad.isPad || bytes != wholeBlocks(left + params.blockLen)))
    call.sources[0].length = pad.rightPadding;
  call.destination.stride = bytes + int64_t(params.dstStride) * block;
  opc::ascendc::machine().record(call, place);
}
template <typename T>
void DataCopyPad(const LocalTensor<T> &to, const GlobalTensor<T> &from, const DataCopyParams &params,
                 const DataCopyPadParams &pad, Place place = Place()) {
  T value;
  __builtin_memcpy(&value, &pad.paddingValue, sizeof(T));
  DataCopyPad(to, from, DataCopyExtParams(params.blockCount, params.blockLen, params.srcStride, params.dstStride, 0),
              DataCopyPadExtParams<T>(pad.isPad, pad.leftPadding, pad.rightPadding, value), place);
}
template <typename T>
void DataCopyPad(const GlobalTensor<T> &to, const LocalTensor<T> &from, const DataCopyExtParams &params,
                 Place place = Place()) {
  opc::ascendc::machine().record(
      opc::ascendc::copyCall("DataCopyPad", to, from,
                             {params.blockCount, params.blockLen, params.dstStride, params.srcStride}, place,
                             /*load=*/false),
      place);
}
template <typename T>
void DataCopyPad(const GlobalTensor<T> &to, const LocalTensor<T> &from, const DataCopyParams &params,
                 Place place = Place()) {
  DataCopyPad(to, from, DataCopyExtParams(params.blockCount, params.blockLen, params.srcStride, params.dstStride, 0),
              place);
}

} // namespace AscendC

#endif // OPC_RUNTIME_ASCENDC_COPIES_H
