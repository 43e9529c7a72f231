// The tiling of a softmax for kernels.

#ifndef OPC_RUNTIME_ASCENDC_LIB_SOFTMAXTILING_H
#define OPC_RUNTIME_ASCENDC_LIB_SOFTMAXTILING_H

#include <cstdint>

namespace AscendC::tiling {

/// The result of the host's SoftMaxTilingFunc; the names and their order are those of the vendor's structure.
struct SoftMaxTiling {
  uint32_t srcM = 0, srcK = 0, srcSize = 0;
  uint32_t outMaxM = 0, outMaxK = 0, outMaxSize = 0;
  uint32_t splitM = 0, splitK = 0, splitSize = 0;
  uint32_t reduceM = 0, reduceK = 0, reduceSize = 0;
  uint32_t rangeM = 0, tailM = 0, tailSplitSize = 0, tailReduceSize = 0;
};

} // namespace AscendC::tiling

#endif // OPC_RUNTIME_ASCENDC_LIB_SOFTMAXTILING_H
