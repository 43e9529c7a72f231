// Names of the kernel library that host files use. Tiling of the Matmul library is declared here only to be refused.

#ifndef OPC_RUNTIME_ASCENDC_HOST_TILINGLIBRARY_H
#define OPC_RUNTIME_ASCENDC_HOST_TILINGLIBRARY_H

#include "runtime/ascendc/host/Platform.h"
#include "runtime/ascendc/host/TilingData.h"
#include "runtime/ascendc/lib/TemporarySizes.h"

#define OPC_OF_THE_CUBE __attribute__((unavailable("matmul: the cube is not simulated")))

namespace optiling {

/// The same fields in the same order as in the kernel (runtime/ascendc/lib/SoftMaxTiling.h).
BEGIN_TILING_DATA_DEF(SoftMaxTiling)
TILING_DATA_FIELD_DEF(uint32_t, srcM);
TILING_DATA_FIELD_DEF(uint32_t, srcK);
TILING_DATA_FIELD_DEF(uint32_t, srcSize);
TILING_DATA_FIELD_DEF(uint32_t, outMaxM);
TILING_DATA_FIELD_DEF(uint32_t, outMaxK);
TILING_DATA_FIELD_DEF(uint32_t, outMaxSize);
TILING_DATA_FIELD_DEF(uint32_t, splitM);
TILING_DATA_FIELD_DEF(uint32_t, splitK);
TILING_DATA_FIELD_DEF(uint32_t, splitSize);
TILING_DATA_FIELD_DEF(uint32_t, reduceM);
TILING_DATA_FIELD_DEF(uint32_t, reduceK);
TILING_DATA_FIELD_DEF(uint32_t, reduceSize);
TILING_DATA_FIELD_DEF(uint32_t, rangeM);
TILING_DATA_FIELD_DEF(uint32_t, tailM);
TILING_DATA_FIELD_DEF(uint32_t, tailSplitSize);
TILING_DATA_FIELD_DEF(uint32_t, tailReduceSize);
END_TILING_DATA_DEF;

} // namespace optiling

// The softmax family. Only the length of a row determines the temporary memory, and the kernel side does not use the
// tiling, so the fields about parts of rows stay 0.
namespace AscendC {

inline uint32_t softMaxTemporary(const ge::Shape &shape) {
  const int64_t row = shape.GetDimNum() == 0 ? 1 : shape.GetDim(shape.GetDimNum() - 1);
  return uint32_t(opc::ascendc::softMaxBytes(row));
}
inline uint32_t GetSoftMaxMaxTmpSize(const ge::Shape &shape, uint32_t, bool) {
  return softMaxTemporary(shape);
}
inline uint32_t GetSoftMaxMinTmpSize(const ge::Shape &shape, uint32_t, bool) {
  return softMaxTemporary(shape);
}
inline uint32_t GetSoftMaxFlashV2MaxTmpSize(const ge::Shape &shape, uint32_t, uint32_t, bool, bool = false) {
  return softMaxTemporary(shape);
}
inline uint32_t GetSoftMaxFlashV2MinTmpSize(const ge::Shape &shape, uint32_t, uint32_t, bool, bool = false) {
  return softMaxTemporary(shape);
}
inline uint32_t GetSoftMaxGradMaxTmpSize(const ge::Shape &shape, uint32_t, bool, bool) {
  return softMaxTemporary(shape);
}
inline uint32_t GetSoftMaxGradMinTmpSize(const ge::Shape &shape, uint32_t, bool, bool) {
  return softMaxTemporary(shape);
}

inline void fillSoftMaxTiling(const ge::Shape &shape, optiling::SoftMaxTiling &tiling) {
  const uint32_t row = shape.GetDimNum() == 0 ? 1 : uint32_t(shape.GetDim(shape.GetDimNum() - 1));
  const auto all = uint32_t(shape.GetShapeSize());
  tiling.set_srcM(row == 0 ? 0 : all / row);
  tiling.set_srcK(row);
  tiling.set_srcSize(all);
}
inline void SoftMaxTilingFunc(const ge::Shape &shape, uint32_t, uint32_t, optiling::SoftMaxTiling &tiling) {
  fillSoftMaxTiling(shape, tiling);
}
inline void SoftMaxFlashV2TilingFunc(const ge::Shape &shape, uint32_t, uint32_t, uint32_t,
                                     optiling::SoftMaxTiling &tiling, bool, bool = false) {
  fillSoftMaxTiling(shape, tiling);
}
inline void SoftMaxGradTilingFunc(const ge::Shape &shape, uint32_t, uint32_t, optiling::SoftMaxTiling &tiling,
                                  bool = false) {
  fillSoftMaxTiling(shape, tiling);
}

} // namespace AscendC

namespace optiling {
class OPC_OF_THE_CUBE TCubeTiling : public TilingDef {
public:
  TCubeTiling() : TilingDef("TCubeTiling") {}
};
} // namespace optiling
using optiling::TCubeTiling;

namespace matmul_tiling {
class OPC_OF_THE_CUBE MatmulApiTiling {
public:
  template <typename... T> explicit MatmulApiTiling(T &&...) {}
};
class OPC_OF_THE_CUBE MultiCoreMatmulTiling {
public:
  template <typename... T> explicit MultiCoreMatmulTiling(T &&...) {}
};
class OPC_OF_THE_CUBE BatchMatmulTiling {
public:
  template <typename... T> explicit BatchMatmulTiling(T &&...) {}
};
} // namespace matmul_tiling

#undef OPC_OF_THE_CUBE

#endif // OPC_RUNTIME_ASCENDC_HOST_TILINGLIBRARY_H
