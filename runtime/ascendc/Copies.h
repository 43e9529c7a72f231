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
  if (rows.rows != 1) {
    call.rows = rows.rows;
    const int64_t inUb = (rows.bytes + block - 1) / block * block + rows.ubGap * block;
    const int64_t inGlobal = rows.bytes + rows.globalGap;
    call.destination.stride = load ? inUb : inGlobal;
    call.sources[0].stride = load ? inGlobal : inUb;
  }
  return call;
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
#define OPC_NO_COPY_IN_UB                                                                                              \
  __attribute__((unavailable("Ascend 310B has no DataCopy from UB to UB; use Copy with a mask")))
template <typename T> OPC_NO_COPY_IN_UB void DataCopy(const LocalTensor<T> &, const LocalTensor<T> &, uint32_t);
template <typename T>
OPC_NO_COPY_IN_UB void DataCopy(const LocalTensor<T> &, const LocalTensor<T> &, const DataCopyParams &);
#undef OPC_NO_COPY_IN_UB

template <typename T>
void DataCopyPad(const LocalTensor<T> &to, const GlobalTensor<T> &from, const DataCopyExtParams &params,
                 const DataCopyPadExtParams<T> &pad, Place place = Place()) {
  opc::ascendc::Call call = opc::ascendc::copyCall(
      "DataCopyPad", to, from, {params.blockCount, params.blockLen, params.srcStride, params.dstStride}, place,
      /*load=*/true);
  constexpr int64_t size = sizeof(T), block = opc::kBlockBytes;
  const int64_t left = pad.isPad ? pad.leftPadding * size : 0;
  opc::ascendc::expectValue(!pad.isPad || (left <= block && pad.rightPadding * size <= block),
                            "DataCopyPad expects at most 32 bytes of padding on each side", place);
  // Without padding on the right, the bytes after a row that ends inside a block are undefined.
  if (pad.isPad && (left != 0 || pad.rightPadding != 0 || params.blockLen % block == 0)) {
    call.hasPad = true;
    call.pad = opc::ascendc::registerOf(pad.paddingValue);
  }
  if (left != 0) {
    call.destination.length = pad.leftPadding;
    if (params.blockCount > 1)
      call.destination.stride =
          (left + params.blockLen + block - 1) / block * block + int64_t(params.dstStride) * block;
  }
  opc::ascendc::machine().record(call, place);
}
template <typename T>
void DataCopyPad(const LocalTensor<T> &to, const GlobalTensor<T> &from, const DataCopyParams &params,
                 const DataCopyPadParams &pad, Place place = Place()) {
  T value;
  std::memcpy(&value, &pad.paddingValue, sizeof(T));
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
