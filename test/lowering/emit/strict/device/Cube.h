// The cube and its copies: parameters with the fields that kernels set, and calls with their types.

#ifndef STRICT_CUBE_H
#define STRICT_CUBE_H

#include "Memory.h"

enum class QuantMode_t { NoQuant, F322F16, F322BF16, VDEQF16 };

namespace strict {

/// "f16*f16>f32".
template <typename A, typename B, typename D> constexpr bool multiplies() {
  const char *const parts[] = {Word<A>::text, "*", Word<B>::text, ">", Word<D>::text, ""};
  for (const Row &row : kRows)
    if (same(row.name, "Mmad") && holds(row.forms, "no_bias"))
      return holds(row.old, parts) && (same(row.now, "=") || holds(row.now, parts));
  return false;
}

/// "f16*f16+f32>f32".
template <typename A, typename B, typename C, typename D> constexpr bool multipliesWithBias() {
  const char *const parts[] = {Word<A>::text, "*", Word<B>::text, "+", Word<C>::text, ">", Word<D>::text, ""};
  for (const Row &row : kRows)
    if (same(row.name, "Mmad") && same(row.forms, "bias"))
      return holds(row.old, parts) && (same(row.now, "=") || holds(row.now, parts));
  return false;
}

} // namespace strict

namespace AscendC {

struct Nd2NzParams {
  Nd2NzParams();
  uint16_t ndNum, nValue, dValue, srcNdMatrixStride, srcDValue, dstNzC0Stride, dstNzNStride, dstNzMatrixStride;
};
template <typename T> struct InitConstValueParams {
  InitConstValueParams();
  uint16_t repeatTimes, blockNum, dstGap;
  T initValue;
};
struct LoadData2DParams {
  LoadData2DParams();
  uint16_t startIndex;
  uint8_t repeatTimes;
  uint16_t srcStride;
  uint8_t sid;
  uint16_t dstGap;
  bool ifTranspose;
  uint8_t addrMode;
};
struct LoadData2dTransposeParams {
  LoadData2dTransposeParams();
  uint16_t startIndex;
  uint8_t repeatTimes;
  uint16_t srcStride, dstGap, dstFracGap;
  uint8_t addrMode;
};
template <typename T> struct LoadData3DParamsV2 {
  LoadData3DParamsV2();
  uint8_t padList[4];
  uint16_t l1H, l1W, channelSize, kExtension, mExtension, kStartPt, mStartPt;
  uint8_t strideW, strideH, filterW, filterH, dilationFilterW, dilationFilterH;
  bool enTranspose, enSmallK;
  T padValue;
};
struct MmadParams {
  MmadParams();
  uint16_t m, n, k;
  bool cmatrixSource, cmatrixInitVal;
};
enum class CO2Layout { NZ, ROW_MAJOR };
/// Of one member in one version and of two in the other: kernels name the first alone.
struct FixpipeConfig {
  CO2Layout format;
};
struct FixpipeParamsM300 {
  FixpipeParamsM300();
  uint16_t nSize, mSize, srcStride;
  uint32_t dstStride;
  QuantMode_t quantPre;
  uint16_t ndNum, srcNdStride, dstNdStride;
  bool reluEn;
};
template <typename T, typename U> struct IsSameType {
  static constexpr bool value = __is_same(T, U);
};

template <typename T> void DataCopy(const LocalTensor<T> &, const GlobalTensor<T> &, const Nd2NzParams &) {
  STRICT_TAKES("DataCopy", "GM_to_local_ND2NZ", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T> void DataCopy(const LocalTensor<T> &, const GlobalTensor<T> &, const DataCopyParams &) {
  STRICT_TAKES("DataCopy", "GM_to_UB_params", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T> void DataCopy(const LocalTensor<T> &, const LocalTensor<T> &, const DataCopyParams &) {
  STRICT_TAKES("DataCopy", "local_to_local_params", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T> void InitConstValue(const LocalTensor<T> &, const InitConstValueParams<T> &) {
  STRICT_TAKES("InitConstValue", "call", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T> void LoadData(const LocalTensor<T> &, const LocalTensor<T> &, const LoadData2DParams &) {
  STRICT_TAKES("LoadData", "2D_L1_to_L0", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T> void LoadData(const LocalTensor<T> &, const LocalTensor<T> &, const LoadData3DParamsV2<T> &) {
  STRICT_TAKES("LoadData", "3DV2", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename T>
void LoadDataWithTranspose(const LocalTensor<T> &, const LocalTensor<T> &, const LoadData2dTransposeParams &) {
  STRICT_TAKES("LoadDataWithTranspose", "params", STRICT_WORD(T), "", STRICT_WORD(T));
}
template <typename D, typename A, typename B>
void Mmad(const LocalTensor<D> &, const LocalTensor<A> &, const LocalTensor<B> &, const MmadParams &) {
  static_assert(strict::multiplies<A, B, D>(), "Mmad: no product of these types in both versions");
}
template <typename D, typename A, typename B, typename C>
void Mmad(const LocalTensor<D> &, const LocalTensor<A> &, const LocalTensor<B> &, const LocalTensor<C> &,
          const MmadParams &) {
  static_assert(strict::multipliesWithBias<A, B, C, D>(), "Mmad: no product of these types in both versions");
}
template <typename D, typename S, const FixpipeConfig &config>
void Fixpipe(const LocalTensor<D> &, const LocalTensor<S> &, const LocalTensor<uint64_t> &, const FixpipeParamsM300 &) {
  STRICT_TAKES("Fixpipe", "to_local_quant_tensor", STRICT_WORD(S), "", STRICT_WORD(D));
}
template <typename D, typename S, const FixpipeConfig &config>
void Fixpipe(const GlobalTensor<D> &, const LocalTensor<S> &, const LocalTensor<uint64_t> &,
             const FixpipeParamsM300 &) {
  STRICT_TAKES("Fixpipe", "to_GM_quant_tensor", STRICT_WORD(S), "", STRICT_WORD(D));
}
template <typename D, typename S, const FixpipeConfig &config>
void Fixpipe(const LocalTensor<D> &, const LocalTensor<S> &, const FixpipeParamsM300 &) {
  STRICT_TAKES("Fixpipe", "to_local", STRICT_WORD(S), "", STRICT_WORD(D));
}
template <typename D, typename S, const FixpipeConfig &config>
void Fixpipe(const GlobalTensor<D> &, const LocalTensor<S> &, const FixpipeParamsM300 &) {
  STRICT_TAKES("Fixpipe", "to_GM", STRICT_WORD(S), "", STRICT_WORD(D));
}

} // namespace AscendC

#endif
